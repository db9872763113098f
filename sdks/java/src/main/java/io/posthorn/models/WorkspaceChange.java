// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** <code>WorkspaceChange</code> of the API. */
public final class WorkspaceChange extends Model {
  private WorkspaceChange(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static WorkspaceChange fromJson(JsonNode json) {
    return new WorkspaceChange(Json.object(json));
  }

  /** One of <code>create</code>, <code>update</code>, <code>remove</code>, <code>none</code>. */
  public String action() {
    return Json.text(json.path("action"));
  }

  /** One of <code>environment</code>, <code>eventType</code>, <code>application</code>, <code>endpoint</code>, <code>source</code>, <code>workspace</code>. */
  public String kind() {
    return Json.text(json.path("kind"));
  }

  /** The slug, name or externalId of the resource. */
  public String key() {
    return Json.text(json.path("key"));
  }

  /** The slug of the environment, for an endpoint or a source. */
  public @Nullable String environment() {
    return Json.text(json.path("environment"));
  }

  public List<WorkspaceFieldChange> fields() {
    return Json.list(json.path("fields"), WorkspaceFieldChange::fromJson);
  }
}
