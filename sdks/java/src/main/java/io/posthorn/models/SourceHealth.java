// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The health of a source as reported by its reader, at most a few seconds ago. */
public final class SourceHealth extends Model {
  private SourceHealth(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static SourceHealth fromJson(JsonNode json) {
    return new SourceHealth(Json.object(json));
  }

  /**
   * The status of the source. <code>paused</code>: reading waits until the workspace has fewer waiting deliveries. <code>quota</code>: a
   * quota of the workspace is used up. <code>failing</code>: reading fails and is retried. <code>stopped</code>: reading continues only
   * after an update or a seek.
   * <p>
   * One of <code>starting</code>, <code>running</code>, <code>paused</code>, <code>quota</code>, <code>failing</code>, <code>stopped</code>, <code>inactive</code>.
   */
  public String status() {
    return Json.text(json.path("status"));
  }

  /**
   * The reason for the status <code>failing</code>, <code>stopped</code> or <code>quota</code>, or why no dispatcher reads a source that is
   * <code>starting</code>.
   */
  public @Nullable String error() {
    return Json.text(json.path("error"));
  }

  /** The number of records that are waiting in the topics. */
  public @Nullable Long lagRecords() {
    return Json.orNull(json.path("lagRecords"), JsonNode::asLong);
  }

  /**
   * The age of the newest record that was read, in seconds, while other records are waiting. 0 if none are
   * waiting.
   */
  public @Nullable Long lagSeconds() {
    return Json.orNull(json.path("lagSeconds"), JsonNode::asLong);
  }

  /** The timestamp of the newest record that was read, or the time of reading if that is earlier. */
  public @Nullable Instant lastRecordAt() {
    return Json.time(json.path("lastRecordAt"));
  }

  /** The total number of rejected records. */
  public long rejected() {
    return json.path("rejected").asLong();
  }
}
