// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import org.jspecify.annotations.Nullable;

/** The destination of messages to Amazon SNS. */
public final class SnsDestination extends Model {
  /** Takes the required fields. */
  public SnsDestination(String topicArn) {
    putRequired("topicArn", topicArn);
  }

  private SnsDestination(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static SnsDestination fromJson(JsonNode json) {
    return new SnsDestination(Json.object(json));
  }

  /** The ARN of the topic. It includes the region. */
  public String topicArn() {
    return Json.text(json.path("topicArn"));
  }

  /** The ARN of the topic. It includes the region. */
  public SnsDestination topicArn(String topicArn) {
    putRequired("topicArn", topicArn);
    return this;
  }

  /** The address of a server that is compatible with AWS. Omit it for AWS itself. */
  public @Nullable String endpoint() {
    return Json.text(json.path("endpoint"));
  }

  /** The address of a server that is compatible with AWS. Omit it for AWS itself. */
  public SnsDestination endpoint(String endpoint) {
    putRequired("endpoint", endpoint);
    return this;
  }
}
