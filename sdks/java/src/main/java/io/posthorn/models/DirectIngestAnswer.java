// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** <code>DirectIngestAnswer</code> of the API. */
public final class DirectIngestAnswer extends Model {
  private DirectIngestAnswer(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static DirectIngestAnswer fromJson(JsonNode json) {
    return new DirectIngestAnswer(Json.object(json));
  }

  public String id() {
    return Json.text(json.path("id"));
  }

  public @Nullable String eventType() {
    return Json.text(json.path("eventType"));
  }

  public String environmentId() {
    return Json.text(json.path("environmentId"));
  }

  public String idempotencyKey() {
    return Json.text(json.path("idempotencyKey"));
  }

  /** Whether the event type was published. If not, no endpoint receives the event. */
  public boolean published() {
    return json.path("published").asBoolean();
  }

  /** Whether the request repeated an earlier <code>Idempotency-Key</code>, so that nothing was created. */
  public boolean duplicate() {
    return json.path("duplicate").asBoolean();
  }

  /** At most 10 places where the payload does not match its schema. Null if nothing was checked. */
  public @Nullable List<String> schemaErrors() {
    return Json.listOrNull(json.path("schemaErrors"), item -> Json.text(item));
  }

  public Instant createdAt() {
    return Json.time(json.path("createdAt"));
  }

  public String deliveryId() {
    return Json.text(json.path("deliveryId"));
  }

  public String endpointId() {
    return Json.text(json.path("endpointId"));
  }
}
