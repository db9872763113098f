// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;

/** <code>SeekSourceBody</code> of the API. */
public final class SeekSourceBody extends Model {
  /** Takes the required fields. */
  public SeekSourceBody(String topic) {
    putRequired("topic", topic);
  }

  private SeekSourceBody(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static SeekSourceBody fromJson(JsonNode json) {
    return new SeekSourceBody(Json.object(json));
  }

  public SeekSourceBody topic(String topic) {
    putRequired("topic", topic);
    return this;
  }

  /** The partition. If omitted, all partitions. */
  public SeekSourceBody partition(int partition) {
    putRequired("partition", partition);
    return this;
  }

  /** The offset of the next record to read. */
  public SeekSourceBody offset(int offset) {
    putRequired("offset", offset);
    return this;
  }

  /** The time of the next record to read: the first record at or after this time. */
  public SeekSourceBody timestamp(Instant timestamp) {
    putRequired("timestamp", timestamp);
    return this;
  }
}
