// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;

/** <code>WorkspaceFieldChange</code> of the API. */
public final class WorkspaceFieldChange extends Model {
  private WorkspaceFieldChange(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static WorkspaceFieldChange fromJson(JsonNode json) {
    return new WorkspaceFieldChange(Json.object(json));
  }

  public String field() {
    return Json.text(json.path("field"));
  }

  /**
   * The value before the change, or null if there was none. A secret is <code>[redacted]</code>, a long value <code>{bytes,
   * sha256}</code>.
   */
  public JsonNode from() {
    return json.path("from");
  }

  /** Any JSON value. */
  public JsonNode to() {
    return json.path("to");
  }
}
