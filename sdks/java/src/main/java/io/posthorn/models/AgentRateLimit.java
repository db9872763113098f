// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;

/** The rate limit of deliveries for each new subscription. */
public final class AgentRateLimit extends Model {
  private AgentRateLimit(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static AgentRateLimit fromJson(JsonNode json) {
    return new AgentRateLimit(Json.object(json));
  }

  public long limit() {
    return json.path("limit").asLong();
  }

  public long periodSeconds() {
    return json.path("periodSeconds").asLong();
  }
}
