// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.List;

/** The changes that would make the environment <code>to</code> match the environment <code>from</code>. */
public final class EnvironmentDiff extends Model {
  private EnvironmentDiff(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static EnvironmentDiff fromJson(JsonNode json) {
    return new EnvironmentDiff(Json.object(json));
  }

  public String from() {
    return Json.text(json.path("from"));
  }

  public String to() {
    return Json.text(json.path("to"));
  }

  public PromotedSettings settings() {
    return Json.orNull(json.path("settings"), PromotedSettings::fromJson);
  }

  public List<PromotedEventType> eventTypes() {
    return Json.list(json.path("eventTypes"), PromotedEventType::fromJson);
  }

  public List<PromotedEndpoint> endpoints() {
    return Json.list(json.path("endpoints"), PromotedEndpoint::fromJson);
  }

  public List<PromotedSource> sources() {
    return Json.list(json.path("sources"), PromotedSource::fromJson);
  }
}
