// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;
import java.util.List;

/** <code>StartErasureBody</code> of the API. */
public final class StartErasureBody extends Model {
  /** Takes the required fields. */
  public StartErasureBody(String applicationId) {
    putRequired("applicationId", applicationId);
  }

  private StartErasureBody(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static StartErasureBody fromJson(JsonNode json) {
    return new StartErasureBody(Json.object(json));
  }

  public StartErasureBody applicationId(String applicationId) {
    putRequired("applicationId", applicationId);
    return this;
  }

  public StartErasureBody eventTypes(List<String> eventTypes) {
    putRequired("eventTypes", eventTypes);
    return this;
  }

  public StartErasureBody from(Instant from) {
    putRequired("from", from);
    return this;
  }

  public StartErasureBody to(Instant to) {
    putRequired("to", to);
    return this;
  }
}
