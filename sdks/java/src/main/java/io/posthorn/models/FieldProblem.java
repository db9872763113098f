// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import org.jspecify.annotations.Nullable;

/** A field of a request, and the rule that it violates. */
public final class FieldProblem extends Model {
  private FieldProblem(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static FieldProblem fromJson(JsonNode json) {
    return new FieldProblem(Json.object(json));
  }

  /** The location of the problem: a path in the body, <code>query.</code> and the name of a parameter, or <code>body</code>. */
  public String field() {
    return Json.text(json.path("field"));
  }

  public String message() {
    return Json.text(json.path("message"));
  }

  /** A machine-readable name of the rule, if it has one. docs/interface/errors.md lists them. More may be added. */
  public @Nullable String rule() {
    return Json.text(json.path("rule"));
  }
}
