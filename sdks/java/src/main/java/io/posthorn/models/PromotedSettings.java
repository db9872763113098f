// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import org.jspecify.annotations.Nullable;

/** The settings that differ between the environments. */
public final class PromotedSettings extends Model {
  private PromotedSettings(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static PromotedSettings fromJson(JsonNode json) {
    return new PromotedSettings(Json.object(json));
  }

  public @Nullable PromotedSettingsRequireApplication requireApplication() {
    return Json.orNull(json.path("requireApplication"), PromotedSettingsRequireApplication::fromJson);
  }
}
