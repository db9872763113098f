// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The topics to read, and how a record becomes an event. */
public final class SourceConfig extends Model {
  private SourceConfig(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static SourceConfig fromJson(JsonNode json) {
    return new SourceConfig(Json.object(json));
  }

  /** Each as host:port. The default port is 9092. */
  public List<String> brokers() {
    return Json.list(json.path("brokers"), item -> Json.text(item));
  }

  /** Whether to use TLS. Only an operator can allow connections without TLS. */
  public boolean tls() {
    return json.path("tls").asBoolean();
  }

  /**
   * The SASL mechanism for signing in with the user and password.
   * <p>
   * One of <code>none</code>, <code>plain</code>, <code>scram-sha-256</code>, <code>scram-sha-512</code>.
   */
  public String saslMechanism() {
    return Json.text(json.path("saslMechanism"));
  }

  /**
   * The certificate authority to trust instead of the public ones, as a certificate in PEM. For brokers with a
   * private one.
   */
  public @Nullable String ca() {
    return Json.text(json.path("ca"));
  }

  /** The topics to read. They must exist. */
  public List<String> topics() {
    return Json.list(json.path("topics"), item -> Json.text(item));
  }

  /** Where reading starts in a topic that is new to the source: <code>latest</code>, <code>earliest</code> or a time. */
  public String start() {
    return Json.text(json.path("start"));
  }

  public SourceEventType eventType() {
    return Json.orNull(json.path("eventType"), SourceEventType::fromJson);
  }

  public @Nullable SourceData data() {
    return Json.orNull(json.path("data"), SourceData::fromJson);
  }

  public @Nullable SourceApplication application() {
    return Json.orNull(json.path("application"), SourceApplication::fromJson);
  }

  /**
   * The source of the ordering key. <code>key</code> uses the key of the record.
   * <p>
   * One of <code>key</code>.
   */
  public @Nullable String orderingKey() {
    return Json.text(json.path("orderingKey"));
  }

  public @Nullable SourceIdempotencyKey idempotencyKey() {
    return Json.orNull(json.path("idempotencyKey"), SourceIdempotencyKey::fromJson);
  }

  public String contentType() {
    return Json.text(json.path("contentType"));
  }

  /**
   * How to handle a record without a value. <code>send</code> creates an event without a payload, <code>skip</code> ignores the record.
   * <p>
   * One of <code>skip</code>, <code>send</code>.
   */
  public String tombstones() {
    return Json.text(json.path("tombstones"));
  }

  /**
   * How to handle a record that cannot become an event. <code>reject</code> notes it and continues, <code>stop</code> stops before it.
   * <p>
   * One of <code>reject</code>, <code>stop</code>.
   */
  public String onError() {
    return Json.text(json.path("onError"));
  }
}
