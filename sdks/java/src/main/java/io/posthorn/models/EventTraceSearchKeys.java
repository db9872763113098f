// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;

/** <code>EventTraceSearchKeys</code> of the API. */
public final class EventTraceSearchKeys extends Model {
  private EventTraceSearchKeys(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static EventTraceSearchKeys fromJson(JsonNode json) {
    return new EventTraceSearchKeys(Json.object(json));
  }

  public long stored() {
    return json.path("stored").asLong();
  }

  public long leftOut() {
    return json.path("leftOut").asLong();
  }
}
