// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;

/** A record of every change, with its actor and origin. */
public final class AuditLogsResource extends Resource {
  AuditLogsResource(Transport transport) {
    super(transport);
  }

  /**
   * List audit log entries.
   * <p>
   * Returns entries newest first, 50 per page. Entries are kept for 365 days. <code>from</code> is inclusive, <code>to</code> exclusive.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<AuditLogEntry> list() {
    return list(new ListAuditLogsOptions());
  }

  /**
   * List audit log entries.
   * <p>
   * Returns entries newest first, 50 per page. Entries are kept for 365 days. <code>from</code> is inclusive, <code>to</code> exclusive.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<AuditLogEntry> list(ListAuditLogsOptions options) {
    Call call = new Call("GET", "/audit-logs").inWorkspace();
    return transport.list(call, options, Paging.PAGE, "data", AuditLogEntry::fromJson);
  }
}
