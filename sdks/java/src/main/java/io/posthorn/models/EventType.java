// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A named category of events, shared by the whole workspace. */
public final class EventType extends Model {
  private EventType(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static EventType fromJson(JsonNode json) {
    return new EventType(Json.object(json));
  }

  public String id() {
    return Json.text(json.path("id"));
  }

  public String name() {
    return Json.text(json.path("name"));
  }

  public @Nullable String description() {
    return Json.text(json.path("description"));
  }

  /** A JSON Schema (draft 2020-12). Every reference must point to a place within it. */
  public JsonNode schema() {
    return json.path("schema");
  }

  /** The version of the schema. Each change of the schema increases it. */
  public long schemaVersion() {
    return json.path("schemaVersion").asLong();
  }

  /** Any JSON value. */
  public JsonNode example() {
    return json.path("example");
  }

  /**
   * How long payloads are kept. <code>workspace</code>: for the retention period of the workspace. <code>until_ended</code>: while a
   * delivery is open or a dead letter. <code>none</code>: until each delivery has had its only attempt.
   * <p>
   * One of <code>workspace</code>, <code>until_ended</code>, <code>none</code>.
   */
  public String payloadRetention() {
    return Json.text(json.path("payloadRetention"));
  }

  /** The values in payloads by which events can be found. */
  public @Nullable List<SearchKey> searchKeys() {
    return Json.listOrNull(json.path("searchKeys"), SearchKey::fromJson);
  }

  /** The paths by which agents can filter. Null for the first 30 paths of the schema. */
  public @Nullable List<String> agentFilters() {
    return Json.listOrNull(json.path("agentFilters"), item -> Json.text(item));
  }

  public Instant createdAt() {
    return Json.time(json.path("createdAt"));
  }
}
