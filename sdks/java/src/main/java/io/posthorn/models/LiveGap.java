// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import org.jspecify.annotations.Nullable;

/** A gap in the stream. <code>dropped</code> is the maximum number of changes that were dropped, or null if it is unknown. */
public final class LiveGap extends Model {
  private LiveGap(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static LiveGap fromJson(JsonNode json) {
    return new LiveGap(Json.object(json));
  }

  public @Nullable Long dropped() {
    return Json.orNull(json.path("dropped"), JsonNode::asLong);
  }
}
