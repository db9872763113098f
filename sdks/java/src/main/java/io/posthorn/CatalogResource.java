// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import com.fasterxml.jackson.databind.JsonNode;
import io.posthorn.models.*;

/** What receivers may get: the published event types with schema and example. */
public final class CatalogResource extends Resource {
  CatalogResource(Transport transport) {
    super(transport);
  }

  /**
   * List the catalogue of an environment.
   * <p>
   * The event types that are published in the environment, with schema and example, oldest first.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<EventType> list(String environmentId) {
    return list(environmentId, new ListCatalogOptions());
  }

  /**
   * List the catalogue of an environment.
   * <p>
   * The event types that are published in the environment, with schema and example, oldest first.
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
   * A type that is not published in the environment is missing.
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
   * A type that is not published in the environment is missing.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public EventType getEventType(String environmentId, String eventTypeId, RequestOptions options) {
    Call call = new Call("GET", "/environments/{environmentId}/catalog/{eventTypeId}", environmentId, eventTypeId).inWorkspace();
    return transport.request(call, options, EventType::fromJson);
  }

  /**
   * Get the catalogue of an environment as an OpenAPI document.
   * <p>
   * OpenAPI 3.1, with a webhook for each published event type: its schema, its example, the headers and the
   * signature. For the engineers who receive them.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>limit_reached</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public JsonNode getDocument(String environmentId) {
    return getDocument(environmentId, new RequestOptions());
  }

  /**
   * Get the catalogue of an environment as an OpenAPI document.
   * <p>
   * OpenAPI 3.1, with a webhook for each published event type: its schema, its example, the headers and the
   * signature. For the engineers who receive them.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>limit_reached</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public JsonNode getDocument(String environmentId, RequestOptions options) {
    Call call = new Call("GET", "/environments/{environmentId}/catalog/openapi.json", environmentId).inWorkspace();
    return transport.request(call, options, item -> item);
  }
}
