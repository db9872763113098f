// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The topics to read, and how a record becomes an event. */
public final class SourceConfigInput extends Model {
  /** Takes the required fields. */
  public SourceConfigInput(List<String> brokers, List<String> topics, SourceEventType eventType) {
    putRequired("brokers", brokers);
    putRequired("topics", topics);
    putRequired("eventType", eventType);
  }

  private SourceConfigInput(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static SourceConfigInput fromJson(JsonNode json) {
    return new SourceConfigInput(Json.object(json));
  }

  /** Each as host:port. The default port is 9092. */
  public SourceConfigInput brokers(List<String> brokers) {
    putRequired("brokers", brokers);
    return this;
  }

  /** Whether to use TLS. Only an operator can allow connections without TLS. */
  public SourceConfigInput tls(boolean tls) {
    putRequired("tls", tls);
    return this;
  }

  /**
   * The SASL mechanism for signing in with the user and password.
   * <p>
   * One of <code>none</code>, <code>plain</code>, <code>scram-sha-256</code>, <code>scram-sha-512</code>.
   */
  public SourceConfigInput saslMechanism(String saslMechanism) {
    putRequired("saslMechanism", saslMechanism);
    return this;
  }

  /**
   * The certificate authority to trust instead of the public ones, as a certificate in PEM. For brokers with a
   * private one.
   */
  public SourceConfigInput ca(String ca) {
    putRequired("ca", ca);
    return this;
  }

  /** The topics to read. They must exist. */
  public SourceConfigInput topics(List<String> topics) {
    putRequired("topics", topics);
    return this;
  }

  /** Where reading starts in a topic that is new to the source: <code>latest</code>, <code>earliest</code> or a time. */
  public SourceConfigInput start(String start) {
    putRequired("start", start);
    return this;
  }

  public SourceConfigInput eventType(SourceEventType eventType) {
    putRequired("eventType", eventType);
    return this;
  }

  public SourceConfigInput data(SourceData data) {
    putRequired("data", data);
    return this;
  }

  public SourceConfigInput application(SourceApplication application) {
    putRequired("application", application);
    return this;
  }

  /**
   * The source of the ordering key. <code>key</code> uses the key of the record.
   * <p>
   * One of <code>key</code>.
   */
  public SourceConfigInput orderingKey(@Nullable String orderingKey) {
    put("orderingKey", orderingKey);
    return this;
  }

  public SourceConfigInput idempotencyKey(SourceIdempotencyKey idempotencyKey) {
    putRequired("idempotencyKey", idempotencyKey);
    return this;
  }

  public SourceConfigInput contentType(String contentType) {
    putRequired("contentType", contentType);
    return this;
  }

  /**
   * How to handle a record without a value. <code>send</code> creates an event without a payload, <code>skip</code> ignores the record.
   * <p>
   * One of <code>skip</code>, <code>send</code>.
   */
  public SourceConfigInput tombstones(String tombstones) {
    putRequired("tombstones", tombstones);
    return this;
  }

  /**
   * How to handle a record that cannot become an event. <code>reject</code> notes it and continues, <code>stop</code> stops before it.
   * <p>
   * One of <code>reject</code>, <code>stop</code>.
   */
  public SourceConfigInput onError(String onError) {
    putRequired("onError", onError);
    return this;
  }
}
