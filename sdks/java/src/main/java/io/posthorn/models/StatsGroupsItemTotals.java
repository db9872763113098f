// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import org.jspecify.annotations.Nullable;

/** <code>StatsGroupsItemTotals</code> of the interface. */
public final class StatsGroupsItemTotals extends Model {
  private StatsGroupsItemTotals(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the interface. Throws an IllegalArgumentException when it is not an object. */
  @JsonCreator
  public static StatsGroupsItemTotals fromJson(JsonNode json) {
    return new StatsGroupsItemTotals(Json.object(json));
  }

  /** Events accepted; null where an endpoint is given. */
  public @Nullable Long ingested() {
    return Json.orNull(json.path("ingested"), JsonNode::asLong);
  }

  /** Null in groups by status. */
  public @Nullable Long attempts() {
    return Json.orNull(json.path("attempts"), JsonNode::asLong);
  }

  /** Null in groups by status. */
  public @Nullable Long succeeded() {
    return Json.orNull(json.path("succeeded"), JsonNode::asLong);
  }

  /** Null in groups by status. */
  public @Nullable Long failed() {
    return Json.orNull(json.path("failed"), JsonNode::asLong);
  }

  public long delivered() {
    return json.path("delivered").asLong();
  }

  public long deadLettered() {
    return json.path("deadLettered").asLong();
  }

  /** In milliseconds, with a relative error of at most 5 %; null where nothing was counted. */
  public StatsGroupsItemTotalsDurationMs durationMs() {
    return Json.orNull(json.path("durationMs"), StatsGroupsItemTotalsDurationMs::fromJson);
  }

  /** In milliseconds, with a relative error of at most 5 %; null where nothing was counted. */
  public StatsGroupsItemTotalsDelayMs delayMs() {
    return Json.orNull(json.path("delayMs"), StatsGroupsItemTotalsDelayMs::fromJson);
  }

  /** Deliveries that ended as delivered, failed or dead_letter. */
  public long ended() {
    return json.path("ended").asLong();
  }
}
