// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;

/** <code>PromotedSettingsRequireApplication</code> of the API. */
public final class PromotedSettingsRequireApplication extends Model {
  private PromotedSettingsRequireApplication(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static PromotedSettingsRequireApplication fromJson(JsonNode json) {
    return new PromotedSettingsRequireApplication(Json.object(json));
  }

  public boolean from() {
    return json.path("from").asBoolean();
  }

  public boolean to() {
    return json.path("to").asBoolean();
  }
}
