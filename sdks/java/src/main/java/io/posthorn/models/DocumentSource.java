// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.Map;

/** <code>DocumentSource</code> of the API. */
public final class DocumentSource extends Model {
  /** Takes the required fields. */
  public DocumentSource(String externalId, String environment, String name, SourceConfigInput config) {
    putRequired("externalId", externalId);
    putRequired("environment", environment);
    putRequired("name", name);
    putRequired("config", config);
  }

  private DocumentSource(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static DocumentSource fromJson(JsonNode json) {
    return new DocumentSource(Json.object(json));
  }

  /** Your own id for the source, unique in its environment, or the id of a source without an externalId. */
  public DocumentSource externalId(String externalId) {
    putRequired("externalId", externalId);
    return this;
  }

  /** The slug of the environment. */
  public DocumentSource environment(String environment) {
    putRequired("environment", environment);
    return this;
  }

  public DocumentSource name(String name) {
    putRequired("name", name);
    return this;
  }

  /** One of <code>kafka</code>. */
  public DocumentSource type(String type) {
    putRequired("type", type);
    return this;
  }

  /** Whether the source is active. A new source is active by default. */
  public DocumentSource isActive(boolean isActive) {
    putRequired("isActive", isActive);
    return this;
  }

  public DocumentSource config(SourceConfigInput config) {
    putRequired("config", config);
    return this;
  }

  public DocumentSource credentials(Map<String, String> credentials) {
    putRequired("credentials", credentials);
    return this;
  }
}
