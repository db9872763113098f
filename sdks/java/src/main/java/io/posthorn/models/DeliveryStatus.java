// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;

/** A newer service may send values that this version does not know. */
public final class DeliveryStatus extends OpenEnum {
  public static final DeliveryStatus PENDING = new DeliveryStatus("pending");
  public static final DeliveryStatus DELIVERING = new DeliveryStatus("delivering");
  public static final DeliveryStatus DELIVERED = new DeliveryStatus("delivered");
  public static final DeliveryStatus SCHEDULED_RETRY = new DeliveryStatus("scheduled_retry");
  public static final DeliveryStatus FAILED = new DeliveryStatus("failed");
  public static final DeliveryStatus DEAD_LETTER = new DeliveryStatus("dead_letter");

  private DeliveryStatus(String value) {
    super(value);
  }

  /** Returns any value, even one that this version does not know. */
  @JsonCreator
  public static DeliveryStatus of(String value) {
    return new DeliveryStatus(value);
  }
}
