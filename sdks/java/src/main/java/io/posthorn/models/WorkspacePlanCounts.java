// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;

/** <code>WorkspacePlanCounts</code> of the API. */
public final class WorkspacePlanCounts extends Model {
  private WorkspacePlanCounts(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static WorkspacePlanCounts fromJson(JsonNode json) {
    return new WorkspacePlanCounts(Json.object(json));
  }

  public long create() {
    return json.path("create").asLong();
  }

  public long update() {
    return json.path("update").asLong();
  }

  public long remove() {
    return json.path("remove").asLong();
  }

  public long none() {
    return json.path("none").asLong();
  }
}
