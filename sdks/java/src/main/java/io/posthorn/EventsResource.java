// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;

/** What producers sent, and which endpoints got it or why not. */
public final class EventsResource extends Ingestion {
  EventsResource(Transport transport) {
    super(transport);
  }

  /**
   * Send an event.
   * <p>
   * Sends an event without an API key, into the default environment unless <code>environmentId</code> names another. It is
   * accepted as by ingestion, with the same checks, quotas and idempotency keys. <code>data</code> is the payload.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>schema_violation</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public CreatedEvent create(CreateEventBody body) {
    return create(body, new ChangeOptions());
  }

  /**
   * Send an event.
   * <p>
   * Sends an event without an API key, into the default environment unless <code>environmentId</code> names another. It is
   * accepted as by ingestion, with the same checks, quotas and idempotency keys. <code>data</code> is the payload.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>schema_violation</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public CreatedEvent create(CreateEventBody body, ChangeOptions options) {
    Call call = new Call("POST", "/events").inWorkspace().body(body).keyed();
    return transport.request(call, options, CreatedEvent::fromJson);
  }

  /**
   * List events.
   * <p>
   * Newest first, within the retention. <code>from</code> is inclusive, <code>to</code> exclusive. One request reads a bounded number of
   * events: with a filter that few events match, a page may be short or empty while <code>nextCursor</code> leads on.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<Event> list() {
    return list(new ListEventsOptions());
  }

  /**
   * List events.
   * <p>
   * Newest first, within the retention. <code>from</code> is inclusive, <code>to</code> exclusive. One request reads a bounded number of
   * events: with a filter that few events match, a page may be short or empty while <code>nextCursor</code> leads on.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<Event> list(ListEventsOptions options) {
    Call call = new Call("GET", "/events").inWorkspace();
    return transport.list(call, options, Paging.CURSOR, "events", Event::fromJson);
  }

  /**
   * Search events.
   * <p>
   * The events that have the values, by the search keys of their types, newest first. It takes what the list
   * takes, in a body, so that no value stands in an address. It needs the right to read payloads.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>plan_required</code>,
   * <code>token_disabled</code>, <code>not_found</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public FoundEventsPage search(SearchEventsBody body) {
    return search(body, new RequestOptions());
  }

  /**
   * Search events.
   * <p>
   * The events that have the values, by the search keys of their types, newest first. It takes what the list
   * takes, in a body, so that no value stands in an address. It needs the right to read payloads.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>plan_required</code>,
   * <code>token_disabled</code>, <code>not_found</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public FoundEventsPage search(SearchEventsBody body, RequestOptions options) {
    Call call = new Call("POST", "/events/search").inWorkspace().body(body);
    return transport.request(call, options, FoundEventsPage::fromJson);
  }

  /**
   * Get an event.
   * <p>
   * <code>include=payload</code> adds the body as ingested. When the body is not shown, the envelope’s status gives the
   * reason.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public EventDetail get(String id) {
    return get(id, new GetEventOptions());
  }

  /**
   * Get an event.
   * <p>
   * <code>include=payload</code> adds the body as ingested. When the body is not shown, the envelope’s status gives the
   * reason.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public EventDetail get(String id, GetEventOptions options) {
    Call call = new Call("GET", "/events/{id}", id).inWorkspace();
    return transport.request(call, options, EventDetail::fromJson);
  }

  /**
   * List an event's deliveries.
   * <p>
   * One for each endpoint that got the event, in the order of their ids.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<Delivery> listDeliveries(String id) {
    return listDeliveries(id, new ListEventDeliveriesOptions());
  }

  /**
   * List an event's deliveries.
   * <p>
   * One for each endpoint that got the event, in the order of their ids.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<Delivery> listDeliveries(String id, ListEventDeliveriesOptions options) {
    Call call = new Call("GET", "/events/{id}/deliveries", id).inWorkspace();
    return transport.list(call, options, Paging.CURSOR, "deliveries", Delivery::fromJson);
  }

  /**
   * Cancel an event.
   * <p>
   * An event that waits for its fan-out is delivered to nobody, and its deliveries that are still to be delivered
   * end as failed. A delivery that is being delivered goes on.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>not_cancellable</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public Event cancel(String id) {
    return cancel(id, new ChangeOptions());
  }

  /**
   * Cancel an event.
   * <p>
   * An event that waits for its fan-out is delivered to nobody, and its deliveries that are still to be delivered
   * end as failed. A delivery that is being delivered goes on.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>not_cancellable</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public Event cancel(String id, ChangeOptions options) {
    Call call = new Call("POST", "/events/{id}/cancel", id).inWorkspace().keyed();
    return transport.request(call, options, Event::fromJson);
  }

  /**
   * Trace an event.
   * <p>
   * For every endpoint of the environment, whether it got the event, and why not: as the set-up was when the event
   * was fanned out. Matched endpoints come first.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public EventTrace trace(String id) {
    return trace(id, new TraceEventOptions());
  }

  /**
   * Trace an event.
   * <p>
   * For every endpoint of the environment, whether it got the event, and why not: as the set-up was when the event
   * was fanned out. Matched endpoints come first.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public EventTrace trace(String id, TraceEventOptions options) {
    Call call = new Call("GET", "/events/{id}/trace", id).inWorkspace();
    return transport.request(call, options, EventTrace::fromJson);
  }

  /**
   * Erase the payload of an event.
   * <p>
   * Erases the payload, and the headers and bodies of its attempts, at once, and cancels its open deliveries. The
   * event and its deliveries stay in lists. A repetition answers the same.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public void deletePayload(String id) {
    deletePayload(id, new RequestOptions());
  }

  /**
   * Erase the payload of an event.
   * <p>
   * Erases the payload, and the headers and bodies of its attempts, at once, and cancels its open deliveries. The
   * event and its deliveries stay in lists. A repetition answers the same.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public void deletePayload(String id, RequestOptions options) {
    Call call = new Call("DELETE", "/events/{id}/payload", id).inWorkspace();
    transport.send(call, options);
  }
}
