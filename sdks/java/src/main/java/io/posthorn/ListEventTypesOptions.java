// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;

/** The options of <code>listEventTypes</code>. An option that you do not set is not sent. */
public final class ListEventTypesOptions extends Options<ListEventTypesOptions> {
  /** How many items are asked for at a time. */
  public ListEventTypesOptions limit(int limit) {
    query("limit", limit);
    return this;
  }

  /** Where to begin: <code>nextCursor</code> of a page. */
  public ListEventTypesOptions cursor(String cursor) {
    query("cursor", cursor);
    return this;
  }
}
