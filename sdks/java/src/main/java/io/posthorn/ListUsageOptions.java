// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;
import java.time.Instant;

/** The options of <code>listUsage</code>. An option that you do not set is not sent. */
public final class ListUsageOptions extends Options<ListUsageOptions> {
  public ListUsageOptions from(Instant from) {
    query("from", from);
    return this;
  }

  public ListUsageOptions to(Instant to) {
    query("to", to);
    return this;
  }

  /** One of <code>day</code>, <code>month</code>. */
  public ListUsageOptions step(String step) {
    query("step", step);
    return this;
  }

  /** One of <code>application</code>. */
  public ListUsageOptions groupBy(String groupBy) {
    query("group_by", groupBy);
    return this;
  }

  public ListUsageOptions applicationId(String applicationId) {
    query("application_id", applicationId);
    return this;
  }

  /** The maximum number of items in each page. */
  public ListUsageOptions limit(int limit) {
    query("limit", limit);
    return this;
  }

  /** The page to begin with: <code>nextCursor</code> of the page before it. */
  public ListUsageOptions cursor(String cursor) {
    query("cursor", cursor);
    return this;
  }
}
