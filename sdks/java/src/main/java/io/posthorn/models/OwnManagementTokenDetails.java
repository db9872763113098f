// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** <code>OwnManagementTokenDetails</code> of the API. */
public final class OwnManagementTokenDetails extends Model {
  private OwnManagementTokenDetails(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static OwnManagementTokenDetails fromJson(JsonNode json) {
    return new OwnManagementTokenDetails(Json.object(json));
  }

  public String id() {
    return Json.text(json.path("id"));
  }

  public String name() {
    return Json.text(json.path("name"));
  }

  public String tokenPreview() {
    return Json.text(json.path("tokenPreview"));
  }

  public List<Scope> scopes() {
    return Json.list(json.path("scopes"), item -> Json.textOf(item, Scope::of));
  }

  /**
   * The environments to which the token is limited. It can read and change only what belongs to them, and can read
   * but not change the workspace itself. Null for all environments.
   */
  public @Nullable List<String> environmentIds() {
    return Json.listOrNull(json.path("environmentIds"), item -> Json.text(item));
  }

  /**
   * The networks from which the token can be used. A request from another address is <code>forbidden</code>. Null for all
   * networks.
   */
  public @Nullable List<String> allowedNetworks() {
    return Json.listOrNull(json.path("allowedNetworks"), item -> Json.text(item));
  }

  public @Nullable Instant expiresAt() {
    return Json.time(json.path("expiresAt"));
  }

  public Instant createdAt() {
    return Json.time(json.path("createdAt"));
  }
}
