// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** <code>UpdateApplicationBody</code> of the API. */
public final class UpdateApplicationBody extends Model {
  public UpdateApplicationBody() {
  }

  private UpdateApplicationBody(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static UpdateApplicationBody fromJson(JsonNode json) {
    return new UpdateApplicationBody(Json.object(json));
  }

  public UpdateApplicationBody name(String name) {
    putRequired("name", name);
    return this;
  }

  public UpdateApplicationBody externalId(@Nullable String externalId) {
    put("externalId", externalId);
    return this;
  }

  public UpdateApplicationBody metadata(@Nullable Map<String, String> metadata) {
    put("metadata", metadata);
    return this;
  }
}
