// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import io.posthorn.internal.Json;
import org.jspecify.annotations.Nullable;

/** <code>ChosenEventType</code> has one of several forms. */
public final class ChosenEventType extends Union {
  private ChosenEventType(JsonNode json) {
    super(json);
  }

  /** Reads the JSON of the API, even in a form that this version does not know. */
  @JsonCreator
  public static ChosenEventType fromJson(JsonNode json) {
    return new ChosenEventType(json);
  }

  public static ChosenEventType of(String value) {
    return new ChosenEventType(Json.toNode(value));
  }

  /** Returns the value in this form, or null if it has another form. */
  public @Nullable String asText() {
    return Json.onlyText(json);
  }

  public static ChosenEventType of(ChosenName value) {
    return new ChosenEventType(Json.toNode(value));
  }

  /** Returns the value in this form, or null if it has another form. */
  public @Nullable ChosenName asChosenName() {
    return Json.form(json, ChosenName::fromJson, "name");
  }

  public static ChosenEventType of(ChosenPattern value) {
    return new ChosenEventType(Json.toNode(value));
  }

  /** Returns the value in this form, or null if it has another form. */
  public @Nullable ChosenPattern asChosenPattern() {
    return Json.form(json, ChosenPattern::fromJson, "pattern");
  }
}
