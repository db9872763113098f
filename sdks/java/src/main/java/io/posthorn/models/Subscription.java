// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A subscription of an endpoint to an event type. */
public final class Subscription extends Model {
  private Subscription(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static Subscription fromJson(JsonNode json) {
    return new Subscription(Json.object(json));
  }

  public String id() {
    return Json.text(json.path("id"));
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

  public JsonNode filter() {
    return json.path("filter");
  }

  /** The pattern of the endpoint that created the subscription. Null if no pattern did. */
  public @Nullable String pattern() {
    return Json.text(json.path("pattern"));
  }

  public Instant createdAt() {
    return Json.time(json.path("createdAt"));
  }
}
