// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;

/** Sessions that give a customer access to the portal. */
public final class PortalSessionsResource extends Resource {
  PortalSessionsResource(Transport transport) {
    super(transport);
  }

  /**
   * List an application's portal sessions.
   * <p>
   * Returns sessions that have not expired, oldest first.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>plan_required</code>,
   * <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<PortalSession> list(String applicationId) {
    return list(applicationId, new ListPortalSessionsOptions());
  }

  /**
   * List an application's portal sessions.
   * <p>
   * Returns sessions that have not expired, oldest first.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>plan_required</code>,
   * <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<PortalSession> list(String applicationId, ListPortalSessionsOptions options) {
    Call call = new Call("GET", "/applications/{applicationId}/portal-sessions", applicationId).inWorkspace();
    return transport.list(call, options, Paging.LINK, null, PortalSession::fromJson);
  }

  /**
   * Create a portal session.
   * <p>
   * Redirect the customer to the <code>url</code>, or open it in a frame. The session gives access to one application in one
   * environment. Its <code>capabilities</code> cannot exceed your own rights.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>plan_required</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>, <code>internal_error</code>,
   * <code>unavailable</code>.
   */
  public CreatedPortalSession create(String applicationId) {
    return create(applicationId, new CreatePortalSessionBody(), new ChangeOptions());
  }

  /**
   * Create a portal session.
   * <p>
   * Redirect the customer to the <code>url</code>, or open it in a frame. The session gives access to one application in one
   * environment. Its <code>capabilities</code> cannot exceed your own rights.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>plan_required</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>, <code>internal_error</code>,
   * <code>unavailable</code>.
   */
  public CreatedPortalSession create(String applicationId, CreatePortalSessionBody body) {
    return create(applicationId, body, new ChangeOptions());
  }

  /**
   * Create a portal session.
   * <p>
   * Redirect the customer to the <code>url</code>, or open it in a frame. The session gives access to one application in one
   * environment. Its <code>capabilities</code> cannot exceed your own rights.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>plan_required</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>, <code>internal_error</code>,
   * <code>unavailable</code>.
   */
  public CreatedPortalSession create(String applicationId, CreatePortalSessionBody body, ChangeOptions options) {
    Call call = new Call("POST", "/applications/{applicationId}/portal-sessions", applicationId).inWorkspace().body(body).keyed().shownOnce("token");
    return transport.request(call, options, CreatedPortalSession::fromJson);
  }

  /**
   * Get a portal session.
   * <p>
   * Returns a portal session. The token is shown only at creation.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>plan_required</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public PortalSession get(String applicationId, String id) {
    return get(applicationId, id, new RequestOptions());
  }

  /**
   * Get a portal session.
   * <p>
   * Returns a portal session. The token is shown only at creation.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>plan_required</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public PortalSession get(String applicationId, String id, RequestOptions options) {
    Call call = new Call("GET", "/applications/{applicationId}/portal-sessions/{id}", applicationId, id).inWorkspace();
    return transport.request(call, options, PortalSession::fromJson);
  }

  /**
   * End a portal session.
   * <p>
   * The token is refused from the next request on.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>plan_required</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public void delete(String applicationId, String id) {
    delete(applicationId, id, new RequestOptions());
  }

  /**
   * End a portal session.
   * <p>
   * The token is refused from the next request on.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>plan_required</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public void delete(String applicationId, String id, RequestOptions options) {
    Call call = new Call("DELETE", "/applications/{applicationId}/portal-sessions/{id}", applicationId, id).inWorkspace();
    transport.send(call, options);
  }
}
