// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;

/** The options of <code>listApplicationEndpoints</code>. An option that you do not set is not sent. */
public final class ListApplicationEndpointsOptions extends Options<ListApplicationEndpointsOptions> {
  /** How many items are asked for at a time. */
  public ListApplicationEndpointsOptions limit(int limit) {
    query("limit", limit);
    return this;
  }

  /** Where to begin: <code>nextCursor</code> of a page. */
  public ListApplicationEndpointsOptions cursor(String cursor) {
    query("cursor", cursor);
    return this;
  }

  public ListApplicationEndpointsOptions environmentId(String environmentId) {
    query("environment_id", environmentId);
    return this;
  }
}
