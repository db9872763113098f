// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;
import java.time.Instant;

/** The options of <code>listEvents</code>. An option that you do not set is not sent. */
public final class ListEventsOptions extends Options<ListEventsOptions> {
  /** The maximum number of items in each page. */
  public ListEventsOptions limit(int limit) {
    query("limit", limit);
    return this;
  }

  /** The page to begin with: <code>nextCursor</code> of the page before it. */
  public ListEventsOptions cursor(String cursor) {
    query("cursor", cursor);
    return this;
  }

  public ListEventsOptions environmentId(String environmentId) {
    query("environment_id", environmentId);
    return this;
  }

  public ListEventsOptions applicationId(String applicationId) {
    query("application_id", applicationId);
    return this;
  }

  public ListEventsOptions eventType(String eventType) {
    query("event_type", eventType);
    return this;
  }

  public ListEventsOptions idempotencyKey(String idempotencyKey) {
    query("idempotency_key", idempotencyKey);
    return this;
  }

  /** One of <code>scheduled</code>, <code>matching</code>, <code>matched</code>, <code>unmatched</code>, <code>cancelled</code>. */
  public ListEventsOptions status(String status) {
    query("status", status);
    return this;
  }

  public ListEventsOptions from(Instant from) {
    query("from", from);
    return this;
  }

  public ListEventsOptions to(Instant to) {
    query("to", to);
    return this;
  }
}
