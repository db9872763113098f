// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** <code>PromotedSource</code> of the API. */
public final class PromotedSource extends Model {
  private PromotedSource(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static PromotedSource fromJson(JsonNode json) {
    return new PromotedSource(Json.object(json));
  }

  /** One of <code>create</code>, <code>update</code>. */
  public String change() {
    return Json.text(json.path("change"));
  }

  /** The source that is promoted. */
  public String sourceId() {
    return Json.text(json.path("sourceId"));
  }

  /** The corresponding source in the target. Null before a <code>create</code> is applied. */
  public @Nullable String targetSourceId() {
    return Json.text(json.path("targetSourceId"));
  }

  public Map<String, PromotedField> fields() {
    return Json.map(json.path("fields"), PromotedField::fromJson);
  }
}
