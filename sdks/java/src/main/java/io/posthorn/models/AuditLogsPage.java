// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.List;

/** <code>AuditLogsPage</code> of the API. */
public final class AuditLogsPage extends Model {
  private AuditLogsPage(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static AuditLogsPage fromJson(JsonNode json) {
    return new AuditLogsPage(Json.object(json));
  }

  public List<AuditLogEntry> data() {
    return Json.list(json.path("data"), AuditLogEntry::fromJson);
  }

  /** The total number of entries that match the filters, across all pages. */
  public long total() {
    return json.path("total").asLong();
  }

  public long page() {
    return json.path("page").asLong();
  }

  public long pageSize() {
    return json.path("pageSize").asLong();
  }
}
