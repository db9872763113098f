// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** <code>DocumentEventType</code> of the API. */
public final class DocumentEventType extends Model {
  /** Takes the required fields. */
  public DocumentEventType(String name) {
    putRequired("name", name);
  }

  private DocumentEventType(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static DocumentEventType fromJson(JsonNode json) {
    return new DocumentEventType(Json.object(json));
  }

  public DocumentEventType name(String name) {
    putRequired("name", name);
    return this;
  }

  public DocumentEventType description(@Nullable String description) {
    put("description", description);
    return this;
  }

  /** A JSON Schema (draft 2020-12). Every reference must point to a place within it. */
  public DocumentEventType schema(@Nullable Map<String, ?> schema) {
    put("schema", schema);
    return this;
  }

  /** Any JSON value. */
  public DocumentEventType example(@Nullable Object example) {
    putJson("example", example);
    return this;
  }

  /**
   * How long payloads are kept. <code>workspace</code>: for the retention period of the workspace. <code>until_ended</code>: while a
   * delivery is open or a dead letter. <code>none</code>: until each delivery has had its only attempt.
   * <p>
   * One of <code>workspace</code>, <code>until_ended</code>, <code>none</code>.
   */
  public DocumentEventType payloadRetention(String payloadRetention) {
    putRequired("payloadRetention", payloadRetention);
    return this;
  }

  public DocumentEventType searchKeys(@Nullable List<DocumentEventTypeSearchKeysItem> searchKeys) {
    put("searchKeys", searchKeys);
    return this;
  }

  public DocumentEventType agentFilters(@Nullable List<String> agentFilters) {
    put("agentFilters", agentFilters);
    return this;
  }

  /** The slugs of the environments in which the event type is published. */
  public DocumentEventType publishIn(List<String> publishIn) {
    putRequired("publishIn", publishIn);
    return this;
  }

  /** How payloads are checked in each environment, by the slug of the environment. */
  public DocumentEventType schemaMode(Map<String, String> schemaMode) {
    putRequired("schemaMode", schemaMode);
    return this;
  }
}
