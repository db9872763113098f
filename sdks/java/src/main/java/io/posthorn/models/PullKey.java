// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A credential with which consumers fetch deliveries from one endpoint. */
public final class PullKey extends Model {
  private PullKey(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static PullKey fromJson(JsonNode json) {
    return new PullKey(Json.object(json));
  }

  public String id() {
    return Json.text(json.path("id"));
  }

  public String name() {
    return Json.text(json.path("name"));
  }

  public String keyPreview() {
    return Json.text(json.path("keyPreview"));
  }

  public Instant createdAt() {
    return Json.time(json.path("createdAt"));
  }

  public @Nullable Instant lastUsedAt() {
    return Json.time(json.path("lastUsedAt"));
  }

  public @Nullable Instant expiresAt() {
    return Json.time(json.path("expiresAt"));
  }
}
