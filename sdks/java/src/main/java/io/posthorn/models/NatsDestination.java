// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where messages to NATS JetStream go. */
public final class NatsDestination extends Model {
  /** Takes what is required. */
  public NatsDestination(List<String> servers) {
    putRequired("servers", servers);
  }

  private NatsDestination(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the interface. Throws an IllegalArgumentException when it is not an object. */
  @JsonCreator
  public static NatsDestination fromJson(JsonNode json) {
    return new NatsDestination(Json.object(json));
  }

  /** Each as host:port. The port is 4222 if you leave it out. */
  public List<String> servers() {
    return Json.list(json.path("servers"), item -> Json.text(item));
  }

  /** Each as host:port. The port is 4222 if you leave it out. */
  public NatsDestination servers(List<String> servers) {
    putRequired("servers", servers);
    return this;
  }

  /** A template. A stream must capture the subject. */
  public @Nullable String subject() {
    return Json.text(json.path("subject"));
  }

  /** A template. A stream must capture the subject. */
  public NatsDestination subject(String subject) {
    putRequired("subject", subject);
    return this;
  }

  /** Only an operator can allow connections without TLS. */
  public @Nullable Boolean tls() {
    return Json.orNull(json.path("tls"), JsonNode::asBoolean);
  }

  /** Only an operator can allow connections without TLS. */
  public NatsDestination tls(boolean tls) {
    putRequired("tls", tls);
    return this;
  }

  /** In PEM. It replaces the well-known authorities, for a broker with a private one. */
  public @Nullable String ca() {
    return Json.text(json.path("ca"));
  }

  /** In PEM. It replaces the well-known authorities, for a broker with a private one. */
  public NatsDestination ca(String ca) {
    putRequired("ca", ca);
    return this;
  }
}
