// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A source reads topics, whose records become events. */
public final class Source extends Model {
  private Source(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static Source fromJson(JsonNode json) {
    return new Source(Json.object(json));
  }

  public String id() {
    return Json.text(json.path("id"));
  }

  /** Your own id for the source, unique in its environment. */
  public @Nullable String externalId() {
    return Json.text(json.path("externalId"));
  }

  public String name() {
    return Json.text(json.path("name"));
  }

  /** One of <code>kafka</code>. */
  public String type() {
    return Json.text(json.path("type"));
  }

  public String environmentId() {
    return Json.text(json.path("environmentId"));
  }

  public boolean isActive() {
    return json.path("isActive").asBoolean();
  }

  public SourceConfig config() {
    return Json.orNull(json.path("config"), SourceConfig::fromJson);
  }

  /** The names of the stored credentials. */
  public List<String> credentialNames() {
    return Json.list(json.path("credentialNames"), item -> Json.text(item));
  }

  /** The source in another environment from which this source was promoted. */
  public @Nullable String promotedFrom() {
    return Json.text(json.path("promotedFrom"));
  }

  public SourceHealth health() {
    return Json.orNull(json.path("health"), SourceHealth::fromJson);
  }

  public Instant createdAt() {
    return Json.time(json.path("createdAt"));
  }

  public Instant updatedAt() {
    return Json.time(json.path("updatedAt"));
  }
}
