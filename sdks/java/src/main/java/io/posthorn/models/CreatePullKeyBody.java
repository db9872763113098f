// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** <code>CreatePullKeyBody</code> of the API. */
public final class CreatePullKeyBody extends Model {
  public CreatePullKeyBody() {
  }

  private CreatePullKeyBody(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static CreatePullKeyBody fromJson(JsonNode json) {
    return new CreatePullKeyBody(Json.object(json));
  }

  public CreatePullKeyBody name(String name) {
    putRequired("name", name);
    return this;
  }

  public CreatePullKeyBody expiresAt(@Nullable Instant expiresAt) {
    put("expiresAt", expiresAt);
    return this;
  }
}
