// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;

/** Recoveries and bulk changes of many deliveries, which run in the background. */
public final class ErasuresResource extends Resource {
  ErasuresResource(Transport transport) {
    super(transport);
  }

  /**
   * Erase customer data.
   * <p>
   * Erases the payloads of the events that were sent to the application, and the requests and responses of the
   * attempts to its endpoints. Without <code>eventTypes</code>, <code>from</code> and <code>to</code>, erases the customer: also deletes the
   * application, its endpoints and its portal sessions, with all names. This cannot be undone. With <code>dryRun</code>, only
   * counts the events.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>limit_reached</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public Operation start(StartErasureBody body) {
    return start(body, new ChangeOptions());
  }

  /**
   * Erase customer data.
   * <p>
   * Erases the payloads of the events that were sent to the application, and the requests and responses of the
   * attempts to its endpoints. Without <code>eventTypes</code>, <code>from</code> and <code>to</code>, erases the customer: also deletes the
   * application, its endpoints and its portal sessions, with all names. This cannot be undone. With <code>dryRun</code>, only
   * counts the events.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>limit_reached</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public Operation start(StartErasureBody body, ChangeOptions options) {
    Call call = new Call("POST", "/erasures").inWorkspace().body(body).keyed();
    return transport.request(call, options, Operation::fromJson);
  }

  /** Returns what <code>start</code> would select, and changes nothing. */
  public DryRun startDryRun(StartErasureBody body) {
    return startDryRun(body, new ChangeOptions());
  }

  /** Returns what <code>start</code> would select, and changes nothing. */
  public DryRun startDryRun(StartErasureBody body, ChangeOptions options) {
    Call call = new Call("POST", "/erasures").inWorkspace().dryRun(body).keyed();
    return transport.request(call, options, DryRun::fromJson);
  }
}
