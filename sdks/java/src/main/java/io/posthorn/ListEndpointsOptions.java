// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;

/** The options of <code>listEndpoints</code>. An option that you do not set is not sent. */
public final class ListEndpointsOptions extends Options<ListEndpointsOptions> {
  /** The maximum number of items in each page. */
  public ListEndpointsOptions limit(int limit) {
    query("limit", limit);
    return this;
  }

  /** The page to begin with: <code>nextCursor</code> of the page before it. */
  public ListEndpointsOptions cursor(String cursor) {
    query("cursor", cursor);
    return this;
  }

  public ListEndpointsOptions environmentId(String environmentId) {
    query("environment_id", environmentId);
    return this;
  }

  public ListEndpointsOptions applicationId(String applicationId) {
    query("application_id", applicationId);
    return this;
  }

  public ListEndpointsOptions isActive(boolean isActive) {
    query("is_active", isActive);
    return this;
  }

  public ListEndpointsOptions eventTypeId(String eventTypeId) {
    query("event_type_id", eventTypeId);
    return this;
  }

  public ListEndpointsOptions externalId(String externalId) {
    query("external_id", externalId);
    return this;
  }

  /** One of <code>stats</code>. */
  public ListEndpointsOptions include(String include) {
    query("include", include);
    return this;
  }
}
