// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** <code>ListAgentKeysAnswer</code> of the API. */
public final class ListAgentKeysAnswer extends Model {
  private ListAgentKeysAnswer(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static ListAgentKeysAnswer fromJson(JsonNode json) {
    return new ListAgentKeysAnswer(Json.object(json));
  }

  public List<AgentKey> agentKeys() {
    return Json.list(json.path("agentKeys"), AgentKey::fromJson);
  }

  public @Nullable String nextCursor() {
    return Json.text(json.path("nextCursor"));
  }
}
