// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import org.jspecify.annotations.Nullable;

/** The destination of messages to Amazon SQS. */
public final class SqsDestination extends Model {
  /** Takes the required fields. */
  public SqsDestination(String queueUrl) {
    putRequired("queueUrl", queueUrl);
  }

  private SqsDestination(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static SqsDestination fromJson(JsonNode json) {
    return new SqsDestination(Json.object(json));
  }

  /** The URL of the queue, as shown in the SQS console. */
  public String queueUrl() {
    return Json.text(json.path("queueUrl"));
  }

  /** The URL of the queue, as shown in the SQS console. */
  public SqsDestination queueUrl(String queueUrl) {
    putRequired("queueUrl", queueUrl);
    return this;
  }

  /** The region. Required only if the URL of the queue does not contain it. */
  public @Nullable String region() {
    return Json.text(json.path("region"));
  }

  /** The region. Required only if the URL of the queue does not contain it. */
  public SqsDestination region(String region) {
    putRequired("region", region);
    return this;
  }

  /** The address of a server that is compatible with AWS. Omit it for AWS itself. */
  public @Nullable String endpoint() {
    return Json.text(json.path("endpoint"));
  }

  /** The address of a server that is compatible with AWS. Omit it for AWS itself. */
  public SqsDestination endpoint(String endpoint) {
    putRequired("endpoint", endpoint);
    return this;
  }
}
