// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import org.jspecify.annotations.Nullable;

/** <code>EventTraceEndpointsItem</code> of the API. */
public final class EventTraceEndpointsItem extends Model {
  private EventTraceEndpointsItem(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static EventTraceEndpointsItem fromJson(JsonNode json) {
    return new EventTraceEndpointsItem(Json.object(json));
  }

  public String endpointId() {
    return Json.text(json.path("endpointId"));
  }

  public String url() {
    return Json.text(json.path("url"));
  }

  public String description() {
    return Json.text(json.path("description"));
  }

  public @Nullable String applicationId() {
    return Json.text(json.path("applicationId"));
  }

  /** One of <code>matched</code>, <code>skipped</code>, <code>waiting</code>. */
  public String decision() {
    return Json.text(json.path("decision"));
  }

  /**
   * One of <code>event_type_not_published</code>, <code>endpoint_deleted</code>, <code>other_application</code>, <code>not_subscribed</code>,
   * <code>endpoint_inactive</code>, <code>filtered</code>.
   */
  public @Nullable String reason() {
    return Json.text(json.path("reason"));
  }

  public String detail() {
    return Json.text(json.path("detail"));
  }

  public @Nullable EventTraceEndpointsItemDelivery delivery() {
    return Json.orNull(json.path("delivery"), EventTraceEndpointsItemDelivery::fromJson);
  }
}
