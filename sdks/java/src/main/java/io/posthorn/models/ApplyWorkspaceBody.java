// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;

/** <code>ApplyWorkspaceBody</code> of the interface. */
public final class ApplyWorkspaceBody extends Model {
  /** Takes what is required. */
  public ApplyWorkspaceBody(WorkspaceDocument document) {
    putRequired("document", document);
  }

  private ApplyWorkspaceBody(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the interface. Throws an IllegalArgumentException when it is not an object. */
  @JsonCreator
  public static ApplyWorkspaceBody fromJson(JsonNode json) {
    return new ApplyWorkspaceBody(Json.object(json));
  }

  public ApplyWorkspaceBody document(WorkspaceDocument document) {
    putRequired("document", document);
    return this;
  }

  /** Only tells what would change. */
  public ApplyWorkspaceBody dryRun(boolean dryRun) {
    putRequired("dryRun", dryRun);
    return this;
  }

  /** Also removes what the lists of the document do not name. */
  public ApplyWorkspaceBody prune(boolean prune) {
    putRequired("prune", prune);
    return this;
  }

  /** With <code>prune</code>, for a part of a file: removes only what the named resources have beyond it, and no resource. */
  public ApplyWorkspaceBody part(boolean part) {
    putRequired("part", part);
    return this;
  }

  /** With <code>prune</code>: other parts of the file name these, so they stay. */
  public ApplyWorkspaceBody keep(KeptNames keep) {
    putRequired("keep", keep);
    return this;
  }
}
