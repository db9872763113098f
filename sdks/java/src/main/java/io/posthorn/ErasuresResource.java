// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;

/** Recoveries and bulk changes: work on many deliveries, which goes on after the answer. */
public final class ErasuresResource extends Resource {
  ErasuresResource(Transport transport) {
    super(transport);
  }

  /**
   * Erase the data of a customer.
   * <p>
   * Erases the payloads of the events that were sent to the application, and what attempts to its endpoints sent
   * and got. Without <code>eventTypes</code>, <code>from</code> and <code>to</code> it erases the customer: it also deletes the application, its
   * endpoints and portal sessions, with every name. It cannot be undone. With <code>dryRun</code> it only counts the events.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>limit_reached</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public Operation start(StartErasureBody body) {
    return start(body, new ChangeOptions());
  }

  /**
   * Erase the data of a customer.
   * <p>
   * Erases the payloads of the events that were sent to the application, and what attempts to its endpoints sent
   * and got. Without <code>eventTypes</code>, <code>from</code> and <code>to</code> it erases the customer: it also deletes the application, its
   * endpoints and portal sessions, with every name. It cannot be undone. With <code>dryRun</code> it only counts the events.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>limit_reached</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public Operation start(StartErasureBody body, ChangeOptions options) {
    Call call = new Call("POST", "/erasures").inWorkspace().body(body).keyed();
    return transport.request(call, options, Operation::fromJson);
  }

  /** Tells what <code>start</code> would select, and changes nothing. */
  public DryRun startDryRun(StartErasureBody body) {
    return startDryRun(body, new ChangeOptions());
  }

  /** Tells what <code>start</code> would select, and changes nothing. */
  public DryRun startDryRun(StartErasureBody body, ChangeOptions options) {
    Call call = new Call("POST", "/erasures").inWorkspace().dryRun(body).keyed();
    return transport.request(call, options, DryRun::fromJson);
  }
}
