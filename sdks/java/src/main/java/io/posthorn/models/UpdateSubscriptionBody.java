// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** <code>UpdateSubscriptionBody</code> of the API. */
public final class UpdateSubscriptionBody extends Model {
  /** Takes the required fields. */
  public UpdateSubscriptionBody(@Nullable Map<String, ?> filter) {
    put("filter", filter);
  }

  private UpdateSubscriptionBody(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static UpdateSubscriptionBody fromJson(JsonNode json) {
    return new UpdateSubscriptionBody(Json.object(json));
  }

  /** The new filter. Null removes the filter. */
  public UpdateSubscriptionBody filter(@Nullable Map<String, ?> filter) {
    put("filter", filter);
    return this;
  }
}
