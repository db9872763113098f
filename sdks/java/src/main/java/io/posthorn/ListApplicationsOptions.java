// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;

/** The options of <code>listApplications</code>. An option that you do not set is not sent. */
public final class ListApplicationsOptions extends Options<ListApplicationsOptions> {
  /** The maximum number of items in each page. */
  public ListApplicationsOptions limit(int limit) {
    query("limit", limit);
    return this;
  }

  /** The page to begin with: <code>nextCursor</code> of the page before it. */
  public ListApplicationsOptions cursor(String cursor) {
    query("cursor", cursor);
    return this;
  }

  public ListApplicationsOptions externalId(String externalId) {
    query("external_id", externalId);
    return this;
  }

  /** A text that the name or the externalId contains, case-insensitive. */
  public ListApplicationsOptions search(String search) {
    query("search", search);
    return this;
  }

  /** One of <code>health</code>. */
  public ListApplicationsOptions include(String include) {
    query("include", include);
    return this;
  }

  /** With <code>include</code> or <code>sort</code>, limits the endpoints and events that are counted to this environment. */
  public ListApplicationsOptions environmentId(String environmentId) {
    query("environment_id", environmentId);
    return this;
  }

  /**
   * Sorts by the most failing endpoints, then by the most degraded ones. An application whose health changes
   * between two pages may be listed twice or not at all. The default is newest first.
   * <p>
   * One of <code>trouble</code>.
   */
  public ListApplicationsOptions sort(String sort) {
    query("sort", sort);
    return this;
  }
}
