// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;

/** Deliveries that are waiting after an outage of Posthorn and are sent at a limited rate. */
public final class CatchingUp extends Model {
  private CatchingUp(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static CatchingUp fromJson(JsonNode json) {
    return new CatchingUp(Json.object(json));
  }

  /** The number of deliveries that are still waiting. At most 100,000 are counted. */
  public long waiting() {
    return json.path("waiting").asLong();
  }

  /** The maximum number of deliveries per second to all their endpoints together. */
  public double perSecond() {
    return json.path("perSecond").asDouble();
  }

  /** When the last of them is expected to be sent, if new events arrive at the usual rate. */
  public Instant endsAt() {
    return Json.time(json.path("endsAt"));
  }
}
