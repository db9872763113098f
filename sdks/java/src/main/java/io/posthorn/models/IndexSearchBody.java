// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;

/** <code>IndexSearchBody</code> of the interface. */
public final class IndexSearchBody extends Model {
  /** Takes what is required. */
  public IndexSearchBody(String eventType) {
    putRequired("eventType", eventType);
  }

  private IndexSearchBody(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the interface. Throws an IllegalArgumentException when it is not an object. */
  @JsonCreator
  public static IndexSearchBody fromJson(JsonNode json) {
    return new IndexSearchBody(Json.object(json));
  }

  public IndexSearchBody eventType(String eventType) {
    putRequired("eventType", eventType);
    return this;
  }

  public IndexSearchBody from(Instant from) {
    putRequired("from", from);
    return this;
  }

  public IndexSearchBody to(Instant to) {
    putRequired("to", to);
    return this;
  }
}
