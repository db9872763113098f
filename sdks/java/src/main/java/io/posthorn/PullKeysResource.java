// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;

/** The credentials with which consumers fetch the deliveries of one endpoint. */
public final class PullKeysResource extends Resource {
  PullKeysResource(Transport transport) {
    super(transport);
  }

  /**
   * List an endpoint's pull keys.
   * <p>
   * Returns pull keys oldest first, at most 10. Key values are not included.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<PullKey> list(String id) {
    return list(id, new ListPullKeysOptions());
  }

  /**
   * List an endpoint's pull keys.
   * <p>
   * Returns pull keys oldest first, at most 10. Key values are not included.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<PullKey> list(String id, ListPullKeysOptions options) {
    Call call = new Call("GET", "/endpoints/{id}/pull-keys", id).inWorkspace();
    return transport.list(call, options, Paging.LINK, null, PullKey::fromJson);
  }

  /**
   * Create a pull key.
   * <p>
   * A pull endpoint has at most 10 pull keys. The key is shown only in this response. To rotate a key, create a
   * new one, use it, and delete the old one.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>limit_reached</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public CreatedPullKey create(String id) {
    return create(id, new CreatePullKeyBody(), new CreatePullKeyOptions());
  }

  /**
   * Create a pull key.
   * <p>
   * A pull endpoint has at most 10 pull keys. The key is shown only in this response. To rotate a key, create a
   * new one, use it, and delete the old one.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>limit_reached</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public CreatedPullKey create(String id, CreatePullKeyBody body) {
    return create(id, body, new CreatePullKeyOptions());
  }

  /**
   * Create a pull key.
   * <p>
   * A pull endpoint has at most 10 pull keys. The key is shown only in this response. To rotate a key, create a
   * new one, use it, and delete the old one.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>limit_reached</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public CreatedPullKey create(String id, CreatePullKeyBody body, CreatePullKeyOptions options) {
    Call call = new Call("POST", "/endpoints/{id}/pull-keys", id).inWorkspace().body(body).keyed().shownOnce("pullKey");
    return transport.request(call, options, CreatedPullKey::fromJson);
  }

  /**
   * Delete a pull key.
   * <p>
   * The key stops working within a second. Messages that a consumer has leased can be settled with another key.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public void delete(String id, String keyId) {
    delete(id, keyId, new DeletePullKeyOptions());
  }

  /**
   * Delete a pull key.
   * <p>
   * The key stops working within a second. Messages that a consumer has leased can be settled with another key.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public void delete(String id, String keyId, DeletePullKeyOptions options) {
    Call call = new Call("DELETE", "/endpoints/{id}/pull-keys/{keyId}", id, keyId).inWorkspace();
    transport.send(call, options);
  }
}
