// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The destination of messages to NATS JetStream. */
public final class NatsDestination extends Model {
  /** Takes the required fields. */
  public NatsDestination(List<String> servers) {
    putRequired("servers", servers);
  }

  private NatsDestination(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static NatsDestination fromJson(JsonNode json) {
    return new NatsDestination(Json.object(json));
  }

  /** Each as host:port. The default port is 4222. */
  public List<String> servers() {
    return Json.list(json.path("servers"), item -> Json.text(item));
  }

  /** Each as host:port. The default port is 4222. */
  public NatsDestination servers(List<String> servers) {
    putRequired("servers", servers);
    return this;
  }

  /** The subject, as a template. A stream must capture it. */
  public @Nullable String subject() {
    return Json.text(json.path("subject"));
  }

  /** The subject, as a template. A stream must capture it. */
  public NatsDestination subject(String subject) {
    putRequired("subject", subject);
    return this;
  }

  /** Whether to use TLS. Only an operator can allow connections without TLS. */
  public @Nullable Boolean tls() {
    return Json.orNull(json.path("tls"), JsonNode::asBoolean);
  }

  /** Whether to use TLS. Only an operator can allow connections without TLS. */
  public NatsDestination tls(boolean tls) {
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
  public NatsDestination ca(String ca) {
    putRequired("ca", ca);
    return this;
  }
}
