// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;

/** <code>CreateEnvironmentBody</code> of the API. */
public final class CreateEnvironmentBody extends Model {
  /** Takes the required fields. */
  public CreateEnvironmentBody(String name, String slug) {
    putRequired("name", name);
    putRequired("slug", slug);
  }

  private CreateEnvironmentBody(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static CreateEnvironmentBody fromJson(JsonNode json) {
    return new CreateEnvironmentBody(Json.object(json));
  }

  public CreateEnvironmentBody name(String name) {
    putRequired("name", name);
    return this;
  }

  public CreateEnvironmentBody slug(String slug) {
    putRequired("slug", slug);
    return this;
  }

  /**
   * Whether an event with an event type must name an application, or <code>*</code> for all, in <code>X-Application-Id</code>. Defaults
   * to false.
   */
  public CreateEnvironmentBody requireApplication(boolean requireApplication) {
    putRequired("requireApplication", requireApplication);
    return this;
  }
}
