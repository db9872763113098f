// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;

/** <code>EndpointToPromote</code> of the API. */
public final class EndpointToPromote extends Model {
  /** Takes the required fields. */
  public EndpointToPromote(String endpointId) {
    putRequired("endpointId", endpointId);
  }

  private EndpointToPromote(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static EndpointToPromote fromJson(JsonNode json) {
    return new EndpointToPromote(Json.object(json));
  }

  public EndpointToPromote endpointId(String endpointId) {
    putRequired("endpointId", endpointId);
    return this;
  }

  /** The URL of the new endpoint. Required if the endpoint is created and its type has a URL. */
  public EndpointToPromote url(String url) {
    putRequired("url", url);
    return this;
  }

  /** The <code>config.destination</code> of the new endpoint. Required if its type has one. */
  public EndpointToPromote destination(Destination destination) {
    putRequired("destination", destination);
    return this;
  }
}
