// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** <code>CreateApiKeyBody</code> of the API. */
public final class CreateApiKeyBody extends Model {
  /** Takes the required fields. */
  public CreateApiKeyBody(String name) {
    putRequired("name", name);
  }

  private CreateApiKeyBody(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static CreateApiKeyBody fromJson(JsonNode json) {
    return new CreateApiKeyBody(Json.object(json));
  }

  public CreateApiKeyBody name(String name) {
    putRequired("name", name);
    return this;
  }

  public CreateApiKeyBody expiresAt(@Nullable Instant expiresAt) {
    put("expiresAt", expiresAt);
    return this;
  }
}
