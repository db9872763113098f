// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The counts of one step. */
public final class StatsPoint extends Model {
  private StatsPoint(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static StatsPoint fromJson(JsonNode json) {
    return new StatsPoint(Json.object(json));
  }

  /** The start of the step. */
  public Instant at() {
    return Json.time(json.path("at"));
  }

  /** The number of accepted events. Null in the statistics of an endpoint, and in groups by endpoint or status. */
  public @Nullable Long ingested() {
    return Json.orNull(json.path("ingested"), JsonNode::asLong);
  }

  public long attempts() {
    return json.path("attempts").asLong();
  }

  public long succeeded() {
    return json.path("succeeded").asLong();
  }

  /** The number of failed attempts. */
  public long failed() {
    return json.path("failed").asLong();
  }

  public long delivered() {
    return json.path("delivered").asLong();
  }

  public long deadLettered() {
    return json.path("deadLettered").asLong();
  }

  /** Quantiles in milliseconds, with a relative error of at most 5 %. Null if nothing was counted. */
  public StatsPointDurationMs durationMs() {
    return Json.orNull(json.path("durationMs"), StatsPointDurationMs::fromJson);
  }

  /** Quantiles in milliseconds, with a relative error of at most 5 %. Null if nothing was counted. */
  public StatsPointDelayMs delayMs() {
    return Json.orNull(json.path("delayMs"), StatsPointDelayMs::fromJson);
  }
}
