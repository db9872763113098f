// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;

/** An entry of the audit log: a change, with its actor and origin. */
public final class AuditLogEntry extends Model {
  private AuditLogEntry(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static AuditLogEntry fromJson(JsonNode json) {
    return new AuditLogEntry(Json.object(json));
  }

  public String id() {
    return Json.text(json.path("id"));
  }

  /** One of <code>user</code>, <code>management_token</code>, <code>api_key</code>, <code>portal_session</code>, <code>agent_key</code>, <code>agent</code>, <code>system</code>. */
  public String actorType() {
    return Json.text(json.path("actorType"));
  }

  public String actorId() {
    return Json.text(json.path("actorId"));
  }

  public String actorLabel() {
    return Json.text(json.path("actorLabel"));
  }

  /** One of <code>workspace</code>, <code>portal</code>. */
  public String visibility() {
    return Json.text(json.path("visibility"));
  }

  public String action() {
    return Json.text(json.path("action"));
  }

  public String resourceType() {
    return Json.text(json.path("resourceType"));
  }

  public String resourceId() {
    return Json.text(json.path("resourceId"));
  }

  public AuditLogEntryMetadata metadata() {
    return Json.orNull(json.path("metadata"), AuditLogEntryMetadata::fromJson);
  }

  public Instant createdAt() {
    return Json.time(json.path("createdAt"));
  }
}
