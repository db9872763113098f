// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;

/** A record that could not become an event. It remains in its topic. */
public final class SourceRejection extends Model {
  private SourceRejection(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static SourceRejection fromJson(JsonNode json) {
    return new SourceRejection(Json.object(json));
  }

  public String topic() {
    return Json.text(json.path("topic"));
  }

  public long partition() {
    return json.path("partition").asLong();
  }

  public long offset() {
    return json.path("offset").asLong();
  }

  /** An error code. */
  public String reason() {
    return Json.text(json.path("reason"));
  }

  public String message() {
    return Json.text(json.path("message"));
  }

  /** The size of the record value in bytes. */
  public long size() {
    return json.path("size").asLong();
  }

  public Instant at() {
    return Json.time(json.path("at"));
  }
}
