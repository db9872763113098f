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

/** <code>UpsertApplicationEndpointBody</code> of the API. */
public final class UpsertApplicationEndpointBody extends Model {
  public UpsertApplicationEndpointBody() {
  }

  private UpsertApplicationEndpointBody(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static UpsertApplicationEndpointBody fromJson(JsonNode json) {
    return new UpsertApplicationEndpointBody(Json.object(json));
  }

  /** The URL of the endpoint. Required if the endpoint type has one; for other types, Posthorn sets it. */
  public UpsertApplicationEndpointBody url(String url) {
    putRequired("url", url);
    return this;
  }

  public UpsertApplicationEndpointBody description(String description) {
    putRequired("description", description);
    return this;
  }

  public UpsertApplicationEndpointBody authUsername(@Nullable String authUsername) {
    put("authUsername", authUsername);
    return this;
  }

  public UpsertApplicationEndpointBody authPassword(@Nullable String authPassword) {
    put("authPassword", authPassword);
    return this;
  }

  /**
   * One of <code>webhook</code>, <code>playground</code>, <code>pull</code>, <code>rabbitmq</code>, <code>kafka</code>, <code>nats</code>, <code>sqs</code>, <code>sns</code>, <code>kinesis</code>, <code>eventbridge</code>,
   * <code>s3</code>, <code>pubsub</code>.
   */
  public UpsertApplicationEndpointBody type(String type) {
    putRequired("type", type);
    return this;
  }

  public UpsertApplicationEndpointBody config(EndpointConfig config) {
    putRequired("config", config);
    return this;
  }

  public UpsertApplicationEndpointBody secretHeaders(Map<String, String> secretHeaders) {
    putRequired("secretHeaders", secretHeaders);
    return this;
  }

  public UpsertApplicationEndpointBody credentials(Map<String, String> credentials) {
    putRequired("credentials", credentials);
    return this;
  }

  public UpsertApplicationEndpointBody metadata(Map<String, Object> metadata) {
    putRequired("metadata", metadata);
    return this;
  }

  public UpsertApplicationEndpointBody environmentId(String environmentId) {
    putRequired("environmentId", environmentId);
    return this;
  }

  public UpsertApplicationEndpointBody externalId(@Nullable String externalId) {
    put("externalId", externalId);
    return this;
  }

  public UpsertApplicationEndpointBody secret(@Nullable String secret) {
    put("secret", secret);
    return this;
  }

  public UpsertApplicationEndpointBody isActive(boolean isActive) {
    putRequired("isActive", isActive);
    return this;
  }

  /** The event types to subscribe to, by name or by pattern. */
  public UpsertApplicationEndpointBody eventTypes(List<ChosenEventType> eventTypes) {
    putRequired("eventTypes", eventTypes);
    return this;
  }

  /** The event types to subscribe to, by name or by pattern. */
  public UpsertApplicationEndpointBody eventTypes(String... eventTypes) {
    put("eventTypes", Arrays.asList(eventTypes));
    return this;
  }

  /**
   * The patterns, as an endpoint shows them. They replace the stored patterns, and other subscriptions are kept.
   * Ignored with <code>eventTypes</code>.
   */
  public UpsertApplicationEndpointBody eventTypePatterns(List<ChosenEventTypePattern> eventTypePatterns) {
    putRequired("eventTypePatterns", eventTypePatterns);
    return this;
  }

  /**
   * The patterns, as an endpoint shows them. They replace the stored patterns, and other subscriptions are kept.
   * Ignored with <code>eventTypes</code>.
   */
  public UpsertApplicationEndpointBody eventTypePatterns(String... eventTypePatterns) {
    put("eventTypePatterns", Arrays.asList(eventTypePatterns));
    return this;
  }

  /** The names of the stored secret headers to keep, as an endpoint shows them. */
  public UpsertApplicationEndpointBody secretHeaderNames(List<String> secretHeaderNames) {
    putRequired("secretHeaderNames", secretHeaderNames);
    return this;
  }

  /** The names of the stored credentials to keep, as an endpoint shows them. */
  public UpsertApplicationEndpointBody credentialNames(List<String> credentialNames) {
    putRequired("credentialNames", credentialNames);
    return this;
  }
}
