// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;

/** What waits because of an outage of Posthorn, and is sent at a pace. */
public final class CatchingUp extends Model {
  private CatchingUp(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the interface. Throws an IllegalArgumentException when it is not an object. */
  @JsonCreator
  public static CatchingUp fromJson(JsonNode json) {
    return new CatchingUp(Json.object(json));
  }

  /** Deliveries that still wait; at most 100,000 are counted. */
  public long waiting() {
    return json.path("waiting").asLong();
  }

  /** What their endpoints get at most, together. */
  public double perSecond() {
    return json.path("perSecond").asDouble();
  }

  /** When the last of them is sent, if new events come at the usual rates. */
  public Instant endsAt() {
    return Json.time(json.path("endsAt"));
  }
}
