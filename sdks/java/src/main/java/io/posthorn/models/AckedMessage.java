// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;

/** <code>AckedMessage</code> of the API. */
public final class AckedMessage extends Model {
  /** Takes the required fields. */
  public AckedMessage(String deliveryId, String leaseToken) {
    putRequired("deliveryId", deliveryId);
    putRequired("leaseToken", leaseToken);
  }

  private AckedMessage(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static AckedMessage fromJson(JsonNode json) {
    return new AckedMessage(Json.object(json));
  }

  public AckedMessage deliveryId(String deliveryId) {
    putRequired("deliveryId", deliveryId);
    return this;
  }

  public AckedMessage leaseToken(String leaseToken) {
    putRequired("leaseToken", leaseToken);
    return this;
  }

  public AckedMessage responseStatus(int responseStatus) {
    putRequired("responseStatus", responseStatus);
    return this;
  }

  /** A text to store with the attempt, like the response body of a webhook. */
  public AckedMessage responseBody(String responseBody) {
    putRequired("responseBody", responseBody);
    return this;
  }
}
