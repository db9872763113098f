// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;

/** The location of the payload in a record. Defaults to the record value, byte for byte. */
public final class SourceData extends Model {
  /** Takes the required fields. */
  public SourceData(String pointer) {
    putRequired("pointer", pointer);
  }

  private SourceData(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static SourceData fromJson(JsonNode json) {
    return new SourceData(Json.object(json));
  }

  /** A JSON pointer into the record value (RFC 6901). */
  public String pointer() {
    return Json.text(json.path("pointer"));
  }

  /** A JSON pointer into the record value (RFC 6901). */
  public SourceData pointer(String pointer) {
    putRequired("pointer", pointer);
    return this;
  }
}
