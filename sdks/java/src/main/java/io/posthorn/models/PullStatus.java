// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The messages that are waiting for the consumers of an endpoint. */
public final class PullStatus extends Model {
  private PullStatus(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static PullStatus fromJson(JsonNode json) {
    return new PullStatus(Json.object(json));
  }

  /** The number of messages that can be leased now or later, up to 10,000. */
  public long waiting() {
    return json.path("waiting").asLong();
  }

  /** How long the first of these messages has been due, in seconds. Null if none is waiting. */
  public @Nullable Double oldestAgeSeconds() {
    return Json.orNull(json.path("oldestAgeSeconds"), JsonNode::asDouble);
  }

  public @Nullable Instant lastLeaseAt() {
    return Json.time(json.path("lastLeaseAt"));
  }
}
