// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;

/** The options of <code>streamChanges</code>. An option that you do not set is not sent. */
public final class StreamChangesOptions extends Options<StreamChangesOptions> {
  public StreamChangesOptions environmentId(String environmentId) {
    query("environment_id", environmentId);
    return this;
  }

  public StreamChangesOptions endpointId(String endpointId) {
    query("endpoint_id", endpointId);
    return this;
  }

  public StreamChangesOptions status(DeliveryStatus status) {
    query("status", status);
    return this;
  }
}
