// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The configuration of the requests to an endpoint. Unknown keys are refused. */
public final class EndpointConfig extends Model {
  public EndpointConfig() {
  }

  private EndpointConfig(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static EndpointConfig fromJson(JsonNode json) {
    return new EndpointConfig(Json.object(json));
  }

  public @Nullable Map<String, String> headers() {
    return Json.mapOrNull(json.path("headers"), item -> Json.text(item));
  }

  public EndpointConfig headers(Map<String, String> headers) {
    putRequired("headers", headers);
    return this;
  }

  public @Nullable Integer timeoutSeconds() {
    return Json.orNull(json.path("timeoutSeconds"), JsonNode::asInt);
  }

  public EndpointConfig timeoutSeconds(int timeoutSeconds) {
    putRequired("timeoutSeconds", timeoutSeconds);
    return this;
  }

  public @Nullable List<Integer> retrySchedule() {
    return Json.listOrNull(json.path("retrySchedule"), JsonNode::asInt);
  }

  public EndpointConfig retrySchedule(List<Integer> retrySchedule) {
    putRequired("retrySchedule", retrySchedule);
    return this;
  }

  public @Nullable EndpointConfigRateLimit rateLimit() {
    return Json.orNull(json.path("rateLimit"), EndpointConfigRateLimit::fromJson);
  }

  public EndpointConfig rateLimit(EndpointConfigRateLimit rateLimit) {
    putRequired("rateLimit", rateLimit);
    return this;
  }

  public @Nullable Integer maxConcurrency() {
    return Json.orNull(json.path("maxConcurrency"), JsonNode::asInt);
  }

  public EndpointConfig maxConcurrency(int maxConcurrency) {
    putRequired("maxConcurrency", maxConcurrency);
    return this;
  }

  /** One of <code>paced</code>, <code>at-once</code>. */
  public @Nullable String catchUp() {
    return Json.text(json.path("catchUp"));
  }

  /** One of <code>paced</code>, <code>at-once</code>. */
  public EndpointConfig catchUp(String catchUp) {
    putRequired("catchUp", catchUp);
    return this;
  }

  /** One of <code>none</code>, <code>fifo</code>. */
  public @Nullable String ordering() {
    return Json.text(json.path("ordering"));
  }

  /** One of <code>none</code>, <code>fifo</code>. */
  public EndpointConfig ordering(String ordering) {
    putRequired("ordering", ordering);
    return this;
  }

  /** One of <code>raw</code>, <code>envelope</code>, <code>cloudevents</code>. */
  public @Nullable String payloadFormat() {
    return Json.text(json.path("payloadFormat"));
  }

  /** One of <code>raw</code>, <code>envelope</code>, <code>cloudevents</code>. */
  public EndpointConfig payloadFormat(String payloadFormat) {
    putRequired("payloadFormat", payloadFormat);
    return this;
  }

  public @Nullable EndpointConfigPlayground playground() {
    return Json.orNull(json.path("playground"), EndpointConfigPlayground::fromJson);
  }

  public EndpointConfig playground(EndpointConfigPlayground playground) {
    putRequired("playground", playground);
    return this;
  }

  /** The destination of messages, as described by <code>configSchema</code> of the endpoint type. */
  public @Nullable Destination destination() {
    return Json.orNull(json.path("destination"), Destination::fromJson);
  }

  /** The destination of messages, as described by <code>configSchema</code> of the endpoint type. */
  public EndpointConfig destination(Destination destination) {
    putRequired("destination", destination);
    return this;
  }

  /**
   * The signature of the requests: one of standard, standard-ed25519, svix, stripe, github, shopify, slack,
   * convoy, convoy-advanced, outpost, hook0, or an object with <code>scheme</code> and <code>header</code> for a custom HMAC.
   */
  public @Nullable Signature signature() {
    return Json.orNull(json.path("signature"), Signature::fromJson);
  }

  /**
   * The signature of the requests: one of standard, standard-ed25519, svix, stripe, github, shopify, slack,
   * convoy, convoy-advanced, outpost, hook0, or an object with <code>scheme</code> and <code>header</code> for a custom HMAC.
   */
  public EndpointConfig signature(Signature signature) {
    putRequired("signature", signature);
    return this;
  }

  public @Nullable EndpointConfigTransformation transformation() {
    return Json.orNull(json.path("transformation"), EndpointConfigTransformation::fromJson);
  }

  public EndpointConfig transformation(EndpointConfigTransformation transformation) {
    putRequired("transformation", transformation);
    return this;
  }

  public @Nullable Boolean standardHeaders() {
    return Json.orNull(json.path("standardHeaders"), JsonNode::asBoolean);
  }

  public EndpointConfig standardHeaders(boolean standardHeaders) {
    putRequired("standardHeaders", standardHeaders);
    return this;
  }

  public @Nullable EndpointConfigOauth2 oauth2() {
    return Json.orNull(json.path("oauth2"), EndpointConfigOauth2::fromJson);
  }

  public EndpointConfig oauth2(EndpointConfigOauth2 oauth2) {
    putRequired("oauth2", oauth2);
    return this;
  }

  public @Nullable EndpointConfigTls tls() {
    return Json.orNull(json.path("tls"), EndpointConfigTls::fromJson);
  }

  public EndpointConfig tls(EndpointConfigTls tls) {
    putRequired("tls", tls);
    return this;
  }
}
