// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.List;

/** <code>PromotedSubscriptions</code> of the API. */
public final class PromotedSubscriptions extends Model {
  private PromotedSubscriptions(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static PromotedSubscriptions fromJson(JsonNode json) {
    return new PromotedSubscriptions(Json.object(json));
  }

  public List<PromotedSubscription> add() {
    return Json.list(json.path("add"), PromotedSubscription::fromJson);
  }

  public List<PromotedSubscription> remove() {
    return Json.list(json.path("remove"), PromotedSubscription::fromJson);
  }

  public List<PromotedFilter> change() {
    return Json.list(json.path("change"), PromotedFilter::fromJson);
  }
}
