// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;

/** The events that producers sent, and why each endpoint did or did not receive them. */
public final class EventsResource extends Ingestion {
  EventsResource(Transport transport) {
    super(transport);
  }

  /**
   * Send an event.
   * <p>
   * Sends an event without an API key, to the default environment unless <code>environmentId</code> is set. The checks,
   * quotas and idempotency keys are those of ingestion. <code>data</code> is the payload.
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
   * Sends an event without an API key, to the default environment unless <code>environmentId</code> is set. The checks,
   * quotas and idempotency keys are those of ingestion. <code>data</code> is the payload.
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
   * Returns events newest first, within the retention period. <code>from</code> is inclusive, <code>to</code> exclusive. Each request
   * reads a limited number of events: if few events match the filter, a page may be short or empty and still have
   * a <code>nextCursor</code>.
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
   * Returns events newest first, within the retention period. <code>from</code> is inclusive, <code>to</code> exclusive. Each request
   * reads a limited number of events: if few events match the filter, a page may be short or empty and still have
   * a <code>nextCursor</code>.
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
   * Returns the events that match the search values, newest first. Values are looked up by the search keys of each
   * event type. The filters are those of the list, sent in the body to keep values out of URLs. Requires the right
   * to read payloads.
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
   * Returns the events that match the search values, newest first. Values are looked up by the search keys of each
   * event type. The filters are those of the list, sent in the body to keep values out of URLs. Requires the right
   * to read payloads.
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
   * <code>include=payload</code> adds the payload as ingested. If the payload is not available, the <code>status</code> of its envelope
   * gives the reason.
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
   * <code>include=payload</code> adds the payload as ingested. If the payload is not available, the <code>status</code> of its envelope
   * gives the reason.
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
   * Returns one delivery for each endpoint that received the event, ordered by delivery id.
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
   * Returns one delivery for each endpoint that received the event, ordered by delivery id.
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
   * An event that waits for its fan-out gets no deliveries. Deliveries that have not ended are ended as failed,
   * except those with a running attempt.
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
   * An event that waits for its fan-out gets no deliveries. Deliveries that have not ended are ended as failed,
   * except those with a running attempt.
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
   * Returns for every endpoint of the environment whether it received the event, and if not, why, based on the
   * configuration at fan-out. Matched endpoints come first.
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
   * Returns for every endpoint of the environment whether it received the event, and if not, why, based on the
   * configuration at fan-out. Matched endpoints come first.
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
   * Erases the payload and the headers and bodies of its attempts at once, and cancels its open deliveries. The
   * event and its deliveries remain in lists. Repeating the request has the same response.
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
   * Erases the payload and the headers and bodies of its attempts at once, and cancels its open deliveries. The
   * event and its deliveries remain in lists. Repeating the request has the same response.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public void deletePayload(String id, RequestOptions options) {
    Call call = new Call("DELETE", "/events/{id}/payload", id).inWorkspace();
    transport.send(call, options);
  }
}
