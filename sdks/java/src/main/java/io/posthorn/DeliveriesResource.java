// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;

/** The deliveries of events to endpoints, with every attempt. */
public final class DeliveriesResource extends Resource {
  DeliveriesResource(Transport transport) {
    super(transport);
  }

  /**
   * List deliveries.
   * <p>
   * Returns deliveries newest first, including those of deleted endpoints. <code>from</code> is inclusive, <code>to</code> exclusive;
   * both apply to the time of the event.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<Delivery> list() {
    return list(new ListDeliveriesOptions());
  }

  /**
   * List deliveries.
   * <p>
   * Returns deliveries newest first, including those of deleted endpoints. <code>from</code> is inclusive, <code>to</code> exclusive;
   * both apply to the time of the event.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<Delivery> list(ListDeliveriesOptions options) {
    Call call = new Call("GET", "/deliveries").inWorkspace();
    return transport.list(call, options, Paging.CURSOR, "deliveries", Delivery::fromJson);
  }

  /**
   * Search deliveries.
   * <p>
   * Returns the deliveries of events that match the search values, newest first. Values are looked up by the
   * search keys of each event type. The filters are those of the list, sent in the body to keep values out of
   * URLs. Requires the right to read payloads.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>plan_required</code>,
   * <code>token_disabled</code>, <code>not_found</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public DeliveriesPage search(SearchDeliveriesBody body) {
    return search(body, new RequestOptions());
  }

  /**
   * Search deliveries.
   * <p>
   * Returns the deliveries of events that match the search values, newest first. Values are looked up by the
   * search keys of each event type. The filters are those of the list, sent in the body to keep values out of
   * URLs. Requires the right to read payloads.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>plan_required</code>,
   * <code>token_disabled</code>, <code>not_found</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public DeliveriesPage search(SearchDeliveriesBody body, RequestOptions options) {
    Call call = new Call("POST", "/deliveries/search").inWorkspace().body(body);
    return transport.request(call, options, DeliveriesPage::fromJson);
  }

  /**
   * Get a delivery.
   * <p>
   * <code>include=payload,attempts</code> adds the payload as ingested and the newest 100 attempts. If the payload is not
   * available, the <code>status</code> of its envelope gives the reason.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public DeliveryDetail get(String id) {
    return get(id, new GetDeliveryOptions());
  }

  /**
   * Get a delivery.
   * <p>
   * <code>include=payload,attempts</code> adds the payload as ingested and the newest 100 attempts. If the payload is not
   * available, the <code>status</code> of its envelope gives the reason.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public DeliveryDetail get(String id, GetDeliveryOptions options) {
    Call call = new Call("GET", "/deliveries/{id}", id).inWorkspace();
    return transport.request(call, options, DeliveryDetail::fromJson);
  }

  /**
   * List a delivery's attempts.
   * <p>
   * Returns the newest 100 attempts, oldest first; the <code>Link</code> header points to older ones. Credentials in request
   * headers are redacted. Headers and bodies are limited to 2 MiB in total: an omitted body is null, with
   * <code>responseTruncated</code> true.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<Attempt> listAttempts(String id) {
    return listAttempts(id, new ListAttemptsOptions());
  }

  /**
   * List a delivery's attempts.
   * <p>
   * Returns the newest 100 attempts, oldest first; the <code>Link</code> header points to older ones. Credentials in request
   * headers are redacted. Headers and bodies are limited to 2 MiB in total: an omitted body is null, with
   * <code>responseTruncated</code> true.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<Attempt> listAttempts(String id, ListAttemptsOptions options) {
    Call call = new Call("GET", "/deliveries/{id}/attempts", id).inWorkspace();
    return transport.list(call, options, Paging.LINK, null, Attempt::fromJson);
  }

  /**
   * Retry a delivery.
   * <p>
   * Makes the delivery due now and restarts its retry schedule. A delivery can be retried 100 times. Attempt
   * numbers continue.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>delivery_in_progress</code>, <code>idempotency_conflict</code>, <code>limit_reached</code>, <code>payload_expired</code>, <code>payload_too_large</code>,
   * <code>unsupported_media_type</code>, <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Delivery retry(String id) {
    return retry(id, new ChangeOptions());
  }

  /**
   * Retry a delivery.
   * <p>
   * Makes the delivery due now and restarts its retry schedule. A delivery can be retried 100 times. Attempt
   * numbers continue.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>delivery_in_progress</code>, <code>idempotency_conflict</code>, <code>limit_reached</code>, <code>payload_expired</code>, <code>payload_too_large</code>,
   * <code>unsupported_media_type</code>, <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Delivery retry(String id, ChangeOptions options) {
    Call call = new Call("POST", "/deliveries/{id}/retry", id).inWorkspace().keyed();
    return transport.request(call, options, Delivery::fromJson);
  }

  /**
   * Cancel a delivery.
   * <p>
   * Ends a delivery that is <code>pending</code> or <code>scheduled_retry</code> as <code>failed</code>, with the reason <code>cancelled</code>. Returns
   * <code>delivery_in_progress</code> while an attempt is running, and <code>not_cancellable</code> after the delivery has ended.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>delivery_in_progress</code>, <code>idempotency_conflict</code>, <code>not_cancellable</code>, <code>payload_too_large</code>,
   * <code>unsupported_media_type</code>, <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Delivery cancel(String id) {
    return cancel(id, new ChangeOptions());
  }

  /**
   * Cancel a delivery.
   * <p>
   * Ends a delivery that is <code>pending</code> or <code>scheduled_retry</code> as <code>failed</code>, with the reason <code>cancelled</code>. Returns
   * <code>delivery_in_progress</code> while an attempt is running, and <code>not_cancellable</code> after the delivery has ended.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>delivery_in_progress</code>, <code>idempotency_conflict</code>, <code>not_cancellable</code>, <code>payload_too_large</code>,
   * <code>unsupported_media_type</code>, <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Delivery cancel(String id, ChangeOptions options) {
    Call call = new Call("POST", "/deliveries/{id}/cancel", id).inWorkspace().keyed();
    return transport.request(call, options, Delivery::fromJson);
  }
}
