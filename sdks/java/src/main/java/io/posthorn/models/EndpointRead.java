// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An endpoint, with the fields that <code>include</code> adds. */
public final class EndpointRead extends Model {
  private EndpointRead(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static EndpointRead fromJson(JsonNode json) {
    return new EndpointRead(Json.object(json));
  }

  public String id() {
    return Json.text(json.path("id"));
  }

  public String environmentId() {
    return Json.text(json.path("environmentId"));
  }

  public @Nullable String applicationId() {
    return Json.text(json.path("applicationId"));
  }

  /** Your own id for the endpoint. <code>ext:</code> and this value is accepted wherever the endpoint's id is. */
  public @Nullable String externalId() {
    return Json.text(json.path("externalId"));
  }

  /** The endpoint in another environment from which this endpoint was promoted. */
  public @Nullable String promotedFrom() {
    return Json.text(json.path("promotedFrom"));
  }

  public String url() {
    return Json.text(json.path("url"));
  }

  /** A human-readable description of where messages are sent. For a webhook, the <code>url</code>. */
  public String target() {
    return Json.text(json.path("target"));
  }

  /** The secret that signs every request. Null for callers who may not see it. */
  public @Nullable String secret() {
    return Json.text(json.path("secret"));
  }

  /** The public key that verifies the <code>v1a</code> signatures. Null unless <code>config.signature</code> is <code>standard-ed25519</code>. */
  public @Nullable String publicKey() {
    return Json.text(json.path("publicKey"));
  }

  public String description() {
    return Json.text(json.path("description"));
  }

  public @Nullable String authUsername() {
    return Json.text(json.path("authUsername"));
  }

  public boolean hasAuth() {
    return json.path("hasAuth").asBoolean();
  }

  public boolean isActive() {
    return json.path("isActive").asBoolean();
  }

  public @Nullable Instant disabledAt() {
    return Json.time(json.path("disabledAt"));
  }

  /** One of <code>manual</code>, <code>failing</code>, <code>gone</code>, <code>receiver</code>. */
  public @Nullable String disabledReason() {
    return Json.text(json.path("disabledReason"));
  }

  /** One of <code>healthy</code>, <code>degraded</code>, <code>failing</code>. */
  public String health() {
    return Json.text(json.path("health"));
  }

  /** The state of a pull endpoint. Null for other types. */
  public @Nullable PullStatus pull() {
    return Json.orNull(json.path("pull"), PullStatus::fromJson);
  }

  public String type() {
    return Json.text(json.path("type"));
  }

  public EndpointConfig config() {
    return Json.orNull(json.path("config"), EndpointConfig::fromJson);
  }

  /** The patterns of event types. Every matching event type, including later ones, gets a subscription. */
  public List<EventTypePattern> eventTypePatterns() {
    return Json.list(json.path("eventTypePatterns"), EventTypePattern::fromJson);
  }

  /** The names of the stored credentials. */
  public List<String> credentialNames() {
    return Json.list(json.path("credentialNames"), item -> Json.text(item));
  }

  /** The names of the headers with secret values. */
  public List<String> secretHeaderNames() {
    return Json.list(json.path("secretHeaderNames"), item -> Json.text(item));
  }

  public Map<String, Object> metadata() {
    return Json.map(json.path("metadata"), item -> Json.scalar(item));
  }

  public Instant createdAt() {
    return Json.time(json.path("createdAt"));
  }

  public Instant updatedAt() {
    return Json.time(json.path("updatedAt"));
  }

  public @Nullable EndpointStats stats() {
    return Json.orNull(json.path("stats"), EndpointStats::fromJson);
  }
}
