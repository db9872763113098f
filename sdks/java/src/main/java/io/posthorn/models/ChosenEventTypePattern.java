// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import io.posthorn.internal.Json;
import org.jspecify.annotations.Nullable;

/** <code>ChosenEventTypePattern</code> has one of several forms. */
public final class ChosenEventTypePattern extends Union {
  private ChosenEventTypePattern(JsonNode json) {
    super(json);
  }

  /** Reads the JSON of the API, even in a form that this version does not know. */
  @JsonCreator
  public static ChosenEventTypePattern fromJson(JsonNode json) {
    return new ChosenEventTypePattern(json);
  }

  public static ChosenEventTypePattern of(String value) {
    return new ChosenEventTypePattern(Json.toNode(value));
  }

  /** Returns the value in this form, or null if it has another form. */
  public @Nullable String asText() {
    return Json.onlyText(json);
  }

  public static ChosenEventTypePattern of(ChosenPattern value) {
    return new ChosenEventTypePattern(Json.toNode(value));
  }

  /** Returns the value in this form, or null if it has another form. */
  public @Nullable ChosenPattern asChosenPattern() {
    return Json.form(json, ChosenPattern::fromJson, "pattern");
  }
}
