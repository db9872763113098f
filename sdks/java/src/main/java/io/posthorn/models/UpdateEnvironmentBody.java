// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;

/** <code>UpdateEnvironmentBody</code> of the interface. */
public final class UpdateEnvironmentBody extends Model {
  public UpdateEnvironmentBody() {
  }

  private UpdateEnvironmentBody(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the interface. Throws an IllegalArgumentException when it is not an object. */
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

  /** <code>true</code> moves the default here; the default cannot be set to <code>false</code>. */
  public UpdateEnvironmentBody isDefault(boolean isDefault) {
    putRequired("isDefault", isDefault);
    return this;
  }

  /** Whether an event of a type must name an application in <code>X-Application-Id</code>, or <code>*</code> for all. */
  public UpdateEnvironmentBody requireApplication(boolean requireApplication) {
    putRequired("requireApplication", requireApplication);
    return this;
  }
}
