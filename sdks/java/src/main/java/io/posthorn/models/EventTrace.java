// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** For each endpoint of the environment, why it did or did not receive the event. */
public final class EventTrace extends Model {
  private EventTrace(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static EventTrace fromJson(JsonNode json) {
    return new EventTrace(Json.object(json));
  }

  public String eventId() {
    return Json.text(json.path("eventId"));
  }

  public @Nullable String eventType() {
    return Json.text(json.path("eventType"));
  }

  /** The same value as <code>eventType</code>. Use <code>eventType</code> instead. */
  public @Nullable String eventTypeName() {
    return Json.text(json.path("eventTypeName"));
  }

  public String environmentId() {
    return Json.text(json.path("environmentId"));
  }

  public boolean published() {
    return json.path("published").asBoolean();
  }

  public @Nullable Instant fannedOutAt() {
    return Json.time(json.path("fannedOutAt"));
  }

  public long matched() {
    return json.path("matched").asLong();
  }

  public long skipped() {
    return json.path("skipped").asLong();
  }

  /** The number of applications that the matched endpoints belong to. */
  public long reachedApplications() {
    return json.path("reachedApplications").asLong();
  }

  /**
   * The number of values in the payload by which the event can be found, and the number that were left out: those
   * of an array after the first 16, and texts of more than 256 characters. Null if there are none.
   */
  public @Nullable EventTraceSearchKeys searchKeys() {
    return Json.orNull(json.path("searchKeys"), EventTraceSearchKeys::fromJson);
  }

  public List<EventTraceEndpointsItem> endpoints() {
    return Json.list(json.path("endpoints"), EventTraceEndpointsItem::fromJson);
  }

  public @Nullable String nextCursor() {
    return Json.text(json.path("nextCursor"));
  }
}
