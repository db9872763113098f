// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;

/** Categories of events, with their schemas and their publication and schema checks in each environment. */
public final class EventTypesResource extends Resource {
  EventTypesResource(Transport transport) {
    super(transport);
  }

  /**
   * List event types.
   * <p>
   * Returns all event types of the workspace, oldest first.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<EventType> list() {
    return list(new ListEventTypesOptions());
  }

  /**
   * List event types.
   * <p>
   * Returns all event types of the workspace, oldest first.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<EventType> list(ListEventTypesOptions options) {
    Call call = new Call("GET", "/event-types").inWorkspace();
    return transport.list(call, options, Paging.LINK, null, EventType::fromJson);
  }

  /**
   * Create an event type.
   * <p>
   * Names are dot-separated, in lower case, and cannot be changed. A new event type is published only in the
   * environments listed in <code>publishIn</code>.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>event_type_exists</code>, <code>idempotency_conflict</code>, <code>limit_reached</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public CreatedEventType create(CreateEventTypeBody body) {
    return create(body, new ChangeOptions());
  }

  /**
   * Create an event type.
   * <p>
   * Names are dot-separated, in lower case, and cannot be changed. A new event type is published only in the
   * environments listed in <code>publishIn</code>.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>event_type_exists</code>, <code>idempotency_conflict</code>, <code>limit_reached</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public CreatedEventType create(CreateEventTypeBody body, ChangeOptions options) {
    Call call = new Call("POST", "/event-types").inWorkspace().body(body).keyed();
    return transport.request(call, options, CreatedEventType::fromJson);
  }

  /**
   * Get an event type.
   * <p>
   * Returns an event type. Event types are shared by all environments of the workspace.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public EventType get(String id) {
    return get(id, new RequestOptions());
  }

  /**
   * Get an event type.
   * <p>
   * Returns an event type. Event types are shared by all environments of the workspace.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public EventType get(String id, RequestOptions options) {
    Call call = new Call("GET", "/event-types/{id}", id).inWorkspace();
    return transport.request(call, options, EventType::fromJson);
  }

  /**
   * Update an event type.
   * <p>
   * The name cannot be changed. If the body has a schema, the response describes how it differs for receivers.
   * With <code>dryRun=true</code>, nothing changes, and read access is sufficient.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>agents_subscribed</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>, <code>internal_error</code>,
   * <code>unavailable</code>.
   */
  public UpdatedEventType update(String id, UpdateEventTypeBody body) {
    return update(id, body, new UpdateEventTypeOptions());
  }

  /**
   * Update an event type.
   * <p>
   * The name cannot be changed. If the body has a schema, the response describes how it differs for receivers.
   * With <code>dryRun=true</code>, nothing changes, and read access is sufficient.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>agents_subscribed</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>, <code>internal_error</code>,
   * <code>unavailable</code>.
   */
  public UpdatedEventType update(String id, UpdateEventTypeBody body, UpdateEventTypeOptions options) {
    Call call = new Call("PATCH", "/event-types/{id}", id).inWorkspace().body(body);
    return transport.request(call, options, UpdatedEventType::fromJson);
  }

  /**
   * Delete an event type.
   * <p>
   * Fails while any endpoint, active or not, subscribes to the event type by name. Subscriptions made by patterns
   * are deleted with it.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>agents_subscribed</code>, <code>event_type_in_use</code>, <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public void delete(String id) {
    delete(id, new DeleteEventTypeOptions());
  }

  /**
   * Delete an event type.
   * <p>
   * Fails while any endpoint, active or not, subscribes to the event type by name. Subscriptions made by patterns
   * are deleted with it.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>agents_subscribed</code>, <code>event_type_in_use</code>, <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public void delete(String id, DeleteEventTypeOptions options) {
    Call call = new Call("DELETE", "/event-types/{id}", id).inWorkspace();
    transport.send(call, options);
  }

  /**
   * List the visibility of event types.
   * <p>
   * Returns every event type of the workspace, with whether it is published in this environment and how its
   * payloads are checked. <code>include=endpoints</code> adds the number of endpoints that subscribe to it.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<EventTypeVisibilityRead> listVisibility(String environmentId) {
    return listVisibility(environmentId, new ListEventTypeVisibilityOptions());
  }

  /**
   * List the visibility of event types.
   * <p>
   * Returns every event type of the workspace, with whether it is published in this environment and how its
   * payloads are checked. <code>include=endpoints</code> adds the number of endpoints that subscribe to it.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<EventTypeVisibilityRead> listVisibility(String environmentId, ListEventTypeVisibilityOptions options) {
    Call call = new Call("GET", "/environments/{environmentId}/event-types", environmentId).inWorkspace();
    return transport.list(call, options, Paging.LINK, null, EventTypeVisibilityRead::fromJson);
  }

  /**
   * Publish or unpublish an event type.
   * <p>
   * Takes effect within a second. The request is idempotent. <code>schemaMode</code> sets how ingested payloads are checked
   * against the schema of the event type, whether or not the type is published.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public EventTypeVisibility setVisibility(String environmentId, String eventTypeId, SetEventTypeVisibilityBody body) {
    return setVisibility(environmentId, eventTypeId, body, new RequestOptions());
  }

  /**
   * Publish or unpublish an event type.
   * <p>
   * Takes effect within a second. The request is idempotent. <code>schemaMode</code> sets how ingested payloads are checked
   * against the schema of the event type, whether or not the type is published.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public EventTypeVisibility setVisibility(String environmentId, String eventTypeId, SetEventTypeVisibilityBody body, RequestOptions options) {
    Call call = new Call("PUT", "/environments/{environmentId}/event-types/{eventTypeId}/visibility", environmentId, eventTypeId).inWorkspace().body(body);
    return transport.request(call, options, EventTypeVisibility::fromJson);
  }

  /**
   * Index older events.
   * <p>
   * Starts an operation that reads the payloads of older events of the event type, so that they can be found by
   * its current search keys. Repeating it is safe. With <code>dryRun</code>, only counts the events.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>limit_reached</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public Operation indexEvents(IndexEventsBody body) {
    return indexEvents(body, new ChangeOptions());
  }

  /**
   * Index older events.
   * <p>
   * Starts an operation that reads the payloads of older events of the event type, so that they can be found by
   * its current search keys. Repeating it is safe. With <code>dryRun</code>, only counts the events.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>limit_reached</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public Operation indexEvents(IndexEventsBody body, ChangeOptions options) {
    Call call = new Call("POST", "/search-index").inWorkspace().body(body).keyed();
    return transport.request(call, options, Operation::fromJson);
  }

  /** Returns what <code>indexEvents</code> would select, and changes nothing. */
  public DryRun indexEventsDryRun(IndexEventsBody body) {
    return indexEventsDryRun(body, new ChangeOptions());
  }

