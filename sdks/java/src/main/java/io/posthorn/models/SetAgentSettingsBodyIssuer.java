// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import org.jspecify.annotations.Nullable;

/** <code>SetAgentSettingsBodyIssuer</code> of the API. */
public final class SetAgentSettingsBodyIssuer extends Model {
  /** Takes the required fields. */
  public SetAgentSettingsBodyIssuer(String issuer) {
    putRequired("issuer", issuer);
  }

  private SetAgentSettingsBodyIssuer(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static SetAgentSettingsBodyIssuer fromJson(JsonNode json) {
    return new SetAgentSettingsBodyIssuer(Json.object(json));
  }

  public SetAgentSettingsBodyIssuer issuer(String issuer) {
    putRequired("issuer", issuer);
    return this;
  }

  public SetAgentSettingsBodyIssuer jwksUri(@Nullable String jwksUri) {
    put("jwksUri", jwksUri);
    return this;
  }

  public SetAgentSettingsBodyIssuer audience(@Nullable String audience) {
    put("audience", audience);
    return this;
  }

  public SetAgentSettingsBodyIssuer scope(String scope) {
    putRequired("scope", scope);
    return this;
  }

  public SetAgentSettingsBodyIssuer applicationClaim(String applicationClaim) {
    putRequired("applicationClaim", applicationClaim);
    return this;
  }

  public SetAgentSettingsBodyIssuer maxTtlSeconds(int maxTtlSeconds) {
    putRequired("maxTtlSeconds", maxTtlSeconds);
    return this;
  }
}
