// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;

/** <code>TestedTopic</code> of the API. */
public final class TestedTopic extends Model {
  private TestedTopic(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static TestedTopic fromJson(JsonNode json) {
    return new TestedTopic(Json.object(json));
  }

  public String name() {
    return Json.text(json.path("name"));
  }

  public long partitions() {
    return json.path("partitions").asLong();
  }

  /** The number of records in the topic now. */
  public long records() {
    return json.path("records").asLong();
  }
}
