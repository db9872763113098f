// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;

/** <code>PromotedFilter</code> of the API. */
public final class PromotedFilter extends Model {
  private PromotedFilter(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static PromotedFilter fromJson(JsonNode json) {
    return new PromotedFilter(Json.object(json));
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

  public JsonNode from() {
    return json.path("from");
  }

  public JsonNode to() {
    return json.path("to");
  }
}
