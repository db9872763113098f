// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import org.jspecify.annotations.Nullable;

/** <code>StatsGroupsItemTotals</code> of the API. */
public final class StatsGroupsItemTotals extends Model {
  private StatsGroupsItemTotals(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static StatsGroupsItemTotals fromJson(JsonNode json) {
    return new StatsGroupsItemTotals(Json.object(json));
  }

  /** The number of accepted events. Null in the statistics of an endpoint, and in groups by endpoint or status. */
  public @Nullable Long ingested() {
    return Json.orNull(json.path("ingested"), JsonNode::asLong);
  }

  /** The number of these attempts. Null if grouped by status. */
  public @Nullable Long attempts() {
    return Json.orNull(json.path("attempts"), JsonNode::asLong);
  }

  /** The number of these attempts. Null if grouped by status. */
  public @Nullable Long succeeded() {
    return Json.orNull(json.path("succeeded"), JsonNode::asLong);
  }

  /** The number of these attempts. Null if grouped by status. */
  public @Nullable Long failed() {
    return Json.orNull(json.path("failed"), JsonNode::asLong);
  }

  public long delivered() {
    return json.path("delivered").asLong();
  }

  public long deadLettered() {
    return json.path("deadLettered").asLong();
  }

  /** Quantiles in milliseconds, with a relative error of at most 5 %. Null if nothing was counted. */
  public StatsGroupsItemTotalsDurationMs durationMs() {
    return Json.orNull(json.path("durationMs"), StatsGroupsItemTotalsDurationMs::fromJson);
  }

  /** Quantiles in milliseconds, with a relative error of at most 5 %. Null if nothing was counted. */
  public StatsGroupsItemTotalsDelayMs delayMs() {
    return Json.orNull(json.path("delayMs"), StatsGroupsItemTotalsDelayMs::fromJson);
  }

  /** The number of deliveries that ended as <code>delivered</code>, <code>failed</code> or <code>dead_letter</code>. */
  public long ended() {
    return json.path("ended").asLong();
  }
}
