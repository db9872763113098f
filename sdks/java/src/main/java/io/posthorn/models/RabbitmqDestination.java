// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import org.jspecify.annotations.Nullable;

/** The destination of messages to RabbitMQ. */
public final class RabbitmqDestination extends Model {
  /** Takes the required fields. */
  public RabbitmqDestination(String host) {
    putRequired("host", host);
  }

  private RabbitmqDestination(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static RabbitmqDestination fromJson(JsonNode json) {
    return new RabbitmqDestination(Json.object(json));
  }

  /** The host name or address of the broker, without a scheme. */
  public String host() {
    return Json.text(json.path("host"));
  }

  /** The host name or address of the broker, without a scheme. */
  public RabbitmqDestination host(String host) {
    putRequired("host", host);
    return this;
  }

  /** The port of the broker, usually 5671 with TLS. */
  public @Nullable Integer port() {
    return Json.orNull(json.path("port"), JsonNode::asInt);
  }

  /** The port of the broker, usually 5671 with TLS. */
  public RabbitmqDestination port(int port) {
    putRequired("port", port);
    return this;
  }

  /** Whether to use TLS. Only an operator can allow connections without TLS. */
  public @Nullable Boolean tls() {
    return Json.orNull(json.path("tls"), JsonNode::asBoolean);
  }

  /** Whether to use TLS. Only an operator can allow connections without TLS. */
  public RabbitmqDestination tls(boolean tls) {
    putRequired("tls", tls);
    return this;
  }

  /** The virtual host of the exchange. */
  public @Nullable String vhost() {
    return Json.text(json.path("vhost"));
  }

  /** The virtual host of the exchange. */
  public RabbitmqDestination vhost(String vhost) {
    putRequired("vhost", vhost);
    return this;
  }

  /** The exchange. The default exchange has an empty name; its routing key is the name of a queue. */
  public @Nullable String exchange() {
    return Json.text(json.path("exchange"));
  }

  /** The exchange. The default exchange has an empty name; its routing key is the name of a queue. */
  public RabbitmqDestination exchange(String exchange) {
    putRequired("exchange", exchange);
    return this;
  }

  /** The routing key, as a text with values of the event, such as {{eventType}}. */
  public @Nullable String routingKey() {
    return Json.text(json.path("routingKey"));
  }

  /** The routing key, as a text with values of the event, such as {{eventType}}. */
  public RabbitmqDestination routingKey(String routingKey) {
    putRequired("routingKey", routingKey);
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
  public RabbitmqDestination ca(String ca) {
    putRequired("ca", ca);
    return this;
  }
}
