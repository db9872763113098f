// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import org.jspecify.annotations.Nullable;

/** Where messages to Amazon SNS go. */
public final class SnsDestination extends Model {
  /** Takes what is required. */
  public SnsDestination(String topicArn) {
    putRequired("topicArn", topicArn);
  }

  private SnsDestination(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the interface. Throws an IllegalArgumentException when it is not an object. */
  @JsonCreator
  public static SnsDestination fromJson(JsonNode json) {
    return new SnsDestination(Json.object(json));
  }

  /** It names the region, too. */
  public String topicArn() {
    return Json.text(json.path("topicArn"));
  }

  /** It names the region, too. */
  public SnsDestination topicArn(String topicArn) {
    putRequired("topicArn", topicArn);
    return this;
  }

  /** Only for a server that is compatible with AWS. Leave it out for AWS itself. */
  public @Nullable String endpoint() {
    return Json.text(json.path("endpoint"));
  }

  /** Only for a server that is compatible with AWS. Leave it out for AWS itself. */
  public SnsDestination endpoint(String endpoint) {
    putRequired("endpoint", endpoint);
    return this;
  }
}
