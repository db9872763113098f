// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.

import { type AnyPayloads, type EventToSend, Ingestion } from './ingestion.ts';
import type { List } from './list.ts';
import type * as models from './models.ts';
import { type ChangeOptions, type RequestOptions, Resource } from './resource.ts';
import { path, type Transport } from './transport.ts';

/** The credentials of the management interface. */
export class MeResource extends Resource {
  /**
   * Get your management token
   *
   * Returns the workspace of the token, its scopes and expiry, and the environments.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  get(options: RequestOptions = {}): Promise<models.OwnManagementToken> {
    return this.transport.request({ method: 'GET', path: path`/management/v1/me`, inWorkspace: false }, options);
  }
}

/** A workspace contains every other resource. */
export class WorkspaceResource extends Resource {
  /**
   * Get the workspace
   *
   * The plan is fixed at creation. The quotas show how much the workspace may send in a UTC day and store, and how
   * much of that is used.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  get(options: RequestOptions = {}): Promise<models.WorkspaceWithQuotas> {
    return this.transport.request({ method: 'GET', path: path`` }, options);
  }

  /**
   * Update the workspace
   *
   * Updates the name, settings and portal origins. `portalOrigins` takes at most 20 https origins without a path,
   * and `http://localhost:*` and `http://127.0.0.1:*` while `BASE_URL` is local. `portalTerms` is the name of an
   * event in the portal. `payloadRetentionHours` and `retentionHours` cannot exceed the retention of the
   * installation. With `requireSecondFactor`, members without a second factor can only set one up; an owner must
   * have one to require it. The slug cannot be changed. A token may update the workspace while its creator is an
   * owner, or if it was created by posthorn-admin or the bootstrap.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `second_factor_required`, `token_disabled`,
   * `not_found`, `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`, `unavailable`.
   */
  update(body: models.UpdateWorkspaceBody, options: RequestOptions = {}): Promise<models.WorkspaceWithQuotas> {
    return this.transport.request({ method: 'PATCH', path: path``, body }, options);
  }

  /**
   * Apply a document to a workspace
   *
   * Creates and updates the resources that the document names, in one transaction, and returns the differences.
   * Without `prune`, nothing is removed. With `dryRun`, returns the same result and stores nothing. If any part is
   * refused, nothing changes, and `details` lists the problems.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `plan_required`, `token_disabled`, `not_found`,
   * `agents_subscribed`, `default_environment`, `environment_limit_reached`, `event_type_exists`,
   * `event_type_in_use`, `external_id_taken`, `idempotency_conflict`, `limit_reached`, `slug_taken`,
   * `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`, `unavailable`.
   */
  apply(body: models.ApplyWorkspaceBody, options: ChangeOptions = {}): Promise<models.WorkspacePlan> {
    return this.transport.request(
      { method: 'POST', path: path`/apply`, body, idempotencyKey: options.idempotencyKey },
      options,
    );
  }
}

export type ListEnvironmentsOptions = RequestOptions & {
  /** The maximum number of items in each page. */
  limit?: number | undefined;
  /** The page to begin with: `nextCursor` of the page before it. */
  cursor?: string | undefined;
};

export type GetEnvironmentOptions = RequestOptions & {
  include?: 'events_without_application' | undefined;
};

/** Separate sets of API keys and endpoints, each with its own visibility of event types. */
export class EnvironmentsResource extends Resource {
  /**
   * List environments
   *
   * Returns all environments of the workspace: the default first, then the others, oldest first.
   *
   * Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `rate_limited`, `internal_error`, `unavailable`.
   */
  list(options: ListEnvironmentsOptions = {}): List<models.Environment> {
    return this.transport.list(
      { method: 'GET', path: path`/environments`, query: { limit: options.limit, cursor: options.cursor } },
      options,
      { by: 'link' },
    );
  }

  /**
   * Create an environment
   *
   * A workspace has at most 10 environments. A new environment has no published event types.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `environment_limit_reached`, `idempotency_conflict`, `slug_taken`, `payload_too_large`,
   * `unsupported_media_type`, `rate_limited`, `internal_error`, `unavailable`.
   */
  create(body: models.CreateEnvironmentBody, options: ChangeOptions = {}): Promise<models.Environment> {
    return this.transport.request(
      { method: 'POST', path: path`/environments`, body, idempotencyKey: options.idempotencyKey },
      options,
    );
  }

  /**
   * Get an environment
   *
   * Exactly one environment of a workspace is the default. `include=events_without_application` adds the number of
   * events in the last 7 days that named an event type and no application.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  get(environmentId: string, options: GetEnvironmentOptions = {}): Promise<models.EnvironmentDetail> {
    return this.transport.request(
      { method: 'GET', path: path`/environments/${environmentId}`, query: { include: options.include } },
      options,
    );
  }

  /**
   * Update an environment
   *
   * Setting `isDefault` to `true` makes this environment the default in place of the current one.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `slug_taken`,
   * `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`, `unavailable`.
   */
  update(
    environmentId: string,
    body: models.UpdateEnvironmentBody,
    options: RequestOptions = {},
  ): Promise<models.Environment> {
    return this.transport.request({ method: 'PATCH', path: path`/environments/${environmentId}`, body }, options);
  }

  /**
   * Delete an environment
   *
   * Also deletes its API keys, endpoints and portal sessions. The default environment cannot be deleted.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `default_environment`, `rate_limited`, `internal_error`, `unavailable`.
   */
  delete(environmentId: string, options: RequestOptions = {}): Promise<void> {
    return this.transport.request({ method: 'DELETE', path: path`/environments/${environmentId}` }, options);
  }

  /**
   * Compare two environments
   *
   * Returns the changes that would make the target match this environment: its settings, the visibility of event
   * types, and the workspace's own endpoints with their subscriptions. In a change, `from` is the value in the
   * target. Secrets, URLs, credentials and whether an endpoint is active are never compared.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `limit_reached`,
   * `rate_limited`, `internal_error`, `unavailable`.
   */
  diff(environmentId: string, targetId: string, options: RequestOptions = {}): Promise<models.EnvironmentDiff> {
    return this.transport.request(
      { method: 'GET', path: path`/environments/${environmentId}/diff/${targetId}` },
      options,
    );
  }

  /**
   * Promote an environment
   *
   * Makes the selected parts of the target match this environment, in one transaction. `url` is required for an
   * endpoint that is created, and is used only then. Without `prune`, nothing is deleted, unsubscribed or
   * unpublished. With `dryRun`, returns the changes without applying them.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  promote(
    environmentId: string,
    targetId: string,
    body: models.PromoteEnvironmentBody = {},
    options: ChangeOptions = {},
  ): Promise<models.Promotion> {
    return this.transport.request(
      {
        method: 'POST',
        path: path`/environments/${environmentId}/promote/${targetId}`,
        body,
        idempotencyKey: options.idempotencyKey,
      },
      options,
    );
  }
}

export type ListAgentKeysOptions = RequestOptions & {
  /** The maximum number of items in each page. */
  limit?: number | undefined;
  /** The page to begin with: `nextCursor` of the page before it. */
  cursor?: string | undefined;
  environmentId?: string | undefined;
  applicationId?: string | undefined;
};

export type ListAgentSubscriptionsOptions = RequestOptions & {
  /** The maximum number of items in each page. */
  limit?: number | undefined;
  /** The page to begin with: `nextCursor` of the page before it. */
  cursor?: string | undefined;
  environmentId?: string | undefined;
  applicationId?: string | undefined;
  eventType?: string | undefined;
  /** The status to filter by. `ended` returns those that ended in the last 7 days. */
  status?: 'active' | 'suspended' | 'ended' | undefined;
};

/** Agent subscriptions over the Model Context Protocol, and agent keys. */
export class AgentsResource extends Resource {
  /**
   * Get agent settings
   *
   * Returns whether agents may subscribe to events of this environment, and with which limits.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  getSettings(environmentId: string, options: RequestOptions = {}): Promise<models.AgentSettings> {
    return this.transport.request({ method: 'GET', path: path`/environments/${environmentId}/agents` }, options);
  }

  /**
   * Set agent settings
   *
   * Omitted fields are set to their defaults. `enabled: false` ends every agent subscription of the environment.
   * Existing subscriptions keep their rate limit.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `plan_required`, `token_disabled`, `not_found`,
   * `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`, `unavailable`.
   */
  setSettings(
    environmentId: string,
    body: models.SetAgentSettingsBody = {},
    options: RequestOptions = {},
  ): Promise<models.AgentSettings> {
    return this.transport.request({ method: 'PUT', path: path`/environments/${environmentId}/agents`, body }, options);
  }

  /**
   * Check the access token issuer
   *
   * Fetches the metadata and the keys of the issuer now, as when a token is verified.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `idempotency_conflict`, `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`,
   * `unavailable`.
   */
  checkIssuer(environmentId: string, options: ChangeOptions = {}): Promise<models.CheckedAgentIssuer> {
    return this.transport.request(
      {
        method: 'POST',
        path: path`/environments/${environmentId}/agents/check-issuer`,
        idempotencyKey: options.idempotencyKey,
      },
      options,
    );
  }

  /**
   * List agent keys
   *
   * Returns agent keys oldest first. Key values are not included.
   *
   * Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `rate_limited`, `internal_error`, `unavailable`.
   */
  listKeys(options: ListAgentKeysOptions = {}): List<models.AgentKey> {
    return this.transport.list(
      {
        method: 'GET',
        path: path`/agent-keys`,
        query: {
          limit: options.limit,
          cursor: options.cursor,
          environment_id: options.environmentId,
          application_id: options.applicationId,
        },
      },
      options,
      { by: 'cursor', items: 'agentKeys' },
    );
  }

