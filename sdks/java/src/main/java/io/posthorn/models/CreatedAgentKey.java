// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** <code>CreatedAgentKey</code> of the API. */
public final class CreatedAgentKey extends Model {
  private CreatedAgentKey(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static CreatedAgentKey fromJson(JsonNode json) {
    return new CreatedAgentKey(Json.object(json));
  }

  public String id() {
    return Json.text(json.path("id"));
  }

  public String name() {
    return Json.text(json.path("name"));
  }

  public String environmentId() {
    return Json.text(json.path("environmentId"));
  }

  /** The application whose events the agent receives. Null if the agent subscribes for the workspace itself. */
  public @Nullable String applicationId() {
    return Json.text(json.path("applicationId"));
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

  public Instant expiresAt() {
    return Json.time(json.path("expiresAt"));
  }

  /**
   * The agent key, <code>pha_…</code>. It is shown only once. Null if an <code>Idempotency-Key</code> repeats a creation of more than
   * ten minutes ago.
   */
  public @Nullable String key() {
    return Json.text(json.path("key"));
  }
}
