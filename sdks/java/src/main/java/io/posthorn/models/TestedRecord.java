// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** <code>TestedRecord</code> of the API. */
public final class TestedRecord extends Model {
  private TestedRecord(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static TestedRecord fromJson(JsonNode json) {
    return new TestedRecord(Json.object(json));
  }

  public String topic() {
    return Json.text(json.path("topic"));
  }

  public long partition() {
    return json.path("partition").asLong();
  }

  public long offset() {
    return json.path("offset").asLong();
  }

  public Instant timestamp() {
    return Json.time(json.path("timestamp"));
  }

  /** The size of the record value in bytes. */
  public long size() {
    return json.path("size").asLong();
  }

  /** The event type that the record names. Null if it names none. */
  public @Nullable String eventType() {
    return Json.text(json.path("eventType"));
  }

  /** Why the record could not become an event. Null if it could. Conflicts of idempotency keys are not checked. */
  public @Nullable String rejection() {
    return Json.text(json.path("rejection"));
  }
}