  /**
   * Create an agent key
   *
   * Creates a key with which an agent subscribes to events of the environment over the Model Context Protocol. An
   * application has at most 20 keys, and the workspace itself at most 100. The key is shown only in this response.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `plan_required`, `token_disabled`, `not_found`,
   * `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  createKey(body: models.CreateAgentKeyBody, options: ChangeOptions = {}): Promise<models.CreatedAgentKey> {
    return this.transport.request(
      { method: 'POST', path: path`/agent-keys`, body, idempotencyKey: options.idempotencyKey, shownOnce: 'key' },
      options,
    );
  }

  /**
   * Delete an agent key
   *
   * Also ends every subscription that was created with the key.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  deleteKey(keyId: string, options: RequestOptions = {}): Promise<void> {
    return this.transport.request({ method: 'DELETE', path: path`/agent-keys/${keyId}` }, options);
  }

  /**
   * List agent subscriptions
   *
   * Returns agent subscriptions newest first, including those that ended in the last 7 days.
   *
   * Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `rate_limited`, `internal_error`, `unavailable`.
   */
  listSubscriptions(options: ListAgentSubscriptionsOptions = {}): List<models.AgentSubscription> {
    return this.transport.list(
      {
        method: 'GET',
        path: path`/agent-subscriptions`,
        query: {
          limit: options.limit,
          cursor: options.cursor,
          environment_id: options.environmentId,
          application_id: options.applicationId,
          event_type: options.eventType,
          status: options.status,
        },
      },
      options,
      { by: 'cursor', items: 'agentSubscriptions' },
    );
  }

  /**
   * Get an agent subscription
   *
   * Returns the live subscription with this id, or the one that ended most recently.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  getSubscription(subscriptionId: string, options: RequestOptions = {}): Promise<models.AgentSubscription> {
    return this.transport.request({ method: 'GET', path: path`/agent-subscriptions/${subscriptionId}` }, options);
  }

  /**
   * End an agent subscription
   *
   * No attempt starts after the response. The agent may subscribe again; to prevent that, delete its key.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  endSubscription(subscriptionId: string, options: RequestOptions = {}): Promise<void> {
    return this.transport.request({ method: 'DELETE', path: path`/agent-subscriptions/${subscriptionId}` }, options);
  }
}

export type ListApiKeysOptions = RequestOptions & {
  /** The maximum number of items in each page. */
  limit?: number | undefined;
  /** The page to begin with: `nextCursor` of the page before it. */
  cursor?: string | undefined;
};

/** The credentials of producers. Each is bound to one environment. */
export class ApiKeysResource extends Resource {
  /**
   * List an environment's API keys
   *
   * Returns keys oldest first. A revoked key is listed for 7 days after it ends. Key values are not included.
   *
   * Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `rate_limited`, `internal_error`, `unavailable`.
   */
  list(environmentId: string, options: ListApiKeysOptions = {}): List<models.ApiKey> {
    return this.transport.list(
      {
        method: 'GET',
        path: path`/environments/${environmentId}/api-keys`,
        query: { limit: options.limit, cursor: options.cursor },
      },
      options,
      { by: 'link' },
    );
  }

  /**
   * Create an API key
   *
   * An environment has at most 20 active keys. The key is shown only in this response.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  create(
    environmentId: string,
    body: models.CreateApiKeyBody,
    options: ChangeOptions = {},
  ): Promise<models.CreatedApiKey> {
    return this.transport.request(
      {
        method: 'POST',
        path: path`/environments/${environmentId}/api-keys`,
        body,
        idempotencyKey: options.idempotencyKey,
        shownOnce: 'key',
      },
      options,
    );
  }

  /**
   * Rotate an API key
   *
   * Returns a new key. The old key works until its grace period ends. Rotation is also allowed at the key limit.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  rotate(
    environmentId: string,
    id: string,
    body: models.RotateApiKeyBody = {},
    options: ChangeOptions = {},
  ): Promise<models.CreatedApiKey> {
    return this.transport.request(
      {
        method: 'POST',
        path: path`/environments/${environmentId}/api-keys/${id}/rotate`,
        body,
        idempotencyKey: options.idempotencyKey,
        shownOnce: 'key',
      },
      options,
    );
  }

  /**
   * Delete an API key
   *
   * The key stops working within a second and is no longer listed.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  delete(environmentId: string, id: string, options: RequestOptions = {}): Promise<void> {
    return this.transport.request(
      { method: 'DELETE', path: path`/environments/${environmentId}/api-keys/${id}` },
      options,
    );
  }
}

export type ListEventTypesOptions = RequestOptions & {
  /** The maximum number of items in each page. */
  limit?: number | undefined;
  /** The page to begin with: `nextCursor` of the page before it. */
  cursor?: string | undefined;
};

export type UpdateEventTypeOptions = RequestOptions & {
  /** Whether to end the agent subscriptions that the change breaks. */
  endAgents?: boolean | undefined;
  /** Whether to return the changes without applying them. */
  dryRun?: boolean | undefined;
};

export type DeleteEventTypeOptions = RequestOptions & {
  /** Whether to end the agent subscriptions that the change breaks. */
  endAgents?: boolean | undefined;
};

export type ListEventTypeVisibilityOptions = RequestOptions & {
  /** The maximum number of items in each page. */
  limit?: number | undefined;
  /** The page to begin with: `nextCursor` of the page before it. */
  cursor?: string | undefined;
  include?: 'endpoints' | undefined;
};

export type ListOperationalEventsOptions = RequestOptions & {
  /** The maximum number of items in each page. */
  limit?: number | undefined;
  /** The page to begin with: `nextCursor` of the page before it. */
  cursor?: string | undefined;
};

/** Categories of events, with their schemas and their publication and schema checks in each environment. */
export class EventTypesResource extends Resource {
  /**
   * List event types
   *
   * Returns all event types of the workspace, oldest first.
   *
   * Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `rate_limited`, `internal_error`, `unavailable`.
   */
  list(options: ListEventTypesOptions = {}): List<models.EventType> {
    return this.transport.list(
      { method: 'GET', path: path`/event-types`, query: { limit: options.limit, cursor: options.cursor } },
      options,
      { by: 'link' },
    );
  }

  /**
   * Create an event type
   *
   * Names are dot-separated, in lower case, and cannot be changed. A new event type is published only in the
   * environments listed in `publishIn`.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `event_type_exists`, `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`,
   * `rate_limited`, `internal_error`, `unavailable`.
   */
  create(body: models.CreateEventTypeBody, options: ChangeOptions = {}): Promise<models.CreatedEventType> {
    return this.transport.request(
      { method: 'POST', path: path`/event-types`, body, idempotencyKey: options.idempotencyKey },
      options,
    );
  }

  /**
   * Get an event type
   *
   * Returns an event type. Event types are shared by all environments of the workspace.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  get(id: string, options: RequestOptions = {}): Promise<models.EventType> {
    return this.transport.request({ method: 'GET', path: path`/event-types/${id}` }, options);
  }

  /**
   * Update an event type
   *
   * The name cannot be changed. If the body has a schema, the response describes how it differs for receivers.
   * With `dryRun=true`, nothing changes, and read access is sufficient.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `agents_subscribed`, `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`,
   * `unavailable`.
   */
  update(
    id: string,
    body: models.UpdateEventTypeBody,
    options: UpdateEventTypeOptions = {},
  ): Promise<models.UpdatedEventType> {
    return this.transport.request(
      {
        method: 'PATCH',
        path: path`/event-types/${id}`,
        query: { endAgents: options.endAgents, dryRun: options.dryRun },
        body,
      },
      options,
    );
  }

  /**
   * Delete an event type
   *
   * Fails while any endpoint, active or not, subscribes to the event type by name. Subscriptions made by patterns
   * are deleted with it.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `agents_subscribed`, `event_type_in_use`, `rate_limited`, `internal_error`, `unavailable`.
   */
  delete(id: string, options: DeleteEventTypeOptions = {}): Promise<void> {
    return this.transport.request(
      { method: 'DELETE', path: path`/event-types/${id}`, query: { endAgents: options.endAgents } },
      options,
    );
  }

  /**
   * List the visibility of event types
   *
   * Returns every event type of the workspace, with whether it is published in this environment and how its
   * payloads are checked. `include=endpoints` adds the number of endpoints that subscribe to it.
   *
   * Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `rate_limited`, `internal_error`, `unavailable`.
   */
  listVisibility(
    environmentId: string,
    options: ListEventTypeVisibilityOptions = {},
  ): List<models.EventTypeVisibilityRead> {
    return this.transport.list(
      {
        method: 'GET',
        path: path`/environments/${environmentId}/event-types`,
        query: { limit: options.limit, cursor: options.cursor, include: options.include },
      },
      options,
      { by: 'link' },
    );
  }

  /**
   * Publish or unpublish an event type
   *
   * Takes effect within a second. The request is idempotent. `schemaMode` sets how ingested payloads are checked
   * against the schema of the event type, whether or not the type is published.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`, `unavailable`.
   */
  setVisibility(
    environmentId: string,
    eventTypeId: string,
    body: models.SetEventTypeVisibilityBody,
    options: RequestOptions = {},
  ): Promise<models.EventTypeVisibility> {
    return this.transport.request(
      { method: 'PUT', path: path`/environments/${environmentId}/event-types/${eventTypeId}/visibility`, body },
      options,
    );
  }

  /**
   * Index older events
   *
   * Starts an operation that reads the payloads of older events of the event type, so that they can be found by
   * its current search keys. Repeating it is safe. With `dryRun`, only counts the events.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  indexEvents(body: models.IndexEventsBody & { dryRun: true }, options?: ChangeOptions): Promise<models.DryRun>;
  /**
   * Index older events
   *
   * Starts an operation that reads the payloads of older events of the event type, so that they can be found by
   * its current search keys. Repeating it is safe. With `dryRun`, only counts the events.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  indexEvents(body: models.IndexEventsBody & { dryRun?: false }, options?: ChangeOptions): Promise<models.Operation>;
  /**
   * Index older events
   *
   * Starts an operation that reads the payloads of older events of the event type, so that they can be found by
   * its current search keys. Repeating it is safe. With `dryRun`, only counts the events.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  indexEvents(body: models.IndexEventsBody, options?: ChangeOptions): Promise<models.Operation | models.DryRun>;
  indexEvents(body: models.IndexEventsBody, options: ChangeOptions = {}): Promise<models.Operation | models.DryRun> {
    return this.transport.request(
      { method: 'POST', path: path`/search-index`, body, idempotencyKey: options.idempotencyKey },
      options,
    );
  }

  /**
   * Rotate the search key
   *
   * New events are stored with tokens of a new key. Searches use both keys until the last event with the old key
   * is past the retention period; until then, the key cannot be rotated again. A token may rotate the key while
   * its creator is an owner, or if it was created by posthorn-admin or the bootstrap.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  rotateSearchKey(options: ChangeOptions = {}): Promise<models.SearchKeyRotation> {
    return this.transport.request(
      { method: 'POST', path: path`/search-key/rotate`, idempotencyKey: options.idempotencyKey },
      options,
    );
  }

  /**
   * Precheck an event type
   *
   * Returns which endpoints would receive an event of this type now, and why the others would not. Nothing is
   * stored or sent. At most 5,000 endpoints are returned, active subscribers first.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`, `unavailable`.
   */
  precheck(
    id: string,
    body: models.PrecheckEventTypeBody = {},
    options: RequestOptions = {},
  ): Promise<models.Precheck> {
    return this.transport.request(
      { method: 'POST', path: path`/event-types/${id}/precheck`, body, idempotencyKey: null },
      options,
    );
  }

