// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;

/** <code>RetryDeliveriesBody</code> of the API. */
public final class RetryDeliveriesBody extends Model {
  /** Takes the required fields. */
  public RetryDeliveriesBody(RetryDeliveriesBodyFilter filter) {
    putRequired("filter", filter);
  }

  private RetryDeliveriesBody(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static RetryDeliveriesBody fromJson(JsonNode json) {
    return new RetryDeliveriesBody(Json.object(json));
  }

  public RetryDeliveriesBody filter(RetryDeliveriesBodyFilter filter) {
    putRequired("filter", filter);
    return this;
  }
}
