// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An event to send. Set either <code>eventType</code> or <code>endpointId</code>; <code>data</code> is the payload. */
public final class BatchEvent extends Model {
  /** Takes the required fields. */
  public BatchEvent(@Nullable Object data) {
    putJson("data", data);
  }

  private BatchEvent(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static BatchEvent fromJson(JsonNode json) {
    return new BatchEvent(Json.object(json));
  }

  public BatchEvent eventType(String eventType) {
    putRequired("eventType", eventType);
    return this;
  }

  public BatchEvent endpointId(String endpointId) {
    putRequired("endpointId", endpointId);
    return this;
  }

  public BatchEvent idempotencyKey(String idempotencyKey) {
    putRequired("idempotencyKey", idempotencyKey);
    return this;
  }

  public BatchEvent applicationId(String applicationId) {
    putRequired("applicationId", applicationId);
    return this;
  }

  public BatchEvent orderingKey(String orderingKey) {
    putRequired("orderingKey", orderingKey);
    return this;
  }

  public BatchEvent deliverAt(Instant deliverAt) {
    putRequired("deliverAt", deliverAt);
    return this;
  }

  public BatchEvent data(@Nullable Object data) {
    putJson("data", data);
    return this;
  }
}
