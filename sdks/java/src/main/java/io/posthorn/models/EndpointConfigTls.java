// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import org.jspecify.annotations.Nullable;

/** <code>EndpointConfigTls</code> of the API. */
public final class EndpointConfigTls extends Model {
  public EndpointConfigTls() {
  }

  private EndpointConfigTls(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static EndpointConfigTls fromJson(JsonNode json) {
    return new EndpointConfigTls(Json.object(json));
  }

  /** The certificate authorities to trust instead of the public ones, as certificates in PEM. */
  public @Nullable String ca() {
    return Json.text(json.path("ca"));
  }

  /** The certificate authorities to trust instead of the public ones, as certificates in PEM. */
  public EndpointConfigTls ca(String ca) {
    putRequired("ca", ca);
    return this;
  }

  /** The client certificate in PEM, followed by its chain. */
  public @Nullable String clientCertificate() {
    return Json.text(json.path("clientCertificate"));
  }

  /** The client certificate in PEM, followed by its chain. */
  public EndpointConfigTls clientCertificate(String clientCertificate) {
    putRequired("clientCertificate", clientCertificate);
    return this;
  }

  public @Nullable String serverName() {
    return Json.text(json.path("serverName"));
  }

  public EndpointConfigTls serverName(String serverName) {
    putRequired("serverName", serverName);
    return this;
  }
}