  /** Returns what <code>indexEvents</code> would select, and changes nothing. */
  public DryRun indexEventsDryRun(IndexEventsBody body, ChangeOptions options) {
    Call call = new Call("POST", "/search-index").inWorkspace().dryRun(body).keyed();
    return transport.request(call, options, DryRun::fromJson);
  }

  /**
   * Rotate the search key.
   * <p>
   * New events are stored with tokens of a new key. Searches use both keys until the last event with the old key
   * is past the retention period; until then, the key cannot be rotated again. A token may rotate the key while
   * its creator is an owner, or if it was created by posthorn-admin or the bootstrap.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>limit_reached</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public SearchKeyRotation rotateSearchKey() {
    return rotateSearchKey(new ChangeOptions());
  }

  /**
   * Rotate the search key.
   * <p>
   * New events are stored with tokens of a new key. Searches use both keys until the last event with the old key
   * is past the retention period; until then, the key cannot be rotated again. A token may rotate the key while
   * its creator is an owner, or if it was created by posthorn-admin or the bootstrap.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>limit_reached</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public SearchKeyRotation rotateSearchKey(ChangeOptions options) {
    Call call = new Call("POST", "/search-key/rotate").inWorkspace().keyed();
    return transport.request(call, options, SearchKeyRotation::fromJson);
  }

  /**
   * Precheck an event type.
   * <p>
   * Returns which endpoints would receive an event of this type now, and why the others would not. Nothing is
   * stored or sent. At most 5,000 endpoints are returned, active subscribers first.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Precheck precheck(String id) {
    return precheck(id, new PrecheckEventTypeBody(), new RequestOptions());
  }

  /**
   * Precheck an event type.
   * <p>
   * Returns which endpoints would receive an event of this type now, and why the others would not. Nothing is
   * stored or sent. At most 5,000 endpoints are returned, active subscribers first.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Precheck precheck(String id, PrecheckEventTypeBody body) {
    return precheck(id, body, new RequestOptions());
  }

  /**
   * Precheck an event type.
   * <p>
   * Returns which endpoints would receive an event of this type now, and why the others would not. Nothing is
   * stored or sent. At most 5,000 endpoints are returned, active subscribers first.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Precheck precheck(String id, PrecheckEventTypeBody body, RequestOptions options) {
    Call call = new Call("POST", "/event-types/{id}/precheck", id).inWorkspace().body(body);
    return transport.request(call, options, Precheck::fromJson);
  }

  /**
   * List operational events.
   * <p>
   * Returns the events about deliveries that Posthorn can send. To receive one, create an event type with its
   * name, publish it, and subscribe an endpoint of the workspace to it.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<OperationalEvent> listOperationalEvents() {
    return listOperationalEvents(new ListOperationalEventsOptions());
  }

  /**
   * List operational events.
   * <p>
   * Returns the events about deliveries that Posthorn can send. To receive one, create an event type with its
   * name, publish it, and subscribe an endpoint of the workspace to it.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<OperationalEvent> listOperationalEvents(ListOperationalEventsOptions options) {
    Call call = new Call("GET", "/operational-events").inWorkspace();
    return transport.list(call, options, Paging.LINK, null, OperationalEvent::fromJson);
  }
}
