// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;

/** <code>CheckedAgentIssuer</code> of the API. */
public final class CheckedAgentIssuer extends Model {
  private CheckedAgentIssuer(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static CheckedAgentIssuer fromJson(JsonNode json) {
    return new CheckedAgentIssuer(Json.object(json));
  }

  public boolean ok() {
    return json.path("ok").asBoolean();
  }

  /** The number of keys that were found. */
  public long keys() {
    return json.path("keys").asLong();
  }

  /** The error, or a message with the number of keys. */
  public String message() {
    return Json.text(json.path("message"));
  }
}
