// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.
package io.posthorn;

import io.posthorn.models.*;

/** Separate sets of API keys and endpoints, each with its own visibility of event types. */
public final class EnvironmentsResource extends Resource {
  EnvironmentsResource(Transport transport) {
    super(transport);
  }

  /**
   * List environments.
   * <p>
   * Returns all environments of the workspace: the default first, then the others, oldest first.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<Environment> list() {
    return list(new ListEnvironmentsOptions());
  }

  /**
   * List environments.
   * <p>
   * Returns all environments of the workspace: the default first, then the others, oldest first.
   * <p>
   * Refused with <code>invalid_cursor</code>, <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Listing<Environment> list(ListEnvironmentsOptions options) {
    Call call = new Call("GET", "/environments").inWorkspace();
    return transport.list(call, options, Paging.LINK, null, Environment::fromJson);
  }

  /**
   * Create an environment.
   * <p>
   * A workspace has at most 10 environments. A new environment has no published event types.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>environment_limit_reached</code>, <code>idempotency_conflict</code>, <code>slug_taken</code>, <code>payload_too_large</code>,
   * <code>unsupported_media_type</code>, <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Environment create(CreateEnvironmentBody body) {
    return create(body, new ChangeOptions());
  }

  /**
   * Create an environment.
   * <p>
   * A workspace has at most 10 environments. A new environment has no published event types.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>environment_limit_reached</code>, <code>idempotency_conflict</code>, <code>slug_taken</code>, <code>payload_too_large</code>,
   * <code>unsupported_media_type</code>, <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Environment create(CreateEnvironmentBody body, ChangeOptions options) {
    Call call = new Call("POST", "/environments").inWorkspace().body(body).keyed();
    return transport.request(call, options, Environment::fromJson);
  }

  /**
   * Get an environment.
   * <p>
   * Exactly one environment of a workspace is the default. <code>include=events_without_application</code> adds the number of
   * events in the last 7 days that named an event type and no application.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public EnvironmentDetail get(String environmentId) {
    return get(environmentId, new GetEnvironmentOptions());
  }

  /**
   * Get an environment.
   * <p>
   * Exactly one environment of a workspace is the default. <code>include=events_without_application</code> adds the number of
   * events in the last 7 days that named an event type and no application.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public EnvironmentDetail get(String environmentId, GetEnvironmentOptions options) {
    Call call = new Call("GET", "/environments/{environmentId}", environmentId).inWorkspace();
    return transport.request(call, options, EnvironmentDetail::fromJson);
  }

  /**
   * Update an environment.
   * <p>
   * Setting <code>isDefault</code> to <code>true</code> makes this environment the default in place of the current one.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>slug_taken</code>,
   * <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Environment update(String environmentId, UpdateEnvironmentBody body) {
    return update(environmentId, body, new RequestOptions());
  }

  /**
   * Update an environment.
   * <p>
   * Setting <code>isDefault</code> to <code>true</code> makes this environment the default in place of the current one.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>slug_taken</code>,
   * <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public Environment update(String environmentId, UpdateEnvironmentBody body, RequestOptions options) {
    Call call = new Call("PATCH", "/environments/{environmentId}", environmentId).inWorkspace().body(body);
    return transport.request(call, options, Environment::fromJson);
  }

  /**
   * Delete an environment.
   * <p>
   * Also deletes its API keys, endpoints and portal sessions. The default environment cannot be deleted.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>default_environment</code>, <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public void delete(String environmentId) {
    delete(environmentId, new RequestOptions());
  }

  /**
   * Delete an environment.
   * <p>
   * Also deletes its API keys, endpoints and portal sessions. The default environment cannot be deleted.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>default_environment</code>, <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public void delete(String environmentId, RequestOptions options) {
    Call call = new Call("DELETE", "/environments/{environmentId}", environmentId).inWorkspace();
    transport.send(call, options);
  }

  /**
   * Compare two environments.
   * <p>
   * Returns the changes that would make the target match this environment: its settings, the visibility of event
   * types, and the workspace's own endpoints with their subscriptions. In a change, <code>from</code> is the value in the
   * target. Secrets, URLs, credentials and whether an endpoint is active are never compared.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>limit_reached</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public EnvironmentDiff diff(String environmentId, String targetId) {
    return diff(environmentId, targetId, new RequestOptions());
  }

  /**
   * Compare two environments.
   * <p>
   * Returns the changes that would make the target match this environment: its settings, the visibility of event
   * types, and the workspace's own endpoints with their subscriptions. In a change, <code>from</code> is the value in the
   * target. Secrets, URLs, credentials and whether an endpoint is active are never compared.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>, <code>limit_reached</code>,
   * <code>rate_limited</code>, <code>internal_error</code>, <code>unavailable</code>.
   */
  public EnvironmentDiff diff(String environmentId, String targetId, RequestOptions options) {
    Call call = new Call("GET", "/environments/{environmentId}/diff/{targetId}", environmentId, targetId).inWorkspace();
    return transport.request(call, options, EnvironmentDiff::fromJson);
  }

  /**
   * Promote an environment.
   * <p>
   * Makes the selected parts of the target match this environment, in one transaction. <code>url</code> is required for an
   * endpoint that is created, and is used only then. Without <code>prune</code>, nothing is deleted, unsubscribed or
   * unpublished. With <code>dryRun</code>, returns the changes without applying them.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>limit_reached</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public Promotion promote(String environmentId, String targetId) {
    return promote(environmentId, targetId, new PromoteEnvironmentBody(), new ChangeOptions());
  }

  /**
   * Promote an environment.
   * <p>
   * Makes the selected parts of the target match this environment, in one transaction. <code>url</code> is required for an
   * endpoint that is created, and is used only then. Without <code>prune</code>, nothing is deleted, unsubscribed or
   * unpublished. With <code>dryRun</code>, returns the changes without applying them.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>limit_reached</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public Promotion promote(String environmentId, String targetId, PromoteEnvironmentBody body) {
    return promote(environmentId, targetId, body, new ChangeOptions());
  }

  /**
   * Promote an environment.
   * <p>
   * Makes the selected parts of the target match this environment, in one transaction. <code>url</code> is required for an
   * endpoint that is created, and is used only then. Without <code>prune</code>, nothing is deleted, unsubscribed or
   * unpublished. With <code>dryRun</code>, returns the changes without applying them.
   * <p>
   * Refused with <code>validation_error</code>, <code>unauthorized</code>, <code>forbidden</code>, <code>token_disabled</code>, <code>not_found</code>,
   * <code>idempotency_conflict</code>, <code>limit_reached</code>, <code>payload_too_large</code>, <code>unsupported_media_type</code>, <code>rate_limited</code>,
   * <code>internal_error</code>, <code>unavailable</code>.
   */
  public Promotion promote(String environmentId, String targetId, PromoteEnvironmentBody body, ChangeOptions options) {
    Call call = new Call("POST", "/environments/{environmentId}/promote/{targetId}", environmentId, targetId).inWorkspace().body(body).keyed();
    return transport.request(call, options, Promotion::fromJson);
  }
}
