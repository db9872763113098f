// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** <code>CreateApplicationBody</code> of the API. */
public final class CreateApplicationBody extends Model {
  /** Takes the required fields. */
  public CreateApplicationBody(String name) {
    putRequired("name", name);
  }

  private CreateApplicationBody(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static CreateApplicationBody fromJson(JsonNode json) {
    return new CreateApplicationBody(Json.object(json));
  }

  public CreateApplicationBody name(String name) {
    putRequired("name", name);
    return this;
  }

  public CreateApplicationBody externalId(@Nullable String externalId) {
    put("externalId", externalId);
    return this;
  }

  public CreateApplicationBody metadata(Map<String, String> metadata) {
    putRequired("metadata", metadata);
    return this;
  }
}
