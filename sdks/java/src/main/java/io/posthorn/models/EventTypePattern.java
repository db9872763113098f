// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;

/** A pattern that subscribes an endpoint to every matching event type. */
public final class EventTypePattern extends Model {
  private EventTypePattern(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static EventTypePattern fromJson(JsonNode json) {
    return new EventTypePattern(Json.object(json));
  }

  public String pattern() {
    return Json.text(json.path("pattern"));
  }

  public JsonNode filter() {
    return json.path("filter");
  }
}
