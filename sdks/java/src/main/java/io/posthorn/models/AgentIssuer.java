// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import org.jspecify.annotations.Nullable;

/** An OAuth 2 authorization server whose access tokens agents can use. */
public final class AgentIssuer extends Model {
  private AgentIssuer(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static AgentIssuer fromJson(JsonNode json) {
    return new AgentIssuer(Json.object(json));
  }

  /** The <code>iss</code> of the tokens. */
  public String issuer() {
    return Json.text(json.path("issuer"));
  }

  /** The URL of the keys. If null, the URL in the metadata of the issuer is used. */
  public @Nullable String jwksUri() {
    return Json.text(json.path("jwksUri"));
  }

  /** The <code>aud</code> of the tokens. If null, the URL at which agents subscribe. */
  public @Nullable String audience() {
    return Json.text(json.path("audience"));
  }

  /** The scope that the <code>scope</code> of a token must contain. */
  public String scope() {
    return Json.text(json.path("scope"));
  }

  /** The claim that identifies the application. */
  public String applicationClaim() {
    return Json.text(json.path("applicationClaim"));
  }

  /** The maximum time in seconds before a subscription made with such a token must be refreshed. */
  public long maxTtlSeconds() {
    return json.path("maxTtlSeconds").asLong();
  }
}
