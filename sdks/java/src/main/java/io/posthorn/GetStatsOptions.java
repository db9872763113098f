// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;
import java.time.Instant;

/** The options of <code>getStats</code>. An option that you do not set is not sent. */
public final class GetStatsOptions extends Options<GetStatsOptions> {
  public GetStatsOptions from(Instant from) {
    query("from", from);
    return this;
  }

  public GetStatsOptions to(Instant to) {
    query("to", to);
    return this;
  }

  /** One of <code>minute</code>, <code>hour</code>, <code>day</code>. */
  public GetStatsOptions step(String step) {
    query("step", step);
    return this;
  }

  public GetStatsOptions environmentId(String environmentId) {
    query("environment_id", environmentId);
    return this;
  }

  public GetStatsOptions applicationId(String applicationId) {
    query("application_id", applicationId);
    return this;
  }

  public GetStatsOptions endpointId(String endpointId) {
    query("endpoint_id", endpointId);
    return this;
  }

  public GetStatsOptions eventType(String eventType) {
    query("event_type", eventType);
    return this;
  }

  /** One of <code>endpoint</code>, <code>event_type</code>, <code>status</code>. */
  public GetStatsOptions groupBy(String groupBy) {
    query("group_by", groupBy);
    return this;
  }
}
