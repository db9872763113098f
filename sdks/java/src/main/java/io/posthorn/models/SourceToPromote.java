// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;

/** <code>SourceToPromote</code> of the API. */
public final class SourceToPromote extends Model {
  /** Takes the required fields. */
  public SourceToPromote(String sourceId) {
    putRequired("sourceId", sourceId);
  }

  private SourceToPromote(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static SourceToPromote fromJson(JsonNode json) {
    return new SourceToPromote(Json.object(json));
  }

  public SourceToPromote sourceId(String sourceId) {
    putRequired("sourceId", sourceId);
    return this;
  }

  /** The brokers and topics of the new source. Required if the source is created, and used only then. */
  public SourceToPromote place(SourcePlace place) {
    putRequired("place", place);
    return this;
  }
}
