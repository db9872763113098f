// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;

/** A newer service may send values that this version does not know. */
public final class Scope extends OpenEnum {
  public static final Scope READ = new Scope("read");
  public static final Scope WRITE = new Scope("write");
  public static final Scope KEYS = new Scope("keys");
  public static final Scope PAYLOADS = new Scope("payloads");

  private Scope(String value) {
    super(value);
  }

  /** Returns any value, even one that this version does not know. */
  @JsonCreator
  public static Scope of(String value) {
    return new Scope(value);
  }
}
