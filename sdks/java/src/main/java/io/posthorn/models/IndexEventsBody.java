// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;

/** <code>IndexEventsBody</code> of the API. */
public final class IndexEventsBody extends Model {
  /** Takes the required fields. */
  public IndexEventsBody(String eventType) {
    putRequired("eventType", eventType);
  }

  private IndexEventsBody(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static IndexEventsBody fromJson(JsonNode json) {
    return new IndexEventsBody(Json.object(json));
  }

  public IndexEventsBody eventType(String eventType) {
    putRequired("eventType", eventType);
    return this;
  }

  public IndexEventsBody from(Instant from) {
    putRequired("from", from);
    return this;
  }

  public IndexEventsBody to(Instant to) {
    putRequired("to", to);
    return this;
  }
}
