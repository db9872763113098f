// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The visibility of an event type, with the fields that <code>include</code> adds. */
public final class EventTypeVisibilityRead extends Model {
  private EventTypeVisibilityRead(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static EventTypeVisibilityRead fromJson(JsonNode json) {
    return new EventTypeVisibilityRead(Json.object(json));
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

  /** The number of endpoints in the environment that subscribe to the event type, without those of agents. */
  public @Nullable Long endpoints() {
    return Json.orNull(json.path("endpoints"), JsonNode::asLong);
  }
}
