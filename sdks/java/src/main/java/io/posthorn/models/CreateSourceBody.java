// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** <code>CreateSourceBody</code> of the API. */
public final class CreateSourceBody extends Model {
  /** Takes the required fields. */
  public CreateSourceBody(String name, SourceConfigInput config) {
    putRequired("name", name);
    putRequired("config", config);
  }

  private CreateSourceBody(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static CreateSourceBody fromJson(JsonNode json) {
    return new CreateSourceBody(Json.object(json));
  }

  public CreateSourceBody name(String name) {
    putRequired("name", name);
    return this;
  }

  public CreateSourceBody externalId(@Nullable String externalId) {
    put("externalId", externalId);
    return this;
  }

  /** One of <code>kafka</code>. */
  public CreateSourceBody type(String type) {
    putRequired("type", type);
    return this;
  }

  /** The environment. Defaults to the default environment of the workspace. */
  public CreateSourceBody environmentId(String environmentId) {
    putRequired("environmentId", environmentId);
    return this;
  }

  public CreateSourceBody isActive(boolean isActive) {
    putRequired("isActive", isActive);
    return this;
  }

  public CreateSourceBody config(SourceConfigInput config) {
    putRequired("config", config);
    return this;
  }

  public CreateSourceBody credentials(Map<String, String> credentials) {
    putRequired("credentials", credentials);
    return this;
  }
}
