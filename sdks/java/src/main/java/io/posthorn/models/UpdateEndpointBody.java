// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** <code>UpdateEndpointBody</code> of the API. */
public final class UpdateEndpointBody extends Model {
  public UpdateEndpointBody() {
  }

  private UpdateEndpointBody(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static UpdateEndpointBody fromJson(JsonNode json) {
    return new UpdateEndpointBody(Json.object(json));
  }

  public UpdateEndpointBody url(String url) {
    putRequired("url", url);
    return this;
  }

  public UpdateEndpointBody description(String description) {
    putRequired("description", description);
    return this;
  }

  public UpdateEndpointBody isActive(boolean isActive) {
    putRequired("isActive", isActive);
    return this;
  }

  public UpdateEndpointBody authUsername(@Nullable String authUsername) {
    put("authUsername", authUsername);
    return this;
  }

  public UpdateEndpointBody authPassword(@Nullable String authPassword) {
    put("authPassword", authPassword);
    return this;
  }

  public UpdateEndpointBody config(EndpointConfig config) {
    putRequired("config", config);
    return this;
  }

  public UpdateEndpointBody secretHeaders(Map<String, String> secretHeaders) {
    putRequired("secretHeaders", secretHeaders);
    return this;
  }

  public UpdateEndpointBody credentials(Map<String, String> credentials) {
    putRequired("credentials", credentials);
    return this;
  }

  public UpdateEndpointBody metadata(@Nullable Map<String, Object> metadata) {
    put("metadata", metadata);
    return this;
  }

  public UpdateEndpointBody externalId(@Nullable String externalId) {
    put("externalId", externalId);
    return this;
  }

  /** The patterns of event types, which replace the current ones. Every matching event type gets a subscription. */
  public UpdateEndpointBody eventTypePatterns(List<ChosenEventTypePattern> eventTypePatterns) {
    putRequired("eventTypePatterns", eventTypePatterns);
    return this;
  }

  /** The patterns of event types, which replace the current ones. Every matching event type gets a subscription. */
  public UpdateEndpointBody eventTypePatterns(String... eventTypePatterns) {
    put("eventTypePatterns", Arrays.asList(eventTypePatterns));
    return this;
  }
}
