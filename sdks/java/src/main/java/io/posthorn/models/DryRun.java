// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A preview of what an operation would select now. */
public final class DryRun extends Model {
  private DryRun(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static DryRun fromJson(JsonNode json) {
    return new DryRun(Json.object(json));
  }

  /** Always null, because no operation was started. */
  public @Nullable String id() {
    return Json.text(json.path("id"));
  }

  public long matched() {
    return json.path("matched").asLong();
  }

  public @Nullable Instant oldest() {
    return Json.time(json.path("oldest"));
  }

  public @Nullable Instant newest() {
    return Json.time(json.path("newest"));
  }

  public Map<String, Long> eventTypes() {
    return Json.map(json.path("eventTypes"), JsonNode::asLong);
  }
}
