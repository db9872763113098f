// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;

/** The source record from which an event was read. */
public final class EventSource extends Model {
  private EventSource(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static EventSource fromJson(JsonNode json) {
    return new EventSource(Json.object(json));
  }

  public String sourceId() {
    return Json.text(json.path("sourceId"));
  }

  public String topic() {
    return Json.text(json.path("topic"));
  }

  public long partition() {
    return json.path("partition").asLong();
  }

  public String offset() {
    return Json.text(json.path("offset"));
  }

  /** The timestamp of the record, limited to the years 1970 to 9999. */
  public Instant timestamp() {
    return Json.time(json.path("timestamp"));
  }
}
