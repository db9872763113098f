// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;

/** Counts, durations and delays, and a live stream of changes. */
public final class StatsResource extends Resource {
  StatsResource(Transport transport) {
    super(transport);
  }

  /**
   * Get statistics.
   * <p>
   * Returns events, attempts and ended deliveries by <code>step</code>: a minute (at most 24 hours), an hour (at most 7 days)
   * or a day. With <code>group_by</code>, returns the totals of the 50 largest groups instead. Data is at most 5 seconds old;
   * tests are not counted.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public Stats get() {
    return get(new GetStatsOptions());
  }

  /**
   * Get statistics.
   * <p>
   * Returns events, attempts and ended deliveries by <code>step</code>: a minute (at most 24 hours), an hour (at most 7 days)
   * or a day. With <code>group_by</code>, returns the totals of the 50 largest groups instead. Data is at most 5 seconds old;
   * tests are not counted.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public Stats get(GetStatsOptions options) {
    Call call = new Call("GET", "/stats").inWorkspace();
    return transport.request(call, options, Stats::fromJson);
  }

  /**
   * Stream deliveries and events.
   * <p>
   * Streams server-sent events: <code>delivery</code>, with the delivery as in the list, whenever one changes; <code>event</code> when
   * an event is accepted (not with <code>status</code>); <code>gap</code> with the number of dropped changes. Nothing is repeated after
   * a reconnection. A workspace can have at most 20 streams, of which at most 10 are from portals and 2 from the
   * portal of one application.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>limit_reached</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public EventStream<StreamChangesEvent> streamChanges() {
    return streamChanges(new StreamChangesOptions());
  }

  /**
   * Stream deliveries and events.
   * <p>
   * Streams server-sent events: <code>delivery</code>, with the delivery as in the list, whenever one changes; <code>event</code> when
   * an event is accepted (not with <code>status</code>); <code>gap</code> with the number of dropped changes. Nothing is repeated after
   * a reconnection. A workspace can have at most 20 streams, of which at most 10 are from portals and 2 from the
   * portal of one application.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>limit_reached</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public EventStream<StreamChangesEvent> streamChanges(StreamChangesOptions options) {
    Call call = new Call("GET", "/live").inWorkspace();
    return transport.stream(call, options, StreamChangesEvent::new);
  }
}
