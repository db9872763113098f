// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;

/**
 * The channel through which messages are sent.
 * <p>
 * A newer service may send values that this version does not know.
 */
public final class AlertChannel extends OpenEnum {
  public static final AlertChannel EMAIL = new AlertChannel("email");
  public static final AlertChannel SLACK = new AlertChannel("slack");
  public static final AlertChannel TEAMS = new AlertChannel("teams");
  public static final AlertChannel DISCORD = new AlertChannel("discord");
  public static final AlertChannel PAGERDUTY = new AlertChannel("pagerduty");

  private AlertChannel(String value) {
    super(value);
  }

  /** Returns any value, even one that this version does not know. */
  @JsonCreator
  public static AlertChannel of(String value) {
    return new AlertChannel(value);
  }
}
