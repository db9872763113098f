// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;

/** Recoveries and bulk changes of many deliveries, which run in the background. */
public final class OperationsResource extends Resource {
  OperationsResource(Transport transport) {
    super(transport);
  }

  /**
   * Retry deliveries in bulk.
   * <p>
   * Retries every delivery that matches the filter, like a manual retry, at a rate that its endpoint can handle.
   * The filter needs at least one key. With <code>dryRun</code>, only counts.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>limit_reached</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public Operation retryDeliveries(RetryDeliveriesBody body) {
    return retryDeliveries(body, new ChangeOptions());
  }

  /**
   * Retry deliveries in bulk.
   * <p>
   * Retries every delivery that matches the filter, like a manual retry, at a rate that its endpoint can handle.
   * The filter needs at least one key. With <code>dryRun</code>, only counts.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>limit_reached</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public Operation retryDeliveries(RetryDeliveriesBody body, ChangeOptions options) {
    Call call = new Call("POST", "/deliveries/retry").inWorkspace().body(body).keyed();
    return transport.request(call, options, Operation::fromJson);
  }

  /** Returns what <code>retryDeliveries</code> would select, and changes nothing. */
  public DryRun retryDeliveriesDryRun(RetryDeliveriesBody body) {
    return retryDeliveriesDryRun(body, new ChangeOptions());
  }

  /** Returns what <code>retryDeliveries</code> would select, and changes nothing. */
  public DryRun retryDeliveriesDryRun(RetryDeliveriesBody body, ChangeOptions options) {
    Call call = new Call("POST", "/deliveries/retry").inWorkspace().dryRun(body).keyed();
    return transport.request(call, options, DryRun::fromJson);
  }

  /**
   * Cancel deliveries in bulk.
   * <p>
   * Cancels every delivery that matches the filter and is <code>pending</code> or <code>scheduled_retry</code>. The filter needs at
   * least one key. With <code>dryRun</code>, only counts.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>limit_reached</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public Operation cancelDeliveries(RetryDeliveriesBody body) {
    return cancelDeliveries(body, new ChangeOptions());
  }

  /**
   * Cancel deliveries in bulk.
   * <p>
   * Cancels every delivery that matches the filter and is <code>pending</code> or <code>scheduled_retry</code>. The filter needs at
   * least one key. With <code>dryRun</code>, only counts.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>limit_reached</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public Operation cancelDeliveries(RetryDeliveriesBody body, ChangeOptions options) {
    Call call = new Call("POST", "/deliveries/cancel").inWorkspace().body(body).keyed();
    return transport.request(call, options, Operation::fromJson);
  }

  /** Returns what <code>cancelDeliveries</code> would select, and changes nothing. */
  public DryRun cancelDeliveriesDryRun(RetryDeliveriesBody body) {
    return cancelDeliveriesDryRun(body, new ChangeOptions());
  }

  /** Returns what <code>cancelDeliveries</code> would select, and changes nothing. */
  public DryRun cancelDeliveriesDryRun(RetryDeliveriesBody body, ChangeOptions options) {
    Call call = new Call("POST", "/deliveries/cancel").inWorkspace().dryRun(body).keyed();
    return transport.request(call, options, DryRun::fromJson);
  }

  /**
   * List operations.
   * <p>
   * Returns operations newest first. An operation is kept for the retention period (7 days).
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<Operation> list() {
    return list(new ListOperationsOptions());
  }

  /**
   * List operations.
   * <p>
   * Returns operations newest first. An operation is kept for the retention period (7 days).
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<Operation> list(ListOperationsOptions options) {
    Call call = new Call("GET", "/operations").inWorkspace();
    return transport.list(call, options, Paging.CURSOR, "operations", Operation::fromJson);
  }

  /**
   * Get an operation.
   * <p>
   * Returns an operation. <code>matched</code> is null while it counts. <code>delivered</code> and <code>failed</code> are updated within seconds.
   * The operation is <code>completed</code> once all its enqueued deliveries have ended.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public Operation get(String id) {
    return get(id, new RequestOptions());
  }

  /**
   * Get an operation.
   * <p>
   * Returns an operation. <code>matched</code> is null while it counts. <code>delivered</code> and <code>failed</code> are updated within seconds.
   * The operation is <code>completed</code> once all its enqueued deliveries have ended.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public Operation get(String id, RequestOptions options) {
    Call call = new Call("GET", "/operations/{id}", id).inWorkspace();
    return transport.request(call, options, Operation::fromJson);
  }

  /**
   * Cancel an operation.
   * <p>
   * The operation enqueues nothing more. Deliveries that it has already enqueued continue, and are counted. An
   * erasure needs the role <code>admin</code>.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>not_cancellable</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public Operation cancel(String id) {
    return cancel(id, new ChangeOptions());
  }

  /**
   * Cancel an operation.
   * <p>
   * The operation enqueues nothing more. Deliveries that it has already enqueued continue, and are counted. An
   * erasure needs the role <code>admin</code>.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>not_cancellable</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public Operation cancel(String id, ChangeOptions options) {
    Call call = new Call("POST", "/operations/{id}/cancel", id).inWorkspace().keyed();
    return transport.request(call, options, Operation::fromJson);
  }

  /**
   * Pause an operation.
   * <p>
   * The operation does nothing more until it is resumed. Deliveries that it has already enqueued continue, and are
   * counted. An erasure needs the role <code>admin</code>.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>not_cancellable</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public Operation pause(String id) {
    return pause(id, new ChangeOptions());
  }

  /**
   * Pause an operation.
   * <p>
   * The operation does nothing more until it is resumed. Deliveries that it has already enqueued continue, and are
   * counted. An erasure needs the role <code>admin</code>.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>not_cancellable</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public Operation pause(String id, ChangeOptions options) {
    Call call = new Call("POST", "/operations/{id}/pause", id).inWorkspace().keyed();
    return transport.request(call, options, Operation::fromJson);
  }

  /**
   * Resume an operation.
   * <p>
   * A paused operation continues where it stopped. An erasure needs the role <code>admin</code>.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>not_cancellable</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public Operation resume(String id) {
    return resume(id, new ChangeOptions());
  }

  /**
   * Resume an operation.
   * <p>
   * A paused operation continues where it stopped. An erasure needs the role <code>admin</code>.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>not_cancellable</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public Operation resume(String id, ChangeOptions options) {
    Call call = new Call("POST", "/operations/{id}/resume", id).inWorkspace().keyed();
    return transport.request(call, options, Operation::fromJson);
  }
}
