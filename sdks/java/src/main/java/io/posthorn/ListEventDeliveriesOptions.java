// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;

/** The options of <code>listEventDeliveries</code>. An option that you do not set is not sent. */
public final class ListEventDeliveriesOptions extends Options<ListEventDeliveriesOptions> {
  /** How many items are asked for at a time. */
  public ListEventDeliveriesOptions limit(int limit) {
    query("limit", limit);
    return this;
  }

  /** Where to begin: <code>nextCursor</code> of a page. */
  public ListEventDeliveriesOptions cursor(String cursor) {
    query("cursor", cursor);
    return this;
  }
}
