// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;

/** <code>UpdateEnvironmentBody</code> of the API. */
public final class UpdateEnvironmentBody extends Model {
  public UpdateEnvironmentBody() {
  }

  private UpdateEnvironmentBody(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static UpdateEnvironmentBody fromJson(JsonNode json) {
    return new UpdateEnvironmentBody(Json.object(json));
  }

  public UpdateEnvironmentBody name(String name) {
    putRequired("name", name);
    return this;
  }

  public UpdateEnvironmentBody slug(String slug) {
    putRequired("slug", slug);
    return this;
  }

  /**
   * Whether this is the default environment. <code>true</code> makes it the default; the default environment cannot be set to
   * <code>false</code>.
   */
  public UpdateEnvironmentBody isDefault(boolean isDefault) {
    putRequired("isDefault", isDefault);
    return this;
  }

  /** Whether an event with an event type must name an application, or <code>*</code> for all, in <code>X-Application-Id</code>. */
  public UpdateEnvironmentBody requireApplication(boolean requireApplication) {
    putRequired("requireApplication", requireApplication);
    return this;
  }
}
