// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;

/** Agent subscriptions over the Model Context Protocol, and agent keys. */
public final class AgentsResource extends Resource {
  AgentsResource(Transport transport) {
    super(transport);
  }

  /**
   * Get agent settings.
   * <p>
   * Returns whether agents may subscribe to events of this environment, and with which limits.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public AgentSettings getSettings(String environmentId) {
    return getSettings(environmentId, new RequestOptions());
  }

  /**
   * Get agent settings.
   * <p>
   * Returns whether agents may subscribe to events of this environment, and with which limits.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public AgentSettings getSettings(String environmentId, RequestOptions options) {
    Call call = new Call("GET", "/environments/{environmentId}/agents", environmentId).inWorkspace();
    return transport.request(call, options, AgentSettings::fromJson);
  }

  /**
   * Set agent settings.
   * <p>
   * Omitted fields are set to their defaults. <code>enabled: false</code> ends every agent subscription of the environment.
   * Existing subscriptions keep their rate limit.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>plan_required</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public AgentSettings setSettings(String environmentId) {
    return setSettings(environmentId, new SetAgentSettingsBody(), new RequestOptions());
  }

  /**
   * Set agent settings.
   * <p>
   * Omitted fields are set to their defaults. <code>enabled: false</code> ends every agent subscription of the environment.
   * Existing subscriptions keep their rate limit.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>plan_required</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public AgentSettings setSettings(String environmentId, SetAgentSettingsBody body) {
    return setSettings(environmentId, body, new RequestOptions());
  }

  /**
   * Set agent settings.
   * <p>
   * Omitted fields are set to their defaults. <code>enabled: false</code> ends every agent subscription of the environment.
   * Existing subscriptions keep their rate limit.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>plan_required</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public AgentSettings setSettings(String environmentId, SetAgentSettingsBody body, RequestOptions options) {
    Call call = new Call("PUT", "/environments/{environmentId}/agents", environmentId).inWorkspace().body(body);
    return transport.request(call, options, AgentSettings::fromJson);
  }

  /**
   * Check the access token issuer.
   * <p>
   * Fetches the metadata and the keys of the issuer now, as when a token is verified.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>, <code>internal_error</code>,
   * <code>unavailable</code>.
   */
  public CheckedAgentIssuer checkIssuer(String environmentId) {
    return checkIssuer(environmentId, new ChangeOptions());
  }

  /**
   * Check the access token issuer.
   * <p>
   * Fetches the metadata and the keys of the issuer now, as when a token is verified.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>, <code>internal_error</code>,
   * <code>unavailable</code>.
   */
  public CheckedAgentIssuer checkIssuer(String environmentId, ChangeOptions options) {
    Call call = new Call("POST", "/environments/{environmentId}/agents/check-issuer", environmentId).inWorkspace().keyed();
    return transport.request(call, options, CheckedAgentIssuer::fromJson);
  }

  /**
   * List agent keys.
   * <p>
   * Returns agent keys oldest first. Key values are not included.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<AgentKey> listKeys() {
    return listKeys(new ListAgentKeysOptions());
  }

  /**
   * List agent keys.
   * <p>
   * Returns agent keys oldest first. Key values are not included.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<AgentKey> listKeys(ListAgentKeysOptions options) {
    Call call = new Call("GET", "/agent-keys").inWorkspace();
    return transport.list(call, options, Paging.CURSOR, "agentKeys", AgentKey::fromJson);
  }

  /**
   * Create an agent key.
   * <p>
   * Creates a key with which an agent subscribes to events of the environment over the Model Context Protocol. An
   * application has at most 20 keys, and the workspace itself at most 100. The key is shown only in this response.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>plan_required</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>limit_reached</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public CreatedAgentKey createKey(CreateAgentKeyBody body) {
    return createKey(body, new ChangeOptions());
  }

  /**
   * Create an agent key.
   * <p>
   * Creates a key with which an agent subscribes to events of the environment over the Model Context Protocol. An
   * application has at most 20 keys, and the workspace itself at most 100. The key is shown only in this response.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>plan_required</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>limit_reached</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public CreatedAgentKey createKey(CreateAgentKeyBody body, ChangeOptions options) {
    Call call = new Call("POST", "/agent-keys").inWorkspace().body(body).keyed().shownOnce("key");
    return transport.request(call, options, CreatedAgentKey::fromJson);
  }

  /**
   * Delete an agent key.
   * <p>
   * Also ends every subscription that was created with the key.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public void deleteKey(String keyId) {
    deleteKey(keyId, new RequestOptions());
  }

  /**
   * Delete an agent key.
   * <p>
   * Also ends every subscription that was created with the key.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public void deleteKey(String keyId, RequestOptions options) {
    Call call = new Call("DELETE", "/agent-keys/{keyId}", keyId).inWorkspace();
    transport.send(call, options);
  }

  /**
   * List agent subscriptions.
   * <p>
   * Returns agent subscriptions newest first, including those that ended in the last 7 days.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<AgentSubscription> listSubscriptions() {
    return listSubscriptions(new ListAgentSubscriptionsOptions());
  }

  /**
   * List agent subscriptions.
   * <p>
   * Returns agent subscriptions newest first, including those that ended in the last 7 days.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<AgentSubscription> listSubscriptions(ListAgentSubscriptionsOptions options) {
    Call call = new Call("GET", "/agent-subscriptions").inWorkspace();
    return transport.list(call, options, Paging.CURSOR, "agentSubscriptions", AgentSubscription::fromJson);
  }

  /**
   * Get an agent subscription.
   * <p>
   * Returns the live subscription with this id, or the one that ended most recently.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public AgentSubscription getSubscription(String subscriptionId) {
    return getSubscription(subscriptionId, new RequestOptions());
  }

  /**
   * Get an agent subscription.
   * <p>
   * Returns the live subscription with this id, or the one that ended most recently.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public AgentSubscription getSubscription(String subscriptionId, RequestOptions options) {
    Call call = new Call("GET", "/agent-subscriptions/{subscriptionId}", subscriptionId).inWorkspace();
    return transport.request(call, options, AgentSubscription::fromJson);
  }

  /**
   * End an agent subscription.
   * <p>
   * No attempt starts after the response. The agent may subscribe again; to prevent that, delete its key.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public void endSubscription(String subscriptionId) {
    endSubscription(subscriptionId, new RequestOptions());
  }

  /**
   * End an agent subscription.
   * <p>
   * No attempt starts after the response. The agent may subscribe again; to prevent that, delete its key.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public void endSubscription(String subscriptionId, RequestOptions options) {
    Call call = new Call("DELETE", "/agent-subscriptions/{subscriptionId}", subscriptionId).inWorkspace();
    transport.send(call, options);
  }
}
