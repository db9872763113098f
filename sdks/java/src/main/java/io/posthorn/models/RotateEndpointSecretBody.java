// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;

/** <code>RotateEndpointSecretBody</code> of the API. */
public final class RotateEndpointSecretBody extends Model {
  public RotateEndpointSecretBody() {
  }

  private RotateEndpointSecretBody(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static RotateEndpointSecretBody fromJson(JsonNode json) {
    return new RotateEndpointSecretBody(Json.object(json));
  }

  public RotateEndpointSecretBody gracePeriodSeconds(int gracePeriodSeconds) {
    putRequired("gracePeriodSeconds", gracePeriodSeconds);
    return this;
  }

  public RotateEndpointSecretBody secret(String secret) {
    putRequired("secret", secret);
    return this;
  }
}
