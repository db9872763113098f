// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;
import java.util.List;

/** The options of <code>getEndpointDelivery</code>. An option that you do not set is not sent. */
public final class GetEndpointDeliveryOptions extends Options<GetEndpointDeliveryOptions> {
  /** One of <code>payload</code>, <code>attempts</code>. */
  public GetEndpointDeliveryOptions include(List<String> include) {
    query("include", include);
    return this;
  }

  public GetEndpointDeliveryOptions environmentId(String environmentId) {
    query("environment_id", environmentId);
    return this;
  }
}
