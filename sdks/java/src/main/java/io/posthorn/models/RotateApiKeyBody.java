// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;

/** <code>RotateApiKeyBody</code> of the API. */
public final class RotateApiKeyBody extends Model {
  public RotateApiKeyBody() {
  }

  private RotateApiKeyBody(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static RotateApiKeyBody fromJson(JsonNode json) {
    return new RotateApiKeyBody(Json.object(json));
  }

  public RotateApiKeyBody gracePeriodSeconds(int gracePeriodSeconds) {
    putRequired("gracePeriodSeconds", gracePeriodSeconds);
    return this;
  }
}
