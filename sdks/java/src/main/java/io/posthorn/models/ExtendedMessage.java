// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;

/** <code>ExtendedMessage</code> of the API. */
public final class ExtendedMessage extends Model {
  /** Takes the required fields. */
  public ExtendedMessage(String deliveryId, String leaseToken, int leaseSeconds) {
    putRequired("deliveryId", deliveryId);
    putRequired("leaseToken", leaseToken);
    putRequired("leaseSeconds", leaseSeconds);
  }

  private ExtendedMessage(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static ExtendedMessage fromJson(JsonNode json) {
    return new ExtendedMessage(Json.object(json));
  }

  public ExtendedMessage deliveryId(String deliveryId) {
    putRequired("deliveryId", deliveryId);
    return this;
  }

  public ExtendedMessage leaseToken(String leaseToken) {
    putRequired("leaseToken", leaseToken);
    return this;
  }

  /** The duration of the lease in seconds, from now. */
  public ExtendedMessage leaseSeconds(int leaseSeconds) {
    putRequired("leaseSeconds", leaseSeconds);
    return this;
  }
}
