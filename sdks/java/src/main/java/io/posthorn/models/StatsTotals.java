// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import org.jspecify.annotations.Nullable;

/** <code>StatsTotals</code> of the interface. */
public final class StatsTotals extends Model {
  private StatsTotals(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the interface. Throws an IllegalArgumentException when it is not an object. */
  @JsonCreator
  public static StatsTotals fromJson(JsonNode json) {
    return new StatsTotals(Json.object(json));
  }

  /** Events accepted; null where an endpoint is given. */
  public @Nullable Long ingested() {
    return Json.orNull(json.path("ingested"), JsonNode::asLong);
  }

  public long attempts() {
    return json.path("attempts").asLong();
  }

  public long succeeded() {
    return json.path("succeeded").asLong();
  }

  /** Attempts that failed. */
  public long failed() {
    return json.path("failed").asLong();
  }

  public long delivered() {
    return json.path("delivered").asLong();
  }

  public long deadLettered() {
    return json.path("deadLettered").asLong();
  }

  /** In milliseconds, with a relative error of at most 5 %; null where nothing was counted. */
  public StatsTotalsDurationMs durationMs() {
    return Json.orNull(json.path("durationMs"), StatsTotalsDurationMs::fromJson);
  }

  /** In milliseconds, with a relative error of at most 5 %; null where nothing was counted. */
  public StatsTotalsDelayMs delayMs() {
    return Json.orNull(json.path("delayMs"), StatsTotalsDelayMs::fromJson);
  }

  /** Deliveries that ended as delivered, failed or dead_letter. */
  public long ended() {
    return json.path("ended").asLong();
  }
}
