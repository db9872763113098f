// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;

/** A type of event that Posthorn can send to a workspace about its deliveries. */
public final class OperationalEvent extends Model {
  private OperationalEvent(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static OperationalEvent fromJson(JsonNode json) {
    return new OperationalEvent(Json.object(json));
  }

  public String name() {
    return Json.text(json.path("name"));
  }

  public String description() {
    return Json.text(json.path("description"));
  }

  /** The JSON Schema (2020-12) of the payload. */
  public JsonNode schema() {
    return json.path("schema");
  }

  /** Any JSON value. */
  public JsonNode example() {
    return json.path("example");
  }
}
