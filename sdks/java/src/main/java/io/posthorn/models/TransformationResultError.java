// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import org.jspecify.annotations.Nullable;

/** <code>TransformationResultError</code> of the API. */
public final class TransformationResultError extends Model {
  private TransformationResultError(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static TransformationResultError fromJson(JsonNode json) {
    return new TransformationResultError(Json.object(json));
  }

  public String message() {
    return Json.text(json.path("message"));
  }

  public @Nullable Long line() {
    return Json.orNull(json.path("line"), JsonNode::asLong);
  }

  public @Nullable Long column() {
    return Json.orNull(json.path("column"), JsonNode::asLong);
  }
}
