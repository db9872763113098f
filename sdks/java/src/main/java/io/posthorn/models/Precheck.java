// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.List;

/** The endpoints that would receive an event of the event type now. */
public final class Precheck extends Model {
  private Precheck(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static Precheck fromJson(JsonNode json) {
    return new Precheck(Json.object(json));
  }

  public boolean published() {
    return json.path("published").asBoolean();
  }

  public long matched() {
    return json.path("matched").asLong();
  }

  public List<PrecheckEndpointsItem> endpoints() {
    return Json.list(json.path("endpoints"), PrecheckEndpointsItem::fromJson);
  }

  /** Whether the environment has more endpoints than are returned. */
  public boolean truncated() {
    return json.path("truncated").asBoolean();
  }
}
