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

/** <code>DocumentEndpoint</code> of the API. */
public final class DocumentEndpoint extends Model {
  /** Takes the required fields. */
  public DocumentEndpoint(String externalId, String environment) {
    putRequired("externalId", externalId);
    putRequired("environment", environment);
  }

  private DocumentEndpoint(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static DocumentEndpoint fromJson(JsonNode json) {
    return new DocumentEndpoint(Json.object(json));
  }

  /** Your own id for the endpoint, unique in its environment, or the id of an endpoint without an externalId. */
  public DocumentEndpoint externalId(String externalId) {
    putRequired("externalId", externalId);
    return this;
  }

  /** The slug of the environment. */
  public DocumentEndpoint environment(String environment) {
    putRequired("environment", environment);
    return this;
  }

  /** The externalId of the application. If omitted, the endpoint belongs to the workspace itself. */
  public DocumentEndpoint application(String application) {
    putRequired("application", application);
    return this;
  }

  /** The URL of the endpoint. Required if the endpoint type has one; for other types, Posthorn sets it. */
  public DocumentEndpoint url(String url) {
    putRequired("url", url);
    return this;
  }

  /**
   * One of <code>webhook</code>, <code>playground</code>, <code>pull</code>, <code>rabbitmq</code>, <code>kafka</code>, <code>nats</code>, <code>sqs</code>, <code>sns</code>, <code>kinesis</code>, <code>eventbridge</code>,
   * <code>s3</code>, <code>pubsub</code>.
   */
  public DocumentEndpoint type(String type) {
    putRequired("type", type);
    return this;
  }

  /** The <code>config.destination</code> of an endpoint type that has one. */
  public DocumentEndpoint destination(Destination destination) {
    putRequired("destination", destination);
    return this;
  }

  public DocumentEndpoint description(String description) {
    putRequired("description", description);
    return this;
  }

  public DocumentEndpoint isActive(boolean isActive) {
    putRequired("isActive", isActive);
    return this;
  }

  public DocumentEndpoint config(EndpointConfig config) {
    putRequired("config", config);
    return this;
  }

  public DocumentEndpoint metadata(Map<String, Object> metadata) {
    putRequired("metadata", metadata);
    return this;
  }

  /** The event types to subscribe to, by name or by pattern. */
  public DocumentEndpoint eventTypes(List<ChosenEventType> eventTypes) {
    putRequired("eventTypes", eventTypes);
    return this;
  }

  /** The event types to subscribe to, by name or by pattern. */
  public DocumentEndpoint eventTypes(String... eventTypes) {
    put("eventTypes", Arrays.asList(eventTypes));
    return this;
  }

  /** The username for HTTP Basic, used with <code>authPassword</code>. If either one is null, both are removed. */
  public DocumentEndpoint authUsername(@Nullable String authUsername) {
    put("authUsername", authUsername);
    return this;
  }

  public DocumentEndpoint authPassword(@Nullable String authPassword) {
    put("authPassword", authPassword);
    return this;
  }

  /** The signing secret of the endpoint. */
  public DocumentEndpoint secret(String secret) {
    putRequired("secret", secret);
    return this;
  }

  public DocumentEndpoint secretHeaders(Map<String, String> secretHeaders) {
    putRequired("secretHeaders", secretHeaders);
    return this;
  }

  public DocumentEndpoint credentials(Map<String, String> credentials) {
    putRequired("credentials", credentials);
    return this;
  }
}
