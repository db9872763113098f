// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import org.jspecify.annotations.Nullable;

/** <code>StatsPointDelayMs</code> of the API. */
public final class StatsPointDelayMs extends Model {
  private StatsPointDelayMs(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static StatsPointDelayMs fromJson(JsonNode json) {
    return new StatsPointDelayMs(Json.object(json));
  }

  public @Nullable Double p50() {
    return Json.orNull(json.path("p50"), JsonNode::asDouble);
  }

  public @Nullable Double p95() {
    return Json.orNull(json.path("p95"), JsonNode::asDouble);
  }

  public @Nullable Double p99() {
    return Json.orNull(json.path("p99"), JsonNode::asDouble);
  }
}
