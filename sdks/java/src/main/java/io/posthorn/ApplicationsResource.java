// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;

/** Your customers. Each has its own endpoints. */
public final class ApplicationsResource extends Resource {
  ApplicationsResource(Transport transport) {
    super(transport);
  }

  /**
   * List applications.
   * <p>
   * Returns applications newest first. With <code>sort=trouble</code>, applications with the most failing endpoints come
   * first. <code>include=health</code> adds the health of the endpoints of each application.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>plan_required</code>,
   * <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<ApplicationRead> list() {
    return list(new ListApplicationsOptions());
  }

  /**
   * List applications.
   * <p>
   * Returns applications newest first. With <code>sort=trouble</code>, applications with the most failing endpoints come
   * first. <code>include=health</code> adds the health of the endpoints of each application.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>plan_required</code>,
   * <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<ApplicationRead> list(ListApplicationsOptions options) {
    Call call = new Call("GET", "/applications").inWorkspace();
    return transport.list(call, options, Paging.CURSOR, "applications", ApplicationRead::fromJson);
  }

  /**
   * Create an application.
   * <p>
   * An <code>externalId</code> is unique in the workspace. <code>ext:&#60;externalId&#62;</code> is accepted wherever the id of an application
   * is.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>plan_required</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>external_id_taken</code>, <code>idempotency_conflict</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public Application create(CreateApplicationBody body) {
    return create(body, new ChangeOptions());
  }

  /**
   * Create an application.
   * <p>
   * An <code>externalId</code> is unique in the workspace. <code>ext:&#60;externalId&#62;</code> is accepted wherever the id of an application
   * is.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>plan_required</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>external_id_taken</code>, <code>idempotency_conflict</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public Application create(CreateApplicationBody body, ChangeOptions options) {
    Call call = new Call("POST", "/applications").inWorkspace().body(body).keyed();
    return transport.request(call, options, Application::fromJson);
  }

  /**
   * Get an application.
   * <p>
   * Returns an application by its id, or by <code>ext:</code> and its externalId.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>plan_required</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Application get(String applicationId) {
    return get(applicationId, new RequestOptions());
  }

  /**
   * Get an application.
   * <p>
   * Returns an application by its id, or by <code>ext:</code> and its externalId.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>plan_required</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Application get(String applicationId, RequestOptions options) {
    Call call = new Call("GET", "/applications/{applicationId}", applicationId).inWorkspace();
    return transport.request(call, options, Application::fromJson);
  }

  /**
   * Create or replace an application.
   * <p>
   * Creates or replaces the application with this externalId, given as <code>ext:&#60;externalId&#62;</code>. Omitted optional fields
   * are set to their defaults. The status is 201 if the application is new.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>plan_required</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Application upsert(String applicationId, CreateApplicationBody body) {
    return upsert(applicationId, body, new RequestOptions());
  }

  /**
   * Create or replace an application.
   * <p>
   * Creates or replaces the application with this externalId, given as <code>ext:&#60;externalId&#62;</code>. Omitted optional fields
   * are set to their defaults. The status is 201 if the application is new.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>plan_required</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Application upsert(String applicationId, CreateApplicationBody body, RequestOptions options) {
    Call call = new Call("PUT", "/applications/{applicationId}", applicationId).inWorkspace().body(body);
    return transport.request(call, options, Application::fromJson);
  }

  /**
   * Update an application.
   * <p>
   * Updates the given fields. <code>metadata</code> is replaced as a whole.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>plan_required</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>external_id_taken</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>, <code>internal_error</code>,
   * <code>unavailable</code>.
   */
  public Application update(String applicationId, UpdateApplicationBody body) {
    return update(applicationId, body, new RequestOptions());
  }

  /**
   * Update an application.
   * <p>
   * Updates the given fields. <code>metadata</code> is replaced as a whole.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>plan_required</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>external_id_taken</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>, <code>internal_error</code>,
   * <code>unavailable</code>.
   */
  public Application update(String applicationId, UpdateApplicationBody body, RequestOptions options) {
    Call call = new Call("PATCH", "/applications/{applicationId}", applicationId).inWorkspace().body(body);
    return transport.request(call, options, Application::fromJson);
  }

