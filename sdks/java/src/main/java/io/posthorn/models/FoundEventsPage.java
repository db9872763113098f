// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** <code>FoundEventsPage</code> of the API. */
public final class FoundEventsPage extends Model {
  private FoundEventsPage(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static FoundEventsPage fromJson(JsonNode json) {
    return new FoundEventsPage(Json.object(json));
  }

  public List<FoundEvent> events() {
    return Json.list(json.path("events"), FoundEvent::fromJson);
  }

  public @Nullable String nextCursor() {
    return Json.text(json.path("nextCursor"));
  }
}
