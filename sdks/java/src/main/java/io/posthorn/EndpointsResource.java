// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;

/** The destinations that receive signed deliveries. */
public final class EndpointsResource extends Resource {
  EndpointsResource(Transport transport) {
    super(transport);
  }

  /**
   * List endpoint types.
   * <p>
   * Returns the possible values of <code>type</code> for a new endpoint. Each has the setup instructions, the schemas of its
   * <code>config</code> and credentials, and the meaning of <code>delivered</code>. Use this list to build forms.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<EndpointType> listTypes() {
    return listTypes(new ListEndpointTypesOptions());
  }

  /**
   * List endpoint types.
   * <p>
   * Returns the possible values of <code>type</code> for a new endpoint. Each has the setup instructions, the schemas of its
   * <code>config</code> and credentials, and the meaning of <code>delivered</code>. Use this list to build forms.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<EndpointType> listTypes(ListEndpointTypesOptions options) {
    Call call = new Call("GET", "/endpoint-types").inWorkspace();
    return transport.list(call, options, Paging.LINK, null, EndpointType::fromJson);
  }

  /**
   * List endpoints.
   * <p>
   * Returns every endpoint of the workspace, including those of applications, oldest first. With <code>limit</code> or
   * <code>cursor</code>, returns one page; the <code>Link</code> header points to the next. <code>include=stats</code> adds the attempts of the
   * last 24 hours.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<EndpointRead> list() {
    return list(new ListEndpointsOptions());
  }

  /**
   * List endpoints.
   * <p>
   * Returns every endpoint of the workspace, including those of applications, oldest first. With <code>limit</code> or
   * <code>cursor</code>, returns one page; the <code>Link</code> header points to the next. <code>include=stats</code> adds the attempts of the
   * last 24 hours.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<EndpointRead> list(ListEndpointsOptions options) {
    Call call = new Call("GET", "/endpoints").inWorkspace();
    return transport.list(call, options, Paging.LINK, null, EndpointRead::fromJson);
  }

  /**
   * Create an endpoint.
   * <p>
   * The endpoint is created in the default environment unless <code>environmentId</code> is set. A signing secret is
   * generated unless one is given.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>external_id_taken</code>, <code>idempotency_conflict</code>, <code>limit_reached</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public CreatedEndpoint create(CreateEndpointBody body) {
    return create(body, new ChangeOptions());
  }

  /**
   * Create an endpoint.
   * <p>
   * The endpoint is created in the default environment unless <code>environmentId</code> is set. A signing secret is
   * generated unless one is given.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>external_id_taken</code>, <code>idempotency_conflict</code>, <code>limit_reached</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public CreatedEndpoint create(CreateEndpointBody body, ChangeOptions options) {
    Call call = new Call("POST", "/endpoints").inWorkspace().body(body).keyed().shownOnce("pullKey");
    return transport.request(call, options, CreatedEndpoint::fromJson);
  }

  /**
   * Get an endpoint.
   * <p>
   * Returns an endpoint. The password is never returned. <code>include=stats</code> adds the attempts of the last 24 hours.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public EndpointRead get(String id) {
    return get(id, new GetEndpointOptions());
  }

  /**
   * Get an endpoint.
   * <p>
   * Returns an endpoint. The password is never returned. <code>include=stats</code> adds the attempts of the last 24 hours.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public EndpointRead get(String id, GetEndpointOptions options) {
    Call call = new Call("GET", "/endpoints/{id}", id).inWorkspace();
    return transport.request(call, options, EndpointRead::fromJson);
  }

  /**
   * Update an endpoint.
   * <p>
   * Applies to every attempt that starts after the response. <code>config</code> is replaced as a whole. A <code>url</code> with another
   * origin removes the stored credentials unless the body includes them again.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>external_id_taken</code>, <code>limit_reached</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public Endpoint update(String id, UpdateEndpointBody body) {
    return update(id, body, new UpdateEndpointOptions());
  }

  /**
   * Update an endpoint.
   * <p>
   * Applies to every attempt that starts after the response. <code>config</code> is replaced as a whole. A <code>url</code> with another
   * origin removes the stored credentials unless the body includes them again.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>external_id_taken</code>, <code>limit_reached</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public Endpoint update(String id, UpdateEndpointBody body, UpdateEndpointOptions options) {
    Call call = new Call("PATCH", "/endpoints/{id}", id).inWorkspace().body(body);
    return transport.request(call, options, Endpoint::fromJson);
  }

  /**
   * Create or replace an endpoint.
   * <p>
   * Creates or replaces the endpoint with this externalId, given as <code>ext:&#60;externalId&#62;</code>, in the default environment
   * unless the body names another. Omitted optional fields are set to their defaults; the id, the secret,
   * <code>isActive</code>, the health and the owner are kept. An answer that is sent back changes nothing. The status is 201
   * if the endpoint is new.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>external_id_taken</code>, <code>limit_reached</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public CreatedEndpoint upsert(String id, UpsertEndpointBody body) {
    return upsert(id, body, new RequestOptions());
  }

  /**
   * Create or replace an endpoint.
   * <p>
   * Creates or replaces the endpoint with this externalId, given as <code>ext:&#60;externalId&#62;</code>, in the default environment
   * unless the body names another. Omitted optional fields are set to their defaults; the id, the secret,
   * <code>isActive</code>, the health and the owner are kept. An answer that is sent back changes nothing. The status is 201
   * if the endpoint is new.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>external_id_taken</code>, <code>limit_reached</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public CreatedEndpoint upsert(String id, UpsertEndpointBody body, RequestOptions options) {
    Call call = new Call("PUT", "/endpoints/{id}", id).inWorkspace().body(body);
    return transport.request(call, options, CreatedEndpoint::fromJson);
  }

  /**
   * Delete an endpoint.
   * <p>
   * Also deletes its subscriptions and permanently stops deliveries to it. Past deliveries remain readable.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public void delete(String id) {
    delete(id, new DeleteEndpointOptions());
  }

  /**
   * Delete an endpoint.
   * <p>
   * Also deletes its subscriptions and permanently stops deliveries to it. Past deliveries remain readable.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public void delete(String id, DeleteEndpointOptions options) {
    Call call = new Call("DELETE", "/endpoints/{id}", id).inWorkspace();
    transport.send(call, options);
  }

  /**
   * Rotate an endpoint's signing secret.
   * <p>
   * Creates a new signing secret. Requests are also signed with the old secret until its grace period ends. At
   * most 3 secrets are valid at a time.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>limit_reached</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public Endpoint rotateSecret(String id) {
    return rotateSecret(id, new RotateEndpointSecretBody(), new RotateEndpointSecretOptions());
  }

  /**
   * Rotate an endpoint's signing secret.
   * <p>
   * Creates a new signing secret. Requests are also signed with the old secret until its grace period ends. At
   * most 3 secrets are valid at a time.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>limit_reached</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public Endpoint rotateSecret(String id, RotateEndpointSecretBody body) {
    return rotateSecret(id, body, new RotateEndpointSecretOptions());
  }

  /**
   * Rotate an endpoint's signing secret.
   * <p>
   * Creates a new signing secret. Requests are also signed with the old secret until its grace period ends. At
   * most 3 secrets are valid at a time.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>limit_reached</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public Endpoint rotateSecret(String id, RotateEndpointSecretBody body, RotateEndpointSecretOptions options) {
    Call call = new Call("POST", "/endpoints/{id}/secret/rotate", id).inWorkspace().body(body).keyed().shownOnce("secret");
    return transport.request(call, options, Endpoint::fromJson);
  }

  /**
   * Send a test event.
   * <p>
   * Sends one signed request now, even to an inactive endpoint, and returns the attempt. The body is <code>payload</code>,
   * byte for byte, or the example of the event type, or a default payload. A test does not count in statistics,
   * the circuit breaker or the health, and is never retried.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>endpoint_inactive</code>, <code>idempotency_conflict</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public Attempt test(String id) {
    return test(id, new TestEndpointBody(), new TestEndpointOptions());
  }

  /**
   * Send a test event.
   * <p>
   * Sends one signed request now, even to an inactive endpoint, and returns the attempt. The body is <code>payload</code>,
   * byte for byte, or the example of the event type, or a default payload. A test does not count in statistics,
   * the circuit breaker or the health, and is never retried.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>endpoint_inactive</code>, <code>idempotency_conflict</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public Attempt test(String id, TestEndpointBody body) {
    return test(id, body, new TestEndpointOptions());
  }

  /**
   * Send a test event.
   * <p>
   * Sends one signed request now, even to an inactive endpoint, and returns the attempt. The body is <code>payload</code>,
   * byte for byte, or the example of the event type, or a default payload. A test does not count in statistics,
   * the circuit breaker or the health, and is never retried.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>endpoint_inactive</code>, <code>idempotency_conflict</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public Attempt test(String id, TestEndpointBody body, TestEndpointOptions options) {
    Call call = new Call("POST", "/endpoints/{id}/test", id).inWorkspace().body(body).once();
    return transport.request(call, options, Attempt::fromJson);
  }

  /**
   * Examine an endpoint.
   * <p>
   * Checks the connection to the endpoint and its responses step by step, and advises what to change. It sends at
   * most three requests, stores no result, and takes at most 60 seconds. It can be run once every 10 seconds for
   * an endpoint.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public DoctorReport diagnose(String id) {
    return diagnose(id, new DiagnoseEndpointOptions());
  }

  /**
   * Examine an endpoint.
   * <p>
   * Checks the connection to the endpoint and its responses step by step, and advises what to change. It sends at
   * most three requests, stores no result, and takes at most 60 seconds. It can be run once every 10 seconds for
   * an endpoint.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public DoctorReport diagnose(String id, DiagnoseEndpointOptions options) {
    Call call = new Call("POST", "/endpoints/{id}/doctor", id).inWorkspace().once();
    return transport.request(call, options, DoctorReport::fromJson);
  }

  /**
   * Test a transformation.
   * <p>
   * Runs the code on a payload, and returns the result that would be sent. Nothing is stored or sent.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>, <code>internal_error</code>,
   * <code>unavailable</code>.
   */
  public TransformationResult testTransformation(TestTransformationBody body) {
    return testTransformation(body, new ChangeOptions());
  }

