// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import org.jspecify.annotations.Nullable;

/** <code>AttemptTimings</code> of the API. */
public final class AttemptTimings extends Model {
  private AttemptTimings(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static AttemptTimings fromJson(JsonNode json) {
    return new AttemptTimings(Json.object(json));
  }

  public @Nullable Double dnsMs() {
    return Json.orNull(json.path("dnsMs"), JsonNode::asDouble);
  }

  public @Nullable Double connectMs() {
    return Json.orNull(json.path("connectMs"), JsonNode::asDouble);
  }

  public @Nullable Double tlsMs() {
    return Json.orNull(json.path("tlsMs"), JsonNode::asDouble);
  }

  public @Nullable Double ttfbMs() {
    return Json.orNull(json.path("ttfbMs"), JsonNode::asDouble);
  }
}
