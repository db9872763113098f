// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import org.jspecify.annotations.Nullable;

/** The subscriber: the name of an agent key (null once the key is deleted), or the issuer of a login. */
public final class AgentPrincipal extends Model {
  private AgentPrincipal(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static AgentPrincipal fromJson(JsonNode json) {
    return new AgentPrincipal(Json.object(json));
  }

  /** One of <code>key</code>, <code>oauth</code>. */
  public String kind() {
    return Json.text(json.path("kind"));
  }

  public @Nullable String name() {
    return Json.text(json.path("name"));
  }
}