  /**
   * Test a transformation.
   * <p>
   * Runs the code on a payload, and returns the result that would be sent. Nothing is stored or sent.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>, <code>internal_error</code>,
   * <code>unavailable</code>.
   */
  public TransformationResult testTransformation(TestTransformationBody body, ChangeOptions options) {
    Call call = new Call("POST", "/transformations/test").inWorkspace().body(body).keyed();
    return transport.request(call, options, TransformationResult::fromJson);
  }

  /**
   * Subscribe an endpoint to event types.
   * <p>
   * Event types that are already subscribed are skipped and not counted. If an id is unknown, nothing is
   * subscribed. The <code>filter</code> applies to the new subscriptions.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>, <code>internal_error</code>,
   * <code>unavailable</code>.
   */
  public SubscribeEndpointAnswer subscribe(String id, SubscribeEndpointBody body) {
    return subscribe(id, body, new SubscribeEndpointOptions());
  }

  /**
   * Subscribe an endpoint to event types.
   * <p>
   * Event types that are already subscribed are skipped and not counted. If an id is unknown, nothing is
   * subscribed. The <code>filter</code> applies to the new subscriptions.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>, <code>internal_error</code>,
   * <code>unavailable</code>.
   */
  public SubscribeEndpointAnswer subscribe(String id, SubscribeEndpointBody body, SubscribeEndpointOptions options) {
    Call call = new Call("POST", "/endpoints/{id}/subscriptions", id).inWorkspace().body(body).keyed();
    return transport.request(call, options, SubscribeEndpointAnswer::fromJson);
  }

