// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.List;
import java.util.Map;

/** <code>SubscribeEndpointBody</code> of the API. */
public final class SubscribeEndpointBody extends Model {
  /** Takes the required fields. */
  public SubscribeEndpointBody(List<String> eventTypeIds) {
    putRequired("eventTypeIds", eventTypeIds);
  }

  private SubscribeEndpointBody(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static SubscribeEndpointBody fromJson(JsonNode json) {
    return new SubscribeEndpointBody(Json.object(json));
  }

  public SubscribeEndpointBody eventTypeIds(List<String> eventTypeIds) {
    putRequired("eventTypeIds", eventTypeIds);
    return this;
  }

  /** Conditions on the payload. Only events that match are delivered. */
  public SubscribeEndpointBody filter(Map<String, ?> filter) {
    putRequired("filter", filter);
    return this;
  }
}
