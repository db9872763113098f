// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** <code>AuditLogEntryMetadata</code> of the API. */
public final class AuditLogEntryMetadata extends Model {
  private AuditLogEntryMetadata(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static AuditLogEntryMetadata fromJson(JsonNode json) {
    return new AuditLogEntryMetadata(Json.object(json));
  }

  public Map<String, AuditLogChange> changes() {
    return Json.map(json.path("changes"), AuditLogChange::fromJson);
  }

  public @Nullable String ip() {
    return Json.text(json.path("ip"));
  }

  public @Nullable String userAgent() {
    return Json.text(json.path("userAgent"));
  }

  public @Nullable String requestId() {
    return Json.text(json.path("requestId"));
  }
}
