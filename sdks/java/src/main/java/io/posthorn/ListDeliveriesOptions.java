// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;
import java.time.Instant;

/** The options of <code>listDeliveries</code>. An option that you do not set is not sent. */
public final class ListDeliveriesOptions extends Options<ListDeliveriesOptions> {
  /** The maximum number of items in each page. */
  public ListDeliveriesOptions limit(int limit) {
    query("limit", limit);
    return this;
  }

  /** The page to begin with: <code>nextCursor</code> of the page before it. */
  public ListDeliveriesOptions cursor(String cursor) {
    query("cursor", cursor);
    return this;
  }

  public ListDeliveriesOptions status(DeliveryStatus status) {
    query("status", status);
    return this;
  }

  public ListDeliveriesOptions endpointId(String endpointId) {
    query("endpoint_id", endpointId);
    return this;
  }

  public ListDeliveriesOptions environmentId(String environmentId) {
    query("environment_id", environmentId);
    return this;
  }

  public ListDeliveriesOptions applicationId(String applicationId) {
    query("application_id", applicationId);
    return this;
  }

  public ListDeliveriesOptions eventType(String eventType) {
    query("event_type", eventType);
    return this;
  }

  public ListDeliveriesOptions from(Instant from) {
    query("from", from);
    return this;
  }

  public ListDeliveriesOptions to(Instant to) {
    query("to", to);
    return this;
  }
}
