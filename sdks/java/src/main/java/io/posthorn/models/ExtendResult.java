// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** <code>ExtendResult</code> of the API. */
public final class ExtendResult extends Model {
  private ExtendResult(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static ExtendResult fromJson(JsonNode json) {
    return new ExtendResult(Json.object(json));
  }

  public String deliveryId() {
    return Json.text(json.path("deliveryId"));
  }

  /** One of <code>settled</code>, <code>lease_lost</code>. */
  public String result() {
    return Json.text(json.path("result"));
  }

  public @Nullable Instant leasedUntil() {
    return Json.time(json.path("leasedUntil"));
  }
}
