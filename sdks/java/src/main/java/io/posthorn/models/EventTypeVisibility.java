// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The visibility of an event type in an environment. */
public final class EventTypeVisibility extends Model {
  private EventTypeVisibility(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static EventTypeVisibility fromJson(JsonNode json) {
    return new EventTypeVisibility(Json.object(json));
  }

  public String eventTypeId() {
    return Json.text(json.path("eventTypeId"));
  }

  public String eventType() {
    return Json.text(json.path("eventType"));
  }

  /** The same value as <code>eventType</code>. Use <code>eventType</code> instead. */
  public String eventTypeName() {
    return Json.text(json.path("eventTypeName"));
  }

  public boolean published() {
    return json.path("published").asBoolean();
  }

  /**
   * How payloads are checked against the schema of their event type. <code>off</code> does not check them, <code>warn</code> accepts an
   * invalid payload and records its errors, and <code>reject</code> refuses it.
   * <p>
   * One of <code>off</code>, <code>warn</code>, <code>reject</code>.
   */
  public String schemaMode() {
    return Json.text(json.path("schemaMode"));
  }

  /** The applications whose portals show the event type where it is published. Null for all applications. */
  public @Nullable List<String> applications() {
    return Json.listOrNull(json.path("applications"), item -> Json.text(item));
  }
}
