// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import org.jspecify.annotations.Nullable;

/** A type of endpoint. */
public final class EndpointType extends Model {
  private EndpointType(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
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

  /** The setup instructions, in Markdown: what to create at the provider. */
  public String setup() {
    return Json.text(json.path("setup"));
  }

  /** Whether you set the <code>url</code> of an endpoint of this type. */
  public boolean hasUrl() {
    return json.path("hasUrl").asBoolean();
  }

  /** The key of <code>config</code> that is specific to this type. <code>configSchema</code> describes its value. */
  public @Nullable String configKey() {
    return Json.text(json.path("configKey"));
  }

  /** The JSON Schema (2020-12) of that value. Null without a <code>configKey</code>. */
  public JsonNode configSchema() {
    return json.path("configSchema");
  }

  /** The JSON Schema (2020-12) of the credentials. Null if the type takes none. */
  public JsonNode credentialsSchema() {
    return json.path("credentialsSchema");
  }

  /** The meaning of the status <code>delivered</code>. */
  public String delivered() {
    return Json.text(json.path("delivered"));
  }

  /** The order in which events arrive. */
  public String ordering() {
    return Json.text(json.path("ordering"));
  }

  /** How a receiver detects duplicates. */
  public String deduplication() {
    return Json.text(json.path("deduplication"));
  }

  /** The maximum size of an event's payload for an endpoint of this type, in bytes. */
  public long maxBytes() {
    return json.path("maxBytes").asLong();
  }

  public EndpointDefaults defaults() {
    return Json.orNull(json.path("defaults"), EndpointDefaults::fromJson);
  }
}
