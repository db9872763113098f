// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** <code>ListEventsAnswer</code> of the API. */
public final class ListEventsAnswer extends Model {
  private ListEventsAnswer(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static ListEventsAnswer fromJson(JsonNode json) {
    return new ListEventsAnswer(Json.object(json));
  }

  public List<Event> events() {
    return Json.list(json.path("events"), Event::fromJson);
  }

  public @Nullable String nextCursor() {
    return Json.text(json.path("nextCursor"));
  }
}
