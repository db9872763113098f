// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;

/** The usage of each customer, for billing. */
public final class UsageResource extends Resource {
  UsageResource(Transport transport) {
    super(transport);
  }

  /**
   * List usage by application.
   * <p>
   * Returns the events, deliveries, attempts and bytes of each application by day or month in UTC, for billing.
   * Counts are exact and kept for 13 months. A day or month that is not over is <code>provisional</code>. <code>from</code> is rounded
   * down and <code>to</code> up. With <code>Accept: text/csv</code>, returns the page as CSV.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<UsageRow> list() {
    return list(new ListUsageOptions());
  }

  /**
   * List usage by application.
   * <p>
   * Returns the events, deliveries, attempts and bytes of each application by day or month in UTC, for billing.
   * Counts are exact and kept for 13 months. A day or month that is not over is <code>provisional</code>. <code>from</code> is rounded
   * down and <code>to</code> up. With <code>Accept: text/csv</code>, returns the page as CSV.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<UsageRow> list(ListUsageOptions options) {
    Call call = new Call("GET", "/usage").inWorkspace();
    return transport.list(call, options, Paging.CURSOR, "usage", UsageRow::fromJson);
  }
}
