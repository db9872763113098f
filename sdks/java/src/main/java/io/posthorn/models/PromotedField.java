// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;

/** <code>PromotedField</code> of the API. */
public final class PromotedField extends Model {
  private PromotedField(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static PromotedField fromJson(JsonNode json) {
    return new PromotedField(Json.object(json));
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
