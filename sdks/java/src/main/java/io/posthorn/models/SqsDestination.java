// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import org.jspecify.annotations.Nullable;

/** Where messages to Amazon SQS go. */
public final class SqsDestination extends Model {
  /** Takes what is required. */
  public SqsDestination(String queueUrl) {
    putRequired("queueUrl", queueUrl);
  }

  private SqsDestination(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the interface. Throws an IllegalArgumentException when it is not an object. */
  @JsonCreator
  public static SqsDestination fromJson(JsonNode json) {
    return new SqsDestination(Json.object(json));
  }

  /** As the console of SQS shows it. */
  public String queueUrl() {
    return Json.text(json.path("queueUrl"));
  }

  /** As the console of SQS shows it. */
  public SqsDestination queueUrl(String queueUrl) {
    putRequired("queueUrl", queueUrl);
    return this;
  }

  /** Only where the URL of the queue does not name it. */
  public @Nullable String region() {
    return Json.text(json.path("region"));
  }

  /** Only where the URL of the queue does not name it. */
  public SqsDestination region(String region) {
    putRequired("region", region);
    return this;
  }

  /** Only for a server that is compatible with AWS. Leave it out for AWS itself. */
  public @Nullable String endpoint() {
    return Json.text(json.path("endpoint"));
  }

  /** Only for a server that is compatible with AWS. Leave it out for AWS itself. */
  public SqsDestination endpoint(String endpoint) {
    putRequired("endpoint", endpoint);
    return this;
  }
}
