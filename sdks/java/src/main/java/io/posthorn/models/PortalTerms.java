// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;

/** The word that the customer portal uses for an event. */
public final class PortalTerms extends Model {
  /** Takes the required fields. */
  public PortalTerms(String event) {
    putRequired("event", event);
  }

  private PortalTerms(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static PortalTerms fromJson(JsonNode json) {
    return new PortalTerms(Json.object(json));
  }

  /** One of <code>Message</code>, <code>Event</code>. */
  public String event() {
    return Json.text(json.path("event"));
  }

  /** One of <code>Message</code>, <code>Event</code>. */
  public PortalTerms event(String event) {
    putRequired("event", event);
    return this;
  }
}
