// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;

/** An error, with a code for programs and a message for people. */
public final class ErrorBody extends Model {
  private ErrorBody(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static ErrorBody fromJson(JsonNode json) {
    return new ErrorBody(Json.object(json));
  }

  public ErrorDetail error() {
    return Json.orNull(json.path("error"), ErrorDetail::fromJson);
  }
}
