// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import org.jspecify.annotations.Nullable;

/** <code>PortalTheme</code> of the API. */
public final class PortalTheme extends Model {
  public PortalTheme() {
  }

  private PortalTheme(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static PortalTheme fromJson(JsonNode json) {
    return new PortalTheme(Json.object(json));
  }

  /** One of <code>light</code>, <code>dark</code>, <code>auto</code>. */
  public @Nullable String mode() {
    return Json.text(json.path("mode"));
  }

  /** One of <code>light</code>, <code>dark</code>, <code>auto</code>. */
  public PortalTheme mode(String mode) {
    putRequired("mode", mode);
    return this;
  }

  public @Nullable String primaryColor() {
    return Json.text(json.path("primaryColor"));
  }

  public PortalTheme primaryColor(String primaryColor) {
    putRequired("primaryColor", primaryColor);
    return this;
  }

  public @Nullable String logoUrl() {
    return Json.text(json.path("logoUrl"));
  }

  public PortalTheme logoUrl(String logoUrl) {
    putRequired("logoUrl", logoUrl);
    return this;
  }

  /**
   * The font families, as in CSS. The first one that is installed on the reader's device is used; no font is
   * loaded.
   */
  public @Nullable String fontFamily() {
    return Json.text(json.path("fontFamily"));
  }

  /**
   * The font families, as in CSS. The first one that is installed on the reader's device is used; no font is
   * loaded.
   */
  public PortalTheme fontFamily(String fontFamily) {
    putRequired("fontFamily", fontFamily);
    return this;
  }

  /** The corner radius of buttons, fields and panels, in pixels. */
  public @Nullable Integer radius() {
    return Json.orNull(json.path("radius"), JsonNode::asInt);
  }

  /** The corner radius of buttons, fields and panels, in pixels. */
  public PortalTheme radius(int radius) {
    putRequired("radius", radius);
    return this;
  }

  /** CSS custom properties of the page, such as <code>--surface: #fafafa; --line: #ddd</code>. */
  public @Nullable String css() {
    return Json.text(json.path("css"));
  }

  /** CSS custom properties of the page, such as <code>--surface: #fafafa; --line: #ddd</code>. */
  public PortalTheme css(String css) {
    putRequired("css", css);
    return this;
  }
}
