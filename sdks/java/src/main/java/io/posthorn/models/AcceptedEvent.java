// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What never changes of an event. */
public final class AcceptedEvent extends Model {
  private AcceptedEvent(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the interface. Throws an IllegalArgumentException when it is not an object. */
  @JsonCreator
  public static AcceptedEvent fromJson(JsonNode json) {
    return new AcceptedEvent(Json.object(json));
  }

  public String id() {
    return Json.text(json.path("id"));
  }

  public @Nullable String eventType() {
    return Json.text(json.path("eventType"));
  }

  /** The same as <code>eventType</code>, which is the name to use. */
  public @Nullable String eventTypeName() {
    return Json.text(json.path("eventTypeName"));
  }

  public String environmentId() {
    return Json.text(json.path("environmentId"));
  }

  public @Nullable String applicationId() {
    return Json.text(json.path("applicationId"));
  }

  /** Set for direct ingestion and for tests only. */
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

  public boolean published() {
    return json.path("published").asBoolean();
  }

  public boolean hasPayload() {
    return json.path("hasPayload").asBoolean();
  }

  public boolean isTest() {
    return json.path("isTest").asBoolean();
  }

  /** False if the payload is too large for the search keys of its type. */
  public boolean searchable() {
    return json.path("searchable").asBoolean();
  }

  /** At most 10; null where nothing was checked. */
  public @Nullable List<String> schemaErrors() {
    return Json.listOrNull(json.path("schemaErrors"), item -> Json.text(item));
  }

  /** Null for an event that was sent. Not in a portal. */
  public @Nullable EventSource source() {
    return Json.orNull(json.path("source"), EventSource::fromJson);
  }

  public Instant createdAt() {
    return Json.time(json.path("createdAt"));
  }
}
