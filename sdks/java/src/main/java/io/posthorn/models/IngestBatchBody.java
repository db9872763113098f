// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.List;

/** <code>IngestBatchBody</code> of the API. */
public final class IngestBatchBody extends Model {
  /** Takes the required fields. */
  public IngestBatchBody(List<BatchEvent> events) {
    putRequired("events", events);
  }

  private IngestBatchBody(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static IngestBatchBody fromJson(JsonNode json) {
    return new IngestBatchBody(Json.object(json));
  }

  public IngestBatchBody events(List<BatchEvent> events) {
    putRequired("events", events);
    return this;
  }
}
