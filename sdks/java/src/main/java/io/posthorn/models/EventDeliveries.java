// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;

/** <code>EventDeliveries</code> of the API. */
public final class EventDeliveries extends Model {
  private EventDeliveries(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static EventDeliveries fromJson(JsonNode json) {
    return new EventDeliveries(Json.object(json));
  }

  public long pending() {
    return json.path("pending").asLong();
  }

  public long delivering() {
    return json.path("delivering").asLong();
  }

  public long delivered() {
    return json.path("delivered").asLong();
  }

  public long scheduledRetry() {
    return json.path("scheduled_retry").asLong();
  }

  public long failed() {
    return json.path("failed").asLong();
  }

  public long deadLetter() {
    return json.path("dead_letter").asLong();
  }
}
