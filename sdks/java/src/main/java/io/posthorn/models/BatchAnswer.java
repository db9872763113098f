// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.List;

/** <code>BatchAnswer</code> of the API. */
public final class BatchAnswer extends Model {
  private BatchAnswer(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static BatchAnswer fromJson(JsonNode json) {
    return new BatchAnswer(Json.object(json));
  }

  public List<BatchResult> results() {
    return Json.list(json.path("results"), BatchResult::fromJson);
  }
}
