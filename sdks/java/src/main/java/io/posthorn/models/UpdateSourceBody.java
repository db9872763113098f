// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** <code>UpdateSourceBody</code> of the API. */
public final class UpdateSourceBody extends Model {
  public UpdateSourceBody() {
  }

  private UpdateSourceBody(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static UpdateSourceBody fromJson(JsonNode json) {
    return new UpdateSourceBody(Json.object(json));
  }

  public UpdateSourceBody name(String name) {
    putRequired("name", name);
    return this;
  }

  public UpdateSourceBody externalId(@Nullable String externalId) {
    put("externalId", externalId);
    return this;
  }

  public UpdateSourceBody isActive(boolean isActive) {
    putRequired("isActive", isActive);
    return this;
  }

  /** The new config, which replaces the current one as a whole. */
  public UpdateSourceBody config(SourceConfigInput config) {
    putRequired("config", config);
    return this;
  }

  public UpdateSourceBody credentials(Map<String, String> credentials) {
    putRequired("credentials", credentials);
    return this;
  }
}
