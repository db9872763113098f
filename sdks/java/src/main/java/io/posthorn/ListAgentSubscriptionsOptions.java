// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;

/** The options of <code>listAgentSubscriptions</code>. An option that you do not set is not sent. */
public final class ListAgentSubscriptionsOptions extends Options<ListAgentSubscriptionsOptions> {
  /** The maximum number of items in each page. */
  public ListAgentSubscriptionsOptions limit(int limit) {
    query("limit", limit);
    return this;
  }

  /** The page to begin with: <code>nextCursor</code> of the page before it. */
  public ListAgentSubscriptionsOptions cursor(String cursor) {
    query("cursor", cursor);
    return this;
  }

  public ListAgentSubscriptionsOptions environmentId(String environmentId) {
    query("environment_id", environmentId);
    return this;
  }

  public ListAgentSubscriptionsOptions applicationId(String applicationId) {
    query("application_id", applicationId);
    return this;
  }

  public ListAgentSubscriptionsOptions eventType(String eventType) {
    query("event_type", eventType);
    return this;
  }

  /**
   * The status to filter by. <code>ended</code> returns those that ended in the last 7 days.
   * <p>
   * One of <code>active</code>, <code>suspended</code>, <code>ended</code>.
   */
  public ListAgentSubscriptionsOptions status(String status) {
    query("status", status);
    return this;
  }
}
