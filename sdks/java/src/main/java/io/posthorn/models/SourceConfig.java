// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which topics are read, and how a record becomes an event. */
public final class SourceConfig extends Model {
  private SourceConfig(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the interface. Throws an IllegalArgumentException when it is not an object. */
  @JsonCreator
  public static SourceConfig fromJson(JsonNode json) {
    return new SourceConfig(Json.object(json));
  }

  /** Each as host:port. The port is 9092 if you leave it out. */
  public List<String> brokers() {
    return Json.list(json.path("brokers"), item -> Json.text(item));
  }

  /** Only an operator can allow connections without TLS. */
  public boolean tls() {
    return json.path("tls").asBoolean();
  }

  /**
   * How to sign in with the user and the password.
   * <p>
   * One of <code>none</code>, <code>plain</code>, <code>scram-sha-256</code>, <code>scram-sha-512</code>.
   */
  public String saslMechanism() {
    return Json.text(json.path("saslMechanism"));
  }

  /** In PEM. It replaces the well-known authorities, for a broker with a private one. */
  public @Nullable String ca() {
    return Json.text(json.path("ca"));
  }

  /** They must exist. */
  public List<String> topics() {
    return Json.list(json.path("topics"), item -> Json.text(item));
  }

  /** <code>latest</code>, <code>earliest</code> or a time: where the first reading of a topic begins. */
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
   * <code>key</code>: the ordering key of an event is the key of its record.
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
   * What becomes of a record without a value: <code>send</code> makes an event without a payload.
   * <p>
   * One of <code>skip</code>, <code>send</code>.
   */
  public String tombstones() {
    return Json.text(json.path("tombstones"));
  }

  /**
   * Of a record that cannot become an event: <code>reject</code> notes it and reads on; <code>stop</code> stops before it.
   * <p>
   * One of <code>reject</code>, <code>stop</code>.
   */
  public String onError() {
    return Json.text(json.path("onError"));
  }
}