  /**
   * List operational events
   *
   * Returns the events about deliveries that Posthorn can send. To receive one, create an event type with its
   * name, publish it, and subscribe an endpoint of the workspace to it.
   *
   * Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `rate_limited`, `internal_error`, `unavailable`.
   */
  listOperationalEvents(options: ListOperationalEventsOptions = {}): List<models.OperationalEvent> {
    return this.transport.list(
      { method: 'GET', path: path`/operational-events`, query: { limit: options.limit, cursor: options.cursor } },
      options,
      { by: 'link' },
    );
  }
}

export type ListCatalogOptions = RequestOptions & {
  /** The maximum number of items in each page. */
  limit?: number | undefined;
  /** The page to begin with: `nextCursor` of the page before it. */
  cursor?: string | undefined;
};

/** The published event types that receivers can subscribe to, with schema and example. */
export class CatalogResource extends Resource {
  /**
   * List the event types of a catalogue
   *
   * Returns the event types that are published in the environment, with schema and example, oldest first.
   *
   * Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `rate_limited`, `internal_error`, `unavailable`.
   */
  list(environmentId: string, options: ListCatalogOptions = {}): List<models.EventType> {
    return this.transport.list(
      {
        method: 'GET',
        path: path`/environments/${environmentId}/catalog`,
        query: { limit: options.limit, cursor: options.cursor },
      },
      options,
      { by: 'link' },
    );
  }

  /**
   * Get an event type of a catalogue
   *
   * Returns an event type that is published in the environment. Any other event type is `not_found`.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  getEventType(environmentId: string, eventTypeId: string, options: RequestOptions = {}): Promise<models.EventType> {
    return this.transport.request(
      { method: 'GET', path: path`/environments/${environmentId}/catalog/${eventTypeId}` },
      options,
    );
  }

  /**
   * Get a catalogue as an OpenAPI document
   *
   * Returns an OpenAPI 3.1 document for the engineers who receive the events. It has a webhook for each published
   * event type, with its schema, example, headers and signature.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `limit_reached`,
   * `rate_limited`, `internal_error`, `unavailable`.
   */
  getDocument(environmentId: string, options: RequestOptions = {}): Promise<models.CatalogDocument> {
    return this.transport.request(
      { method: 'GET', path: path`/environments/${environmentId}/catalog/openapi.json` },
      options,
    );
  }
}

export type ListApplicationsOptions = RequestOptions & {
  /** The maximum number of items in each page. */
  limit?: number | undefined;
  /** The page to begin with: `nextCursor` of the page before it. */
  cursor?: string | undefined;
  externalId?: string | undefined;
  /** A text that the name or the externalId contains, case-insensitive. */
  search?: string | undefined;
  include?: 'health' | undefined;
  /** With `include` or `sort`, limits the endpoints and events that are counted to this environment. */
  environmentId?: string | undefined;
  /**
   * Sorts by the most failing endpoints, then by the most degraded ones. An application whose health changes
   * between two pages may be listed twice or not at all. The default is newest first.
   */
  sort?: 'trouble' | undefined;
};

export type ListApplicationEndpointsOptions = RequestOptions & {
  /** The maximum number of items in each page. */
  limit?: number | undefined;
  /** The page to begin with: `nextCursor` of the page before it. */
  cursor?: string | undefined;
  environmentId?: string | undefined;
};

/** Your customers. Each has its own endpoints. */
export class ApplicationsResource extends Resource {
  /**
   * List applications
   *
   * Returns applications newest first. With `sort=trouble`, applications with the most failing endpoints come
   * first. `include=health` adds the health of the endpoints of each application.
   *
   * Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `plan_required`,
   * `token_disabled`, `not_found`, `rate_limited`, `internal_error`, `unavailable`.
   */
  list(options: ListApplicationsOptions = {}): List<models.ApplicationRead> {
    return this.transport.list(
      {
        method: 'GET',
        path: path`/applications`,
        query: {
          limit: options.limit,
          cursor: options.cursor,
          external_id: options.externalId,
          search: options.search,
          include: options.include,
          environment_id: options.environmentId,
          sort: options.sort,
        },
      },
      options,
      { by: 'cursor', items: 'applications' },
    );
  }

  /**
   * Create an application
   *
   * An `externalId` is unique in the workspace. `ext:<externalId>` is accepted wherever the id of an application
   * is.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `plan_required`, `token_disabled`, `not_found`,
   * `external_id_taken`, `idempotency_conflict`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  create(body: models.CreateApplicationBody, options: ChangeOptions = {}): Promise<models.Application> {
    return this.transport.request(
      { method: 'POST', path: path`/applications`, body, idempotencyKey: options.idempotencyKey },
      options,
    );
  }

  /**
   * Get an application
   *
   * Returns an application by its id, or by `ext:` and its externalId.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `plan_required`, `token_disabled`, `not_found`,
   * `rate_limited`, `internal_error`, `unavailable`.
   */
  get(applicationId: string, options: RequestOptions = {}): Promise<models.Application> {
    return this.transport.request({ method: 'GET', path: path`/applications/${applicationId}` }, options);
  }

  /**
   * Create or replace an application
   *
   * Creates or replaces the application with this externalId, given as `ext:<externalId>`. Omitted optional fields
   * are set to their defaults. The status is 201 if the application is new.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `plan_required`, `token_disabled`, `not_found`,
   * `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`, `unavailable`.
   */
  upsert(
    applicationId: string,
    body: models.CreateApplicationBody,
    options: RequestOptions = {},
  ): Promise<models.Application> {
    return this.transport.request({ method: 'PUT', path: path`/applications/${applicationId}`, body }, options);
  }

  /**
   * Update an application
   *
   * Updates the given fields. `metadata` is replaced as a whole.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `plan_required`, `token_disabled`, `not_found`,
   * `external_id_taken`, `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`,
   * `unavailable`.
   */
  update(
    applicationId: string,
    body: models.UpdateApplicationBody,
    options: RequestOptions = {},
  ): Promise<models.Application> {
    return this.transport.request({ method: 'PATCH', path: path`/applications/${applicationId}`, body }, options);
  }

  /**
   * Delete an application
   *
   * Also deletes its endpoints and portal sessions.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `plan_required`, `token_disabled`, `not_found`,
   * `rate_limited`, `internal_error`, `unavailable`.
   */
  delete(applicationId: string, options: RequestOptions = {}): Promise<void> {
    return this.transport.request({ method: 'DELETE', path: path`/applications/${applicationId}` }, options);
  }

  /**
   * List an application's endpoints
   *
   * Returns endpoints oldest first. With `limit` or `cursor`, returns one page; the `Link` header points to the
   * next.
   *
   * Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `plan_required`,
   * `token_disabled`, `not_found`, `rate_limited`, `internal_error`, `unavailable`.
   */
  listEndpoints(applicationId: string, options: ListApplicationEndpointsOptions = {}): List<models.Endpoint> {
    return this.transport.list(
      {
        method: 'GET',
        path: path`/applications/${applicationId}/endpoints`,
        query: { limit: options.limit, cursor: options.cursor, environment_id: options.environmentId },
      },
      options,
      { by: 'link' },
    );
  }

  /**
   * Create an endpoint of an application
   *
   * The endpoint is created in the default environment unless `environmentId` is set. An application has at most
   * 500 endpoints.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `plan_required`, `token_disabled`, `not_found`,
   * `external_id_taken`, `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`,
   * `rate_limited`, `internal_error`, `unavailable`.
   */
  createEndpoint(
    applicationId: string,
    body: models.CreateApplicationEndpointBody,
    options: ChangeOptions = {},
  ): Promise<models.CreatedEndpoint> {
    return this.transport.request(
      {
        method: 'POST',
        path: path`/applications/${applicationId}/endpoints`,
        body,
        idempotencyKey: options.idempotencyKey,
        shownOnce: 'pullKey',
      },
      options,
    );
  }

