// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A pattern of event types, with an optional filter. */
public final class ChosenPattern extends Model {
  /** Takes the required fields. */
  public ChosenPattern(String pattern) {
    putRequired("pattern", pattern);
  }

  private ChosenPattern(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static ChosenPattern fromJson(JsonNode json) {
    return new ChosenPattern(Json.object(json));
  }

  public String pattern() {
    return Json.text(json.path("pattern"));
  }

  public ChosenPattern pattern(String pattern) {
    putRequired("pattern", pattern);
    return this;
  }

  public JsonNode filter() {
    return json.path("filter");
  }

  public ChosenPattern filter(@Nullable Map<String, ?> filter) {
    put("filter", filter);
    return this;
  }
}
