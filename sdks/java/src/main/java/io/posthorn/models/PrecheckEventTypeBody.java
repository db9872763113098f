// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import org.jspecify.annotations.Nullable;

/** <code>PrecheckEventTypeBody</code> of the API. */
public final class PrecheckEventTypeBody extends Model {
  public PrecheckEventTypeBody() {
  }

  private PrecheckEventTypeBody(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static PrecheckEventTypeBody fromJson(JsonNode json) {
    return new PrecheckEventTypeBody(Json.object(json));
  }

  public PrecheckEventTypeBody environmentId(String environmentId) {
    putRequired("environmentId", environmentId);
    return this;
  }

  public PrecheckEventTypeBody applicationId(String applicationId) {
    putRequired("applicationId", applicationId);
    return this;
  }

  /** Any JSON value. */
  public PrecheckEventTypeBody payload(@Nullable Object payload) {
    putJson("payload", payload);
    return this;
  }
}
