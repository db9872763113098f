// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** <code>PromotedEndpoint</code> of the API. */
public final class PromotedEndpoint extends Model {
  private PromotedEndpoint(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static PromotedEndpoint fromJson(JsonNode json) {
    return new PromotedEndpoint(Json.object(json));
  }

  /** One of <code>create</code>, <code>update</code>, <code>delete</code>. */
  public String change() {
    return Json.text(json.path("change"));
  }

  /** The endpoint that is promoted. For <code>delete</code>, it no longer exists. */
  public String endpointId() {
    return Json.text(json.path("endpointId"));
  }

  /** The corresponding endpoint in the target. Null before a <code>create</code> is applied. */
  public @Nullable String targetEndpointId() {
    return Json.text(json.path("targetEndpointId"));
  }

  public Map<String, PromotedField> fields() {
    return Json.map(json.path("fields"), PromotedField::fromJson);
  }

  public PromotedSubscriptions subscriptions() {
    return Json.orNull(json.path("subscriptions"), PromotedSubscriptions::fromJson);
  }
}
