// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;

/** <code>TestFilterAnswerClausesItem</code> of the API. */
public final class TestFilterAnswerClausesItem extends Model {
  private TestFilterAnswerClausesItem(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static TestFilterAnswerClausesItem fromJson(JsonNode json) {
    return new TestFilterAnswerClausesItem(Json.object(json));
  }

  public String path() {
    return Json.text(json.path("path"));
  }

  /** One of <code>eq</code>, <code>ne</code>, <code>in</code>, <code>gt</code>, <code>gte</code>, <code>lt</code>, <code>lte</code>, <code>exists</code>, <code>startsWith</code>, <code>endsWith</code>, <code>contains</code>. */
  public String operator() {
    return Json.text(json.path("operator"));
  }

  public JsonNode expected() {
    return json.path("expected");
  }

  /** The value at the path in the payload. Null if the path is absent. */
  public JsonNode found() {
    return json.path("found");
  }

  public boolean holds() {
    return json.path("holds").asBoolean();
  }
}
