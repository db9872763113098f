// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import org.jspecify.annotations.Nullable;

/** The destination of messages to Google Cloud Pub/Sub. */
public final class PubsubDestination extends Model {
  /** Takes the required fields. */
  public PubsubDestination(String projectId, String topicId) {
    putRequired("projectId", projectId);
    putRequired("topicId", topicId);
  }

  private PubsubDestination(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static PubsubDestination fromJson(JsonNode json) {
    return new PubsubDestination(Json.object(json));
  }

  /** The id of the project, not its name. */
  public String projectId() {
    return Json.text(json.path("projectId"));
  }

  /** The id of the project, not its name. */
  public PubsubDestination projectId(String projectId) {
    putRequired("projectId", projectId);
    return this;
  }

  /** The id of the topic, without the path in front of it. */
  public String topicId() {
    return Json.text(json.path("topicId"));
  }

  /** The id of the topic, without the path in front of it. */
  public PubsubDestination topicId(String topicId) {
    putRequired("topicId", topicId);
    return this;
  }

  /**
   * The address of a regional endpoint or a compatible server, as host:port. Defaults to the global endpoint of
   * Google.
   */
  public @Nullable String endpoint() {
    return Json.text(json.path("endpoint"));
  }

  /**
   * The address of a regional endpoint or a compatible server, as host:port. Defaults to the global endpoint of
   * Google.
   */
  public PubsubDestination endpoint(String endpoint) {
    putRequired("endpoint", endpoint);
    return this;
  }

  /** Whether to use TLS. Only an operator can allow connections without TLS. */
  public @Nullable Boolean tls() {
    return Json.orNull(json.path("tls"), JsonNode::asBoolean);
  }

  /** Whether to use TLS. Only an operator can allow connections without TLS. */
  public PubsubDestination tls(boolean tls) {
    putRequired("tls", tls);
    return this;
  }

  /**
   * The certificate authority to trust instead of the public ones, as a certificate in PEM. For brokers with a
   * private one.
   */
  public @Nullable String ca() {
    return Json.text(json.path("ca"));
  }

  /**
   * The certificate authority to trust instead of the public ones, as a certificate in PEM. For brokers with a
   * private one.
   */
  public PubsubDestination ca(String ca) {
    putRequired("ca", ca);
    return this;
  }
}
