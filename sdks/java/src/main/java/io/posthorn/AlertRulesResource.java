// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;

/** Notifications about operational events by email, in a chat or through PagerDuty. */
public final class AlertRulesResource extends Resource {
  AlertRulesResource(Transport transport) {
    super(transport);
  }

  /**
   * List alert rules.
   * <p>
   * Returns alert rules oldest first. Targets are shortened.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<AlertRule> list() {
    return list(new ListAlertRulesOptions());
  }

  /**
   * List alert rules.
   * <p>
   * Returns alert rules oldest first. Targets are shortened.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<AlertRule> list(ListAlertRulesOptions options) {
    Call call = new Call("GET", "/alert-rules").inWorkspace();
    return transport.list(call, options, Paging.LINK, null, AlertRule::fromJson);
  }

  /**
   * Create an alert rule.
   * <p>
   * Sends messages by email, to a chat or to PagerDuty when one of the <code>events</code> occurs. No published event type is
   * needed. If the address does not belong to a member, it first receives an email with a confirmation link.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>limit_reached</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public AlertRule create(CreateAlertRuleBody body) {
    return create(body, new ChangeOptions());
  }

  /**
   * Create an alert rule.
   * <p>
   * Sends messages by email, to a chat or to PagerDuty when one of the <code>events</code> occurs. No published event type is
   * needed. If the address does not belong to a member, it first receives an email with a confirmation link.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>limit_reached</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public AlertRule create(CreateAlertRuleBody body, ChangeOptions options) {
    Call call = new Call("POST", "/alert-rules").inWorkspace().body(body).keyed();
    return transport.request(call, options, AlertRule::fromJson);
  }

  /**
   * Get an alert rule.
   * <p>
   * Returns an alert rule. The target is shortened.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public AlertRule get(String id) {
    return get(id, new RequestOptions());
  }

  /**
   * Get an alert rule.
   * <p>
   * Returns an alert rule. The target is shortened.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public AlertRule get(String id, RequestOptions options) {
    Call call = new Call("GET", "/alert-rules/{id}", id).inWorkspace();
    return transport.request(call, options, AlertRule::fromJson);
  }

  /**
   * Update an alert rule.
   * <p>
   * A new address that does not belong to a member must be confirmed again. Sending back the shortened target
   * leaves the target unchanged.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>limit_reached</code>,
   * <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public AlertRule update(String id, UpdateAlertRuleBody body) {
    return update(id, body, new RequestOptions());
  }

  /**
   * Update an alert rule.
   * <p>
   * A new address that does not belong to a member must be confirmed again. Sending back the shortened target
   * leaves the target unchanged.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>limit_reached</code>,
   * <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public AlertRule update(String id, UpdateAlertRuleBody body, RequestOptions options) {
    Call call = new Call("PATCH", "/alert-rules/{id}", id).inWorkspace().body(body);
    return transport.request(call, options, AlertRule::fromJson);
  }

  /**
   * Delete an alert rule.
   * <p>
   * Alerts that are waiting to be sent are discarded.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public void delete(String id) {
    delete(id, new RequestOptions());
  }

  /**
   * Delete an alert rule.
   * <p>
   * Alerts that are waiting to be sent are discarded.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public void delete(String id, RequestOptions options) {
    Call call = new Call("DELETE", "/alert-rules/{id}", id).inWorkspace();
    transport.send(call, options);
  }

  /**
   * Send a test message.
   * <p>
   * The message is sent within seconds, regardless of the quiet time. The result is then in <code>lastSentAt</code>,
   * <code>lastError</code> and <code>lastErrorCode</code> of the rule. A rule can have one pending test at a time.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>limit_reached</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public AlertRule test(String id) {
    return test(id, new ChangeOptions());
  }

  /**
   * Send a test message.
   * <p>
   * The message is sent within seconds, regardless of the quiet time. The result is then in <code>lastSentAt</code>,
   * <code>lastError</code> and <code>lastErrorCode</code> of the rule. A rule can have one pending test at a time.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>limit_reached</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public AlertRule test(String id, ChangeOptions options) {
    Call call = new Call("POST", "/alert-rules/{id}/test", id).inWorkspace().keyed();
    return transport.request(call, options, AlertRule::fromJson);
  }
}
