// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** <code>CreateEventTypeBody</code> of the API. */
public final class CreateEventTypeBody extends Model {
  /** Takes the required fields. */
  public CreateEventTypeBody(String name) {
    putRequired("name", name);
  }

  private CreateEventTypeBody(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static CreateEventTypeBody fromJson(JsonNode json) {
    return new CreateEventTypeBody(Json.object(json));
  }

  public CreateEventTypeBody name(String name) {
    putRequired("name", name);
    return this;
  }

  public CreateEventTypeBody description(@Nullable String description) {
    put("description", description);
    return this;
  }

  public CreateEventTypeBody publishIn(List<String> publishIn) {
    putRequired("publishIn", publishIn);
    return this;
  }

  /** A JSON Schema (draft 2020-12). Every reference must point to a place within it. */
  public CreateEventTypeBody schema(@Nullable Map<String, ?> schema) {
    put("schema", schema);
    return this;
  }

  /** Any JSON value. */
  public CreateEventTypeBody example(@Nullable Object example) {
    putJson("example", example);
    return this;
  }

  /**
   * How long payloads are kept. <code>workspace</code>: for the retention period of the workspace. <code>until_ended</code>: while a
   * delivery is open or a dead letter. <code>none</code>: until each delivery has had its only attempt.
   * <p>
   * One of <code>workspace</code>, <code>until_ended</code>, <code>none</code>.
   */
  public CreateEventTypeBody payloadRetention(String payloadRetention) {
    putRequired("payloadRetention", payloadRetention);
    return this;
  }

  public CreateEventTypeBody searchKeys(@Nullable List<CreateEventTypeBodySearchKeysItem> searchKeys) {
    put("searchKeys", searchKeys);
    return this;
  }

  public CreateEventTypeBody agentFilters(@Nullable List<String> agentFilters) {
    put("agentFilters", agentFilters);
    return this;
  }
}
