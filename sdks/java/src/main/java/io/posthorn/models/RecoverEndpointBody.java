// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;
import java.util.List;

/** <code>RecoverEndpointBody</code> of the API. */
public final class RecoverEndpointBody extends Model {
  /** Takes the required fields. */
  public RecoverEndpointBody(String mode) {
    putRequired("mode", mode);
  }

  private RecoverEndpointBody(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static RecoverEndpointBody fromJson(JsonNode json) {
    return new RecoverEndpointBody(Json.object(json));
  }

  /** The start of the time range. Either <code>since</code> or <code>from</code> is required. */
  public RecoverEndpointBody since(Instant since) {
    putRequired("since", since);
    return this;
  }

  public RecoverEndpointBody until(Instant until) {
    putRequired("until", until);
    return this;
  }

  /** The same as <code>since</code>. */
  public RecoverEndpointBody from(Instant from) {
    putRequired("from", from);
    return this;
  }

  /** The same as <code>until</code>. */
  public RecoverEndpointBody to(Instant to) {
    putRequired("to", to);
    return this;
  }

  /** One of <code>failed</code>, <code>missed</code>, <code>all</code>. */
  public RecoverEndpointBody mode(String mode) {
    putRequired("mode", mode);
    return this;
  }

  public RecoverEndpointBody eventTypes(List<String> eventTypes) {
    putRequired("eventTypes", eventTypes);
    return this;
  }

  /** One of <code>2xx</code>, <code>3xx</code>, <code>4xx</code>, <code>5xx</code>, <code>other</code>, <code>none</code>. */
  public RecoverEndpointBody statusClass(List<String> statusClass) {
    putRequired("statusClass", statusClass);
    return this;
  }
}
