// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.List;

/** <code>NackBody</code> of the API. */
public final class NackBody extends Model {
  /** Takes the required fields. */
  public NackBody(List<NackedMessage> messages) {
    putRequired("messages", messages);
  }

  private NackBody(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static NackBody fromJson(JsonNode json) {
    return new NackBody(Json.object(json));
  }

  public NackBody messages(List<NackedMessage> messages) {
    putRequired("messages", messages);
    return this;
  }
}
