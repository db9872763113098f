// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import org.jspecify.annotations.Nullable;

/** Where messages to Amazon EventBridge go. */
public final class EventbridgeDestination extends Model {
  /** Takes what is required. */
  public EventbridgeDestination(String eventBusName, String region) {
    putRequired("eventBusName", eventBusName);
    putRequired("region", region);
  }

  private EventbridgeDestination(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the interface. Throws an IllegalArgumentException when it is not an object. */
  @JsonCreator
  public static EventbridgeDestination fromJson(JsonNode json) {
    return new EventbridgeDestination(Json.object(json));
  }

  /** Its name or its ARN. */
  public String eventBusName() {
    return Json.text(json.path("eventBusName"));
  }

  /** Its name or its ARN. */
  public EventbridgeDestination eventBusName(String eventBusName) {
    putRequired("eventBusName", eventBusName);
    return this;
  }

  /** The code of the region. */
  public String region() {
    return Json.text(json.path("region"));
  }

  /** The code of the region. */
  public EventbridgeDestination region(String region) {
    putRequired("region", region);
    return this;
  }

  /** Only for a server that is compatible with AWS. Leave it out for AWS itself. */
  public @Nullable String endpoint() {
    return Json.text(json.path("endpoint"));
  }

  /** Only for a server that is compatible with AWS. Leave it out for AWS itself. */
  public EventbridgeDestination endpoint(String endpoint) {
    putRequired("endpoint", endpoint);
    return this;
  }

  /** The sender of the events, as rules of the bus match it. */
  public @Nullable String source() {
    return Json.text(json.path("source"));
  }

  /** The sender of the events, as rules of the bus match it. */
  public EventbridgeDestination source(String source) {
    putRequired("source", source);
    return this;
  }

  /** A template. Rules of the bus match it, too. */
  public @Nullable String detailType() {
    return Json.text(json.path("detailType"));
  }

  /** A template. Rules of the bus match it, too. */
  public EventbridgeDestination detailType(String detailType) {
    putRequired("detailType", detailType);
    return this;
  }
}
