// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** <code>ListAgentSubscriptionsAnswer</code> of the API. */
public final class ListAgentSubscriptionsAnswer extends Model {
  private ListAgentSubscriptionsAnswer(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static ListAgentSubscriptionsAnswer fromJson(JsonNode json) {
    return new ListAgentSubscriptionsAnswer(Json.object(json));
  }

  public List<AgentSubscription> agentSubscriptions() {
    return Json.list(json.path("agentSubscriptions"), AgentSubscription::fromJson);
  }

  public @Nullable String nextCursor() {
    return Json.text(json.path("nextCursor"));
  }
}
