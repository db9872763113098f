// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;

/** <code>EndpointStatsHoursItem</code> of the API. */
public final class EndpointStatsHoursItem extends Model {
  private EndpointStatsHoursItem(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static EndpointStatsHoursItem fromJson(JsonNode json) {
    return new EndpointStatsHoursItem(Json.object(json));
  }

  public Instant at() {
    return Json.time(json.path("at"));
  }

  public long succeeded() {
    return json.path("succeeded").asLong();
  }

  public long failed() {
    return json.path("failed").asLong();
  }
}
