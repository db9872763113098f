// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A workspace, with its quotas and the installation's retention. */
public final class WorkspaceWithQuotas extends Model {
  private WorkspaceWithQuotas(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static WorkspaceWithQuotas fromJson(JsonNode json) {
    return new WorkspaceWithQuotas(Json.object(json));
  }

  public String id() {
    return Json.text(json.path("id"));
  }

  public String name() {
    return Json.text(json.path("name"));
  }

  public String slug() {
    return Json.text(json.path("slug"));
  }

  public Plan plan() {
    return Json.textOf(json.path("plan"), Plan::of);
  }

  /** The origins that may frame the customer portal and call its API. */
  public List<String> portalOrigins() {
    return Json.list(json.path("portalOrigins"), item -> Json.text(item));
  }

  public PortalTerms portalTerms() {
    return Json.orNull(json.path("portalTerms"), PortalTerms::fromJson);
  }

  /** Whether members need a second factor to access the workspace. */
  public boolean requireSecondFactor() {
    return json.path("requireSecondFactor").asBoolean();
  }

  /**
   * How long payloads and the requests and responses of attempts are kept, in hours. Null for the retention of the
   * installation.
   */
  public @Nullable Long payloadRetentionHours() {
    return Json.orNull(json.path("payloadRetentionHours"), JsonNode::asLong);
  }

  /** How far back lists and statistics go, in hours. Null for the retention of the installation. */
  public @Nullable Long retentionHours() {
    return Json.orNull(json.path("retentionHours"), JsonNode::asLong);
  }

  public Instant createdAt() {
    return Json.time(json.path("createdAt"));
  }

  public Instant updatedAt() {
    return Json.time(json.path("updatedAt"));
  }

  /**
   * How long this installation keeps data, in hours. This is the limit for <code>payloadRetentionHours</code> and
   * <code>retentionHours</code>, and applies if they are null.
   */
  public long installationRetentionHours() {
    return json.path("installationRetentionHours").asLong();
  }

  /** The events of this UTC day, and the bytes of payloads and attempts that are stored. */
  public WorkspaceWithQuotasQuotas quotas() {
    return Json.orNull(json.path("quotas"), WorkspaceWithQuotasQuotas::fromJson);
  }
}
