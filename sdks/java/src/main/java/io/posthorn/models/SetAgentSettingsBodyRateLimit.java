// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;

/** <code>SetAgentSettingsBodyRateLimit</code> of the API. */
public final class SetAgentSettingsBodyRateLimit extends Model {
  /** Takes the required fields. */
  public SetAgentSettingsBodyRateLimit(int limit, int periodSeconds) {
    putRequired("limit", limit);
    putRequired("periodSeconds", periodSeconds);
  }

  private SetAgentSettingsBodyRateLimit(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static SetAgentSettingsBodyRateLimit fromJson(JsonNode json) {
    return new SetAgentSettingsBodyRateLimit(Json.object(json));
  }

  public SetAgentSettingsBodyRateLimit limit(int limit) {
    putRequired("limit", limit);
    return this;
  }

  public SetAgentSettingsBodyRateLimit periodSeconds(int periodSeconds) {
    putRequired("periodSeconds", periodSeconds);
    return this;
  }
}
