// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import io.posthorn.internal.Json;
import org.jspecify.annotations.Nullable;

/** <code>Signature</code> has one of several forms. */
public final class Signature extends Union {
  private Signature(JsonNode json) {
    super(json);
  }

  /** Reads the JSON of the API, even in a form that this version does not know. */
  @JsonCreator
  public static Signature fromJson(JsonNode json) {
    return new Signature(json);
  }

  /**
   * One of <code>standard</code>, <code>standard-ed25519</code>, <code>svix</code>, <code>stripe</code>, <code>github</code>, <code>shopify</code>, <code>slack</code>, <code>convoy</code>,
   * <code>convoy-advanced</code>, <code>outpost</code>, <code>hook0</code>.
   */
  public static Signature of(String value) {
    return new Signature(Json.toNode(value));
  }

  /** Returns the value in this form, or null if it has another form. */
  public @Nullable String asText() {
    return Json.onlyText(json);
  }

  public static Signature of(HmacSignature value) {
    return new Signature(Json.toNode(value));
  }

  /** Returns the value in this form, or null if it has another form. */
  public @Nullable HmacSignature asHmacSignature() {
    return Json.form(json, HmacSignature::fromJson, "scheme", "header");
  }
}
