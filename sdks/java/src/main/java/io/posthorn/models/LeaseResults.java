// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.List;

/** For each message, in the order of the request, whether the lease still counted. */
public final class LeaseResults extends Model {
  private LeaseResults(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static LeaseResults fromJson(JsonNode json) {
    return new LeaseResults(Json.object(json));
  }

  public List<LeaseResult> results() {
    return Json.list(json.path("results"), LeaseResult::fromJson);
  }
}
