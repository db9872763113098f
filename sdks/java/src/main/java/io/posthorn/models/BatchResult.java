// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The result for one event: the fields of an accepted event, or only <code>error</code> if it was refused. */
public final class BatchResult extends Model {
  private BatchResult(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static BatchResult fromJson(JsonNode json) {
    return new BatchResult(Json.object(json));
  }

  public @Nullable String id() {
    return Json.text(json.path("id"));
  }

  public @Nullable String eventType() {
    return Json.text(json.path("eventType"));
  }

  public @Nullable String environmentId() {
    return Json.text(json.path("environmentId"));
  }

  public @Nullable String idempotencyKey() {
    return Json.text(json.path("idempotencyKey"));
  }

  /** Whether the event type was published. If not, no endpoint receives the event. */
  public @Nullable Boolean published() {
    return Json.orNull(json.path("published"), JsonNode::asBoolean);
  }

  /** Whether the request repeated an earlier <code>Idempotency-Key</code>, so that nothing was created. */
  public @Nullable Boolean duplicate() {
    return Json.orNull(json.path("duplicate"), JsonNode::asBoolean);
  }

  /** At most 10 places where the payload does not match its schema. Null if nothing was checked. */
  public @Nullable List<String> schemaErrors() {
    return Json.listOrNull(json.path("schemaErrors"), item -> Json.text(item));
  }

  public @Nullable Instant createdAt() {
    return Json.time(json.path("createdAt"));
  }

  public @Nullable String deliveryId() {
    return Json.text(json.path("deliveryId"));
  }

  public @Nullable String endpointId() {
    return Json.text(json.path("endpointId"));
  }

  public @Nullable ErrorDetail error() {
    return Json.orNull(json.path("error"), ErrorDetail::fromJson);
  }
}
