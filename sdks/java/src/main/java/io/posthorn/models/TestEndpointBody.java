// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import org.jspecify.annotations.Nullable;

/** <code>TestEndpointBody</code> of the API. */
public final class TestEndpointBody extends Model {
  public TestEndpointBody() {
  }

  private TestEndpointBody(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static TestEndpointBody fromJson(JsonNode json) {
    return new TestEndpointBody(Json.object(json));
  }

  public TestEndpointBody eventTypeId(String eventTypeId) {
    putRequired("eventTypeId", eventTypeId);
    return this;
  }

  public TestEndpointBody payload(@Nullable Object payload) {
    putJson("payload", payload);
    return this;
  }
}
