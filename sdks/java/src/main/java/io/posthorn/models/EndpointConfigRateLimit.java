// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;

/** <code>EndpointConfigRateLimit</code> of the API. */
public final class EndpointConfigRateLimit extends Model {
  /** Takes the required fields. */
  public EndpointConfigRateLimit(int limit, int periodSeconds) {
    putRequired("limit", limit);
    putRequired("periodSeconds", periodSeconds);
  }

  private EndpointConfigRateLimit(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static EndpointConfigRateLimit fromJson(JsonNode json) {
    return new EndpointConfigRateLimit(Json.object(json));
  }

  public int limit() {
    return json.path("limit").asInt();
  }

  public EndpointConfigRateLimit limit(int limit) {
    putRequired("limit", limit);
    return this;
  }

  public int periodSeconds() {
    return json.path("periodSeconds").asInt();
  }

  public EndpointConfigRateLimit periodSeconds(int periodSeconds) {
    putRequired("periodSeconds", periodSeconds);
    return this;
  }
}
