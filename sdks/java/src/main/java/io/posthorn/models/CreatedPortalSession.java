// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** <code>CreatedPortalSession</code> of the API. */
public final class CreatedPortalSession extends Model {
  private CreatedPortalSession(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static CreatedPortalSession fromJson(JsonNode json) {
    return new CreatedPortalSession(Json.object(json));
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

  /** The URL of the portal. The token is in its fragment, which is never sent to a server. Null if <code>token</code> is null. */
  public @Nullable String url() {
    return Json.text(json.path("url"));
  }

  /**
   * The Bearer token for <code>/api/portal</code>, <code>php_…</code>. It is shown only once. Null if an <code>Idempotency-Key</code> repeats a
   * creation of more than ten minutes ago.
   */
  public @Nullable String token() {
    return Json.text(json.path("token"));
  }
}
