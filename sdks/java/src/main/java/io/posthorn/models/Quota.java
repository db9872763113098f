// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import org.jspecify.annotations.Nullable;

/** <code>Quota</code> of the API. */
public final class Quota extends Model {
  private Quota(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static Quota fromJson(JsonNode json) {
    return new Quota(Json.object(json));
  }

  /** The limit. Null if there is none. */
  public @Nullable Long limit() {
    return Json.orNull(json.path("limit"), JsonNode::asLong);
  }

  /** The amount that is used, as of a few seconds ago. */
  public long used() {
    return json.path("used").asLong();
  }
}
