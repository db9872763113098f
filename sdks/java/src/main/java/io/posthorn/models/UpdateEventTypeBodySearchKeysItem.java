// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;

/** <code>UpdateEventTypeBodySearchKeysItem</code> of the API. */
public final class UpdateEventTypeBodySearchKeysItem extends Model {
  /** Takes the required fields. */
  public UpdateEventTypeBodySearchKeysItem(String name, String path) {
    putRequired("name", name);
    putRequired("path", path);
  }

  private UpdateEventTypeBodySearchKeysItem(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static UpdateEventTypeBodySearchKeysItem fromJson(JsonNode json) {
    return new UpdateEventTypeBodySearchKeysItem(Json.object(json));
  }

  public UpdateEventTypeBodySearchKeysItem name(String name) {
    putRequired("name", name);
    return this;
  }

  /** The path of the value in the payload, as in a filter. */
  public UpdateEventTypeBodySearchKeysItem path(String path) {
    putRequired("path", path);
    return this;
  }

  /** Whether text is matched case-insensitively. Defaults to false. */
  public UpdateEventTypeBodySearchKeysItem fold(boolean fold) {
    putRequired("fold", fold);
    return this;
  }
}
