// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A session that gives a customer access to the portal. */
public final class PortalSession extends Model {
  private PortalSession(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static PortalSession fromJson(JsonNode json) {
    return new PortalSession(Json.object(json));
  }

  public String id() {
    return Json.text(json.path("id"));
  }

  public String applicationId() {
    return Json.text(json.path("applicationId"));
  }

  public String environmentId() {
    return Json.text(json.path("environmentId"));
  }

  public List<Capability> capabilities() {
    return Json.list(json.path("capabilities"), item -> Json.textOf(item, Capability::of));
  }

  public @Nullable PortalTheme theme() {
    return Json.orNull(json.path("theme"), PortalTheme::fromJson);
  }

  public PortalLocale locale() {
    return Json.textOf(json.path("locale"), PortalLocale::of);
  }

  public @Nullable String returnUrl() {
    return Json.text(json.path("returnUrl"));
  }

  public Instant expiresAt() {
    return Json.time(json.path("expiresAt"));
  }

  public Instant createdAt() {
    return Json.time(json.path("createdAt"));
  }
}
