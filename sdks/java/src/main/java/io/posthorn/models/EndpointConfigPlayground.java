// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import org.jspecify.annotations.Nullable;

/** <code>EndpointConfigPlayground</code> of the API. */
public final class EndpointConfigPlayground extends Model {
  public EndpointConfigPlayground() {
  }

  private EndpointConfigPlayground(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static EndpointConfigPlayground fromJson(JsonNode json) {
    return new EndpointConfigPlayground(Json.object(json));
  }

  /** The status of each response. Defaults to 200. */
  public @Nullable Integer status() {
    return Json.orNull(json.path("status"), JsonNode::asInt);
  }

  /** The status of each response. Defaults to 200. */
  public EndpointConfigPlayground status(int status) {
    putRequired("status", status);
    return this;
  }

  /** The delay before each response, in milliseconds. */
  public @Nullable Integer delayMs() {
    return Json.orNull(json.path("delayMs"), JsonNode::asInt);
  }

  /** The delay before each response, in milliseconds. */
  public EndpointConfigPlayground delayMs(int delayMs) {
    putRequired("delayMs", delayMs);
    return this;
  }

  /** The number of attempts of each event that get a response with status 500. */
  public @Nullable Integer failFirst() {
    return Json.orNull(json.path("failFirst"), JsonNode::asInt);
  }

  /** The number of attempts of each event that get a response with status 500. */
  public EndpointConfigPlayground failFirst(int failFirst) {
    putRequired("failFirst", failFirst);
    return this;
  }

  /** The body of each response. */
  public @Nullable String body() {
    return Json.text(json.path("body"));
  }

  /** The body of each response. */
  public EndpointConfigPlayground body(String body) {
    putRequired("body", body);
    return this;
  }
}
