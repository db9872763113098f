// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether an event type is published in an environment. */
public final class EventTypeVisibility extends Model {
  private EventTypeVisibility(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the interface. Throws an IllegalArgumentException when it is not an object. */
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

  /** The same as <code>eventType</code>, which is the name to use. */
  public String eventTypeName() {
    return Json.text(json.path("eventTypeName"));
  }

  public boolean published() {
    return json.path("published").asBoolean();
  }

  /**
   * What becomes of a payload that does not fit the schema of its type: <code>warn</code> keeps its faults.
   * <p>
   * One of <code>off</code>, <code>warn</code>, <code>reject</code>.
   */
  public String schemaMode() {
    return Json.text(json.path("schemaMode"));
  }

  /** The applications whose portals show the type where it is published. Null: all. */
  public @Nullable List<String> applications() {
    return Json.listOrNull(json.path("applications"), item -> Json.text(item));
  }
}
