// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import org.jspecify.annotations.Nullable;

/** A field of a request, and the rule that it breaks. */
public final class FieldProblem extends Model {
  private FieldProblem(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the interface. Throws an IllegalArgumentException when it is not an object. */
  @JsonCreator
  public static FieldProblem fromJson(JsonNode json) {
    return new FieldProblem(Json.object(json));
  }

  /** Its place: a path in the body, <code>query.</code> and a parameter, or <code>body</code>. */
  public String field() {
    return Json.text(json.path("field"));
  }

  public String message() {
    return Json.text(json.path("message"));
  }

  /** The rule as a word for programs, where it has one: docs/interface/errors.md lists them. More may follow. */
  public @Nullable String rule() {
    return Json.text(json.path("rule"));
  }
}