  /**
   * Create or replace an endpoint of an application
   *
   * Creates or replaces the endpoint with this externalId, given as `ext:<externalId>`, in the default environment
   * unless the body names another. Omitted optional fields are set to their defaults; the id, the secret,
   * `isActive`, the health and the owner are kept. An answer that is sent back changes nothing. The status is 201
   * if the endpoint is new.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `plan_required`, `token_disabled`, `not_found`,
   * `external_id_taken`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  upsertEndpoint(
    applicationId: string,
    endpointId: string,
    body: models.UpsertApplicationEndpointBody,
    options: RequestOptions = {},
  ): Promise<models.CreatedEndpoint> {
    return this.transport.request(
      { method: 'PUT', path: path`/applications/${applicationId}/endpoints/${endpointId}`, body },
      options,
    );
  }
}

export type ListEndpointTypesOptions = RequestOptions & {
  /** The maximum number of items in each page. */
  limit?: number | undefined;
  /** The page to begin with: `nextCursor` of the page before it. */
  cursor?: string | undefined;
};

export type ListEndpointsOptions = RequestOptions & {
  /** The maximum number of items in each page. */
  limit?: number | undefined;
  /** The page to begin with: `nextCursor` of the page before it. */
  cursor?: string | undefined;
  environmentId?: string | undefined;
  applicationId?: string | undefined;
  isActive?: boolean | undefined;
  eventTypeId?: string | undefined;
  externalId?: string | undefined;
  include?: 'stats' | undefined;
};

export type GetEndpointOptions = RequestOptions & {
  include?: 'stats' | undefined;
  environmentId?: string | undefined;
};

export type UpdateEndpointOptions = RequestOptions & {
  environmentId?: string | undefined;
};

export type DeleteEndpointOptions = RequestOptions & {
  environmentId?: string | undefined;
};

export type RotateEndpointSecretOptions = ChangeOptions & {
  environmentId?: string | undefined;
};

export type TestEndpointOptions = RequestOptions & {
  environmentId?: string | undefined;
};

export type DiagnoseEndpointOptions = RequestOptions & {
  environmentId?: string | undefined;
};

export type SubscribeEndpointOptions = ChangeOptions & {
  environmentId?: string | undefined;
};

export type UnsubscribeEndpointOptions = RequestOptions & {
  environmentId?: string | undefined;
};

export type ListEndpointDeliveriesOptions = RequestOptions & {
  /** The maximum number of items in each page. */
  limit?: number | undefined;
  /** The page to begin with: `nextCursor` of the page before it. */
  cursor?: string | undefined;
  status?: models.DeliveryStatus | undefined;
  environmentId?: string | undefined;
};

export type GetEndpointDeliveryOptions = RequestOptions & {
  include?: Array<'payload' | 'attempts'> | undefined;
  environmentId?: string | undefined;
};

export type RecoverEndpointOptions = ChangeOptions & {
  environmentId?: string | undefined;
};

/** The destinations that receive signed deliveries. */
export class EndpointsResource extends Resource {
  /**
   * List endpoint types
   *
   * Returns the possible values of `type` for a new endpoint. Each has the setup instructions, the schemas of its
   * `config` and credentials, and the meaning of `delivered`. Use this list to build forms.
   *
   * Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `rate_limited`, `internal_error`, `unavailable`.
   */
  listTypes(options: ListEndpointTypesOptions = {}): List<models.EndpointType> {
    return this.transport.list(
      { method: 'GET', path: path`/endpoint-types`, query: { limit: options.limit, cursor: options.cursor } },
      options,
      { by: 'link' },
    );
  }

  /**
   * List endpoints
   *
   * Returns every endpoint of the workspace, including those of applications, oldest first. With `limit` or
   * `cursor`, returns one page; the `Link` header points to the next. `include=stats` adds the attempts of the
   * last 24 hours.
   *
   * Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `rate_limited`, `internal_error`, `unavailable`.
   */
  list(options: ListEndpointsOptions = {}): List<models.EndpointRead> {
    return this.transport.list(
      {
        method: 'GET',
        path: path`/endpoints`,
        query: {
          limit: options.limit,
          cursor: options.cursor,
          environment_id: options.environmentId,
          application_id: options.applicationId,
          is_active: options.isActive,
          event_type_id: options.eventTypeId,
          external_id: options.externalId,
          include: options.include,
        },
      },
      options,
      { by: 'link' },
    );
  }

  /**
   * Create an endpoint
   *
   * The endpoint is created in the default environment unless `environmentId` is set. A signing secret is
   * generated unless one is given.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `external_id_taken`, `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`,
   * `rate_limited`, `internal_error`, `unavailable`.
   */
  create(body: models.CreateEndpointBody, options: ChangeOptions = {}): Promise<models.CreatedEndpoint> {
    return this.transport.request(
      { method: 'POST', path: path`/endpoints`, body, idempotencyKey: options.idempotencyKey, shownOnce: 'pullKey' },
      options,
    );
  }

  /**
   * Get an endpoint
   *
   * Returns an endpoint. The password is never returned. `include=stats` adds the attempts of the last 24 hours.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  get(id: string, options: GetEndpointOptions = {}): Promise<models.EndpointRead> {
    return this.transport.request(
      {
        method: 'GET',
        path: path`/endpoints/${id}`,
        query: { include: options.include, environment_id: options.environmentId },
      },
      options,
    );
  }

  /**
   * Update an endpoint
   *
   * Applies to every attempt that starts after the response. `config` is replaced as a whole. A `url` with another
   * origin removes the stored credentials unless the body includes them again.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `external_id_taken`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  update(id: string, body: models.UpdateEndpointBody, options: UpdateEndpointOptions = {}): Promise<models.Endpoint> {
    return this.transport.request(
      { method: 'PATCH', path: path`/endpoints/${id}`, query: { environment_id: options.environmentId }, body },
      options,
    );
  }

  /**
   * Create or replace an endpoint
   *
   * Creates or replaces the endpoint with this externalId, given as `ext:<externalId>`, in the default environment
   * unless the body names another. Omitted optional fields are set to their defaults; the id, the secret,
   * `isActive`, the health and the owner are kept. An answer that is sent back changes nothing. The status is 201
   * if the endpoint is new.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `external_id_taken`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  upsert(id: string, body: models.UpsertEndpointBody, options: RequestOptions = {}): Promise<models.CreatedEndpoint> {
    return this.transport.request({ method: 'PUT', path: path`/endpoints/${id}`, body }, options);
  }

  /**
   * Delete an endpoint
   *
   * Also deletes its subscriptions and permanently stops deliveries to it. Past deliveries remain readable.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  delete(id: string, options: DeleteEndpointOptions = {}): Promise<void> {
    return this.transport.request(
      { method: 'DELETE', path: path`/endpoints/${id}`, query: { environment_id: options.environmentId } },
      options,
    );
  }

  /**
   * Rotate an endpoint's signing secret
   *
   * Creates a new signing secret. Requests are also signed with the old secret until its grace period ends. At
   * most 3 secrets are valid at a time.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  rotateSecret(
    id: string,
    body: models.RotateEndpointSecretBody = {},
    options: RotateEndpointSecretOptions = {},
  ): Promise<models.Endpoint> {
    return this.transport.request(
      {
        method: 'POST',
        path: path`/endpoints/${id}/secret/rotate`,
        query: { environment_id: options.environmentId },
        body,
        idempotencyKey: options.idempotencyKey,
        shownOnce: 'secret',
      },
      options,
    );
  }

  /**
   * Send a test event
   *
   * Sends one signed request now, even to an inactive endpoint, and returns the attempt. The body is `payload`,
   * byte for byte, or the example of the event type, or a default payload. A test does not count in statistics,
   * the circuit breaker or the health, and is never retried.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `endpoint_inactive`, `idempotency_conflict`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  test(id: string, body: models.TestEndpointBody = {}, options: TestEndpointOptions = {}): Promise<models.Attempt> {
    return this.transport.request(
      {
        method: 'POST',
        path: path`/endpoints/${id}/test`,
        query: { environment_id: options.environmentId },
        body,
        idempotencyKey: null,
        once: true,
      },
      options,
    );
  }

  /**
   * Examine an endpoint
   *
   * Checks the connection to the endpoint and its responses step by step, and advises what to change. It sends at
   * most three requests, stores no result, and takes at most 60 seconds. It can be run once every 10 seconds for
   * an endpoint.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`, `unavailable`.
   */
  diagnose(id: string, options: DiagnoseEndpointOptions = {}): Promise<models.DoctorReport> {
    return this.transport.request(
      {
        method: 'POST',
        path: path`/endpoints/${id}/doctor`,
        query: { environment_id: options.environmentId },
        idempotencyKey: null,
        once: true,
      },
      options,
    );
  }

  /**
   * Test a transformation
   *
   * Runs the code on a payload, and returns the result that would be sent. Nothing is stored or sent.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `idempotency_conflict`, `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`,
   * `unavailable`.
   */
  testTransformation(
    body: models.TestTransformationBody,
    options: ChangeOptions = {},
  ): Promise<models.TransformationResult> {
    return this.transport.request(
      { method: 'POST', path: path`/transformations/test`, body, idempotencyKey: options.idempotencyKey },
      options,
    );
  }

  /**
   * Subscribe an endpoint to event types
   *
   * Event types that are already subscribed are skipped and not counted. If an id is unknown, nothing is
   * subscribed. The `filter` applies to the new subscriptions.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `idempotency_conflict`, `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`,
   * `unavailable`.
   */
  subscribe(
    id: string,
    body: models.SubscribeEndpointBody,
    options: SubscribeEndpointOptions = {},
  ): Promise<models.SubscribeEndpointAnswer> {
    return this.transport.request(
      {
        method: 'POST',
        path: path`/endpoints/${id}/subscriptions`,
        query: { environment_id: options.environmentId },
        body,
        idempotencyKey: options.idempotencyKey,
      },
      options,
    );
  }

  /**
   * Delete a subscription
   *
   * Events that were accepted before the removal may still be delivered.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  unsubscribe(id: string, eventTypeId: string, options: UnsubscribeEndpointOptions = {}): Promise<void> {
    return this.transport.request(
      {
        method: 'DELETE',
        path: path`/endpoints/${id}/subscriptions/${eventTypeId}`,
        query: { environment_id: options.environmentId },
      },
      options,
    );
  }

  /**
   * List an endpoint's deliveries
   *
   * Returns deliveries newest first. Deliveries older than the retention period (7 days) are not returned.
   *
   * Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `rate_limited`, `internal_error`, `unavailable`.
   */
  listDeliveries(endpointId: string, options: ListEndpointDeliveriesOptions = {}): List<models.Delivery> {
    return this.transport.list(
      {
        method: 'GET',
        path: path`/endpoints/${endpointId}/deliveries`,
        query: {
          limit: options.limit,
          cursor: options.cursor,
          status: options.status,
          environment_id: options.environmentId,
        },
      },
      options,
      { by: 'cursor', items: 'deliveries' },
    );
  }

