// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;

/** Events on their way to endpoints, with every attempt. */
public final class DeliveriesResource extends Resource {
  DeliveriesResource(Transport transport) {
    super(transport);
  }

  /**
   * List the workspace's deliveries.
   * <p>
   * Newest first, including deliveries of deleted endpoints. <code>from</code> is inclusive, <code>to</code> exclusive; both compare the
   * time of the event.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<Delivery> list() {
    return list(new ListDeliveriesOptions());
  }

  /**
   * List the workspace's deliveries.
   * <p>
   * Newest first, including deliveries of deleted endpoints. <code>from</code> is inclusive, <code>to</code> exclusive; both compare the
   * time of the event.
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
   * The deliveries of events that have the values, by the search keys of their types, newest first. It takes what
   * the list takes, in a body, so that no value stands in an address. It needs the right to read payloads.
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
   * The deliveries of events that have the values, by the search keys of their types, newest first. It takes what
   * the list takes, in a body, so that no value stands in an address. It needs the right to read payloads.
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
   * <code>include=payload,attempts</code> adds the body as ingested and the newest 100 attempts, as in their list. When the
   * body is not shown, the envelope’s status gives the reason.
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
   * <code>include=payload,attempts</code> adds the body as ingested and the newest 100 attempts, as in their list. When the
   * body is not shown, the envelope’s status gives the reason.
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
   * The newest 100, oldest first; the <code>Link</code> header leads to older ones. Credentials in the request headers are
   * redacted. Headers and bodies take at most 2 MiB together: an omitted body is null, with <code>responseTruncated</code>
   * true.
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
   * The newest 100, oldest first; the <code>Link</code> header leads to older ones. Credentials in the request headers are
   * redacted. Headers and bodies take at most 2 MiB together: an omitted body is null, with <code>responseTruncated</code>
   * true.
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
   * Makes the delivery due now, with a full new schedule; allowed 100 times for a delivery. Attempt numbers
   * continue.
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
   * Makes the delivery due now, with a full new schedule; allowed 100 times for a delivery. Attempt numbers
   * continue.
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
   * Ends a delivery that is <code>pending</code> or <code>scheduled_retry</code> as <code>failed</code> with the reason <code>cancelled</code>. While it is
   * being delivered the answer is <code>delivery_in_progress</code>, and <code>not_cancellable</code> once it has ended.
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
   * Ends a delivery that is <code>pending</code> or <code>scheduled_retry</code> as <code>failed</code> with the reason <code>cancelled</code>. While it is
   * being delivered the answer is <code>delivery_in_progress</code>, and <code>not_cancellable</code> once it has ended.
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
