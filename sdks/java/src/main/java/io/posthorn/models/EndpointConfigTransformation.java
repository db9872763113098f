// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import org.jspecify.annotations.Nullable;

/** <code>EndpointConfigTransformation</code> of the API. */
public final class EndpointConfigTransformation extends Model {
  /** Takes the required fields. */
  public EndpointConfigTransformation(String language, String code) {
    putRequired("language", language);
    putRequired("code", code);
  }

  private EndpointConfigTransformation(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static EndpointConfigTransformation fromJson(JsonNode json) {
    return new EndpointConfigTransformation(Json.object(json));
  }

  /** One of <code>javascript</code>. */
  public String language() {
    return Json.text(json.path("language"));
  }

  /** One of <code>javascript</code>. */
  public EndpointConfigTransformation language(String language) {
    putRequired("language", language);
    return this;
  }

  public String code() {
    return Json.text(json.path("code"));
  }

  public EndpointConfigTransformation code(String code) {
    putRequired("code", code);
    return this;
  }

  public @Nullable Boolean isEnabled() {
    return Json.orNull(json.path("isEnabled"), JsonNode::asBoolean);
  }

  public EndpointConfigTransformation isEnabled(boolean isEnabled) {
    putRequired("isEnabled", isEnabled);
    return this;
  }
}
