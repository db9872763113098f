// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.List;

/** <code>AckBody</code> of the API. */
public final class AckBody extends Model {
  /** Takes the required fields. */
  public AckBody(List<AckedMessage> messages) {
    putRequired("messages", messages);
  }

  private AckBody(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static AckBody fromJson(JsonNode json) {
    return new AckBody(Json.object(json));
  }

  public AckBody messages(List<AckedMessage> messages) {
    putRequired("messages", messages);
    return this;
  }
}
