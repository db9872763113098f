// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;
import java.util.List;

/** <code>SearchEventsBody</code> of the API. */
public final class SearchEventsBody extends Model {
  /** Takes the required fields. */
  public SearchEventsBody(List<String> search) {
    putRequired("search", search);
  }

  private SearchEventsBody(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static SearchEventsBody fromJson(JsonNode json) {
    return new SearchEventsBody(Json.object(json));
  }

  /**
   * The values to search for. Each is <code>name:value</code> for one search key, or a value that is looked up in every
   * search key. An event must match all of them.
   */
  public SearchEventsBody search(List<String> search) {
    putRequired("search", search);
    return this;
  }

  public SearchEventsBody environmentId(String environmentId) {
    putRequired("environmentId", environmentId);
    return this;
  }

  public SearchEventsBody applicationId(String applicationId) {
    putRequired("applicationId", applicationId);
    return this;
  }

  public SearchEventsBody eventType(String eventType) {
    putRequired("eventType", eventType);
    return this;
  }

  public SearchEventsBody idempotencyKey(String idempotencyKey) {
    putRequired("idempotencyKey", idempotencyKey);
    return this;
  }

  /** One of <code>scheduled</code>, <code>matching</code>, <code>matched</code>, <code>unmatched</code>, <code>cancelled</code>. */
  public SearchEventsBody status(String status) {
    putRequired("status", status);
    return this;
  }

  public SearchEventsBody from(Instant from) {
    putRequired("from", from);
    return this;
  }

  public SearchEventsBody to(Instant to) {
    putRequired("to", to);
    return this;
  }

  public SearchEventsBody limit(int limit) {
    putRequired("limit", limit);
    return this;
  }

  public SearchEventsBody cursor(String cursor) {
    putRequired("cursor", cursor);
    return this;
  }
}
