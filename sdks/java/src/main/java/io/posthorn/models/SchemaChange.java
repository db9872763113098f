// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;

/** <code>SchemaChange</code> of the API. */
public final class SchemaChange extends Model {
  private SchemaChange(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static SchemaChange fromJson(JsonNode json) {
    return new SchemaChange(Json.object(json));
  }

  /** The path in the payload. <code>*</code> stands for every item of an array. */
  public String path() {
    return Json.text(json.path("path"));
  }

  /** One of <code>added</code>, <code>removed</code>, <code>type</code>, <code>required</code>, <code>enum</code>, <code>constraint</code>. */
  public String change() {
    return Json.text(json.path("change"));
  }

  /** Whether receivers may now get payloads that the previous schema did not allow. */
  public boolean breaking() {
    return json.path("breaking").asBoolean();
  }

  public String detail() {
    return Json.text(json.path("detail"));
  }
}
