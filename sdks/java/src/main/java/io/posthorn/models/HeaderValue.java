// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import io.posthorn.internal.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** <code>HeaderValue</code> has one of several forms. */
public final class HeaderValue extends Union {
  private HeaderValue(JsonNode json) {
    super(json);
  }

  /** Reads the JSON of the API, even in a form that this version does not know. */
  @JsonCreator
  public static HeaderValue fromJson(JsonNode json) {
    return new HeaderValue(json);
  }

  public static HeaderValue of(String value) {
    return new HeaderValue(Json.toNode(value));
  }

  /** Returns the value in this form, or null if it has another form. */
  public @Nullable String asText() {
    return Json.onlyText(json);
  }

  public static HeaderValue of(List<String> value) {
    return new HeaderValue(Json.toNode(value));
  }

  /** Returns the value in this form, or null if it has another form. */
  public @Nullable List<String> asList() {
    return Json.listOrNull(json, item -> Json.text(item));
  }
}
