// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** As the reader has reported it, at most some seconds ago. */
public final class SourceHealth extends Model {
  private SourceHealth(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the interface. Throws an IllegalArgumentException when it is not an object. */
  @JsonCreator
  public static SourceHealth fromJson(JsonNode json) {
    return new SourceHealth(Json.object(json));
  }

  /**
   * <code>paused</code>: deliveries of the workspace wait; <code>quota</code>: the quota of the day is used up; <code>failing</code>: it is tried
   * again and again; <code>stopped</code>: only a change or a seek lets it read on.
   * <p>
   * One of <code>starting</code>, <code>running</code>, <code>paused</code>, <code>quota</code>, <code>failing</code>, <code>stopped</code>, <code>inactive</code>.
   */
  public String status() {
    return Json.text(json.path("status"));
  }

  /** Of <code>failing</code> and <code>stopped</code>: why. */
  public @Nullable String error() {
    return Json.text(json.path("error"));
  }

  /** The records that wait in the topics. */
  public @Nullable Long lagRecords() {
    return Json.orNull(json.path("lagRecords"), JsonNode::asLong);
  }

  /** The age of the newest record that was read, while others wait; 0 while none waits. */
  public @Nullable Long lagSeconds() {
    return Json.orNull(json.path("lagSeconds"), JsonNode::asLong);
  }

  /** The time of the newest record that was read. */
  public @Nullable Instant lastRecordAt() {
    return Json.time(json.path("lastRecordAt"));
  }

  /** All records that were rejected. */
  public long rejected() {
    return json.path("rejected").asLong();
  }
}
