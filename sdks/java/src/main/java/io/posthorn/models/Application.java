// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One of your customers, with its own endpoints. */
public final class Application extends Model {
  private Application(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static Application fromJson(JsonNode json) {
    return new Application(Json.object(json));
  }

  public String id() {
    return Json.text(json.path("id"));
  }

  public @Nullable String externalId() {
    return Json.text(json.path("externalId"));
  }

  public String name() {
    return Json.text(json.path("name"));
  }

  public Map<String, String> metadata() {
    return Json.map(json.path("metadata"), item -> Json.text(item));
  }

  public Instant createdAt() {
    return Json.time(json.path("createdAt"));
  }

  public Instant updatedAt() {
    return Json.time(json.path("updatedAt"));
  }
}
