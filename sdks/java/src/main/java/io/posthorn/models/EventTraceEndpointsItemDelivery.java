// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** <code>EventTraceEndpointsItemDelivery</code> of the API. */
public final class EventTraceEndpointsItemDelivery extends Model {
  private EventTraceEndpointsItemDelivery(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static EventTraceEndpointsItemDelivery fromJson(JsonNode json) {
    return new EventTraceEndpointsItemDelivery(Json.object(json));
  }

  public String id() {
    return Json.text(json.path("id"));
  }

  public DeliveryStatus status() {
    return Json.textOf(json.path("status"), DeliveryStatus::of);
  }

  public long totalAttempts() {
    return json.path("totalAttempts").asLong();
  }

  public @Nullable Instant nextRetryAt() {
    return Json.time(json.path("nextRetryAt"));
  }

  public @Nullable Long lastResponseStatus() {
    return Json.orNull(json.path("lastResponseStatus"), JsonNode::asLong);
  }

  /**
   * One of <code>endpoint_inactive</code>, <code>endpoint_deleted</code>, <code>subscription_ended</code>, <code>quarantined</code>, <code>retries_exhausted</code>,
   * <code>gone</code>, <code>aborted_by_receiver</code>, <code>blocked_address</code>, <code>invalid_target</code>, <code>invalid_payload</code>, <code>target_exists</code>,
   * <code>message_too_large</code>, <code>payload_expired</code>, <code>payload_unreadable</code>, <code>invalid_request</code>, <code>cancelled</code>,
   * <code>cancelled_by_transformation</code>.
   */
  public @Nullable String failureReason() {
    return Json.text(json.path("failureReason"));
  }

  /** At an endpoint with <code>ordering: "fifo"</code>, the delivery that must end before this one is sent. */
  public @Nullable String waitingFor() {
    return Json.text(json.path("waitingFor"));
  }

  /**
   * The reason that the transformation gave in <code>cancel</code>, if it cancelled the event. Null for callers who may not
   * read payloads.
   */
  public @Nullable String cancelReason() {
    return Json.text(json.path("cancelReason"));
  }
}
