// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.List;

/** A management token, with its workspace and environments. */
public final class OwnManagementToken extends Model {
  private OwnManagementToken(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static OwnManagementToken fromJson(JsonNode json) {
    return new OwnManagementToken(Json.object(json));
  }

  public OwnWorkspaceSummary workspace() {
    return Json.orNull(json.path("workspace"), OwnWorkspaceSummary::fromJson);
  }

  public OwnManagementTokenDetails token() {
    return Json.orNull(json.path("token"), OwnManagementTokenDetails::fromJson);
  }

  public List<Environment> environments() {
    return Json.list(json.path("environments"), Environment::fromJson);
  }
}
