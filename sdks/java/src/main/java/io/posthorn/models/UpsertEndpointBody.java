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

/** <code>UpsertEndpointBody</code> of the API. */
public final class UpsertEndpointBody extends Model {
  public UpsertEndpointBody() {
  }

  private UpsertEndpointBody(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static UpsertEndpointBody fromJson(JsonNode json) {
    return new UpsertEndpointBody(Json.object(json));
  }

  /** The URL of the endpoint. Required if the endpoint type has one; for other types, Posthorn sets it. */
  public UpsertEndpointBody url(String url) {
    putRequired("url", url);
    return this;
  }

  public UpsertEndpointBody description(String description) {
    putRequired("description", description);
    return this;
  }

  public UpsertEndpointBody authUsername(@Nullable String authUsername) {
    put("authUsername", authUsername);
    return this;
  }

  public UpsertEndpointBody authPassword(@Nullable String authPassword) {
    put("authPassword", authPassword);
    return this;
  }

  /**
   * One of <code>webhook</code>, <code>playground</code>, <code>pull</code>, <code>rabbitmq</code>, <code>kafka</code>, <code>nats</code>, <code>sqs</code>, <code>sns</code>, <code>kinesis</code>, <code>eventbridge</code>,
   * <code>s3</code>, <code>pubsub</code>.
   */
  public UpsertEndpointBody type(String type) {
    putRequired("type", type);
    return this;
  }

  public UpsertEndpointBody config(EndpointConfig config) {
    putRequired("config", config);
    return this;
  }

  public UpsertEndpointBody secretHeaders(Map<String, String> secretHeaders) {
    putRequired("secretHeaders", secretHeaders);
    return this;
  }

  public UpsertEndpointBody credentials(Map<String, String> credentials) {
    putRequired("credentials", credentials);
    return this;
  }

  public UpsertEndpointBody metadata(Map<String, Object> metadata) {
    putRequired("metadata", metadata);
    return this;
  }

  public UpsertEndpointBody environmentId(String environmentId) {
    putRequired("environmentId", environmentId);
    return this;
  }

  public UpsertEndpointBody externalId(@Nullable String externalId) {
    put("externalId", externalId);
    return this;
  }

  public UpsertEndpointBody secret(@Nullable String secret) {
    put("secret", secret);
    return this;
  }

  public UpsertEndpointBody isActive(boolean isActive) {
    putRequired("isActive", isActive);
    return this;
  }

  /** The event types to subscribe to, by name or by pattern. */
  public UpsertEndpointBody eventTypes(List<ChosenEventType> eventTypes) {
    putRequired("eventTypes", eventTypes);
    return this;
  }

  /** The event types to subscribe to, by name or by pattern. */
  public UpsertEndpointBody eventTypes(String... eventTypes) {
    put("eventTypes", Arrays.asList(eventTypes));
    return this;
  }

  /**
   * The patterns, as an endpoint shows them. They replace the stored patterns, and other subscriptions are kept.
   * Ignored with <code>eventTypes</code>.
   */
  public UpsertEndpointBody eventTypePatterns(List<ChosenEventTypePattern> eventTypePatterns) {
    putRequired("eventTypePatterns", eventTypePatterns);
    return this;
  }

  /**
   * The patterns, as an endpoint shows them. They replace the stored patterns, and other subscriptions are kept.
   * Ignored with <code>eventTypes</code>.
   */
  public UpsertEndpointBody eventTypePatterns(String... eventTypePatterns) {
    put("eventTypePatterns", Arrays.asList(eventTypePatterns));
    return this;
  }

  /** The names of the stored secret headers to keep, as an endpoint shows them. */
  public UpsertEndpointBody secretHeaderNames(List<String> secretHeaderNames) {
    putRequired("secretHeaderNames", secretHeaderNames);
    return this;
  }

  /** The names of the stored credentials to keep, as an endpoint shows them. */
  public UpsertEndpointBody credentialNames(List<String> credentialNames) {
    putRequired("credentialNames", credentialNames);
    return this;
  }

  /** The application that owns the endpoint. If omitted, the endpoint belongs to the workspace itself. */
  public UpsertEndpointBody applicationId(@Nullable String applicationId) {
    put("applicationId", applicationId);
    return this;
  }
}
