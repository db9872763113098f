// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;

/** The options of <code>getEndpoint</code>. An option that you do not set is not sent. */
public final class GetEndpointOptions extends Options<GetEndpointOptions> {
  /** One of <code>stats</code>. */
  public GetEndpointOptions include(String include) {
    query("include", include);
    return this;
  }

  public GetEndpointOptions environmentId(String environmentId) {
    query("environment_id", environmentId);
    return this;
  }
}
