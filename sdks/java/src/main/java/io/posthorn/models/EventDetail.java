// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An event, with its payload if <code>include</code> asks for it. */
public final class EventDetail extends Model {
  private EventDetail(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static EventDetail fromJson(JsonNode json) {
    return new EventDetail(Json.object(json));
  }

  public String id() {
    return Json.text(json.path("id"));
  }

  public @Nullable String eventType() {
    return Json.text(json.path("eventType"));
  }

  /** The same value as <code>eventType</code>. Use <code>eventType</code> instead. */
  public @Nullable String eventTypeName() {
    return Json.text(json.path("eventTypeName"));
  }

  public String environmentId() {
    return Json.text(json.path("environmentId"));
  }

  public @Nullable String applicationId() {
    return Json.text(json.path("applicationId"));
  }

  /** The endpoint, for an event that was sent directly to it and for a test. Null otherwise. */
  public @Nullable String endpointId() {
    return Json.text(json.path("endpointId"));
  }

  public String idempotencyKey() {
    return Json.text(json.path("idempotencyKey"));
  }

  public @Nullable String orderingKey() {
    return Json.text(json.path("orderingKey"));
  }

  public @Nullable Instant deliverAt() {
    return Json.time(json.path("deliverAt"));
  }

  /** One of <code>scheduled</code>, <code>matching</code>, <code>matched</code>, <code>unmatched</code>, <code>cancelled</code>. */
  public String status() {
    return Json.text(json.path("status"));
  }

  public boolean published() {
    return json.path("published").asBoolean();
  }

  public boolean hasPayload() {
    return json.path("hasPayload").asBoolean();
  }

  public boolean isTest() {
    return json.path("isTest").asBoolean();
  }

  /**
   * Whether the event can be found by search keys. False if the payload is too large for the search keys of its
   * event type.
   */
  public boolean searchable() {
    return json.path("searchable").asBoolean();
  }

  /** At most 10 places where the payload does not match its schema. Null if nothing was checked. */
  public @Nullable List<String> schemaErrors() {
    return Json.listOrNull(json.path("schemaErrors"), item -> Json.text(item));
  }

  /** The number of deliveries in each status. */
  public EventDetailDeliveries deliveries() {
    return Json.orNull(json.path("deliveries"), EventDetailDeliveries::fromJson);
  }

  /** The number of applications whose endpoints have a delivery of the event. */
  public long reachedApplications() {
    return json.path("reachedApplications").asLong();
  }

  /** The source of the event. Null for an event that was not read from a source. Absent in the portal. */
  public @Nullable EventSource source() {
    return Json.orNull(json.path("source"), EventSource::fromJson);
  }

  public Instant createdAt() {
    return Json.time(json.path("createdAt"));
  }

  public @Nullable PayloadEnvelope payload() {
    return Json.orNull(json.path("payload"), PayloadEnvelope::fromJson);
  }
}
