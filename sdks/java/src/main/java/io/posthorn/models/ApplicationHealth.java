// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The health of the endpoints of an application. */
public final class ApplicationHealth extends Model {
  private ApplicationHealth(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static ApplicationHealth fromJson(JsonNode json) {
    return new ApplicationHealth(Json.object(json));
  }

  /** The number of endpoints, including inactive ones. */
  public long endpoints() {
    return json.path("endpoints").asLong();
  }

  /** The number of active endpoints whose <code>health</code> is <code>failing</code>. */
  public long failing() {
    return json.path("failing").asLong();
  }

  /** The number of active endpoints whose <code>health</code> is <code>degraded</code>. */
  public long degraded() {
    return json.path("degraded").asLong();
  }

  /** The number of deliveries to these endpoints that ended as <code>failed</code> or <code>dead_letter</code> in the last 24 hours. */
  public long undelivered() {
    return json.path("undelivered").asLong();
  }

  /** When the latest event of the application was accepted. Null if there is none among its 200 latest events. */
  public @Nullable Instant lastEventAt() {
    return Json.time(json.path("lastEventAt"));
  }
}
