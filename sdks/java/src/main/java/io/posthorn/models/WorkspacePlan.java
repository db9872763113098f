// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.List;

/** The changes that make the workspace match the document. */
public final class WorkspacePlan extends Model {
  private WorkspacePlan(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static WorkspacePlan fromJson(JsonNode json) {
    return new WorkspacePlan(Json.object(json));
  }

  public List<WorkspaceChange> changes() {
    return Json.list(json.path("changes"), WorkspaceChange::fromJson);
  }

  public WorkspacePlanCounts counts() {
    return Json.orNull(json.path("counts"), WorkspacePlanCounts::fromJson);
  }

  /** Whether the changes were applied. False for a dry run. */
  public boolean applied() {
    return json.path("applied").asBoolean();
  }
}
