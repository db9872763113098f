// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;

/** A workspace contains every other resource. */
public final class WorkspaceResource extends Resource {
  WorkspaceResource(Transport transport) {
    super(transport);
  }

  /**
   * Get the workspace.
   * <p>
   * The plan is fixed at creation. The quotas show how much the workspace may send in a UTC day and store, and how
   * much of that is used.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public WorkspaceWithQuotas get() {
    return get(new RequestOptions());
  }

  /**
   * Get the workspace.
   * <p>
   * The plan is fixed at creation. The quotas show how much the workspace may send in a UTC day and store, and how
   * much of that is used.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public WorkspaceWithQuotas get(RequestOptions options) {
    Call call = new Call("GET", "").inWorkspace();
    return transport.request(call, options, WorkspaceWithQuotas::fromJson);
  }

  /**
   * Update the workspace.
   * <p>
   * Updates the name, settings and portal origins. <code>portalOrigins</code> takes at most 20 https origins without a path,
   * and <code>http://localhost:*</code> and <code>http://127.0.0.1:*</code> while <code>BASE_URL</code> is local. <code>portalTerms</code> is the name of an
   * event in the portal. <code>payloadRetentionHours</code> and <code>retentionHours</code> cannot exceed the retention of the
   * installation. With <code>requireSecondFactor</code>, members without a second factor can only set one up; an owner must
   * have one to require it. The slug cannot be changed. A token may update the workspace while its creator is an
   * owner, or if it was created by posthorn-admin or the bootstrap.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>second_factor_required</code>, <code>token_disabled</code>,
   * <code>not_found</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public WorkspaceWithQuotas update(UpdateWorkspaceBody body) {
    return update(body, new RequestOptions());
  }

  /**
   * Update the workspace.
   * <p>
   * Updates the name, settings and portal origins. <code>portalOrigins</code> takes at most 20 https origins without a path,
   * and <code>http://localhost:*</code> and <code>http://127.0.0.1:*</code> while <code>BASE_URL</code> is local. <code>portalTerms</code> is the name of an
   * event in the portal. <code>payloadRetentionHours</code> and <code>retentionHours</code> cannot exceed the retention of the
   * installation. With <code>requireSecondFactor</code>, members without a second factor can only set one up; an owner must
   * have one to require it. The slug cannot be changed. A token may update the workspace while its creator is an
   * owner, or if it was created by posthorn-admin or the bootstrap.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>second_factor_required</code>, <code>token_disabled</code>,
   * <code>not_found</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public WorkspaceWithQuotas update(UpdateWorkspaceBody body, RequestOptions options) {
    Call call = new Call("PATCH", "").inWorkspace().body(body);
    return transport.request(call, options, WorkspaceWithQuotas::fromJson);
  }

  /**
   * Apply a document to a workspace.
   * <p>
   * Creates and updates the resources that the document names, in one transaction, and returns the differences.
   * Without <code>prune</code>, nothing is removed. With <code>dryRun</code>, returns the same result and stores nothing. If any part is
   * refused, nothing changes, and <code>details</code> lists the problems.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>plan_required</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>agents_subscribed</code>, <code>default_environment</code>, <code>environment_limit_reached</code>, <code>event_type_exists</code>,
   * <code>event_type_in_use</code>, <code>external_id_taken</code>, <code>idempotency_conflict</code>, <code>limit_reached</code>, <code>slug_taken</code>,
   * <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public WorkspacePlan apply(ApplyWorkspaceBody body) {
    return apply(body, new ChangeOptions());
  }

  /**
   * Apply a document to a workspace.
   * <p>
   * Creates and updates the resources that the document names, in one transaction, and returns the differences.
   * Without <code>prune</code>, nothing is removed. With <code>dryRun</code>, returns the same result and stores nothing. If any part is
   * refused, nothing changes, and <code>details</code> lists the problems.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>plan_required</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>agents_subscribed</code>, <code>default_environment</code>, <code>environment_limit_reached</code>, <code>event_type_exists</code>,
   * <code>event_type_in_use</code>, <code>external_id_taken</code>, <code>idempotency_conflict</code>, <code>limit_reached</code>, <code>slug_taken</code>,
   * <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public WorkspacePlan apply(ApplyWorkspaceBody body, ChangeOptions options) {
    Call call = new Call("POST", "/apply").inWorkspace().body(body).keyed();
    return transport.request(call, options, WorkspacePlan::fromJson);
  }
}
