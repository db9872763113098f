// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;

/** The tenant: every other resource belongs to one. */
public final class WorkspaceResource extends Resource {
  WorkspaceResource(Transport transport) {
    super(transport);
  }

  /**
   * Get the workspace.
   * <p>
   * The plan is fixed at creation. The quotas tell what the workspace may send on a UTC day and keep, and how much
   * of it is used.
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
   * The plan is fixed at creation. The quotas tell what the workspace may send on a UTC day and keep, and how much
   * of it is used.
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
   * Its name, and the origins that may frame the customer portal: at most 20 https origins without a path;
   * <code>http://localhost:*</code> and <code>http://127.0.0.1:*</code> while <code>BASE_URL</code> is local. <code>portalTerms</code> is what the portal
   * calls an event. <code>payloadRetentionHours</code> and <code>retentionHours</code> are at most the retention of the installation.
   * With <code>requireSecondFactor</code>, members without a second factor can do nothing but set one up; an owner needs one
   * to require it. The slug does not change. A token may do this while its creator is an owner, or when
   * posthorn-admin or the bootstrap created it.
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
   * Its name, and the origins that may frame the customer portal: at most 20 https origins without a path;
   * <code>http://localhost:*</code> and <code>http://127.0.0.1:*</code> while <code>BASE_URL</code> is local. <code>portalTerms</code> is what the portal
   * calls an event. <code>payloadRetentionHours</code> and <code>retentionHours</code> are at most the retention of the installation.
   * With <code>requireSecondFactor</code>, members without a second factor can do nothing but set one up; an owner needs one
   * to require it. The slug does not change. A token may do this while its creator is an owner, or when
   * posthorn-admin or the bootstrap created it.
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
   * Creates and changes what the document names, in one transaction, and answers what differed. Nothing is removed
   * without <code>prune</code>. With <code>dryRun</code> it does the same and keeps nothing. A fault anywhere changes nothing: <code>details</code>
   * names every place.
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
   * Creates and changes what the document names, in one transaction, and answers what differed. Nothing is removed
   * without <code>prune</code>. With <code>dryRun</code> it does the same and keeps nothing. A fault anywhere changes nothing: <code>details</code>
   * names every place.
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
