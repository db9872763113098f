// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;

/** The options of <code>listEventTypeVisibility</code>. An option that you do not set is not sent. */
public final class ListEventTypeVisibilityOptions extends Options<ListEventTypeVisibilityOptions> {
  /** The maximum number of items in each page. */
  public ListEventTypeVisibilityOptions limit(int limit) {
    query("limit", limit);
    return this;
  }

  /** The page to begin with: <code>nextCursor</code> of the page before it. */
  public ListEventTypeVisibilityOptions cursor(String cursor) {
    query("cursor", cursor);
    return this;
  }

  /** One of <code>endpoints</code>. */
  public ListEventTypeVisibilityOptions include(String include) {
    query("include", include);
    return this;
  }
}
