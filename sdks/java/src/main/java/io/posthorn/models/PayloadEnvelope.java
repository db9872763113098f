// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import org.jspecify.annotations.Nullable;

/** The payload as ingested, or the reason why it is not available. */
public final class PayloadEnvelope extends Model {
  private PayloadEnvelope(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static PayloadEnvelope fromJson(JsonNode json) {
    return new PayloadEnvelope(Json.object(json));
  }

  /** One of <code>available</code>, <code>plan_required</code>, <code>forbidden</code>, <code>expired</code>, <code>erased</code>, <code>not_stored</code>, <code>unavailable</code>. */
  public String status() {
    return Json.text(json.path("status"));
  }

  public @Nullable String contentType() {
    return Json.text(json.path("contentType"));
  }

  /** One of <code>utf8</code>, <code>base64</code>. */
  public @Nullable String encoding() {
    return Json.text(json.path("encoding"));
  }

  public @Nullable Long size() {
    return Json.orNull(json.path("size"), JsonNode::asLong);
  }

  public @Nullable String sha256() {
    return Json.text(json.path("sha256"));
  }

  public @Nullable String body() {
    return Json.text(json.path("body"));
  }
}
