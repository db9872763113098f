// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;

/** What each customer used, for billing. */
public final class UsageResource extends Resource {
  UsageResource(Transport transport) {
    super(transport);
  }

  /**
   * List the usage of each application.
   * <p>
   * Events, deliveries, attempts and bytes of each application by day or month in UTC, for billing. Exact, and
   * kept for 13 months. A day or month that is not over is <code>provisional</code>. <code>from</code> is rounded down and <code>to</code> up. With
   * <code>Accept: text/csv</code> the page is a table.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<UsageRow> list() {
    return list(new ListUsageOptions());
  }

  /**
   * List the usage of each application.
   * <p>
   * Events, deliveries, attempts and bytes of each application by day or month in UTC, for billing. Exact, and
   * kept for 13 months. A day or month that is not over is <code>provisional</code>. <code>from</code> is rounded down and <code>to</code> up. With
   * <code>Accept: text/csv</code> the page is a table.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<UsageRow> list(ListUsageOptions options) {
    Call call = new Call("GET", "/usage").inWorkspace();
    return transport.list(call, options, Paging.CURSOR, "usage", UsageRow::fromJson);
  }
}
