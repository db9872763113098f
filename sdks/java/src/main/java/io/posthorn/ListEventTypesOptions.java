// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;

/** The options of <code>listEventTypes</code>. An option that you do not set is not sent. */
public final class ListEventTypesOptions extends Options<ListEventTypesOptions> {
  /** The maximum number of items in each page. */
  public ListEventTypesOptions limit(int limit) {
    query("limit", limit);
    return this;
  }

  /** The page to begin with: <code>nextCursor</code> of the page before it. */
  public ListEventTypesOptions cursor(String cursor) {
    query("cursor", cursor);
    return this;
  }
}
