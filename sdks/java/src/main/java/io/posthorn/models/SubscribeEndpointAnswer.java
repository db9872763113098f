// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;

/** <code>SubscribeEndpointAnswer</code> of the API. */
public final class SubscribeEndpointAnswer extends Model {
  private SubscribeEndpointAnswer(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static SubscribeEndpointAnswer fromJson(JsonNode json) {
    return new SubscribeEndpointAnswer(Json.object(json));
  }

  /** The number of subscriptions that were created. */
  public long subscribed() {
    return json.path("subscribed").asLong();
  }
}
