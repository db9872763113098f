// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;

/** The changes that a promotion made or would make. */
public final class Promotion extends Model {
  private Promotion(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static Promotion fromJson(JsonNode json) {
    return new Promotion(Json.object(json));
  }

  public EnvironmentDiff applied() {
    return Json.orNull(json.path("applied"), EnvironmentDiff::fromJson);
  }
}
