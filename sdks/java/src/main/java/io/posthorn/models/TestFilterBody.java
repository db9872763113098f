// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** <code>TestFilterBody</code> of the API. */
public final class TestFilterBody extends Model {
  /** Takes the required fields. */
  public TestFilterBody(Map<String, ?> filter, @Nullable Object payload) {
    putRequired("filter", filter);
    putJson("payload", payload);
  }

  private TestFilterBody(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static TestFilterBody fromJson(JsonNode json) {
    return new TestFilterBody(Json.object(json));
  }

  /** Conditions on the payload. Only events that match are delivered. */
  public TestFilterBody filter(Map<String, ?> filter) {
    putRequired("filter", filter);
    return this;
  }

  /** The payload to test the filter with, as JSON. */
  public TestFilterBody payload(@Nullable Object payload) {
    putJson("payload", payload);
    return this;
  }
}