  /**
   * Get an endpoint's delivery
   *
   * `include=payload,attempts` adds the payload as ingested and the newest 100 attempts. If the payload is not
   * available, the `status` of its envelope gives the reason.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  getDelivery(
    endpointId: string,
    id: string,
    options: GetEndpointDeliveryOptions = {},
  ): Promise<models.DeliveryDetail> {
    return this.transport.request(
      {
        method: 'GET',
        path: path`/endpoints/${endpointId}/deliveries/${id}`,
        query: { include: options.include, environment_id: options.environmentId },
      },
      options,
    );
  }

  /**
   * Recover missed deliveries
   *
   * `failed` retries deliveries that are `failed` or `dead_letter`. `missed` delivers events that the endpoint
   * would receive now and has no delivery of. `all` does both, and also resends deliveries that were `delivered`.
   * `since` is inclusive, `until` exclusive; both apply to the time of the event. The recovery is paced and yields
   * to new events. With `dryRun`, only counts.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  recover(
    id: string,
    body: models.RecoverEndpointBody & { dryRun: true },
    options?: RecoverEndpointOptions,
  ): Promise<models.DryRun>;
  /**
   * Recover missed deliveries
   *
   * `failed` retries deliveries that are `failed` or `dead_letter`. `missed` delivers events that the endpoint
   * would receive now and has no delivery of. `all` does both, and also resends deliveries that were `delivered`.
   * `since` is inclusive, `until` exclusive; both apply to the time of the event. The recovery is paced and yields
   * to new events. With `dryRun`, only counts.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  recover(
    id: string,
    body: models.RecoverEndpointBody & { dryRun?: false },
    options?: RecoverEndpointOptions,
  ): Promise<models.Operation>;
  /**
   * Recover missed deliveries
   *
   * `failed` retries deliveries that are `failed` or `dead_letter`. `missed` delivers events that the endpoint
   * would receive now and has no delivery of. `all` does both, and also resends deliveries that were `delivered`.
   * `since` is inclusive, `until` exclusive; both apply to the time of the event. The recovery is paced and yields
   * to new events. With `dryRun`, only counts.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  recover(
    id: string,
    body: models.RecoverEndpointBody,
    options?: RecoverEndpointOptions,
  ): Promise<models.Operation | models.DryRun>;
  recover(
    id: string,
    body: models.RecoverEndpointBody,
    options: RecoverEndpointOptions = {},
  ): Promise<models.Operation | models.DryRun> {
    return this.transport.request(
      {
        method: 'POST',
        path: path`/endpoints/${id}/recover`,
        query: { environment_id: options.environmentId },
        body,
        idempotencyKey: options.idempotencyKey,
      },
      options,
    );
  }
}

export type ListPullKeysOptions = RequestOptions & {
  /** The maximum number of items in each page. */
  limit?: number | undefined;
  /** The page to begin with: `nextCursor` of the page before it. */
  cursor?: string | undefined;
  environmentId?: string | undefined;
};

export type CreatePullKeyOptions = ChangeOptions & {
  environmentId?: string | undefined;
};

export type DeletePullKeyOptions = RequestOptions & {
  environmentId?: string | undefined;
};

/** The credentials with which consumers fetch the deliveries of one endpoint. */
export class PullKeysResource extends Resource {
  /**
   * List an endpoint's pull keys
   *
   * Returns pull keys oldest first, at most 10. Key values are not included.
   *
   * Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `rate_limited`, `internal_error`, `unavailable`.
   */
  list(id: string, options: ListPullKeysOptions = {}): List<models.PullKey> {
    return this.transport.list(
      {
        method: 'GET',
        path: path`/endpoints/${id}/pull-keys`,
        query: { limit: options.limit, cursor: options.cursor, environment_id: options.environmentId },
      },
      options,
      { by: 'link' },
    );
  }

  /**
   * Create a pull key
   *
   * A pull endpoint has at most 10 pull keys. The key is shown only in this response. To rotate a key, create a
   * new one, use it, and delete the old one.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  create(
    id: string,
    body: models.CreatePullKeyBody = {},
    options: CreatePullKeyOptions = {},
  ): Promise<models.CreatedPullKey> {
    return this.transport.request(
      {
        method: 'POST',
        path: path`/endpoints/${id}/pull-keys`,
        query: { environment_id: options.environmentId },
        body,
        idempotencyKey: options.idempotencyKey,
        shownOnce: 'pullKey',
      },
      options,
    );
  }

  /**
   * Delete a pull key
   *
   * The key stops working within a second. Messages that a consumer has leased can be settled with another key.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  delete(id: string, keyId: string, options: DeletePullKeyOptions = {}): Promise<void> {
    return this.transport.request(
      {
        method: 'DELETE',
        path: path`/endpoints/${id}/pull-keys/${keyId}`,
        query: { environment_id: options.environmentId },
      },
      options,
    );
  }
}

export type ListSubscriptionsOptions = RequestOptions & {
  /** The maximum number of items in each page. */
  limit?: number | undefined;
  /** The page to begin with: `nextCursor` of the page before it. */
  cursor?: string | undefined;
  environmentId?: string | undefined;
};

export type UpdateSubscriptionOptions = RequestOptions & {
  environmentId?: string | undefined;
};

/** The event types that each endpoint receives. */
export class SubscriptionsResource extends Resource {
  /**
   * List an endpoint's subscriptions
   *
   * Returns subscriptions oldest first.
   *
   * Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `rate_limited`, `internal_error`, `unavailable`.
   */
  list(id: string, options: ListSubscriptionsOptions = {}): List<models.Subscription> {
    return this.transport.list(
      {
        method: 'GET',
        path: path`/endpoints/${id}/subscriptions`,
        query: { limit: options.limit, cursor: options.cursor, environment_id: options.environmentId },
      },
      options,
      { by: 'link' },
    );
  }

  /**
   * Update the filter of a subscription
   *
   * Replaces the filter. Null removes it. The new filter applies to events that are fanned out from then on.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`, `unavailable`.
   */
  update(
    id: string,
    eventTypeId: string,
    body: models.UpdateSubscriptionBody,
    options: UpdateSubscriptionOptions = {},
  ): Promise<models.Subscription> {
    return this.transport.request(
      {
        method: 'PATCH',
        path: path`/endpoints/${id}/subscriptions/${eventTypeId}`,
        query: { environment_id: options.environmentId },
        body,
      },
      options,
    );
  }

  /**
   * Test a filter
   *
   * Returns whether a payload matches a filter, and the result of each clause. Nothing is stored.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`, `unavailable`.
   */
  testFilter(body: models.TestFilterBody, options: RequestOptions = {}): Promise<models.TestFilterAnswer> {
    return this.transport.request({ method: 'POST', path: path`/filters/test`, body, idempotencyKey: null }, options);
  }
}

export type ListSourcesOptions = RequestOptions & {
  /** The maximum number of items in each page. */
  limit?: number | undefined;
  /** The page to begin with: `nextCursor` of the page before it. */
  cursor?: string | undefined;
  environmentId?: string | undefined;
};

export type ListSourceRejectionsOptions = RequestOptions & {
  /** The maximum number of items in each page. */
  limit?: number | undefined;
  /** The page to begin with: `nextCursor` of the page before it. */
  cursor?: string | undefined;
};

/** Kafka topics whose records become events. */
export class SourcesResource extends Resource {
  /**
   * List sources
   *
   * Returns sources oldest first. Credentials are not included.
   *
   * Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `rate_limited`, `internal_error`, `unavailable`.
   */
  list(options: ListSourcesOptions = {}): List<models.Source> {
    return this.transport.list(
      {
        method: 'GET',
        path: path`/sources`,
        query: { limit: options.limit, cursor: options.cursor, environment_id: options.environmentId },
      },
      options,
      { by: 'cursor', items: 'sources' },
    );
  }

  /**
   * Create a source
   *
   * A source reads topics of Apache Kafka. Each record becomes one event, exactly once. Reading starts within
   * seconds; `health` shows the result.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `external_id_taken`, `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`,
   * `rate_limited`, `internal_error`, `unavailable`.
   */
  create(body: models.CreateSourceBody, options: ChangeOptions = {}): Promise<models.Source> {
    return this.transport.request(
      { method: 'POST', path: path`/sources`, body, idempotencyKey: options.idempotencyKey },
      options,
    );
  }

  /**
   * Get a source
   *
   * Returns a source, with its health as last reported by the reader.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  get(id: string, options: RequestOptions = {}): Promise<models.Source> {
    return this.transport.request({ method: 'GET', path: path`/sources/${id}` }, options);
  }

  /**
   * Update a source
   *
   * Reading continues from the current position, and from `start` in a topic that is new to the source. Stored
   * credentials are removed when the brokers change. A stopped source tries again.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `external_id_taken`, `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`,
   * `unavailable`.
   */
  update(id: string, body: models.UpdateSourceBody, options: RequestOptions = {}): Promise<models.Source> {
    return this.transport.request({ method: 'PATCH', path: path`/sources/${id}`, body }, options);
  }

  /**
   * Delete a source
   *
   * Also deletes its position and its rejections. Its events are kept.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  delete(id: string, options: RequestOptions = {}): Promise<void> {
    return this.transport.request({ method: 'DELETE', path: path`/sources/${id}` }, options);
  }

  /**
   * Seek in a topic
   *
   * Moves the source to an offset or a time in a topic. Records from there on are read, and those that were read
   * before become new events. A stopped source tries again.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `idempotency_conflict`, `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`,
   * `unavailable`.
   */
  seek(id: string, body: models.SeekSourceBody, options: ChangeOptions = {}): Promise<models.Source> {
    return this.transport.request(
      { method: 'POST', path: path`/sources/${id}/seek`, body, idempotencyKey: options.idempotencyKey },
      options,
    );
  }

  /**
   * Test a source
   *
   * Connects to the brokers, describes the topics and reads one record, without storing it. The response shows the
   * event that the record would become, or why it cannot become one. A source can be tested once every 5 seconds.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `idempotency_conflict`, `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`,
   * `unavailable`.
   */
  test(id: string, options: ChangeOptions = {}): Promise<models.SourceTest> {
    return this.transport.request(
      { method: 'POST', path: path`/sources/${id}/test`, idempotencyKey: options.idempotencyKey },
      options,
    );
  }

