// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;

/** Subscriptions of agents over the Model Context Protocol, and their keys. */
public final class AgentsResource extends Resource {
  AgentsResource(Transport transport) {
    super(transport);
  }

  /**
   * Get what agents may do.
   * <p>
   * Whether agents may subscribe to events of this environment, and within which bounds.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public AgentSettings getSettings(String environmentId) {
    return getSettings(environmentId, new RequestOptions());
  }

  /**
   * Get what agents may do.
   * <p>
   * Whether agents may subscribe to events of this environment, and within which bounds.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public AgentSettings getSettings(String environmentId, RequestOptions options) {
    Call call = new Call("GET", "/environments/{environmentId}/agents", environmentId).inWorkspace();
    return transport.request(call, options, AgentSettings::fromJson);
  }

  /**
   * Set what agents may do.
   * <p>
   * An absent field has its default. <code>enabled: false</code> ends every subscription of the environment. Subscriptions
   * that exist keep their rate limit.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>plan_required</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public AgentSettings setSettings(String environmentId) {
    return setSettings(environmentId, new SetAgentSettingsBody(), new RequestOptions());
  }

  /**
   * Set what agents may do.
   * <p>
   * An absent field has its default. <code>enabled: false</code> ends every subscription of the environment. Subscriptions
   * that exist keep their rate limit.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>plan_required</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public AgentSettings setSettings(String environmentId, SetAgentSettingsBody body) {
    return setSettings(environmentId, body, new RequestOptions());
  }

  /**
   * Set what agents may do.
   * <p>
   * An absent field has its default. <code>enabled: false</code> ends every subscription of the environment. Subscriptions
   * that exist keep their rate limit.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>plan_required</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public AgentSettings setSettings(String environmentId, SetAgentSettingsBody body, RequestOptions options) {
    Call call = new Call("PUT", "/environments/{environmentId}/agents", environmentId).inWorkspace().body(body);
    return transport.request(call, options, AgentSettings::fromJson);
  }

  /**
   * Check the issuer of access tokens.
   * <p>
   * Reads its description and its keys now, as the check of a token does.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>, <code>internal_error</code>,
   * <code>unavailable</code>.
   */
  public CheckedAgentIssuer checkIssuer(String environmentId) {
    return checkIssuer(environmentId, new ChangeOptions());
  }

  /**
   * Check the issuer of access tokens.
   * <p>
   * Reads its description and its keys now, as the check of a token does.
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
   * Oldest first. The keys themselves are not shown.
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
   * Oldest first. The keys themselves are not shown.
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
   * With it, an agent subscribes to events of the environment over the Model Context Protocol. An application has
   * at most 20 keys, and the workspace has 100 of its own. The key is shown only in this answer.
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
   * With it, an agent subscribes to events of the environment over the Model Context Protocol. An application has
   * at most 20 keys, and the workspace has 100 of its own. The key is shown only in this answer.
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
   * Also ends every subscription that was made with it.
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
   * Also ends every subscription that was made with it.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public void deleteKey(String keyId, RequestOptions options) {
    Call call = new Call("DELETE", "/agent-keys/{keyId}", keyId).inWorkspace();
    transport.send(call, options);
  }

  /**
   * List the subscriptions of agents.
   * <p>
   * Newest first, those that have ended in the last 7 days included.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<AgentSubscription> listSubscriptions() {
    return listSubscriptions(new ListAgentSubscriptionsOptions());
  }

  /**
   * List the subscriptions of agents.
   * <p>
   * Newest first, those that have ended in the last 7 days included.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<AgentSubscription> listSubscriptions(ListAgentSubscriptionsOptions options) {
    Call call = new Call("GET", "/agent-subscriptions").inWorkspace();
    return transport.list(call, options, Paging.CURSOR, "agentSubscriptions", AgentSubscription::fromJson);
  }

  /**
   * Get a subscription of an agent.
   * <p>
   * The live one with this id, or else the one that ended last.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public AgentSubscription getSubscription(String subscriptionId) {
    return getSubscription(subscriptionId, new RequestOptions());
  }

  /**
   * Get a subscription of an agent.
   * <p>
   * The live one with this id, or else the one that ended last.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public AgentSubscription getSubscription(String subscriptionId, RequestOptions options) {
    Call call = new Call("GET", "/agent-subscriptions/{subscriptionId}", subscriptionId).inWorkspace();
    return transport.request(call, options, AgentSubscription::fromJson);
  }

  /**
   * End a subscription of an agent.
   * <p>
   * No attempt begins after the answer. The agent may subscribe again; delete its key to prevent that.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public void endSubscription(String subscriptionId) {
    endSubscription(subscriptionId, new RequestOptions());
  }

  /**
   * End a subscription of an agent.
   * <p>
   * No attempt begins after the answer. The agent may subscribe again; delete its key to prevent that.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public void endSubscription(String subscriptionId, RequestOptions options) {
    Call call = new Call("DELETE", "/agent-subscriptions/{subscriptionId}", subscriptionId).inWorkspace();
    transport.send(call, options);
  }
}