  /**
   * Delete an application.
   * <p>
   * Also deletes its endpoints and portal sessions.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>plan_required</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public void delete(String applicationId) {
    delete(applicationId, new RequestOptions());
  }

  /**
   * Delete an application.
   * <p>
   * Also deletes its endpoints and portal sessions.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>plan_required</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public void delete(String applicationId, RequestOptions options) {
    Call call = new Call("DELETE", "/applications/{applicationId}", applicationId).inWorkspace();
    transport.send(call, options);
  }

  /**
   * List an application's endpoints.
   * <p>
   * Returns endpoints oldest first. With <code>limit</code> or <code>cursor</code>, returns one page; the <code>Link</code> header points to the
   * next.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>plan_required</code>,
   * <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<Endpoint> listEndpoints(String applicationId) {
    return listEndpoints(applicationId, new ListApplicationEndpointsOptions());
  }

  /**
   * List an application's endpoints.
   * <p>
   * Returns endpoints oldest first. With <code>limit</code> or <code>cursor</code>, returns one page; the <code>Link</code> header points to the
   * next.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>plan_required</code>,
   * <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<Endpoint> listEndpoints(String applicationId, ListApplicationEndpointsOptions options) {
    Call call = new Call("GET", "/applications/{applicationId}/endpoints", applicationId).inWorkspace();
    return transport.list(call, options, Paging.LINK, null, Endpoint::fromJson);
  }

  /**
   * Create an endpoint of an application.
   * <p>
   * The endpoint is created in the default environment unless <code>environmentId</code> is set. An application has at most
   * 500 endpoints.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>plan_required</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>external_id_taken</code>, <code>idempotency_conflict</code>, <code>limit_reached</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public CreatedEndpoint createEndpoint(String applicationId, CreateApplicationEndpointBody body) {
    return createEndpoint(applicationId, body, new ChangeOptions());
  }

  /**
   * Create an endpoint of an application.
   * <p>
   * The endpoint is created in the default environment unless <code>environmentId</code> is set. An application has at most
   * 500 endpoints.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>plan_required</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>external_id_taken</code>, <code>idempotency_conflict</code>, <code>limit_reached</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public CreatedEndpoint createEndpoint(String applicationId, CreateApplicationEndpointBody body, ChangeOptions options) {
    Call call = new Call("POST", "/applications/{applicationId}/endpoints", applicationId).inWorkspace().body(body).keyed().shownOnce("pullKey");
    return transport.request(call, options, CreatedEndpoint::fromJson);
  }

  /**
   * Create or replace an endpoint of an application.
   * <p>
   * Creates or replaces the endpoint with this externalId, given as <code>ext:&#60;externalId&#62;</code>, in the default environment
   * unless the body names another. Omitted optional fields are set to their defaults; the id, the secret,
   * <code>isActive</code>, the health and the owner are kept. An answer that is sent back changes nothing. The status is 201
   * if the endpoint is new.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>plan_required</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>external_id_taken</code>, <code>limit_reached</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public CreatedEndpoint upsertEndpoint(String applicationId, String endpointId, UpsertApplicationEndpointBody body) {
    return upsertEndpoint(applicationId, endpointId, body, new RequestOptions());
  }

  /**
   * Create or replace an endpoint of an application.
   * <p>
   * Creates or replaces the endpoint with this externalId, given as <code>ext:&#60;externalId&#62;</code>, in the default environment
   * unless the body names another. Omitted optional fields are set to their defaults; the id, the secret,
   * <code>isActive</code>, the health and the owner are kept. An answer that is sent back changes nothing. The status is 201
   * if the endpoint is new.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>plan_required</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>external_id_taken</code>, <code>limit_reached</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public CreatedEndpoint upsertEndpoint(String applicationId, String endpointId, UpsertApplicationEndpointBody body, RequestOptions options) {
    Call call = new Call("PUT", "/applications/{applicationId}/endpoints/{endpointId}", applicationId, endpointId).inWorkspace().body(body);
    return transport.request(call, options, CreatedEndpoint::fromJson);
  }
}
