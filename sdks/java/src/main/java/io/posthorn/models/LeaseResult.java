// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;

/** <code>LeaseResult</code> of the API. */
public final class LeaseResult extends Model {
  private LeaseResult(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static LeaseResult fromJson(JsonNode json) {
    return new LeaseResult(Json.object(json));
  }

  public String deliveryId() {
    return Json.text(json.path("deliveryId"));
  }

  /** One of <code>settled</code>, <code>lease_lost</code>. */
  public String result() {
    return Json.text(json.path("result"));
  }
}
