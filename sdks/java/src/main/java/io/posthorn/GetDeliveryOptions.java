// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;
import java.util.List;

/** The options of <code>getDelivery</code>. An option that you do not set is not sent. */
public final class GetDeliveryOptions extends Options<GetDeliveryOptions> {
  /** One of <code>payload</code>, <code>attempts</code>. */
  public GetDeliveryOptions include(List<String> include) {
    query("include", include);
    return this;
  }
}
