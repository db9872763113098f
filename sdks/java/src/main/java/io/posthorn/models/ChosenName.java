// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An event type, with an optional filter. */
public final class ChosenName extends Model {
  /** Takes the required fields. */
  public ChosenName(String name) {
    putRequired("name", name);
  }

  private ChosenName(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static ChosenName fromJson(JsonNode json) {
    return new ChosenName(Json.object(json));
  }

  public String name() {
    return Json.text(json.path("name"));
  }

  public ChosenName name(String name) {
    putRequired("name", name);
    return this;
  }

  public JsonNode filter() {
    return json.path("filter");
  }

  public ChosenName filter(@Nullable Map<String, ?> filter) {
    put("filter", filter);
    return this;
  }
}
