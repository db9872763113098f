// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The recent statistics of an endpoint. */
public final class EndpointStats extends Model {
  private EndpointStats(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static EndpointStats fromJson(JsonNode json) {
    return new EndpointStats(Json.object(json));
  }

  /** The attempts of the last 24 hours by hour, oldest first. The last item is the current hour. */
  public List<EndpointStatsHoursItem> hours() {
    return Json.list(json.path("hours"), EndpointStatsHoursItem::fromJson);
  }

  public @Nullable Instant lastSuccessAt() {
    return Json.time(json.path("lastSuccessAt"));
  }

  public @Nullable Instant lastFailureAt() {
    return Json.time(json.path("lastFailureAt"));
  }

  /** The share of attempts in these hours that failed, from 0 to 1. */
  public double failureRate() {
    return json.path("failureRate").asDouble();
  }

  /** Whether the endpoint currently subscribes to any event type. */
  public boolean isSubscribed() {
    return json.path("isSubscribed").asBoolean();
  }
}
