// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.List;
import java.util.Map;

/** <code>KeptNames</code> of the API. */
public final class KeptNames extends Model {
  public KeptNames() {
  }

  private KeptNames(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static KeptNames fromJson(JsonNode json) {
    return new KeptNames(Json.object(json));
  }

  /** The names of event types. */
  public KeptNames eventTypes(List<String> eventTypes) {
    putRequired("eventTypes", eventTypes);
    return this;
  }

  /** The externalIds of applications. */
  public KeptNames applications(List<String> applications) {
    putRequired("applications", applications);
    return this;
  }

  /** The externalIds of endpoints, by the slug of their environment. */
  public KeptNames endpoints(Map<String, List<String>> endpoints) {
    putRequired("endpoints", endpoints);
    return this;
  }
}
