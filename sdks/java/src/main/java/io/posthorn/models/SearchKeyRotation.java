// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;

/** <code>SearchKeyRotation</code> of the API. */
public final class SearchKeyRotation extends Model {
  private SearchKeyRotation(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static SearchKeyRotation fromJson(JsonNode json) {
    return new SearchKeyRotation(Json.object(json));
  }

  public Instant rotatedAt() {
    return Json.time(json.path("rotatedAt"));
  }

  /** When the former key ends. Until then, searches also use it. */
  public Instant formerKeyEndsAt() {
    return Json.time(json.path("formerKeyEndsAt"));
  }
}
