// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import org.jspecify.annotations.Nullable;

/** The destination of messages to Amazon EventBridge. */
public final class EventbridgeDestination extends Model {
  /** Takes the required fields. */
  public EventbridgeDestination(String eventBusName, String region) {
    putRequired("eventBusName", eventBusName);
    putRequired("region", region);
  }

  private EventbridgeDestination(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static EventbridgeDestination fromJson(JsonNode json) {
    return new EventbridgeDestination(Json.object(json));
  }

  /** The name or ARN of the event bus. */
  public String eventBusName() {
    return Json.text(json.path("eventBusName"));
  }

  /** The name or ARN of the event bus. */
  public EventbridgeDestination eventBusName(String eventBusName) {
    putRequired("eventBusName", eventBusName);
    return this;
  }

  /** The code of the AWS region. */
  public String region() {
    return Json.text(json.path("region"));
  }

  /** The code of the AWS region. */
  public EventbridgeDestination region(String region) {
    putRequired("region", region);
    return this;
  }

  /** The address of a server that is compatible with AWS. Omit it for AWS itself. */
  public @Nullable String endpoint() {
    return Json.text(json.path("endpoint"));
  }

  /** The address of a server that is compatible with AWS. Omit it for AWS itself. */
  public EventbridgeDestination endpoint(String endpoint) {
    putRequired("endpoint", endpoint);
    return this;
  }

  /** The source of the events, which rules of the event bus can match. */
  public @Nullable String source() {
    return Json.text(json.path("source"));
  }

  /** The source of the events, which rules of the event bus can match. */
  public EventbridgeDestination source(String source) {
    putRequired("source", source);
    return this;
  }

  /** The detail type of the events, as a template. Rules of the event bus can match it. */
  public @Nullable String detailType() {
    return Json.text(json.path("detailType"));
  }

  /** The detail type of the events, as a template. Rules of the event bus can match it. */
  public EventbridgeDestination detailType(String detailType) {
    putRequired("detailType", detailType);
    return this;
  }
}
