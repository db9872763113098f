// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;

/** The options of <code>listSourceRejections</code>. An option that you do not set is not sent. */
public final class ListSourceRejectionsOptions extends Options<ListSourceRejectionsOptions> {
  /** How many items are asked for at a time. */
  public ListSourceRejectionsOptions limit(int limit) {
    query("limit", limit);
    return this;
  }

  /** Where to begin: <code>nextCursor</code> of a page. */
  public ListSourceRejectionsOptions cursor(String cursor) {
    query("cursor", cursor);
    return this;
  }
}
