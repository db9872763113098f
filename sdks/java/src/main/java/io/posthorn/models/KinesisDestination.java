// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import org.jspecify.annotations.Nullable;

/** The destination of messages to Amazon Kinesis. */
public final class KinesisDestination extends Model {
  /** Takes the required fields. */
  public KinesisDestination(String streamName, String region) {
    putRequired("streamName", streamName);
    putRequired("region", region);
  }

  private KinesisDestination(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static KinesisDestination fromJson(JsonNode json) {
    return new KinesisDestination(Json.object(json));
  }

  /** The name of the data stream. */
  public String streamName() {
    return Json.text(json.path("streamName"));
  }

  /** The name of the data stream. */
  public KinesisDestination streamName(String streamName) {
    putRequired("streamName", streamName);
    return this;
  }

  /** The code of the AWS region. */
  public String region() {
    return Json.text(json.path("region"));
  }

  /** The code of the AWS region. */
  public KinesisDestination region(String region) {
    putRequired("region", region);
    return this;
  }

  /** The address of a server that is compatible with AWS. Omit it for AWS itself. */
  public @Nullable String endpoint() {
    return Json.text(json.path("endpoint"));
  }

  /** The address of a server that is compatible with AWS. Omit it for AWS itself. */
  public KinesisDestination endpoint(String endpoint) {
    putRequired("endpoint", endpoint);
    return this;
  }

  /** The partition key, as a template. If the result is empty, the id of the event is used. */
  public @Nullable String partitionKey() {
    return Json.text(json.path("partitionKey"));
  }

  /** The partition key, as a template. If the result is empty, the id of the event is used. */
  public KinesisDestination partitionKey(String partitionKey) {
    putRequired("partitionKey", partitionKey);
    return this;
  }
}