  /**
   * List a source's rejected records
   *
   * Returns rejected records newest first. The newest 10,000 are kept.
   *
   * Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `rate_limited`, `internal_error`, `unavailable`.
   */
  listRejections(id: string, options: ListSourceRejectionsOptions = {}): List<models.SourceRejection> {
    return this.transport.list(
      { method: 'GET', path: path`/sources/${id}/rejections`, query: { limit: options.limit, cursor: options.cursor } },
      options,
      { by: 'cursor', items: 'rejections' },
    );
  }
}

export type ListDeliveriesOptions = RequestOptions & {
  /** The maximum number of items in each page. */
  limit?: number | undefined;
  /** The page to begin with: `nextCursor` of the page before it. */
  cursor?: string | undefined;
  status?: models.DeliveryStatus | undefined;
  endpointId?: string | undefined;
  environmentId?: string | undefined;
  applicationId?: string | undefined;
  eventType?: string | undefined;
  from?: string | Date | undefined;
  to?: string | Date | undefined;
};

export type GetDeliveryOptions = RequestOptions & {
  include?: Array<'payload' | 'attempts'> | undefined;
};

export type ListAttemptsOptions = RequestOptions & {
  /** The maximum number of items in each page. */
  limit?: number | undefined;
  /** The page to begin with: `nextCursor` of the page before it. */
  cursor?: string | undefined;
};

/** The deliveries of events to endpoints, with every attempt. */
export class DeliveriesResource extends Resource {
  /**
   * List deliveries
   *
   * Returns deliveries newest first, including those of deleted endpoints. `from` is inclusive, `to` exclusive;
   * both apply to the time of the event.
   *
   * Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `rate_limited`, `internal_error`, `unavailable`.
   */
  list(options: ListDeliveriesOptions = {}): List<models.Delivery> {
    return this.transport.list(
      {
        method: 'GET',
        path: path`/deliveries`,
        query: {
          limit: options.limit,
          cursor: options.cursor,
          status: options.status,
          endpoint_id: options.endpointId,
          environment_id: options.environmentId,
          application_id: options.applicationId,
          event_type: options.eventType,
          from: options.from,
          to: options.to,
        },
      },
      options,
      { by: 'cursor', items: 'deliveries' },
    );
  }

  /**
   * Search deliveries
   *
   * Returns the deliveries of events that match the search values, newest first. Values are looked up by the
   * search keys of each event type. The filters are those of the list, sent in the body to keep values out of
   * URLs. Requires the right to read payloads.
   *
   * Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `plan_required`,
   * `token_disabled`, `not_found`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  search(body: models.SearchDeliveriesBody, options: RequestOptions = {}): Promise<models.DeliveriesPage> {
    return this.transport.request(
      { method: 'POST', path: path`/deliveries/search`, body, idempotencyKey: null },
      options,
    );
  }

  /**
   * Get a delivery
   *
   * `include=payload,attempts` adds the payload as ingested and the newest 100 attempts. If the payload is not
   * available, the `status` of its envelope gives the reason.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  get(id: string, options: GetDeliveryOptions = {}): Promise<models.DeliveryDetail> {
    return this.transport.request(
      { method: 'GET', path: path`/deliveries/${id}`, query: { include: options.include } },
      options,
    );
  }

  /**
   * List a delivery's attempts
   *
   * Returns the newest 100 attempts, oldest first; the `Link` header points to older ones. Credentials in request
   * headers are redacted. Headers and bodies are limited to 2 MiB in total: an omitted body is null, with
   * `responseTruncated` true.
   *
   * Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `rate_limited`, `internal_error`, `unavailable`.
   */
  listAttempts(id: string, options: ListAttemptsOptions = {}): List<models.Attempt> {
    return this.transport.list(
      {
        method: 'GET',
        path: path`/deliveries/${id}/attempts`,
        query: { limit: options.limit, cursor: options.cursor },
      },
      options,
      { by: 'link' },
    );
  }

  /**
   * Retry a delivery
   *
   * Makes the delivery due now and restarts its retry schedule. A delivery can be retried 100 times. Attempt
   * numbers continue.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `delivery_in_progress`, `idempotency_conflict`, `limit_reached`, `payload_expired`, `payload_too_large`,
   * `unsupported_media_type`, `rate_limited`, `internal_error`, `unavailable`.
   */
  retry(id: string, options: ChangeOptions = {}): Promise<models.Delivery> {
    return this.transport.request(
      { method: 'POST', path: path`/deliveries/${id}/retry`, idempotencyKey: options.idempotencyKey },
      options,
    );
  }

  /**
   * Cancel a delivery
   *
   * Ends a delivery that is `pending` or `scheduled_retry` as `failed`, with the reason `cancelled`. Returns
   * `delivery_in_progress` while an attempt is running, and `not_cancellable` after the delivery has ended.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `delivery_in_progress`, `idempotency_conflict`, `not_cancellable`, `payload_too_large`,
   * `unsupported_media_type`, `rate_limited`, `internal_error`, `unavailable`.
   */
  cancel(id: string, options: ChangeOptions = {}): Promise<models.Delivery> {
    return this.transport.request(
      { method: 'POST', path: path`/deliveries/${id}/cancel`, idempotencyKey: options.idempotencyKey },
      options,
    );
  }
}

export type ListEventsOptions = RequestOptions & {
  /** The maximum number of items in each page. */
  limit?: number | undefined;
  /** The page to begin with: `nextCursor` of the page before it. */
  cursor?: string | undefined;
  environmentId?: string | undefined;
  applicationId?: string | undefined;
  eventType?: string | undefined;
  idempotencyKey?: string | undefined;
  status?: 'scheduled' | 'matching' | 'matched' | 'unmatched' | 'cancelled' | undefined;
  from?: string | Date | undefined;
  to?: string | Date | undefined;
};

export type GetEventOptions = RequestOptions & {
  include?: 'payload' | undefined;
};

export type ListEventDeliveriesOptions = RequestOptions & {
  /** The maximum number of items in each page. */
  limit?: number | undefined;
  /** The page to begin with: `nextCursor` of the page before it. */
  cursor?: string | undefined;
};

export type TraceEventOptions = RequestOptions & {
  limit?: number | undefined;
  cursor?: string | undefined;
  decision?: 'matched' | 'skipped' | 'waiting' | undefined;
  endpointId?: string | undefined;
};

/** The events that producers sent, and why each endpoint did or did not receive them. */
export class EventsResource<Payloads extends AnyPayloads = AnyPayloads> extends Ingestion<Payloads> {
  /**
   * Send an event
   *
   * Sends an event without an API key, to the default environment unless `environmentId` is set. The checks,
   * quotas and idempotency keys are those of ingestion. `data` is the payload.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `idempotency_conflict`, `payload_too_large`, `unsupported_media_type`, `schema_violation`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  create(
    body: EventToSend<Payloads, models.CreateEventBody>,
    options: ChangeOptions = {},
  ): Promise<models.CreatedEvent> {
    return this.transport.request(
      { method: 'POST', path: path`/events`, body, idempotencyKey: options.idempotencyKey },
      options,
    );
  }

  /**
   * List events
   *
   * Returns events newest first, within the retention period. `from` is inclusive, `to` exclusive. Each request
   * reads a limited number of events: if few events match the filter, a page may be short or empty and still have
   * a `nextCursor`.
   *
   * Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `rate_limited`, `internal_error`, `unavailable`.
   */
  list(options: ListEventsOptions = {}): List<models.Event> {
    return this.transport.list(
      {
        method: 'GET',
        path: path`/events`,
        query: {
          limit: options.limit,
          cursor: options.cursor,
          environment_id: options.environmentId,
          application_id: options.applicationId,
          event_type: options.eventType,
          idempotency_key: options.idempotencyKey,
          status: options.status,
          from: options.from,
          to: options.to,
        },
      },
      options,
      { by: 'cursor', items: 'events' },
    );
  }

  /**
   * Search events
   *
   * Returns the events that match the search values, newest first. Values are looked up by the search keys of each
   * event type. The filters are those of the list, sent in the body to keep values out of URLs. Requires the right
   * to read payloads.
   *
   * Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `plan_required`,
   * `token_disabled`, `not_found`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  search(body: models.SearchEventsBody, options: RequestOptions = {}): Promise<models.FoundEventsPage> {
    return this.transport.request({ method: 'POST', path: path`/events/search`, body, idempotencyKey: null }, options);
  }

  /**
   * Get an event
   *
   * `include=payload` adds the payload as ingested. If the payload is not available, the `status` of its envelope
   * gives the reason.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  get(id: string, options: GetEventOptions = {}): Promise<models.EventDetail> {
    return this.transport.request(
      { method: 'GET', path: path`/events/${id}`, query: { include: options.include } },
      options,
    );
  }

  /**
   * List an event's deliveries
   *
   * Returns one delivery for each endpoint that received the event, ordered by delivery id.
   *
   * Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `rate_limited`, `internal_error`, `unavailable`.
   */
  listDeliveries(id: string, options: ListEventDeliveriesOptions = {}): List<models.Delivery> {
    return this.transport.list(
      { method: 'GET', path: path`/events/${id}/deliveries`, query: { limit: options.limit, cursor: options.cursor } },
      options,
      { by: 'cursor', items: 'deliveries' },
    );
  }

  /**
   * Cancel an event
   *
   * An event that waits for its fan-out gets no deliveries. Deliveries that have not ended are ended as failed,
   * except those with a running attempt.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `idempotency_conflict`, `not_cancellable`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  cancel(id: string, options: ChangeOptions = {}): Promise<models.Event> {
    return this.transport.request(
      { method: 'POST', path: path`/events/${id}/cancel`, idempotencyKey: options.idempotencyKey },
      options,
    );
  }

  /**
   * Trace an event
   *
   * Returns for every endpoint of the environment whether it received the event, and if not, why, based on the
   * configuration at fan-out. Matched endpoints come first.
   *
   * Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `rate_limited`, `internal_error`, `unavailable`.
   */
  trace(id: string, options: TraceEventOptions = {}): Promise<models.EventTrace> {
    return this.transport.request(
      {
        method: 'GET',
        path: path`/events/${id}/trace`,
        query: {
          limit: options.limit,
          cursor: options.cursor,
          decision: options.decision,
          endpoint_id: options.endpointId,
        },
      },
      options,
    );
  }

