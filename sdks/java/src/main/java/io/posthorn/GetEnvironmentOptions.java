// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;

/** The options of <code>getEnvironment</code>. An option that you do not set is not sent. */
public final class GetEnvironmentOptions extends Options<GetEnvironmentOptions> {
  /** One of <code>events_without_application</code>. */
  public GetEnvironmentOptions include(String include) {
    query("include", include);
    return this;
  }
}
