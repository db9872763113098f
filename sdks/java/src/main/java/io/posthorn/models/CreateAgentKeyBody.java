// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** <code>CreateAgentKeyBody</code> of the API. */
public final class CreateAgentKeyBody extends Model {
  /** Takes the required fields. */
  public CreateAgentKeyBody(String name) {
    putRequired("name", name);
  }

  private CreateAgentKeyBody(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static CreateAgentKeyBody fromJson(JsonNode json) {
    return new CreateAgentKeyBody(Json.object(json));
  }

  public CreateAgentKeyBody name(String name) {
    putRequired("name", name);
    return this;
  }

  /** The environment. Defaults to the default environment of the workspace. */
  public CreateAgentKeyBody environmentId(String environmentId) {
    putRequired("environmentId", environmentId);
    return this;
  }

  /**
   * The application whose events the agent receives. The agent sees the event types that the portal of this
   * application shows.
   */
  public CreateAgentKeyBody applicationId(@Nullable String applicationId) {
    put("applicationId", applicationId);
    return this;
  }

  /** When the key expires, at most 365 days from now. Defaults to 365 days from now. */
  public CreateAgentKeyBody expiresAt(Instant expiresAt) {
    putRequired("expiresAt", expiresAt);
    return this;
  }
}