  /**
   * Erase the payload of an event
   *
   * Erases the payload and the headers and bodies of its attempts at once, and cancels its open deliveries. The
   * event and its deliveries remain in lists. Repeating the request has the same response.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  deletePayload(id: string, options: RequestOptions = {}): Promise<void> {
    return this.transport.request({ method: 'DELETE', path: path`/events/${id}/payload` }, options);
  }
}

/** Recoveries and bulk changes of many deliveries, which run in the background. */
export class ErasuresResource extends Resource {
  /**
   * Erase customer data
   *
   * Erases the payloads of the events that were sent to the application, and the requests and responses of the
   * attempts to its endpoints. Without `eventTypes`, `from` and `to`, erases the customer: also deletes the
   * application, its endpoints and its portal sessions, with all names. This cannot be undone. With `dryRun`, only
   * counts the events.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  start(body: models.StartErasureBody & { dryRun: true }, options?: ChangeOptions): Promise<models.DryRun>;
  /**
   * Erase customer data
   *
   * Erases the payloads of the events that were sent to the application, and the requests and responses of the
   * attempts to its endpoints. Without `eventTypes`, `from` and `to`, erases the customer: also deletes the
   * application, its endpoints and its portal sessions, with all names. This cannot be undone. With `dryRun`, only
   * counts the events.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  start(body: models.StartErasureBody & { dryRun?: false }, options?: ChangeOptions): Promise<models.Operation>;
  /**
   * Erase customer data
   *
   * Erases the payloads of the events that were sent to the application, and the requests and responses of the
   * attempts to its endpoints. Without `eventTypes`, `from` and `to`, erases the customer: also deletes the
   * application, its endpoints and its portal sessions, with all names. This cannot be undone. With `dryRun`, only
   * counts the events.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  start(body: models.StartErasureBody, options?: ChangeOptions): Promise<models.Operation | models.DryRun>;
  start(body: models.StartErasureBody, options: ChangeOptions = {}): Promise<models.Operation | models.DryRun> {
    return this.transport.request(
      { method: 'POST', path: path`/erasures`, body, idempotencyKey: options.idempotencyKey },
      options,
    );
  }
}

export type ListOperationsOptions = RequestOptions & {
  /** The maximum number of items in each page. */
  limit?: number | undefined;
  /** The page to begin with: `nextCursor` of the page before it. */
  cursor?: string | undefined;
  endpointId?: string | undefined;
  environmentId?: string | undefined;
  status?: 'counting' | 'running' | 'completed' | 'cancelled' | 'failed' | undefined;
};

/** Recoveries and bulk changes of many deliveries, which run in the background. */
export class OperationsResource extends Resource {
  /**
   * Retry deliveries in bulk
   *
   * Retries every delivery that matches the filter, like a manual retry, at a rate that its endpoint can handle.
   * The filter needs at least one key. With `dryRun`, only counts.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  retryDeliveries(body: models.RetryDeliveriesBody & { dryRun: true }, options?: ChangeOptions): Promise<models.DryRun>;
  /**
   * Retry deliveries in bulk
   *
   * Retries every delivery that matches the filter, like a manual retry, at a rate that its endpoint can handle.
   * The filter needs at least one key. With `dryRun`, only counts.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  retryDeliveries(
    body: models.RetryDeliveriesBody & { dryRun?: false },
    options?: ChangeOptions,
  ): Promise<models.Operation>;
  /**
   * Retry deliveries in bulk
   *
   * Retries every delivery that matches the filter, like a manual retry, at a rate that its endpoint can handle.
   * The filter needs at least one key. With `dryRun`, only counts.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  retryDeliveries(body: models.RetryDeliveriesBody, options?: ChangeOptions): Promise<models.Operation | models.DryRun>;
  retryDeliveries(
    body: models.RetryDeliveriesBody,
    options: ChangeOptions = {},
  ): Promise<models.Operation | models.DryRun> {
    return this.transport.request(
      { method: 'POST', path: path`/deliveries/retry`, body, idempotencyKey: options.idempotencyKey },
      options,
    );
  }

  /**
   * Cancel deliveries in bulk
   *
   * Cancels every delivery that matches the filter and is `pending` or `scheduled_retry`. The filter needs at
   * least one key. With `dryRun`, only counts.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  cancelDeliveries(
    body: models.RetryDeliveriesBody & { dryRun: true },
    options?: ChangeOptions,
  ): Promise<models.DryRun>;
  /**
   * Cancel deliveries in bulk
   *
   * Cancels every delivery that matches the filter and is `pending` or `scheduled_retry`. The filter needs at
   * least one key. With `dryRun`, only counts.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  cancelDeliveries(
    body: models.RetryDeliveriesBody & { dryRun?: false },
    options?: ChangeOptions,
  ): Promise<models.Operation>;
  /**
   * Cancel deliveries in bulk
   *
   * Cancels every delivery that matches the filter and is `pending` or `scheduled_retry`. The filter needs at
   * least one key. With `dryRun`, only counts.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  cancelDeliveries(
    body: models.RetryDeliveriesBody,
    options?: ChangeOptions,
  ): Promise<models.Operation | models.DryRun>;
  cancelDeliveries(
    body: models.RetryDeliveriesBody,
    options: ChangeOptions = {},
  ): Promise<models.Operation | models.DryRun> {
    return this.transport.request(
      { method: 'POST', path: path`/deliveries/cancel`, body, idempotencyKey: options.idempotencyKey },
      options,
    );
  }

  /**
   * List operations
   *
   * Returns operations newest first. An operation is kept for the retention period (7 days).
   *
   * Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `rate_limited`, `internal_error`, `unavailable`.
   */
  list(options: ListOperationsOptions = {}): List<models.Operation> {
    return this.transport.list(
      {
        method: 'GET',
        path: path`/operations`,
        query: {
          limit: options.limit,
          cursor: options.cursor,
          endpoint_id: options.endpointId,
          environment_id: options.environmentId,
          status: options.status,
        },
      },
      options,
      { by: 'cursor', items: 'operations' },
    );
  }

  /**
   * Get an operation
   *
   * Returns an operation. `matched` is null while it counts. `delivered` and `failed` are updated within seconds.
   * The operation is `completed` once all its enqueued deliveries have ended.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  get(id: string, options: RequestOptions = {}): Promise<models.Operation> {
    return this.transport.request({ method: 'GET', path: path`/operations/${id}` }, options);
  }

  /**
   * Cancel an operation
   *
   * The operation enqueues nothing more. Deliveries that it has already enqueued continue, and are counted. An
   * erasure needs the role `admin`.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `idempotency_conflict`, `not_cancellable`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  cancel(id: string, options: ChangeOptions = {}): Promise<models.Operation> {
    return this.transport.request(
      { method: 'POST', path: path`/operations/${id}/cancel`, idempotencyKey: options.idempotencyKey },
      options,
    );
  }

  /**
   * Pause an operation
   *
   * The operation does nothing more until it is resumed. Deliveries that it has already enqueued continue, and are
   * counted. An erasure needs the role `admin`.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `idempotency_conflict`, `not_cancellable`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  pause(id: string, options: ChangeOptions = {}): Promise<models.Operation> {
    return this.transport.request(
      { method: 'POST', path: path`/operations/${id}/pause`, idempotencyKey: options.idempotencyKey },
      options,
    );
  }

  /**
   * Resume an operation
   *
   * A paused operation continues where it stopped. An erasure needs the role `admin`.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `idempotency_conflict`, `not_cancellable`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  resume(id: string, options: ChangeOptions = {}): Promise<models.Operation> {
    return this.transport.request(
      { method: 'POST', path: path`/operations/${id}/resume`, idempotencyKey: options.idempotencyKey },
      options,
    );
  }
}

export type ListAlertRulesOptions = RequestOptions & {
  /** The maximum number of items in each page. */
  limit?: number | undefined;
  /** The page to begin with: `nextCursor` of the page before it. */
  cursor?: string | undefined;
  /**
   * The application whose rules are returned, including those created in its portal. If omitted, returns the rules
   * that were not created in a portal.
   */
  applicationId?: string | undefined;
};

/** Notifications about operational events by email, in a chat or through PagerDuty. */
export class AlertRulesResource extends Resource {
  /**
   * List alert rules
   *
   * Returns alert rules oldest first. Targets are shortened.
   *
   * Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `rate_limited`, `internal_error`, `unavailable`.
   */
  list(options: ListAlertRulesOptions = {}): List<models.AlertRule> {
    return this.transport.list(
      {
        method: 'GET',
        path: path`/alert-rules`,
        query: { limit: options.limit, cursor: options.cursor, application_id: options.applicationId },
      },
      options,
      { by: 'link' },
    );
  }

  /**
   * Create an alert rule
   *
   * Sends messages by email, to a chat or to PagerDuty when one of the `events` occurs. No published event type is
   * needed. If the address does not belong to a member, it first receives an email with a confirmation link.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  create(body: models.CreateAlertRuleBody, options: ChangeOptions = {}): Promise<models.AlertRule> {
    return this.transport.request(
      { method: 'POST', path: path`/alert-rules`, body, idempotencyKey: options.idempotencyKey },
      options,
    );
  }

  /**
   * Get an alert rule
   *
   * Returns an alert rule. The target is shortened.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  get(id: string, options: RequestOptions = {}): Promise<models.AlertRule> {
    return this.transport.request({ method: 'GET', path: path`/alert-rules/${id}` }, options);
  }

  /**
   * Update an alert rule
   *
   * A new address that does not belong to a member must be confirmed again. Sending back the shortened target
   * leaves the target unchanged.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `limit_reached`,
   * `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`, `unavailable`.
   */
  update(id: string, body: models.UpdateAlertRuleBody, options: RequestOptions = {}): Promise<models.AlertRule> {
    return this.transport.request({ method: 'PATCH', path: path`/alert-rules/${id}`, body }, options);
  }

