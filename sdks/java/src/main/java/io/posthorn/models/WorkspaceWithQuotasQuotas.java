// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;

/** <code>WorkspaceWithQuotasQuotas</code> of the API. */
public final class WorkspaceWithQuotasQuotas extends Model {
  private WorkspaceWithQuotasQuotas(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static WorkspaceWithQuotasQuotas fromJson(JsonNode json) {
    return new WorkspaceWithQuotasQuotas(Json.object(json));
  }

  public Quota eventsPerDay() {
    return Json.orNull(json.path("eventsPerDay"), Quota::fromJson);
  }

  public Quota bytesKept() {
    return Json.orNull(json.path("bytesKept"), Quota::fromJson);
  }

  public Quota attemptBytesKept() {
    return Json.orNull(json.path("attemptBytesKept"), Quota::fromJson);
  }
}
