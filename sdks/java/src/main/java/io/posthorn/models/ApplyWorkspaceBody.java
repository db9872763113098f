// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;

/** <code>ApplyWorkspaceBody</code> of the API. */
public final class ApplyWorkspaceBody extends Model {
  /** Takes the required fields. */
  public ApplyWorkspaceBody(WorkspaceDocument document) {
    putRequired("document", document);
  }

  private ApplyWorkspaceBody(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static ApplyWorkspaceBody fromJson(JsonNode json) {
    return new ApplyWorkspaceBody(Json.object(json));
  }

  public ApplyWorkspaceBody document(WorkspaceDocument document) {
    putRequired("document", document);
    return this;
  }

  /** Whether to return the changes without applying them. */
  public ApplyWorkspaceBody dryRun(boolean dryRun) {
    putRequired("dryRun", dryRun);
    return this;
  }

  /** Whether to remove the items that the lists of the document do not contain. */
  public ApplyWorkspaceBody prune(boolean prune) {
    putRequired("prune", prune);
    return this;
  }

  /**
   * With <code>prune</code>, whether the document is a part of a larger file. Removes only what the named resources have in
   * addition to the document, and no resources.
   */
  public ApplyWorkspaceBody part(boolean part) {
    putRequired("part", part);
    return this;
  }

  /** With <code>prune</code>, the resources that other parts of the file name. They are not removed. */
  public ApplyWorkspaceBody keep(KeptNames keep) {
    putRequired("keep", keep);
    return this;
  }
}
