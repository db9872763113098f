// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;

/** <code>SchemaWarning</code> of the API. */
public final class SchemaWarning extends Model {
  private SchemaWarning(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static SchemaWarning fromJson(JsonNode json) {
    return new SchemaWarning(Json.object(json));
  }

  /** The path of the field in the request. */
  public String path() {
    return Json.text(json.path("path"));
  }

  public String message() {
    return Json.text(json.path("message"));
  }
}
