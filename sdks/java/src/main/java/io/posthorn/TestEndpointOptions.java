// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;

/** The options of <code>testEndpoint</code>. An option that you do not set is not sent. */
public final class TestEndpointOptions extends Options<TestEndpointOptions> {
  public TestEndpointOptions environmentId(String environmentId) {
    query("environment_id", environmentId);
    return this;
  }
}
