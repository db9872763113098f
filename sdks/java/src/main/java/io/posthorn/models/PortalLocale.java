// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;

/** A newer service may send values that this version does not know. */
public final class PortalLocale extends OpenEnum {
  public static final PortalLocale EN = new PortalLocale("en");
  public static final PortalLocale DE = new PortalLocale("de");
  public static final PortalLocale FR = new PortalLocale("fr");

  private PortalLocale(String value) {
    super(value);
  }

  /** Returns any value, even one that this version does not know. */
  @JsonCreator
  public static PortalLocale of(String value) {
    return new PortalLocale(value);
  }
}
