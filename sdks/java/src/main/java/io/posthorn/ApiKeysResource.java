// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;

/** The credentials of producers. Each is bound to one environment. */
public final class ApiKeysResource extends Resource {
  ApiKeysResource(Transport transport) {
    super(transport);
  }

  /**
   * List an environment's API keys.
   * <p>
   * Returns keys oldest first. A revoked key is listed for 7 days after it ends. Key values are not included.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<ApiKey> list(String environmentId) {
    return list(environmentId, new ListApiKeysOptions());
  }

  /**
   * List an environment's API keys.
   * <p>
   * Returns keys oldest first. A revoked key is listed for 7 days after it ends. Key values are not included.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<ApiKey> list(String environmentId, ListApiKeysOptions options) {
    Call call = new Call("GET", "/environments/{environmentId}/api-keys", environmentId).inWorkspace();
    return transport.list(call, options, Paging.LINK, null, ApiKey::fromJson);
  }

  /**
   * Create an API key.
   * <p>
   * An environment has at most 20 active keys. The key is shown only in this response.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>limit_reached</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public CreatedApiKey create(String environmentId, CreateApiKeyBody body) {
    return create(environmentId, body, new ChangeOptions());
  }

  /**
   * Create an API key.
   * <p>
   * An environment has at most 20 active keys. The key is shown only in this response.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>limit_reached</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public CreatedApiKey create(String environmentId, CreateApiKeyBody body, ChangeOptions options) {
    Call call = new Call("POST", "/environments/{environmentId}/api-keys", environmentId).inWorkspace().body(body).keyed().shownOnce("key");
    return transport.request(call, options, CreatedApiKey::fromJson);
  }

  /**
   * Rotate an API key.
   * <p>
   * Returns a new key. The old key works until its grace period ends. Rotation is also allowed at the key limit.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>limit_reached</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public CreatedApiKey rotate(String environmentId, String id) {
    return rotate(environmentId, id, new RotateApiKeyBody(), new ChangeOptions());
  }

  /**
   * Rotate an API key.
   * <p>
   * Returns a new key. The old key works until its grace period ends. Rotation is also allowed at the key limit.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>limit_reached</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public CreatedApiKey rotate(String environmentId, String id, RotateApiKeyBody body) {
    return rotate(environmentId, id, body, new ChangeOptions());
  }

  /**
   * Rotate an API key.
   * <p>
   * Returns a new key. The old key works until its grace period ends. Rotation is also allowed at the key limit.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>limit_reached</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public CreatedApiKey rotate(String environmentId, String id, RotateApiKeyBody body, ChangeOptions options) {
    Call call = new Call("POST", "/environments/{environmentId}/api-keys/{id}/rotate", environmentId, id).inWorkspace().body(body).keyed().shownOnce("key");
    return transport.request(call, options, CreatedApiKey::fromJson);
  }

  /**
   * Delete an API key.
   * <p>
   * The key stops working within a second and is no longer listed.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public void delete(String environmentId, String id) {
    delete(environmentId, id, new RequestOptions());
  }

  /**
   * Delete an API key.
   * <p>
   * The key stops working within a second and is no longer listed.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public void delete(String environmentId, String id, RequestOptions options) {
    Call call = new Call("DELETE", "/environments/{environmentId}/api-keys/{id}", environmentId, id).inWorkspace();
    transport.send(call, options);
  }
}
