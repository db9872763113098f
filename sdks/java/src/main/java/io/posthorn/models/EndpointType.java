// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import org.jspecify.annotations.Nullable;

/** A kind of endpoint. */
public final class EndpointType extends Model {
  private EndpointType(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the interface. Throws an IllegalArgumentException when it is not an object. */
  @JsonCreator
  public static EndpointType fromJson(JsonNode json) {
    return new EndpointType(Json.object(json));
  }

  /**
   * One of <code>webhook</code>, <code>playground</code>, <code>pull</code>, <code>rabbitmq</code>, <code>kafka</code>, <code>nats</code>, <code>sqs</code>, <code>sns</code>, <code>kinesis</code>, <code>eventbridge</code>,
   * <code>s3</code>, <code>pubsub</code>.
   */
  public String type() {
    return Json.text(json.path("type"));
  }

  public String label() {
    return Json.text(json.path("label"));
  }

  public String description() {
    return Json.text(json.path("description"));
  }

  /** Markdown: what to create at the provider. */
  public String setup() {
    return Json.text(json.path("setup"));
  }

  /** Whether an endpoint of the type is given a <code>url</code>. */
  public boolean hasUrl() {
    return json.path("hasUrl").asBoolean();
  }

  /** The key of <code>config</code> that only this type has; <code>configSchema</code> describes its value. */
  public @Nullable String configKey() {
    return Json.text(json.path("configKey"));
  }

  /** A JSON Schema (2020-12); null without a <code>configKey</code>. */
  public JsonNode configSchema() {
    return json.path("configSchema");
  }

  /** A JSON Schema (2020-12); null if it takes no credentials. */
  public JsonNode credentialsSchema() {
    return json.path("credentialsSchema");
  }

  /** What the status <code>delivered</code> means. */
  public String delivered() {
    return Json.text(json.path("delivered"));
  }

  /** The order in which events arrive. */
  public String ordering() {
    return Json.text(json.path("ordering"));
  }

  /** How a receiver finds repetitions. */
  public String deduplication() {
    return Json.text(json.path("deduplication"));
  }

  /** The largest payload of an event to such an endpoint. */
  public long maxBytes() {
    return json.path("maxBytes").asLong();
  }

  public EndpointDefaults defaults() {
    return Json.orNull(json.path("defaults"), EndpointDefaults::fromJson);
  }
}
