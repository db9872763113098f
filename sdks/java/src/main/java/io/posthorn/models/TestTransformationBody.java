// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import org.jspecify.annotations.Nullable;

/** <code>TestTransformationBody</code> of the API. */
public final class TestTransformationBody extends Model {
  /** Takes the required fields. */
  public TestTransformationBody(String language, String code) {
    putRequired("language", language);
    putRequired("code", code);
  }

  private TestTransformationBody(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static TestTransformationBody fromJson(JsonNode json) {
    return new TestTransformationBody(Json.object(json));
  }

  /** One of <code>javascript</code>. */
  public TestTransformationBody language(String language) {
    putRequired("language", language);
    return this;
  }

  public TestTransformationBody code(String code) {
    putRequired("code", code);
    return this;
  }

  /**
   * The payload of the event, used as it is written here. Defaults to the example of the event type, or a default
   * payload.
   */
  public TestTransformationBody payload(@Nullable Object payload) {
    putJson("payload", payload);
    return this;
  }

  public TestTransformationBody eventTypeId(String eventTypeId) {
    putRequired("eventTypeId", eventTypeId);
    return this;
  }

  /** The endpoint that the code receives. It also determines whether headers and a path may be set. */
  public TestTransformationBody endpointId(String endpointId) {
    putRequired("endpointId", endpointId);
    return this;
  }
}
