// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;
import java.util.List;

/** <code>RetryDeliveriesBodyFilter</code> of the API. */
public final class RetryDeliveriesBodyFilter extends Model {
  public RetryDeliveriesBodyFilter() {
  }

  private RetryDeliveriesBodyFilter(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static RetryDeliveriesBodyFilter fromJson(JsonNode json) {
    return new RetryDeliveriesBodyFilter(Json.object(json));
  }

  public RetryDeliveriesBodyFilter environmentId(String environmentId) {
    putRequired("environmentId", environmentId);
    return this;
  }

  public RetryDeliveriesBodyFilter endpointId(String endpointId) {
    putRequired("endpointId", endpointId);
    return this;
  }

  public RetryDeliveriesBodyFilter applicationId(String applicationId) {
    putRequired("applicationId", applicationId);
    return this;
  }

  public RetryDeliveriesBodyFilter eventTypes(List<String> eventTypes) {
    putRequired("eventTypes", eventTypes);
    return this;
  }

  public RetryDeliveriesBodyFilter statuses(List<DeliveryStatus> statuses) {
    putRequired("statuses", statuses);
    return this;
  }

  public RetryDeliveriesBodyFilter from(Instant from) {
    putRequired("from", from);
    return this;
  }

  public RetryDeliveriesBodyFilter to(Instant to) {
    putRequired("to", to);
    return this;
  }
}
