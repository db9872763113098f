// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.List;

/** <code>ExtendBody</code> of the API. */
public final class ExtendBody extends Model {
  /** Takes the required fields. */
  public ExtendBody(List<ExtendedMessage> messages) {
    putRequired("messages", messages);
  }

  private ExtendBody(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static ExtendBody fromJson(JsonNode json) {
    return new ExtendBody(Json.object(json));
  }

  public ExtendBody messages(List<ExtendedMessage> messages) {
    putRequired("messages", messages);
    return this;
  }
}
