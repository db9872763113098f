// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;

/** The options of <code>getEvent</code>. An option that you do not set is not sent. */
public final class GetEventOptions extends Options<GetEventOptions> {
  /** One of <code>payload</code>. */
  public GetEventOptions include(String include) {
    query("include", include);
    return this;
  }
}
