// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** <code>UpdateEventTypeBody</code> of the API. */
public final class UpdateEventTypeBody extends Model {
  public UpdateEventTypeBody() {
  }

  private UpdateEventTypeBody(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static UpdateEventTypeBody fromJson(JsonNode json) {
    return new UpdateEventTypeBody(Json.object(json));
  }

  public UpdateEventTypeBody description(@Nullable String description) {
    put("description", description);
    return this;
  }

  /** A JSON Schema (draft 2020-12). Every reference must point to a place within it. */
  public UpdateEventTypeBody schema(@Nullable Map<String, ?> schema) {
    put("schema", schema);
    return this;
  }

  /** Any JSON value. */
  public UpdateEventTypeBody example(@Nullable Object example) {
    putJson("example", example);
    return this;
  }

  /**
   * How long payloads are kept. <code>workspace</code>: for the retention period of the workspace. <code>until_ended</code>: while a
   * delivery is open or a dead letter. <code>none</code>: until each delivery has had its only attempt.
   * <p>
   * One of <code>workspace</code>, <code>until_ended</code>, <code>none</code>.
   */
  public UpdateEventTypeBody payloadRetention(String payloadRetention) {
    putRequired("payloadRetention", payloadRetention);
    return this;
  }

  public UpdateEventTypeBody searchKeys(@Nullable List<UpdateEventTypeBodySearchKeysItem> searchKeys) {
    put("searchKeys", searchKeys);
    return this;
  }

  public UpdateEventTypeBody agentFilters(@Nullable List<String> agentFilters) {
    put("agentFilters", agentFilters);
    return this;
  }
}
