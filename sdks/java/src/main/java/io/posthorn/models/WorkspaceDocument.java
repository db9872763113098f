// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.List;

/** The desired state of a workspace. Anything that the document does not name is left unchanged. */
public final class WorkspaceDocument extends Model {
  /** Takes the required fields. */
  public WorkspaceDocument(int version) {
    putRequired("version", version);
  }

  private WorkspaceDocument(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static WorkspaceDocument fromJson(JsonNode json) {
    return new WorkspaceDocument(Json.object(json));
  }

  public WorkspaceDocument version(int version) {
    putRequired("version", version);
    return this;
  }

  public WorkspaceDocument environments(List<DocumentEnvironment> environments) {
    putRequired("environments", environments);
    return this;
  }

  public WorkspaceDocument eventTypes(List<DocumentEventType> eventTypes) {
    putRequired("eventTypes", eventTypes);
    return this;
  }

  public WorkspaceDocument applications(List<DocumentApplication> applications) {
    putRequired("applications", applications);
    return this;
  }

  public WorkspaceDocument endpoints(List<DocumentEndpoint> endpoints) {
    putRequired("endpoints", endpoints);
    return this;
  }

  public WorkspaceDocument sources(List<DocumentSource> sources) {
    putRequired("sources", sources);
    return this;
  }

  public WorkspaceDocument portalOrigins(List<String> portalOrigins) {
    putRequired("portalOrigins", portalOrigins);
    return this;
  }

  public WorkspaceDocument portalTerms(PortalTerms portalTerms) {
    putRequired("portalTerms", portalTerms);
    return this;
  }
}
