// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.List;

/** The values that apply unless <code>config</code> sets others. */
public final class EndpointDefaults extends Model {
  private EndpointDefaults(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static EndpointDefaults fromJson(JsonNode json) {
    return new EndpointDefaults(Json.object(json));
  }

  public long timeoutSeconds() {
    return json.path("timeoutSeconds").asLong();
  }

  public List<Long> retrySchedule() {
    return Json.list(json.path("retrySchedule"), JsonNode::asLong);
  }
}
