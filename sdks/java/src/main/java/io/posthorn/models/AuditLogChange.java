// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;

/** <code>AuditLogChange</code> of the API. */
public final class AuditLogChange extends Model {
  private AuditLogChange(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static AuditLogChange fromJson(JsonNode json) {
    return new AuditLogChange(Json.object(json));
  }

  public JsonNode from() {
    return json.path("from");
  }

  public JsonNode to() {
    return json.path("to");
  }
}
