// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;

/** The options of <code>listAlertRules</code>. An option that you do not set is not sent. */
public final class ListAlertRulesOptions extends Options<ListAlertRulesOptions> {
  /** The maximum number of items in each page. */
  public ListAlertRulesOptions limit(int limit) {
    query("limit", limit);
    return this;
  }

  /** The page to begin with: <code>nextCursor</code> of the page before it. */
  public ListAlertRulesOptions cursor(String cursor) {
    query("cursor", cursor);
    return this;
  }

  /**
   * The application whose rules are returned, including those created in its portal. If omitted, returns the rules
   * that were not created in a portal.
   */
  public ListAlertRulesOptions applicationId(String applicationId) {
    query("application_id", applicationId);
    return this;
  }
}
