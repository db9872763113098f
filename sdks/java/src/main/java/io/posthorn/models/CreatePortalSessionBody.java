// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn.models;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posthorn.internal.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** <code>CreatePortalSessionBody</code> of the API. */
public final class CreatePortalSessionBody extends Model {
  public CreatePortalSessionBody() {
  }

  private CreatePortalSessionBody(ObjectNode json) {
    super(json);
  }

  /** Reads the JSON of the API. Throws an IllegalArgumentException if it is not an object. */
  @JsonCreator
  public static CreatePortalSessionBody fromJson(JsonNode json) {
    return new CreatePortalSessionBody(Json.object(json));
  }

  public CreatePortalSessionBody environmentId(String environmentId) {
    putRequired("environmentId", environmentId);
    return this;
  }

  public CreatePortalSessionBody expiresInSeconds(int expiresInSeconds) {
    putRequired("expiresInSeconds", expiresInSeconds);
    return this;
  }

  /**
   * The capabilities of the session, within the caller's own rights. Defaults to all of these except
   * <code>transformations:write</code> and <code>alerts:write</code>.
   */
  public CreatePortalSessionBody capabilities(List<Capability> capabilities) {
    putRequired("capabilities", capabilities);
    return this;
  }

  public CreatePortalSessionBody theme(@Nullable PortalTheme theme) {
    put("theme", theme);
    return this;
  }

  /** The language of the portal. Defaults to <code>en</code>. */
  public CreatePortalSessionBody locale(PortalLocale locale) {
    putRequired("locale", locale);
    return this;
  }

  public CreatePortalSessionBody returnUrl(@Nullable String returnUrl) {
    put("returnUrl", returnUrl);
    return this;
  }
}
