// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import com.fasterxml.jackson.databind.JsonNode;
import io.posthorn.models.*;

/** The published event types that receivers can subscribe to, with schema and example. */
public final class CatalogResource extends Resource {
  CatalogResource(Transport transport) {
    super(transport);
  }

  /**
   * List the event types of a catalogue.
   * <p>
   * Returns the event types that are published in the environment, with schema and example, oldest first.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<EventType> list(String environmentId) {
    return list(environmentId, new ListCatalogOptions());
  }

  /**
   * List the event types of a catalogue.
   * <p>
   * Returns the event types that are published in the environment, with schema and example, oldest first.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<EventType> list(String environmentId, ListCatalogOptions options) {
    Call call = new Call("GET", "/environments/{environmentId}/catalog", environmentId).inWorkspace();
    return transport.list(call, options, Paging.LINK, null, EventType::fromJson);
  }

  /**
   * Get an event type of a catalogue.
   * <p>
   * Returns an event type that is published in the environment. Any other event type is <code>not_found</code>.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public EventType getEventType(String environmentId, String eventTypeId) {
    return getEventType(environmentId, eventTypeId, new RequestOptions());
  }

  /**
   * Get an event type of a catalogue.
   * <p>
   * Returns an event type that is published in the environment. Any other event type is <code>not_found</code>.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public EventType getEventType(String environmentId, String eventTypeId, RequestOptions options) {
    Call call = new Call("GET", "/environments/{environmentId}/catalog/{eventTypeId}", environmentId, eventTypeId).inWorkspace();
    return transport.request(call, options, EventType::fromJson);
  }

  /**
   * Get a catalogue as an OpenAPI document.
   * <p>
   * Returns an OpenAPI 3.1 document for the engineers who receive the events. It has a webhook for each published
   * event type, with its schema, example, headers and signature.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>limit_reached</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public JsonNode getDocument(String environmentId) {
    return getDocument(environmentId, new RequestOptions());
  }

  /**
   * Get a catalogue as an OpenAPI document.
   * <p>
   * Returns an OpenAPI 3.1 document for the engineers who receive the events. It has a webhook for each published
   * event type, with its schema, example, headers and signature.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>limit_reached</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public JsonNode getDocument(String environmentId, RequestOptions options) {
    Call call = new Call("GET", "/environments/{environmentId}/catalog/openapi.json", environmentId).inWorkspace();
    return transport.request(call, options, item -> item);
  }
}
