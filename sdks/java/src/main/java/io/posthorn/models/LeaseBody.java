// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;

/** <code>LeaseBody</code> of the API. */
public final class LeaseBody extends Model {
  public LeaseBody() {
  }

  private LeaseBody(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static LeaseBody fromJson(JsonNode json) {
    return new LeaseBody(Json.object(json));
  }

  /** The maximum number of messages to return. */
  public LeaseBody max(int max) {
    putRequired("max", max);
    return this;
  }

  /** The maximum time in seconds to wait for the first message if none can be leased. */
  public LeaseBody waitSeconds(int waitSeconds) {
    putRequired("waitSeconds", waitSeconds);
    return this;
  }

  /**
   * The duration of the lease in seconds. A message that is not acknowledged, rejected or extended in time goes to
   * the next consumer.
   */
  public LeaseBody leaseSeconds(int leaseSeconds) {
    putRequired("leaseSeconds", leaseSeconds);
    return this;
  }
}
