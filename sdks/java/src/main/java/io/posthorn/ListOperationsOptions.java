// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;

/** The options of <code>listOperations</code>. An option that you do not set is not sent. */
public final class ListOperationsOptions extends Options<ListOperationsOptions> {
  /** The maximum number of items in each page. */
  public ListOperationsOptions limit(int limit) {
    query("limit", limit);
    return this;
  }

  /** The page to begin with: <code>nextCursor</code> of the page before it. */
  public ListOperationsOptions cursor(String cursor) {
    query("cursor", cursor);
    return this;
  }

  public ListOperationsOptions endpointId(String endpointId) {
    query("endpoint_id", endpointId);
    return this;
  }

  public ListOperationsOptions environmentId(String environmentId) {
    query("environment_id", environmentId);
    return this;
  }

  /** One of <code>counting</code>, <code>running</code>, <code>completed</code>, <code>cancelled</code>, <code>failed</code>. */
  public ListOperationsOptions status(String status) {
    query("status", status);
    return this;
  }
}
