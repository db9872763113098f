// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One attempt of a delivery: a request and its result. */
public final class Attempt extends Model {
  private Attempt(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static Attempt fromJson(JsonNode json) {
    return new Attempt(Json.object(json));
  }

  public String id() {
    return Json.text(json.path("id"));
  }

  public long number() {
    return json.path("number").asLong();
  }

  /** One of <code>schedule</code>, <code>manual</code>, <code>recovery</code>, <code>test</code>. */
  public String trigger() {
    return Json.text(json.path("trigger"));
  }

  /** One of <code>success</code>, <code>failure</code>. */
  public String outcome() {
    return Json.text(json.path("outcome"));
  }

  public Instant startedAt() {
    return Json.time(json.path("startedAt"));
  }

  public double durationMs() {
    return json.path("durationMs").asDouble();
  }

  public AttemptTimings timings() {
    return Json.orNull(json.path("timings"), AttemptTimings::fromJson);
  }

  public String url() {
    return Json.text(json.path("url"));
  }

  public Map<String, String> requestHeaders() {
    return Json.map(json.path("requestHeaders"), item -> Json.text(item));
  }

  /** The first 64 KiB of the sent body, in base64. Null if the endpoint type does not store it. */
  public @Nullable String requestBody() {
    return Json.text(json.path("requestBody"));
  }

  public @Nullable Long responseStatus() {
    return Json.orNull(json.path("responseStatus"), JsonNode::asLong);
  }

  public @Nullable Map<String, HeaderValue> responseHeaders() {
    return Json.mapOrNull(json.path("responseHeaders"), HeaderValue::fromJson);
  }

  public @Nullable String responseBody() {
    return Json.text(json.path("responseBody"));
  }

  public boolean responseTruncated() {
    return json.path("responseTruncated").asBoolean();
  }

  /**
   * Whether there is a response or an <code>errorMessage</code> that the caller may not see, because it may repeat the
   * payload.
   */
  public boolean responseHidden() {
    return json.path("responseHidden").asBoolean();
  }

  /**
   * One of <code>timeout</code>, <code>dns_failure</code>, <code>connection_refused</code>, <code>connection_reset</code>, <code>tls_error</code>, <code>blocked_address</code>,
   * <code>http_status</code>, <code>too_large</code>, <code>protocol_error</code>, <code>internal</code>, <code>proxy_error</code>, <code>oauth2_failed</code>, <code>nacked</code>,
   * <code>lease_expired</code>, <code>authentication_failed</code>, <code>access_denied</code>, <code>target_not_found</code>, <code>unroutable</code>, <code>invalid_target</code>,
   * <code>invalid_payload</code>, <code>target_exists</code>, <code>message_too_large</code>, <code>throttled</code>, <code>broker_error</code>, <code>transformation_failed</code>.
   */
  public @Nullable String errorCode() {
    return Json.text(json.path("errorCode"));
  }

  public @Nullable String errorMessage() {
    return Json.text(json.path("errorMessage"));
  }

  public @Nullable String remoteAddress() {
    return Json.text(json.path("remoteAddress"));
  }

  /**
   * Whether a reused connection closed before any byte of the response, so that the request was sent again over a
   * new connection.
   */
  public boolean reconnected() {
    return json.path("reconnected").asBoolean();
  }

  /**
   * The details that a broker or store returned for the stored message, such as its id. Null for other endpoint
   * types, and after a failure.
   */
  public JsonNode acknowledgement() {
    return json.path("acknowledgement");
  }
}
