// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.List;

/** The brokers and topics of a source, as in its <code>config</code>. */
public final class SourcePlace extends Model {
  /** Takes the required fields. */
  public SourcePlace(List<String> brokers, List<String> topics) {
    putRequired("brokers", brokers);
    putRequired("topics", topics);
  }

  private SourcePlace(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static SourcePlace fromJson(JsonNode json) {
    return new SourcePlace(Json.object(json));
  }

  /** Each as host:port. The default port is 9092. */
  public SourcePlace brokers(List<String> brokers) {
    putRequired("brokers", brokers);
    return this;
  }

  /** Whether to use TLS. Only an operator can allow connections without TLS. */
  public SourcePlace tls(boolean tls) {
    putRequired("tls", tls);
    return this;
  }

  /**
   * The SASL mechanism for signing in with the user and password.
   * <p>
   * One of <code>none</code>, <code>plain</code>, <code>scram-sha-256</code>, <code>scram-sha-512</code>.
   */
  public SourcePlace saslMechanism(String saslMechanism) {
    putRequired("saslMechanism", saslMechanism);
    return this;
  }

  /**
   * The certificate authority to trust instead of the public ones, as a certificate in PEM. For brokers with a
   * private one.
   */
  public SourcePlace ca(String ca) {
    putRequired("ca", ca);
    return this;
  }

  /** The topics to read. They must exist. */
  public SourcePlace topics(List<String> topics) {
    putRequired("topics", topics);
    return this;
  }

  /** Where reading starts in a topic that is new to the source: <code>latest</code>, <code>earliest</code> or a time. */
  public SourcePlace start(String start) {
    putRequired("start", start);
    return this;
  }
}
