// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A subscription of an agent to an event type. */
public final class AgentSubscription extends Model {
  private AgentSubscription(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static AgentSubscription fromJson(JsonNode json) {
    return new AgentSubscription(Json.object(json));
  }

  public String id() {
    return Json.text(json.path("id"));
  }

  /** The endpoint of the subscription. Use it to list the deliveries. */
  public String endpointId() {
    return Json.text(json.path("endpointId"));
  }

  public String environmentId() {
    return Json.text(json.path("environmentId"));
  }

  public @Nullable String applicationId() {
    return Json.text(json.path("applicationId"));
  }

  public String eventType() {
    return Json.text(json.path("eventType"));
  }

  /** The filter that the agent set. */
  public JsonNode arguments() {
    return json.path("arguments");
  }

  /** The URL of the callback. */
  public String url() {
    return Json.text(json.path("url"));
  }

  public AgentPrincipal principal() {
    return Json.orNull(json.path("principal"), AgentPrincipal::fromJson);
  }

  /** The name that the agent gave for itself. */
  public @Nullable String clientName() {
    return Json.text(json.path("clientName"));
  }

  /**
   * The status of the subscription. <code>suspended</code>: the callback fails, and events are waiting.
   * <p>
   * One of <code>active</code>, <code>suspended</code>, <code>ended</code>.
   */
  public String status() {
    return Json.text(json.path("status"));
  }

  /**
   * One of <code>unsubscribed</code>, <code>expired</code>, <code>person</code>, <code>key_revoked</code>, <code>disabled</code>, <code>deleted</code>, <code>event_type_removed</code>,
   * <code>schema_changed</code>, <code>receiver</code>.
   */
  public @Nullable String endReason() {
    return Json.text(json.path("endReason"));
  }

  /** When the subscription expires, unless it is refreshed first. */
  public Instant expiresAt() {
    return Json.time(json.path("expiresAt"));
  }

  public Instant createdAt() {
    return Json.time(json.path("createdAt"));
  }

  public Instant refreshedAt() {
    return Json.time(json.path("refreshedAt"));
  }

  public @Nullable Instant endedAt() {
    return Json.time(json.path("endedAt"));
  }

  public @Nullable Instant lastDeliveryAt() {
    return Json.time(json.path("lastDeliveryAt"));
  }

  /**
   * The reason why the latest attempt failed.
   * <p>
   * One of <code>connection_refused</code>, <code>timeout</code>, <code>tls_error</code>, <code>http_4xx</code>, <code>http_5xx</code>, <code>challenge_failed</code>.
   */
  public @Nullable String lastError() {
    return Json.text(json.path("lastError"));
  }
}
