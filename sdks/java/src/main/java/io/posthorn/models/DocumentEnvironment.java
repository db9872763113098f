// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;

/** <code>DocumentEnvironment</code> of the API. */
public final class DocumentEnvironment extends Model {
  /** Takes the required fields. */
  public DocumentEnvironment(String name, String slug) {
    putRequired("name", name);
    putRequired("slug", slug);
  }

  private DocumentEnvironment(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static DocumentEnvironment fromJson(JsonNode json) {
    return new DocumentEnvironment(Json.object(json));
  }

  public DocumentEnvironment name(String name) {
    putRequired("name", name);
    return this;
  }

  public DocumentEnvironment slug(String slug) {
    putRequired("slug", slug);
    return this;
  }

  /**
   * Whether an event with an event type must name an application, or <code>*</code> for all, in <code>X-Application-Id</code>. Defaults
   * to false.
   */
  public DocumentEnvironment requireApplication(boolean requireApplication) {
    putRequired("requireApplication", requireApplication);
    return this;
  }

  /** Whether this is the default environment. Setting <code>true</code> replaces the current default environment. */
  public DocumentEnvironment isDefault(boolean isDefault) {
    putRequired("isDefault", isDefault);
    return this;
  }
}
