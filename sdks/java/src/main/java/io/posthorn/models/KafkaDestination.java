// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where messages to Apache Kafka go. */
public final class KafkaDestination extends Model {
  /** Takes what is required. */
  public KafkaDestination(List<String> brokers, String topic) {
    putRequired("brokers", brokers);
    putRequired("topic", topic);
  }

  private KafkaDestination(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the interface. Throws an IllegalArgumentException when it is not an object. */
  @JsonCreator
  public static KafkaDestination fromJson(JsonNode json) {
    return new KafkaDestination(Json.object(json));
  }

  /** Each as host:port. The port is 9092 if you leave it out. */
  public List<String> brokers() {
    return Json.list(json.path("brokers"), item -> Json.text(item));
  }

  /** Each as host:port. The port is 9092 if you leave it out. */
  public KafkaDestination brokers(List<String> brokers) {
    putRequired("brokers", brokers);
    return this;
  }

  /** It must exist: no topic is created. */
  public String topic() {
    return Json.text(json.path("topic"));
  }

  /** It must exist: no topic is created. */
  public KafkaDestination topic(String topic) {
    putRequired("topic", topic);
    return this;
  }

  /** Only an operator can allow connections without TLS. */
  public @Nullable Boolean tls() {
    return Json.orNull(json.path("tls"), JsonNode::asBoolean);
  }

  /** Only an operator can allow connections without TLS. */
  public KafkaDestination tls(boolean tls) {
    putRequired("tls", tls);
    return this;
  }

  /**
   * How to sign in with the user and the password.
   * <p>
   * One of <code>none</code>, <code>plain</code>, <code>scram-sha-256</code>, <code>scram-sha-512</code>.
   */
  public @Nullable String saslMechanism() {
    return Json.text(json.path("saslMechanism"));
  }

  /**
   * How to sign in with the user and the password.
   * <p>
   * One of <code>none</code>, <code>plain</code>, <code>scram-sha-256</code>, <code>scram-sha-512</code>.
   */
  public KafkaDestination saslMechanism(String saslMechanism) {
    putRequired("saslMechanism", saslMechanism);
    return this;
  }

  /** A text with values of the event. Without it, the ordering key of the event, or else its id. */
  public @Nullable String key() {
    return Json.text(json.path("key"));
  }

  /** A text with values of the event. Without it, the ordering key of the event, or else its id. */
  public KafkaDestination key(String key) {
    putRequired("key", key);
    return this;
  }

  /** In PEM. It replaces the well-known authorities, for a broker with a private one. */
  public @Nullable String ca() {
    return Json.text(json.path("ca"));
  }

  /** In PEM. It replaces the well-known authorities, for a broker with a private one. */
  public KafkaDestination ca(String ca) {
    putRequired("ca", ca);
    return this;
  }
}
