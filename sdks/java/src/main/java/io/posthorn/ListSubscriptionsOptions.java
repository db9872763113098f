// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;

/** The options of <code>listSubscriptions</code>. An option that you do not set is not sent. */
public final class ListSubscriptionsOptions extends Options<ListSubscriptionsOptions> {
  /** The maximum number of items in each page. */
  public ListSubscriptionsOptions limit(int limit) {
    query("limit", limit);
    return this;
  }

  /** The page to begin with: <code>nextCursor</code> of the page before it. */
  public ListSubscriptionsOptions cursor(String cursor) {
    query("cursor", cursor);
    return this;
  }

  public ListSubscriptionsOptions environmentId(String environmentId) {
    query("environment_id", environmentId);
    return this;
  }
}
