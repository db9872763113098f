// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An environment, with the fields that <code>include</code> adds. */
public final class EnvironmentDetail extends Model {
  private EnvironmentDetail(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static EnvironmentDetail fromJson(JsonNode json) {
    return new EnvironmentDetail(Json.object(json));
  }

  public String id() {
    return Json.text(json.path("id"));
  }

  public String name() {
    return Json.text(json.path("name"));
  }

  public String slug() {
    return Json.text(json.path("slug"));
  }

  public boolean isDefault() {
    return json.path("isDefault").asBoolean();
  }

  public boolean requireApplication() {
    return json.path("requireApplication").asBoolean();
  }

  public Instant createdAt() {
    return Json.time(json.path("createdAt"));
  }

  public Instant updatedAt() {
    return Json.time(json.path("updatedAt"));
  }

  /** The number of events in the last 7 days that named an event type and no application, including those with <code>*</code>. */
  public @Nullable Long eventsWithoutApplication() {
    return Json.orNull(json.path("eventsWithoutApplication"), JsonNode::asLong);
  }
}
