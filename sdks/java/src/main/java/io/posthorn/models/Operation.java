// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Work on many deliveries that runs in the background. */
public final class Operation extends Model {
  private Operation(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static Operation fromJson(JsonNode json) {
    return new Operation(Json.object(json));
  }

  public String id() {
    return Json.text(json.path("id"));
  }

  /** One of <code>recovery</code>, <code>retry</code>, <code>cancel</code>, <code>erasure</code>, <code>search_index</code>. */
  public String type() {
    return Json.text(json.path("type"));
  }

  /** One of <code>counting</code>, <code>running</code>, <code>completed</code>, <code>cancelled</code>, <code>failed</code>. */
  public String status() {
    return Json.text(json.path("status"));
  }

  public @Nullable String endpointId() {
    return Json.text(json.path("endpointId"));
  }

  public JsonNode filter() {
    return json.path("filter");
  }

  public @Nullable Long matched() {
    return Json.orNull(json.path("matched"), JsonNode::asLong);
  }

  public long enqueued() {
    return json.path("enqueued").asLong();
  }

  public long delivered() {
    return json.path("delivered").asLong();
  }

  public long failed() {
    return json.path("failed").asLong();
  }

  public @Nullable String error() {
    return Json.text(json.path("error"));
  }

  public Instant createdAt() {
    return Json.time(json.path("createdAt"));
  }

  public Instant updatedAt() {
    return Json.time(json.path("updatedAt"));
  }

  public @Nullable Instant pausedAt() {
    return Json.time(json.path("pausedAt"));
  }

  public @Nullable Instant finishedAt() {
    return Json.time(json.path("finishedAt"));
  }
}
