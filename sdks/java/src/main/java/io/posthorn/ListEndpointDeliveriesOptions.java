// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;

/** The options of <code>listEndpointDeliveries</code>. An option that you do not set is not sent. */
public final class ListEndpointDeliveriesOptions extends Options<ListEndpointDeliveriesOptions> {
  /** The maximum number of items in each page. */
  public ListEndpointDeliveriesOptions limit(int limit) {
    query("limit", limit);
    return this;
  }

  /** The page to begin with: <code>nextCursor</code> of the page before it. */
  public ListEndpointDeliveriesOptions cursor(String cursor) {
    query("cursor", cursor);
    return this;
  }

  public ListEndpointDeliveriesOptions status(DeliveryStatus status) {
    query("status", status);
    return this;
  }

  public ListEndpointDeliveriesOptions environmentId(String environmentId) {
    query("environment_id", environmentId);
    return this;
  }
}
