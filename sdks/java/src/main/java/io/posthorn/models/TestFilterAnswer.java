// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.List;

/** <code>TestFilterAnswer</code> of the API. */
public final class TestFilterAnswer extends Model {
  private TestFilterAnswer(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static TestFilterAnswer fromJson(JsonNode json) {
    return new TestFilterAnswer(Json.object(json));
  }

  public boolean matches() {
    return json.path("matches").asBoolean();
  }

  public List<TestFilterAnswerClausesItem> clauses() {
    return Json.list(json.path("clauses"), TestFilterAnswerClausesItem::fromJson);
  }
}
