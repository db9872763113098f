// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;

/** <code>NackedMessage</code> of the API. */
public final class NackedMessage extends Model {
  /** Takes the required fields. */
  public NackedMessage(String deliveryId, String leaseToken) {
    putRequired("deliveryId", deliveryId);
    putRequired("leaseToken", leaseToken);
  }

  private NackedMessage(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
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

  /** The time in seconds until the message is due again. Defaults to the retry schedule of the endpoint. */
  public NackedMessage delaySeconds(int delaySeconds) {
    putRequired("delaySeconds", delaySeconds);
    return this;
  }

  public NackedMessage responseStatus(int responseStatus) {
    putRequired("responseStatus", responseStatus);
    return this;
  }

  /** A text to store with the attempt, like the response body of a webhook. */
  public NackedMessage responseBody(String responseBody) {
    putRequired("responseBody", responseBody);
    return this;
  }

  /** A human-readable reason why the message could not be processed. */
  public NackedMessage reason(String reason) {
    putRequired("reason", reason);
    return this;
  }
}
