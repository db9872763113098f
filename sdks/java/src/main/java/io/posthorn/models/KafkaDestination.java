// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The destination of messages to Apache Kafka. */
public final class KafkaDestination extends Model {
  /** Takes the required fields. */
  public KafkaDestination(List<String> brokers, String topic) {
    putRequired("brokers", brokers);
    putRequired("topic", topic);
  }

  private KafkaDestination(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static KafkaDestination fromJson(JsonNode json) {
    return new KafkaDestination(Json.object(json));
  }

  /** Each as host:port. The default port is 9092. */
  public List<String> brokers() {
    return Json.list(json.path("brokers"), item -> Json.text(item));
  }

  /** Each as host:port. The default port is 9092. */
  public KafkaDestination brokers(List<String> brokers) {
    putRequired("brokers", brokers);
    return this;
  }

  /** The name of an existing topic. No topic is created. */
  public String topic() {
    return Json.text(json.path("topic"));
  }

  /** The name of an existing topic. No topic is created. */
  public KafkaDestination topic(String topic) {
    putRequired("topic", topic);
    return this;
  }

  /** Whether to use TLS. Only an operator can allow connections without TLS. */
  public @Nullable Boolean tls() {
    return Json.orNull(json.path("tls"), JsonNode::asBoolean);
  }

  /** Whether to use TLS. Only an operator can allow connections without TLS. */
  public KafkaDestination tls(boolean tls) {
    putRequired("tls", tls);
    return this;
  }

  /**
   * The SASL mechanism for signing in with the user and password.
   * <p>
   * One of <code>none</code>, <code>plain</code>, <code>scram-sha-256</code>, <code>scram-sha-512</code>.
   */
  public @Nullable String saslMechanism() {
    return Json.text(json.path("saslMechanism"));
  }

  /**
   * The SASL mechanism for signing in with the user and password.
   * <p>
   * One of <code>none</code>, <code>plain</code>, <code>scram-sha-256</code>, <code>scram-sha-512</code>.
   */
  public KafkaDestination saslMechanism(String saslMechanism) {
    putRequired("saslMechanism", saslMechanism);
    return this;
  }

  /**
   * The key of the message, as a text with values of the event. Defaults to the ordering key of the event, or its
   * id.
   */
  public @Nullable String key() {
    return Json.text(json.path("key"));
  }

  /**
   * The key of the message, as a text with values of the event. Defaults to the ordering key of the event, or its
   * id.
   */
  public KafkaDestination key(String key) {
    putRequired("key", key);
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
  public KafkaDestination ca(String ca) {
    putRequired("ca", ca);
    return this;
  }
}
