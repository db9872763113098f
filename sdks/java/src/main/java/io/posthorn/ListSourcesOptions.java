// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;

/** The options of <code>listSources</code>. An option that you do not set is not sent. */
public final class ListSourcesOptions extends Options<ListSourcesOptions> {
  /** The maximum number of items in each page. */
  public ListSourcesOptions limit(int limit) {
    query("limit", limit);
    return this;
  }

  /** The page to begin with: <code>nextCursor</code> of the page before it. */
  public ListSourcesOptions cursor(String cursor) {
    query("cursor", cursor);
    return this;
  }

  public ListSourcesOptions environmentId(String environmentId) {
    query("environment_id", environmentId);
    return this;
  }
}
