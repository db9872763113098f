// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;

/** The options of <code>traceEvent</code>. An option that you do not set is not sent. */
public final class TraceEventOptions extends Options<TraceEventOptions> {
  public TraceEventOptions limit(int limit) {
    query("limit", limit);
    return this;
  }

  public TraceEventOptions cursor(String cursor) {
    query("cursor", cursor);
    return this;
  }

  /** One of <code>matched</code>, <code>skipped</code>, <code>waiting</code>. */
  public TraceEventOptions decision(String decision) {
    query("decision", decision);
    return this;
  }

  public TraceEventOptions endpointId(String endpointId) {
    query("endpoint_id", endpointId);
    return this;
  }
}
