// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;
import java.util.List;

/** <code>SearchDeliveriesBody</code> of the API. */
public final class SearchDeliveriesBody extends Model {
  /** Takes the required fields. */
  public SearchDeliveriesBody(List<String> search) {
    putRequired("search", search);
  }

  private SearchDeliveriesBody(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static SearchDeliveriesBody fromJson(JsonNode json) {
    return new SearchDeliveriesBody(Json.object(json));
  }

  /**
   * The values to search for. Each is <code>name:value</code> for one search key, or a value that is looked up in every
   * search key. An event must match all of them.
   */
  public SearchDeliveriesBody search(List<String> search) {
    putRequired("search", search);
    return this;
  }

  public SearchDeliveriesBody endpointId(String endpointId) {
    putRequired("endpointId", endpointId);
    return this;
  }

  public SearchDeliveriesBody environmentId(String environmentId) {
    putRequired("environmentId", environmentId);
    return this;
  }

  public SearchDeliveriesBody applicationId(String applicationId) {
    putRequired("applicationId", applicationId);
    return this;
  }

  public SearchDeliveriesBody eventType(String eventType) {
    putRequired("eventType", eventType);
    return this;
  }

  public SearchDeliveriesBody status(DeliveryStatus status) {
    putRequired("status", status);
    return this;
  }

  public SearchDeliveriesBody from(Instant from) {
    putRequired("from", from);
    return this;
  }

  public SearchDeliveriesBody to(Instant to) {
    putRequired("to", to);
    return this;
  }

  public SearchDeliveriesBody limit(int limit) {
    putRequired("limit", limit);
    return this;
  }

  public SearchDeliveriesBody cursor(String cursor) {
    putRequired("cursor", cursor);
    return this;
  }
}
