// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A delivery, with the fields that <code>include</code> adds. */
public final class DeliveryDetail extends Model {
  private DeliveryDetail(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static DeliveryDetail fromJson(JsonNode json) {
    return new DeliveryDetail(Json.object(json));
  }

  public String id() {
    return Json.text(json.path("id"));
  }

  public String eventId() {
    return Json.text(json.path("eventId"));
  }

  public @Nullable String eventType() {
    return Json.text(json.path("eventType"));
  }

  /** The same value as <code>eventType</code>. Use <code>eventType</code> instead. */
  public @Nullable String eventTypeName() {
    return Json.text(json.path("eventTypeName"));
  }

  public String idempotencyKey() {
    return Json.text(json.path("idempotencyKey"));
  }

  public String endpointId() {
    return Json.text(json.path("endpointId"));
  }

  public DeliveryStatus status() {
    return Json.textOf(json.path("status"), DeliveryStatus::of);
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

  public long totalAttempts() {
    return json.path("totalAttempts").asLong();
  }

  public @Nullable Long lastResponseStatus() {
    return Json.orNull(json.path("lastResponseStatus"), JsonNode::asLong);
  }

  public @Nullable Instant firstAttemptAt() {
    return Json.time(json.path("firstAttemptAt"));
  }

  public @Nullable Instant deliveredAt() {
    return Json.time(json.path("deliveredAt"));
  }

  public @Nullable Instant nextRetryAt() {
    return Json.time(json.path("nextRetryAt"));
  }

  /** At an endpoint with <code>ordering: "fifo"</code>, the delivery that must end before this one is sent. */
  public @Nullable String waitingFor() {
    return Json.text(json.path("waitingFor"));
  }

  public boolean hasPayload() {
    return json.path("hasPayload").asBoolean();
  }

  public boolean isTest() {
    return json.path("isTest").asBoolean();
  }

  public Instant createdAt() {
    return Json.time(json.path("createdAt"));
  }

  public Instant updatedAt() {
    return Json.time(json.path("updatedAt"));
  }

  /**
   * The reason that the transformation gave in <code>cancel</code>, if it cancelled the event. Null for callers who may not
   * read payloads.
   */
  public @Nullable String cancelReason() {
    return Json.text(json.path("cancelReason"));
  }

  public @Nullable PayloadEnvelope payload() {
    return Json.orNull(json.path("payload"), PayloadEnvelope::fromJson);
  }

  public @Nullable List<Attempt> attempts() {
    return Json.listOrNull(json.path("attempts"), Attempt::fromJson);
  }
}
