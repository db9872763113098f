// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An event to send. Set either <code>eventType</code> or <code>endpointId</code>; <code>data</code> is the payload. */
public final class CreateEventBody extends Model {
  /** Takes the required fields. */
  public CreateEventBody(@Nullable Object data) {
    putJson("data", data);
  }

  private CreateEventBody(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static CreateEventBody fromJson(JsonNode json) {
    return new CreateEventBody(Json.object(json));
  }

  public CreateEventBody eventType(String eventType) {
    putRequired("eventType", eventType);
    return this;
  }

  public CreateEventBody endpointId(String endpointId) {
    putRequired("endpointId", endpointId);
    return this;
  }

  public CreateEventBody idempotencyKey(String idempotencyKey) {
    putRequired("idempotencyKey", idempotencyKey);
    return this;
  }

  public CreateEventBody applicationId(String applicationId) {
    putRequired("applicationId", applicationId);
    return this;
  }

  public CreateEventBody orderingKey(String orderingKey) {
    putRequired("orderingKey", orderingKey);
    return this;
  }

  public CreateEventBody deliverAt(Instant deliverAt) {
    putRequired("deliverAt", deliverAt);
    return this;
  }

  public CreateEventBody data(@Nullable Object data) {
    putJson("data", data);
    return this;
  }

  public CreateEventBody environmentId(String environmentId) {
    putRequired("environmentId", environmentId);
    return this;
  }
}
