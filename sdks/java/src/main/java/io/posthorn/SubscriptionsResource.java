// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;

/** The event types that each endpoint receives. */
public final class SubscriptionsResource extends Resource {
  SubscriptionsResource(Transport transport) {
    super(transport);
  }

  /**
   * List an endpoint's subscriptions.
   * <p>
   * Returns subscriptions oldest first.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<Subscription> list(String id) {
    return list(id, new ListSubscriptionsOptions());
  }

  /**
   * List an endpoint's subscriptions.
   * <p>
   * Returns subscriptions oldest first.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<Subscription> list(String id, ListSubscriptionsOptions options) {
    Call call = new Call("GET", "/endpoints/{id}/subscriptions", id).inWorkspace();
    return transport.list(call, options, Paging.LINK, null, Subscription::fromJson);
  }

  /**
   * Update the filter of a subscription.
   * <p>
   * Replaces the filter. Null removes it. The new filter applies to events that are fanned out from then on.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Subscription update(String id, String eventTypeId, UpdateSubscriptionBody body) {
    return update(id, eventTypeId, body, new UpdateSubscriptionOptions());
  }

  /**
   * Update the filter of a subscription.
   * <p>
   * Replaces the filter. Null removes it. The new filter applies to events that are fanned out from then on.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Subscription update(String id, String eventTypeId, UpdateSubscriptionBody body, UpdateSubscriptionOptions options) {
    Call call = new Call("PATCH", "/endpoints/{id}/subscriptions/{eventTypeId}", id, eventTypeId).inWorkspace().body(body);
    return transport.request(call, options, Subscription::fromJson);
  }

  /**
   * Test a filter.
   * <p>
   * Returns whether a payload matches a filter, and the result of each clause. Nothing is stored.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public TestFilterAnswer testFilter(TestFilterBody body) {
    return testFilter(body, new RequestOptions());
  }

  /**
   * Test a filter.
   * <p>
   * Returns whether a payload matches a filter, and the result of each clause. Nothing is stored.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public TestFilterAnswer testFilter(TestFilterBody body, RequestOptions options) {
    Call call = new Call("POST", "/filters/test").inWorkspace().body(body);
    return transport.request(call, options, TestFilterAnswer::fromJson);
  }
}
