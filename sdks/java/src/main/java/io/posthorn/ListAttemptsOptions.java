// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;

/** The options of <code>listAttempts</code>. An option that you do not set is not sent. */
public final class ListAttemptsOptions extends Options<ListAttemptsOptions> {
  /** The maximum number of items in each page. */
  public ListAttemptsOptions limit(int limit) {
    query("limit", limit);
    return this;
  }

  /** The page to begin with: <code>nextCursor</code> of the page before it. */
  public ListAttemptsOptions cursor(String cursor) {
    query("cursor", cursor);
    return this;
  }
}
