// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The result of transforming an event. */
public final class TransformationResult extends Model {
  private TransformationResult(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static TransformationResult fromJson(JsonNode json) {
    return new TransformationResult(Json.object(json));
  }

  /** One of <code>sent</code>, <code>cancelled</code>, <code>failed</code>. */
  public String result() {
    return Json.text(json.path("result"));
  }

  /** The body that would be sent. Null unless <code>result</code> is <code>sent</code>. */
  public @Nullable String body() {
    return Json.text(json.path("body"));
  }

  public @Nullable String contentType() {
    return Json.text(json.path("contentType"));
  }

  public Map<String, String> headers() {
    return Json.map(json.path("headers"), item -> Json.text(item));
  }

  public @Nullable String path() {
    return Json.text(json.path("path"));
  }

  /** The reason that the code gave for cancelling the event. */
  public @Nullable String reason() {
    return Json.text(json.path("reason"));
  }

  /** The first 50 lines that the code logged with <code>console.log</code>. */
  public List<String> logs() {
    return Json.list(json.path("logs"), item -> Json.text(item));
  }

  public @Nullable TransformationResultError error() {
    return Json.orNull(json.path("error"), TransformationResultError::fromJson);
  }

  /** The computing time, in milliseconds. */
  public double durationMs() {
    return json.path("durationMs").asDouble();
  }
}
