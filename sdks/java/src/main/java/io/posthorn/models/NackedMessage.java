// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;

/** <code>NackedMessage</code> of the interface. */
public final class NackedMessage extends Model {
  /** Takes what is required. */
  public NackedMessage(String deliveryId, String leaseToken) {
    putRequired("deliveryId", deliveryId);
    putRequired("leaseToken", leaseToken);
  }

  private NackedMessage(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the interface. Throws an IllegalArgumentException when it is not an object. */
  @JsonCreator
  public static NackedMessage fromJson(JsonNode json) {
    return new NackedMessage(Json.object(json));
  }

  public NackedMessage deliveryId(String deliveryId) {
    putRequired("deliveryId", deliveryId);
    return this;
  }

  public NackedMessage leaseToken(String leaseToken) {
    putRequired("leaseToken", leaseToken);
    return this;
  }

  /** The time until it is due again. Without it, the retry schedule of the endpoint counts. */
  public NackedMessage delaySeconds(int delaySeconds) {
    putRequired("delaySeconds", delaySeconds);
    return this;
  }

  public NackedMessage responseStatus(int responseStatus) {
    putRequired("responseStatus", responseStatus);
    return this;
  }

  /** Kept with the attempt, as the body of an answer to a webhook. */
  public NackedMessage responseBody(String responseBody) {
    putRequired("responseBody", responseBody);
    return this;
  }

  /** In words for people, why it could not be processed. */
  public NackedMessage reason(String reason) {
    putRequired("reason", reason);
    return this;
  }
}
