// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;
import java.time.Instant;

/** The options of <code>listAuditLogs</code>. An option that you do not set is not sent. */
public final class ListAuditLogsOptions extends Options<ListAuditLogsOptions> {
  /** The page to begin with, as a number: <code>nextCursor</code> of the page before it. */
  public ListAuditLogsOptions page(int page) {
    query("page", page);
    return this;
  }

  public ListAuditLogsOptions from(Instant from) {
    query("from", from);
    return this;
  }

  public ListAuditLogsOptions to(Instant to) {
    query("to", to);
    return this;
  }

  public ListAuditLogsOptions action(String action) {
    query("action", action);
    return this;
  }

  public ListAuditLogsOptions resourceType(String resourceType) {
    query("resource_type", resourceType);
    return this;
  }

  public ListAuditLogsOptions actorType(String actorType) {
    query("actor_type", actorType);
    return this;
  }
}
