// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;

/** A change of an event type. <code>from</code> is the value in the environment that would change. */
public final class PromotedEventType extends Model {
  private PromotedEventType(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static PromotedEventType fromJson(JsonNode json) {
    return new PromotedEventType(Json.object(json));
  }

  public String eventTypeId() {
    return Json.text(json.path("eventTypeId"));
  }

  public String name() {
    return Json.text(json.path("name"));
  }

  /** One of <code>publish</code>, <code>unpublish</code>, <code>schema_mode</code>. */
  public String change() {
    return Json.text(json.path("change"));
  }

  /** Any JSON value. */
  public JsonNode from() {
    return json.path("from");
  }

  /** Any JSON value. */
  public JsonNode to() {
    return json.path("to");
  }
}
