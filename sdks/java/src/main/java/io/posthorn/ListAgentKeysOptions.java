// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;

/** The options of <code>listAgentKeys</code>. An option that you do not set is not sent. */
public final class ListAgentKeysOptions extends Options<ListAgentKeysOptions> {
  /** The maximum number of items in each page. */
  public ListAgentKeysOptions limit(int limit) {
    query("limit", limit);
    return this;
  }

  /** The page to begin with: <code>nextCursor</code> of the page before it. */
  public ListAgentKeysOptions cursor(String cursor) {
    query("cursor", cursor);
    return this;
  }

  public ListAgentKeysOptions environmentId(String environmentId) {
    query("environment_id", environmentId);
    return this;
  }

  public ListAgentKeysOptions applicationId(String applicationId) {
    query("application_id", applicationId);
    return this;
  }
}
