// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;

/** The location of the idempotency key in a record. */
public final class SourceIdempotencyKey extends Model {
  /** Takes the required fields. */
  public SourceIdempotencyKey(String header) {
    putRequired("header", header);
  }

  private SourceIdempotencyKey(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static SourceIdempotencyKey fromJson(JsonNode json) {
    return new SourceIdempotencyKey(Json.object(json));
  }

  /** The name of a record header. */
  public String header() {
    return Json.text(json.path("header"));
  }

  /** The name of a record header. */
  public SourceIdempotencyKey header(String header) {
    putRequired("header", header);
    return this;
  }
}
