// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** <code>SetEventTypeVisibilityBody</code> of the API. */
public final class SetEventTypeVisibilityBody extends Model {
  /** Takes the required fields. */
  public SetEventTypeVisibilityBody(boolean published) {
    putRequired("published", published);
  }

  private SetEventTypeVisibilityBody(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static SetEventTypeVisibilityBody fromJson(JsonNode json) {
    return new SetEventTypeVisibilityBody(Json.object(json));
  }

  public SetEventTypeVisibilityBody published(boolean published) {
    putRequired("published", published);
    return this;
  }

  /**
   * How payloads are checked against the schema of the event type. Unchanged if omitted.
   * <p>
   * One of <code>off</code>, <code>warn</code>, <code>reject</code>.
   */
  public SetEventTypeVisibilityBody schemaMode(String schemaMode) {
    putRequired("schemaMode", schemaMode);
    return this;
  }

  /**
   * The applications whose portals show the event type and that may subscribe to it. Null for all applications.
   * Unchanged if omitted.
   */
  public SetEventTypeVisibilityBody applications(@Nullable List<String> applications) {
    put("applications", applications);
    return this;
  }
}
