// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;

/** A newer service may send values that this version does not know. */
public final class Plan extends OpenEnum {
  public static final Plan FREE = new Plan("free");
  public static final Plan PRO = new Plan("pro");
  public static final Plan ENTERPRISE = new Plan("enterprise");

  private Plan(String value) {
    super(value);
  }

  /** Returns any value, even one that this version does not know. */
  @JsonCreator
  public static Plan of(String value) {
    return new Plan(value);
  }
}
