// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;

/** A newer service may send values that this version does not know. */
public final class Capability extends OpenEnum {
  public static final Capability ENDPOINTS_READ = new Capability("endpoints:read");
  public static final Capability ENDPOINTS_WRITE = new Capability("endpoints:write");
  public static final Capability SECRETS_READ = new Capability("secrets:read");
  public static final Capability SECRETS_ROTATE = new Capability("secrets:rotate");
  public static final Capability DELIVERIES_READ = new Capability("deliveries:read");
  public static final Capability DELIVERIES_RETRY = new Capability("deliveries:retry");
  public static final Capability PAYLOADS_READ = new Capability("payloads:read");
  public static final Capability EVENTS_TEST = new Capability("events:test");
  public static final Capability TRANSFORMATIONS_WRITE = new Capability("transformations:write");
  public static final Capability ALERTS_WRITE = new Capability("alerts:write");

  private Capability(String value) {
    super(value);
  }

  /** Returns any value, even one that this version does not know. */
  @JsonCreator
  public static Capability of(String value) {
    return new Capability(value);
  }
}
