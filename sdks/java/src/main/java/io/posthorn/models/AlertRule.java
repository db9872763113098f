// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A rule that sends messages about operational events. */
public final class AlertRule extends Model {
  private AlertRule(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static AlertRule fromJson(JsonNode json) {
    return new AlertRule(Json.object(json));
  }

  public String id() {
    return Json.text(json.path("id"));
  }

  public String name() {
    return Json.text(json.path("name"));
  }

  public AlertChannel channel() {
    return Json.textOf(json.path("channel"), AlertChannel::of);
  }

  /** The target, shortened. */
  public String target() {
    return Json.text(json.path("target"));
  }

  /**
   * One of <code>posthorn.endpoint.disabled</code>, <code>posthorn.endpoint.failing</code>, <code>posthorn.endpoint.recovered</code>,
   * <code>posthorn.delivery.dead_letter</code>, <code>posthorn.delivery.failed</code>, <code>posthorn.operation.completed</code>,
   * <code>posthorn.api_key.expiring</code>, <code>posthorn.source.failing</code>, <code>posthorn.source.recovered</code>.
   */
  public List<String> events() {
    return Json.list(json.path("events"), item -> Json.text(item));
  }

  /** The environment of the rule. Null for all environments. */
  public @Nullable String environmentId() {
    return Json.text(json.path("environmentId"));
  }

  /** The application whose endpoints the rule is about. Null for all endpoints of the workspace. */
  public @Nullable String applicationId() {
    return Json.text(json.path("applicationId"));
  }

  /** Whether a customer created the rule in the portal. */
  public boolean isOfPortal() {
    return json.path("isOfPortal").asBoolean();
  }

  public long quietMinutes() {
    return json.path("quietMinutes").asLong();
  }

  /**
   * The status of the rule. <code>unconfirmed</code>: the link in the confirmation email has not been opened yet.
   * <p>
   * One of <code>active</code>, <code>unconfirmed</code>.
   */
  public String status() {
    return Json.text(json.path("status"));
  }

  public @Nullable Instant lastSentAt() {
    return Json.time(json.path("lastSentAt"));
  }

  /** The reason why the last message could not be sent. Null if it was sent. */
  public @Nullable String lastError() {
    return Json.text(json.path("lastError"));
  }

  /**
   * A machine-readable code for <code>lastError</code>. Null without an error, and for an error that an earlier version
   * stored.
   * <p>
   * One of <code>timeout</code>, <code>dns_failure</code>, <code>connection_refused</code>, <code>connection_reset</code>, <code>tls_error</code>, <code>blocked_address</code>,
   * <code>http_status</code>, <code>too_large</code>, <code>protocol_error</code>, <code>proxy_error</code>, <code>internal</code>, <code>sender_stopped</code>,
   * <code>target_unreadable</code>, <code>not_a_member</code>, <code>too_many_mails</code>.
   */
  public @Nullable String lastErrorCode() {
    return Json.text(json.path("lastErrorCode"));
  }

  /** The HTTP status that the target returned, if <code>lastErrorCode</code> is <code>http_status</code>. Null otherwise. */
  public @Nullable Long lastErrorStatus() {
    return Json.orNull(json.path("lastErrorStatus"), JsonNode::asLong);
  }

  public Instant createdAt() {
    return Json.time(json.path("createdAt"));
  }

  public Instant updatedAt() {
    return Json.time(json.path("updatedAt"));
  }
}
