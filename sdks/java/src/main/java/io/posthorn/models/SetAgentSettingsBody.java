// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** <code>SetAgentSettingsBody</code> of the API. */
public final class SetAgentSettingsBody extends Model {
  public SetAgentSettingsBody() {
  }

  private SetAgentSettingsBody(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static SetAgentSettingsBody fromJson(JsonNode json) {
    return new SetAgentSettingsBody(Json.object(json));
  }

  public SetAgentSettingsBody enabled(boolean enabled) {
    putRequired("enabled", enabled);
    return this;
  }

  /** The allowed hosts of callbacks. If omitted or null, any public host is allowed. */
  public SetAgentSettingsBody callbackHosts(@Nullable List<String> callbackHosts) {
    put("callbackHosts", callbackHosts);
    return this;
  }

  public SetAgentSettingsBody maxTtlSeconds(int maxTtlSeconds) {
    putRequired("maxTtlSeconds", maxTtlSeconds);
    return this;
  }

  /** The rate limit of each new subscription. Defaults to 600 requests in 60 seconds. */
  public SetAgentSettingsBody rateLimit(SetAgentSettingsBodyRateLimit rateLimit) {
    putRequired("rateLimit", rateLimit);
    return this;
  }

  public SetAgentSettingsBody issuer(@Nullable SetAgentSettingsBodyIssuer issuer) {
    put("issuer", issuer);
    return this;
  }
}
