// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;

/** The credentials of the management interface. */
public final class MeResource extends Resource {
  MeResource(Transport transport) {
    super(transport);
  }

  /**
   * Get your management token.
   * <p>
   * Returns the workspace of the token, its scopes and expiry, and the environments.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public OwnManagementToken get() {
    return get(new RequestOptions());
  }

  /**
   * Get your management token.
   * <p>
   * Returns the workspace of the token, its scopes and expiry, and the environments.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public OwnManagementToken get(RequestOptions options) {
    Call call = new Call("GET", "/management/v1/me");
    return transport.request(call, options, OwnManagementToken::fromJson);
  }
}
