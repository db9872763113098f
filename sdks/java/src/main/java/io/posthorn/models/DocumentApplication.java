// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.Map;

/** <code>DocumentApplication</code> of the API. */
public final class DocumentApplication extends Model {
  /** Takes the required fields. */
  public DocumentApplication(String externalId, String name) {
    putRequired("externalId", externalId);
    putRequired("name", name);
  }

  private DocumentApplication(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static DocumentApplication fromJson(JsonNode json) {
    return new DocumentApplication(Json.object(json));
  }

  public DocumentApplication externalId(String externalId) {
    putRequired("externalId", externalId);
    return this;
  }

  public DocumentApplication name(String name) {
    putRequired("name", name);
    return this;
  }

  public DocumentApplication metadata(Map<String, String> metadata) {
    putRequired("metadata", metadata);
    return this;
  }
}