  /**
   * Delete an alert rule
   *
   * Alerts that are waiting to be sent are discarded.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  delete(id: string, options: RequestOptions = {}): Promise<void> {
    return this.transport.request({ method: 'DELETE', path: path`/alert-rules/${id}` }, options);
  }

  /**
   * Send a test message
   *
   * The message is sent within seconds, regardless of the quiet time. The result is then in `lastSentAt`,
   * `lastError` and `lastErrorCode` of the rule. A rule can have one pending test at a time.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  test(id: string, options: ChangeOptions = {}): Promise<models.AlertRule> {
    return this.transport.request(
      { method: 'POST', path: path`/alert-rules/${id}/test`, idempotencyKey: options.idempotencyKey },
      options,
    );
  }
}

export type GetStatsOptions = RequestOptions & {
  from?: string | Date | undefined;
  to?: string | Date | undefined;
  step?: 'minute' | 'hour' | 'day' | undefined;
  environmentId?: string | undefined;
  applicationId?: string | undefined;
  endpointId?: string | undefined;
  eventType?: string | undefined;
  groupBy?: 'endpoint' | 'event_type' | 'status' | undefined;
};

export type StreamChangesOptions = RequestOptions & {
  environmentId?: string | undefined;
  endpointId?: string | undefined;
  status?: models.DeliveryStatus | undefined;
};

/** Counts, durations and delays, and a live stream of changes. */
export class StatsResource extends Resource {
  /**
   * Get statistics
   *
   * Returns events, attempts and ended deliveries by `step`: a minute (at most 24 hours), an hour (at most 7 days)
   * or a day. With `group_by`, returns the totals of the 50 largest groups instead. Data is at most 5 seconds old;
   * tests are not counted.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  get(options: GetStatsOptions = {}): Promise<models.Stats> {
    return this.transport.request(
      {
        method: 'GET',
        path: path`/stats`,
        query: {
          from: options.from,
          to: options.to,
          step: options.step,
          environment_id: options.environmentId,
          application_id: options.applicationId,
          endpoint_id: options.endpointId,
          event_type: options.eventType,
          group_by: options.groupBy,
        },
      },
      options,
    );
  }

  /**
   * Stream deliveries and events
   *
   * Streams server-sent events: `delivery`, with the delivery as in the list, whenever one changes; `event` when
   * an event is accepted (not with `status`); `gap` with the number of dropped changes. Nothing is repeated after
   * a reconnection. A workspace can have at most 20 streams, of which at most 10 are from portals and 2 from the
   * portal of one application.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `limit_reached`,
   * `rate_limited`, `internal_error`, `unavailable`.
   */
  streamChanges(
    options: StreamChangesOptions = {},
  ): AsyncIterable<
    | { event: 'delivery'; data: models.Delivery }
    | { event: 'event'; data: models.AcceptedEvent }
    | { event: 'gap'; data: models.LiveGap }
  > {
    return this.transport.stream(
      {
        method: 'GET',
        path: path`/live`,
        query: { environment_id: options.environmentId, endpoint_id: options.endpointId, status: options.status },
      },
      options,
    );
  }
}

export type ListUsageOptions = RequestOptions & {
  from?: string | Date | undefined;
  to?: string | Date | undefined;
  step?: 'day' | 'month' | undefined;
  groupBy?: 'application' | undefined;
  applicationId?: string | undefined;
  /** The maximum number of items in each page. */
  limit?: number | undefined;
  /** The page to begin with: `nextCursor` of the page before it. */
  cursor?: string | undefined;
};

/** The usage of each customer, for billing. */
export class UsageResource extends Resource {
  /**
   * List usage by application
   *
   * Returns the events, deliveries, attempts and bytes of each application by day or month in UTC, for billing.
   * Counts are exact and kept for 13 months. A day or month that is not over is `provisional`. `from` is rounded
   * down and `to` up. With `Accept: text/csv`, returns the page as CSV.
   *
   * Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `rate_limited`, `internal_error`, `unavailable`.
   */
  list(options: ListUsageOptions = {}): List<models.UsageRow> {
    return this.transport.list(
      {
        method: 'GET',
        path: path`/usage`,
        query: {
          from: options.from,
          to: options.to,
          step: options.step,
          group_by: options.groupBy,
          application_id: options.applicationId,
          limit: options.limit,
          cursor: options.cursor,
        },
      },
      options,
      { by: 'cursor', items: 'usage' },
    );
  }
}

export type ListAuditLogsOptions = RequestOptions & {
  /** The page to begin with, as a number: `nextCursor` of the page before it. */
  page?: number | undefined;
  from?: string | Date | undefined;
  to?: string | Date | undefined;
  action?: string | undefined;
  resourceType?: string | undefined;
  actorType?: string | undefined;
};

/** A record of every change, with its actor and origin. */
export class AuditLogsResource extends Resource {
  /**
   * List audit log entries
   *
   * Returns entries newest first, 50 per page. Entries are kept for 365 days. `from` is inclusive, `to` exclusive.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  list(options: ListAuditLogsOptions = {}): List<models.AuditLogEntry> {
    return this.transport.list(
      {
        method: 'GET',
        path: path`/audit-logs`,
        query: {
          page: options.page,
          from: options.from,
          to: options.to,
          action: options.action,
          resource_type: options.resourceType,
          actor_type: options.actorType,
        },
      },
      options,
      { by: 'page', items: 'data' },
    );
  }
}

export type ListPortalSessionsOptions = RequestOptions & {
  /** The maximum number of items in each page. */
  limit?: number | undefined;
  /** The page to begin with: `nextCursor` of the page before it. */
  cursor?: string | undefined;
};

/** Sessions that give a customer access to the portal. */
export class PortalSessionsResource extends Resource {
  /**
   * List an application's portal sessions
   *
   * Returns sessions that have not expired, oldest first.
   *
   * Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `plan_required`,
   * `token_disabled`, `not_found`, `rate_limited`, `internal_error`, `unavailable`.
   */
  list(applicationId: string, options: ListPortalSessionsOptions = {}): List<models.PortalSession> {
    return this.transport.list(
      {
        method: 'GET',
        path: path`/applications/${applicationId}/portal-sessions`,
        query: { limit: options.limit, cursor: options.cursor },
      },
      options,
      { by: 'link' },
    );
  }

  /**
   * Create a portal session
   *
   * Redirect the customer to the `url`, or open it in a frame. The session gives access to one application in one
   * environment. Its `capabilities` cannot exceed your own rights.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `plan_required`, `token_disabled`, `not_found`,
   * `idempotency_conflict`, `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`,
   * `unavailable`.
   */
  create(
    applicationId: string,
    body: models.CreatePortalSessionBody = {},
    options: ChangeOptions = {},
  ): Promise<models.CreatedPortalSession> {
    return this.transport.request(
      {
        method: 'POST',
        path: path`/applications/${applicationId}/portal-sessions`,
        body,
        idempotencyKey: options.idempotencyKey,
        shownOnce: 'token',
      },
      options,
    );
  }

  /**
   * Get a portal session
   *
   * Returns a portal session. The token is shown only at creation.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `plan_required`, `token_disabled`, `not_found`,
   * `rate_limited`, `internal_error`, `unavailable`.
   */
  get(applicationId: string, id: string, options: RequestOptions = {}): Promise<models.PortalSession> {
    return this.transport.request(
      { method: 'GET', path: path`/applications/${applicationId}/portal-sessions/${id}` },
      options,
    );
  }

  /**
   * End a portal session
   *
   * The token is refused from the next request on.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `plan_required`, `token_disabled`, `not_found`,
   * `rate_limited`, `internal_error`, `unavailable`.
   */
  delete(applicationId: string, id: string, options: RequestOptions = {}): Promise<void> {
    return this.transport.request(
      { method: 'DELETE', path: path`/applications/${applicationId}/portal-sessions/${id}` },
      options,
    );
  }
}

/** The resources of a client. */
export class Resources<Payloads extends AnyPayloads = AnyPayloads> {
  /** The credentials of the management interface. */
  readonly me: MeResource;
  /** A workspace contains every other resource. */
  readonly workspace: WorkspaceResource;
  /** Separate sets of API keys and endpoints, each with its own visibility of event types. */
  readonly environments: EnvironmentsResource;
  /** Agent subscriptions over the Model Context Protocol, and agent keys. */
  readonly agents: AgentsResource;
  /** The credentials of producers. Each is bound to one environment. */
  readonly apiKeys: ApiKeysResource;
  /** Categories of events, with their schemas and their publication and schema checks in each environment. */
  readonly eventTypes: EventTypesResource;
  /** The published event types that receivers can subscribe to, with schema and example. */
  readonly catalog: CatalogResource;
  /** Your customers. Each has its own endpoints. */
  readonly applications: ApplicationsResource;
  /** The destinations that receive signed deliveries. */
  readonly endpoints: EndpointsResource;
  /** The credentials with which consumers fetch the deliveries of one endpoint. */
  readonly pullKeys: PullKeysResource;
  /** The event types that each endpoint receives. */
  readonly subscriptions: SubscriptionsResource;
  /** Kafka topics whose records become events. */
  readonly sources: SourcesResource;
  /** The deliveries of events to endpoints, with every attempt. */
  readonly deliveries: DeliveriesResource;
  /** The events that producers sent, and why each endpoint did or did not receive them. */
  readonly events: EventsResource<Payloads>;
  /** Recoveries and bulk changes of many deliveries, which run in the background. */
  readonly erasures: ErasuresResource;
  /** Recoveries and bulk changes of many deliveries, which run in the background. */
  readonly operations: OperationsResource;
  /** Notifications about operational events by email, in a chat or through PagerDuty. */
  readonly alertRules: AlertRulesResource;
  /** Counts, durations and delays, and a live stream of changes. */
  readonly stats: StatsResource;
  /** The usage of each customer, for billing. */
  readonly usage: UsageResource;
  /** A record of every change, with its actor and origin. */
  readonly auditLogs: AuditLogsResource;
  /** Sessions that give a customer access to the portal. */
  readonly portalSessions: PortalSessionsResource;

  constructor(transport: Transport) {
    this.me = new MeResource(transport);
    this.workspace = new WorkspaceResource(transport);
    this.environments = new EnvironmentsResource(transport);
    this.agents = new AgentsResource(transport);
    this.apiKeys = new ApiKeysResource(transport);
    this.eventTypes = new EventTypesResource(transport);
    this.catalog = new CatalogResource(transport);
    this.applications = new ApplicationsResource(transport);
    this.endpoints = new EndpointsResource(transport);
    this.pullKeys = new PullKeysResource(transport);
    this.subscriptions = new SubscriptionsResource(transport);
    this.sources = new SourcesResource(transport);
    this.deliveries = new DeliveriesResource(transport);
    this.events = new EventsResource(transport);
    this.erasures = new ErasuresResource(transport);
    this.operations = new OperationsResource(transport);
    this.alertRules = new AlertRulesResource(transport);
    this.stats = new StatsResource(transport);
    this.usage = new UsageResource(transport);
    this.auditLogs = new AuditLogsResource(transport);
    this.portalSessions = new PortalSessionsResource(transport);
  }
}
