// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** <code>EndpointConfigOauth2</code> of the API. */
public final class EndpointConfigOauth2 extends Model {
  /** Takes the required fields. */
  public EndpointConfigOauth2(String tokenUrl, String clientId) {
    putRequired("tokenUrl", tokenUrl);
    putRequired("clientId", clientId);
  }

  private EndpointConfigOauth2(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static EndpointConfigOauth2 fromJson(JsonNode json) {
    return new EndpointConfigOauth2(Json.object(json));
  }

  /** The URL of the token endpoint. It must use https. The rules for the <code>url</code> of an endpoint apply. */
  public String tokenUrl() {
    return Json.text(json.path("tokenUrl"));
  }

  /** The URL of the token endpoint. It must use https. The rules for the <code>url</code> of an endpoint apply. */
  public EndpointConfigOauth2 tokenUrl(String tokenUrl) {
    putRequired("tokenUrl", tokenUrl);
    return this;
  }

  public String clientId() {
    return Json.text(json.path("clientId"));
  }

  public EndpointConfigOauth2 clientId(String clientId) {
    putRequired("clientId", clientId);
    return this;
  }

  public @Nullable List<String> scopes() {
    return Json.listOrNull(json.path("scopes"), item -> Json.text(item));
  }

  public EndpointConfigOauth2 scopes(List<String> scopes) {
    putRequired("scopes", scopes);
    return this;
  }

  public @Nullable String audience() {
    return Json.text(json.path("audience"));
  }

  public EndpointConfigOauth2 audience(String audience) {
    putRequired("audience", audience);
    return this;
  }

  /** One of <code>basic</code>, <code>post</code>, <code>private_key_jwt</code>. */
  public @Nullable String authMethod() {
    return Json.text(json.path("authMethod"));
  }

  /** One of <code>basic</code>, <code>post</code>, <code>private_key_jwt</code>. */
  public EndpointConfigOauth2 authMethod(String authMethod) {
    putRequired("authMethod", authMethod);
    return this;
  }

  public @Nullable Map<String, String> extraParams() {
    return Json.mapOrNull(json.path("extraParams"), item -> Json.text(item));
  }

  public EndpointConfigOauth2 extraParams(Map<String, String> extraParams) {
    putRequired("extraParams", extraParams);
    return this;
  }
}