  /**
   * Delete a subscription.
   * <p>
   * Events that were accepted before the removal may still be delivered.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public void unsubscribe(String id, String eventTypeId) {
    unsubscribe(id, eventTypeId, new UnsubscribeEndpointOptions());
  }

  /**
   * Delete a subscription.
   * <p>
   * Events that were accepted before the removal may still be delivered.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public void unsubscribe(String id, String eventTypeId, UnsubscribeEndpointOptions options) {
    Call call = new Call("DELETE", "/endpoints/{id}/subscriptions/{eventTypeId}", id, eventTypeId).inWorkspace();
    transport.send(call, options);
  }

  /**
   * List an endpoint's deliveries.
   * <p>
   * Returns deliveries newest first. Deliveries older than the retention period (7 days) are not returned.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<Delivery> listDeliveries(String endpointId) {
    return listDeliveries(endpointId, new ListEndpointDeliveriesOptions());
  }

  /**
   * List an endpoint's deliveries.
   * <p>
   * Returns deliveries newest first. Deliveries older than the retention period (7 days) are not returned.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<Delivery> listDeliveries(String endpointId, ListEndpointDeliveriesOptions options) {
    Call call = new Call("GET", "/endpoints/{endpointId}/deliveries", endpointId).inWorkspace();
    return transport.list(call, options, Paging.CURSOR, "deliveries", Delivery::fromJson);
  }

  /**
   * Get an endpoint's delivery.
   * <p>
   * <code>include=payload,attempts</code> adds the payload as ingested and the newest 100 attempts. If the payload is not
   * available, the <code>status</code> of its envelope gives the reason.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public DeliveryDetail getDelivery(String endpointId, String id) {
    return getDelivery(endpointId, id, new GetEndpointDeliveryOptions());
  }

  /**
   * Get an endpoint's delivery.
   * <p>
   * <code>include=payload,attempts</code> adds the payload as ingested and the newest 100 attempts. If the payload is not
   * available, the <code>status</code> of its envelope gives the reason.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public DeliveryDetail getDelivery(String endpointId, String id, GetEndpointDeliveryOptions options) {
    Call call = new Call("GET", "/endpoints/{endpointId}/deliveries/{id}", endpointId, id).inWorkspace();
    return transport.request(call, options, DeliveryDetail::fromJson);
  }

  /**
   * Recover missed deliveries.
   * <p>
   * <code>failed</code> retries deliveries that are <code>failed</code> or <code>dead_letter</code>. <code>missed</code> delivers events that the endpoint
   * would receive now and has no delivery of. <code>all</code> does both, and also resends deliveries that were <code>delivered</code>.
   * <code>since</code> is inclusive, <code>until</code> exclusive; both apply to the time of the event. The recovery is paced and yields
   * to new events. With <code>dryRun</code>, only counts.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>limit_reached</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public Operation recover(String id, RecoverEndpointBody body) {
    return recover(id, body, new RecoverEndpointOptions());
  }

  /**
   * Recover missed deliveries.
   * <p>
   * <code>failed</code> retries deliveries that are <code>failed</code> or <code>dead_letter</code>. <code>missed</code> delivers events that the endpoint
   * would receive now and has no delivery of. <code>all</code> does both, and also resends deliveries that were <code>delivered</code>.
   * <code>since</code> is inclusive, <code>until</code> exclusive; both apply to the time of the event. The recovery is paced and yields
   * to new events. With <code>dryRun</code>, only counts.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>limit_reached</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public Operation recover(String id, RecoverEndpointBody body, RecoverEndpointOptions options) {
    Call call = new Call("POST", "/endpoints/{id}/recover", id).inWorkspace().body(body).keyed();
    return transport.request(call, options, Operation::fromJson);
  }

  /** Returns what <code>recover</code> would select, and changes nothing. */
  public DryRun recoverDryRun(String id, RecoverEndpointBody body) {
    return recoverDryRun(id, body, new RecoverEndpointOptions());
  }

  /** Returns what <code>recover</code> would select, and changes nothing. */
  public DryRun recoverDryRun(String id, RecoverEndpointBody body, RecoverEndpointOptions options) {
    Call call = new Call("POST", "/endpoints/{id}/recover", id).inWorkspace().dryRun(body).keyed();
    return transport.request(call, options, DryRun::fromJson);
  }
}
