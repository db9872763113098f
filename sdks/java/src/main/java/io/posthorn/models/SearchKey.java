// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;

/** <code>SearchKey</code> of the API. */
public final class SearchKey extends Model {
  private SearchKey(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static SearchKey fromJson(JsonNode json) {
    return new SearchKey(Json.object(json));
  }

  public String name() {
    return Json.text(json.path("name"));
  }

  public String path() {
    return Json.text(json.path("path"));
  }

  public boolean fold() {
    return json.path("fold").asBoolean();
  }
}
