// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** How the endpoints of an application are. */
public final class ApplicationHealth extends Model {
  private ApplicationHealth(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the interface. Throws an IllegalArgumentException when it is not an object. */
  @JsonCreator
  public static ApplicationHealth fromJson(JsonNode json) {
    return new ApplicationHealth(Json.object(json));
  }

  /** Its endpoints, inactive ones included. */
  public long endpoints() {
    return json.path("endpoints").asLong();
  }

  /** The active endpoints among them whose <code>health</code> is <code>failing</code>. */
  public long failing() {
    return json.path("failing").asLong();
  }

  /** The active endpoints among them whose <code>health</code> is <code>degraded</code>. */
  public long degraded() {
    return json.path("degraded").asLong();
  }

  /** Their deliveries that ended as <code>failed</code> or <code>dead_letter</code> in the last 24 hours. */
  public long undelivered() {
    return json.path("undelivered").asLong();
  }

  /** When its newest event was accepted; null without one among its newest 200. */
  public @Nullable Instant lastEventAt() {
    return Json.time(json.path("lastEventAt"));
  }
}
