// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;

/** <code>OwnWorkspaceSummary</code> of the API. */
public final class OwnWorkspaceSummary extends Model {
  private OwnWorkspaceSummary(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static OwnWorkspaceSummary fromJson(JsonNode json) {
    return new OwnWorkspaceSummary(Json.object(json));
  }

  public String id() {
    return Json.text(json.path("id"));
  }

  public String name() {
    return Json.text(json.path("name"));
  }

  public String slug() {
    return Json.text(json.path("slug"));
  }

  public Plan plan() {
    return Json.textOf(json.path("plan"), Plan::of);
  }
}
