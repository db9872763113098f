// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The result of testing a source. Nothing is stored. */
public final class SourceTest extends Model {
  private SourceTest(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static SourceTest fromJson(JsonNode json) {
    return new SourceTest(Json.object(json));
  }

  public String sourceId() {
    return Json.text(json.path("sourceId"));
  }

  /** One of <code>success</code>, <code>failure</code>. */
  public String outcome() {
    return Json.text(json.path("outcome"));
  }

  /** The error message of the brokers, if the test failed. */
  public @Nullable String error() {
    return Json.text(json.path("error"));
  }

  public List<TestedTopic> topics() {
    return Json.list(json.path("topics"), TestedTopic::fromJson);
  }

  /** One of the newest records. Null if there is none. */
  public @Nullable TestedRecord record() {
    return Json.orNull(json.path("record"), TestedRecord::fromJson);
  }

  public long durationMs() {
    return json.path("durationMs").asLong();
  }
}
