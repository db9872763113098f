// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whom to tell of operational events, and how. */
public final class AlertRule extends Model {
  private AlertRule(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the interface. Throws an IllegalArgumentException when it is not an object. */
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

  /** Shortened. */
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

  /** Null for every environment. */
  public @Nullable String environmentId() {
    return Json.text(json.path("environmentId"));
  }

  /** Null for every endpoint of the workspace. */
  public @Nullable String applicationId() {
    return Json.text(json.path("applicationId"));
  }

  /** Whether a customer made it in the portal. */
  public boolean isOfPortal() {
    return json.path("isOfPortal").asBoolean();
  }

  public long quietMinutes() {
    return json.path("quietMinutes").asLong();
  }

  /**
   * <code>unconfirmed</code>: the holder of the address has not opened the link of the mail yet.
   * <p>
   * One of <code>active</code>, <code>unconfirmed</code>.
   */
  public String status() {
    return Json.text(json.path("status"));
  }

  public @Nullable Instant lastSentAt() {
    return Json.time(json.path("lastSentAt"));
  }

  /** Why the last message could not be sent; null if it was. */
  public @Nullable String lastError() {
    return Json.text(json.path("lastError"));
  }

  /**
   * The kind of <code>lastError</code>, for programs; null without an error, and for one that an earlier version of the
   * service stored.
   * <p>
   * One of <code>timeout</code>, <code>dns_failure</code>, <code>connection_refused</code>, <code>connection_reset</code>, <code>tls_error</code>, <code>blocked_address</code>,
   * <code>http_status</code>, <code>too_large</code>, <code>protocol_error</code>, <code>proxy_error</code>, <code>internal</code>, <code>sender_stopped</code>,
   * <code>target_unreadable</code>, <code>not_a_member</code>, <code>too_many_mails</code>.
   */
  public @Nullable String lastErrorCode() {
    return Json.text(json.path("lastErrorCode"));
  }

  /** The status that the target answered, when <code>lastErrorCode</code> is <code>http_status</code>; else null. */
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
