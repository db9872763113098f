// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** <code>UpdateWorkspaceBody</code> of the API. */
public final class UpdateWorkspaceBody extends Model {
  public UpdateWorkspaceBody() {
  }

  private UpdateWorkspaceBody(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static UpdateWorkspaceBody fromJson(JsonNode json) {
    return new UpdateWorkspaceBody(Json.object(json));
  }

  public UpdateWorkspaceBody name(String name) {
    putRequired("name", name);
    return this;
  }

  public UpdateWorkspaceBody requireSecondFactor(boolean requireSecondFactor) {
    putRequired("requireSecondFactor", requireSecondFactor);
    return this;
  }

  public UpdateWorkspaceBody payloadRetentionHours(@Nullable Integer payloadRetentionHours) {
    put("payloadRetentionHours", payloadRetentionHours);
    return this;
  }

  public UpdateWorkspaceBody retentionHours(@Nullable Integer retentionHours) {
    put("retentionHours", retentionHours);
    return this;
  }

  public UpdateWorkspaceBody portalOrigins(List<String> portalOrigins) {
    putRequired("portalOrigins", portalOrigins);
    return this;
  }

  public UpdateWorkspaceBody portalTerms(PortalTerms portalTerms) {
    putRequired("portalTerms", portalTerms);
    return this;
  }
}
