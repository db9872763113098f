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

/** <code>CreateEndpointBody</code> of the API. */
public final class CreateEndpointBody extends Model {
  public CreateEndpointBody() {
  }

  private CreateEndpointBody(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static CreateEndpointBody fromJson(JsonNode json) {
    return new CreateEndpointBody(Json.object(json));
  }

  /** The URL of the endpoint. Required if the endpoint type has one; for other types, Posthorn sets it. */
  public CreateEndpointBody url(String url) {
    putRequired("url", url);
    return this;
  }

  public CreateEndpointBody description(String description) {
    putRequired("description", description);
    return this;
  }

  public CreateEndpointBody authUsername(@Nullable String authUsername) {
    put("authUsername", authUsername);
    return this;
  }

  public CreateEndpointBody authPassword(@Nullable String authPassword) {
    put("authPassword", authPassword);
    return this;
  }

  /**
   * One of <code>webhook</code>, <code>playground</code>, <code>pull</code>, <code>rabbitmq</code>, <code>kafka</code>, <code>nats</code>, <code>sqs</code>, <code>sns</code>, <code>kinesis</code>, <code>eventbridge</code>,
   * <code>s3</code>, <code>pubsub</code>.
   */
  public CreateEndpointBody type(String type) {
    putRequired("type", type);
    return this;
  }

  public CreateEndpointBody config(EndpointConfig config) {
    putRequired("config", config);
    return this;
  }

  public CreateEndpointBody secretHeaders(Map<String, String> secretHeaders) {
    putRequired("secretHeaders", secretHeaders);
    return this;
  }

  public CreateEndpointBody credentials(Map<String, String> credentials) {
    putRequired("credentials", credentials);
    return this;
  }

  public CreateEndpointBody metadata(Map<String, Object> metadata) {
    putRequired("metadata", metadata);
    return this;
  }

  public CreateEndpointBody environmentId(String environmentId) {
    putRequired("environmentId", environmentId);
    return this;
  }

  public CreateEndpointBody externalId(@Nullable String externalId) {
    put("externalId", externalId);
    return this;
  }

  public CreateEndpointBody secret(@Nullable String secret) {
    put("secret", secret);
    return this;
  }

  public CreateEndpointBody isActive(boolean isActive) {
    putRequired("isActive", isActive);
    return this;
  }

  /** The event types to subscribe to, by name or by pattern. */
  public CreateEndpointBody eventTypes(List<ChosenEventType> eventTypes) {
    putRequired("eventTypes", eventTypes);
    return this;
  }

  /** The event types to subscribe to, by name or by pattern. */
  public CreateEndpointBody eventTypes(String... eventTypes) {
    put("eventTypes", Arrays.asList(eventTypes));
    return this;
  }

  /** The application that owns the endpoint. If omitted, the endpoint belongs to the workspace itself. */
  public CreateEndpointBody applicationId(@Nullable String applicationId) {
    put("applicationId", applicationId);
    return this;
  }
}
