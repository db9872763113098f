// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** <code>ErrorDetail</code> of the API. */
public final class ErrorDetail extends Model {
  private ErrorDetail(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static ErrorDetail fromJson(JsonNode json) {
    return new ErrorDetail(Json.object(json));
  }

  public ErrorCode code() {
    return Json.textOf(json.path("code"), ErrorCode::of);
  }

  public String message() {
    return Json.text(json.path("message"));
  }

  /** Up to 20 problems, for a <code>validation_error</code> or a document that is refused. <code>message</code> describes the first one. */
  public @Nullable List<FieldProblem> details() {
    return Json.listOrNull(json.path("details"), FieldProblem::fromJson);
  }
}
