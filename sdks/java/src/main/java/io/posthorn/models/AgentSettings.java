// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The settings for agents in an environment. */
public final class AgentSettings extends Model {
  private AgentSettings(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static AgentSettings fromJson(JsonNode json) {
    return new AgentSettings(Json.object(json));
  }

  /** Whether agents may subscribe. Setting <code>false</code> ends every agent subscription of the environment. */
  public boolean enabled() {
    return json.path("enabled").asBoolean();
  }

  /** The allowed hosts of callbacks, such as <code>*.example.com</code>. Null allows any public host. */
  public @Nullable List<String> callbackHosts() {
    return Json.listOrNull(json.path("callbackHosts"), item -> Json.text(item));
  }

  /** The maximum time in seconds before a subscription must be refreshed. */
  public long maxTtlSeconds() {
    return json.path("maxTtlSeconds").asLong();
  }

  public AgentRateLimit rateLimit() {
    return Json.orNull(json.path("rateLimit"), AgentRateLimit::fromJson);
  }

  /** The issuer of access tokens. Null if agents can use only agent keys. */
  public @Nullable AgentIssuer issuer() {
    return Json.orNull(json.path("issuer"), AgentIssuer::fromJson);
  }

  /** Whether the operator allows agents to subscribe (<code>MCP_EVENTS</code>). */
  public boolean available() {
    return json.path("available").asBoolean();
  }
}
