// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.

import { type AnyPayloads, type EventToSend, Ingestion } from './ingestion.ts';
import type { List } from './list.ts';
import type * as models from './models.ts';
import { type ChangeOptions, type RequestOptions, Resource } from './resource.ts';
import { path, type Transport } from './transport.ts';

/** Credentials of the management interface. */
export class MeResource extends Resource {
  /**
   * Get your management token
   *
   * The workspace to which the token belongs, its scopes and its end, and the environments.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  get(options: RequestOptions = {}): Promise<models.OwnManagementToken> {
    return this.transport.request({ method: 'GET', path: path`/management/v1/me`, inWorkspace: false }, options);
  }
}

/** The tenant: every other resource belongs to one. */
export class WorkspaceResource extends Resource {
  /**
   * Get the workspace
   *
   * The plan is fixed at creation. The quotas tell what the workspace may send on a UTC day and keep, and how much
   * of it is used.
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
   * Its name, and the origins that may frame the customer portal: at most 20 https origins without a path;
   * `http://localhost:*` and `http://127.0.0.1:*` while `BASE_URL` is local. `portalTerms` is what the portal
   * calls an event. `payloadRetentionHours` and `retentionHours` are at most the retention of the installation.
   * With `requireSecondFactor`, members without a second factor can do nothing but set one up; an owner needs one
   * to require it. The slug does not change. A token may do this while its creator is an owner, or when
   * posthorn-admin or the bootstrap created it.
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
   * Creates and changes what the document names, in one transaction, and answers what differed. Nothing is removed
   * without `prune`. With `dryRun` it does the same and keeps nothing. A fault anywhere changes nothing: `details`
   * names every place.
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
  /** How many items are asked for at a time. */
  limit?: number | undefined;
  /** Where to begin: `nextCursor` of a page. */
  cursor?: string | undefined;
};

export type GetEnvironmentOptions = RequestOptions & {
  include?: 'events_without_application' | undefined;
};

/** They separate API keys, endpoints and the visibility of event types. */
export class EnvironmentsResource extends Resource {
  /**
   * List environments
   *
   * All environments of the workspace: the default first, then oldest first.
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
   * A workspace has at most 10. A new environment has no published event type.
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
   * Exactly one environment of a workspace is the default. `include=events_without_application` adds how many
   * events of the last 7 days named an event type and no application.
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
   * `isDefault: true` makes this environment the default instead of the current one.
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
   * Also ends its API keys, endpoints and portal sessions. The default environment cannot be deleted.
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
   * What would make the target like the environment: its settings, the visibility of event types, and the
   * workspace's own endpoints with their subscriptions. `from` is the target's value. Secrets, URLs, activity and
   * credentials are never compared.
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
   * Promote an environment to another
   *
   * Makes the target like the environment in what the body names, in one transaction. `url` is required for an
   * endpoint that is created, and used only then. Nothing is deleted, unsubscribed or unpublished without `prune`.
   * With `dryRun` it only tells.
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
  /** How many items are asked for at a time. */
  limit?: number | undefined;
  /** Where to begin: `nextCursor` of a page. */
  cursor?: string | undefined;
  environmentId?: string | undefined;
  applicationId?: string | undefined;
};

export type ListAgentSubscriptionsOptions = RequestOptions & {
  /** How many items are asked for at a time. */
  limit?: number | undefined;
  /** Where to begin: `nextCursor` of a page. */
  cursor?: string | undefined;
  environmentId?: string | undefined;
  applicationId?: string | undefined;
  eventType?: string | undefined;
  /** `ended`: only those that have ended in the last 7 days. */
  status?: 'active' | 'suspended' | 'ended' | undefined;
};

/** Subscriptions of agents over the Model Context Protocol, and their keys. */
export class AgentsResource extends Resource {
  /**
   * Get what agents may do
   *
   * Whether agents may subscribe to events of this environment, and within which bounds.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  getSettings(environmentId: string, options: RequestOptions = {}): Promise<models.AgentSettings> {
    return this.transport.request({ method: 'GET', path: path`/environments/${environmentId}/agents` }, options);
  }

  /**
   * Set what agents may do
   *
   * An absent field has its default. `enabled: false` ends every subscription of the environment. Subscriptions
   * that exist keep their rate limit.
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
   * Check the issuer of access tokens
   *
   * Reads its description and its keys now, as the check of a token does.
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
   * Oldest first. The keys themselves are not shown.
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
   * With it, an agent subscribes to events of the environment over the Model Context Protocol. An application has
   * at most 20 keys, and the workspace has 100 of its own. The key is shown only in this answer.
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
   * Also ends every subscription that was made with it.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  deleteKey(keyId: string, options: RequestOptions = {}): Promise<void> {
    return this.transport.request({ method: 'DELETE', path: path`/agent-keys/${keyId}` }, options);
  }

  /**
   * List the subscriptions of agents
   *
   * Newest first, those that have ended in the last 7 days included.
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
   * Get a subscription of an agent
   *
   * The live one with this id, or else the one that ended last.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  getSubscription(subscriptionId: string, options: RequestOptions = {}): Promise<models.AgentSubscription> {
    return this.transport.request({ method: 'GET', path: path`/agent-subscriptions/${subscriptionId}` }, options);
  }

  /**
   * End a subscription of an agent
   *
   * No attempt begins after the answer. The agent may subscribe again; delete its key to prevent that.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  endSubscription(subscriptionId: string, options: RequestOptions = {}): Promise<void> {
    return this.transport.request({ method: 'DELETE', path: path`/agent-subscriptions/${subscriptionId}` }, options);
  }
}

export type ListApiKeysOptions = RequestOptions & {
  /** How many items are asked for at a time. */
  limit?: number | undefined;
  /** Where to begin: `nextCursor` of a page. */
  cursor?: string | undefined;
};

/** Producers' credentials; each is bound to one environment. */
export class ApiKeysResource extends Resource {
  /**
   * List an environment's API keys
   *
   * Oldest first; a revoked key is listed until 7 days after its end. The keys themselves are not shown.
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
   * An environment has at most 20 active keys. The key is shown only in this answer.
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
   * Returns a new key; the old one works until its grace period ends. Also allowed at the limit of keys.
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
   * The key is refused within a second, and is no longer listed.
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
  /** How many items are asked for at a time. */
  limit?: number | undefined;
  /** Where to begin: `nextCursor` of a page. */
  cursor?: string | undefined;
};

export type UpdateEventTypeOptions = RequestOptions & {
  /** `true` ends the subscriptions of agents that the change breaks. */
  endAgents?: boolean | undefined;
  /** `true` only tells what would change. */
  dryRun?: boolean | undefined;
};

export type DeleteEventTypeOptions = RequestOptions & {
  /** `true` ends the subscriptions of agents that the change breaks. */
  endAgents?: boolean | undefined;
};

export type ListEventTypeVisibilityOptions = RequestOptions & {
  /** How many items are asked for at a time. */
  limit?: number | undefined;
  /** Where to begin: `nextCursor` of a page. */
  cursor?: string | undefined;
  include?: 'endpoints' | undefined;
};

export type ListOperationalEventsOptions = RequestOptions & {
  /** How many items are asked for at a time. */
  limit?: number | undefined;
  /** Where to begin: `nextCursor` of a page. */
  cursor?: string | undefined;
};

/** The categories of events, their schemas, and in which environments each is published and checked. */
export class EventTypesResource extends Resource {
  /**
   * List event types
   *
   * All event types of the workspace, oldest first.
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
   * Names are dot-notation in lower case and cannot be changed. A new type is published only in the environments
   * of `publishIn`.
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
   * Event types belong to the whole workspace.
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
   * Its name cannot be changed. With a schema, the answer tells how it differs for receivers. With `dryRun=true`
   * nothing changes, and the right to read suffices.
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
   * Refused while any endpoint subscribes to it, active or not.
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
   * List the visibility of event types in an environment
   *
   * Every event type of the workspace, whether it is published in this environment, and how its payloads are
   * checked. `include=endpoints` adds how many endpoints subscribe to it.
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
   * Publish or unpublish an event type in an environment
   *
   * Takes effect within a second. Idempotent. `schemaMode` checks the payloads of ingestion by the schema of the
   * type, whether it is published or not.
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
   * Starts an operation that reads the payloads of older events of the type, so that they are found by the search
   * keys that it has now. Repeating it changes nothing. With `dryRun` it only counts the events.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  indexEvents(body: models.IndexEventsBody & { dryRun: true }, options?: ChangeOptions): Promise<models.DryRun>;
  /**
   * Index older events
   *
   * Starts an operation that reads the payloads of older events of the type, so that they are found by the search
   * keys that it has now. Repeating it changes nothing. With `dryRun` it only counts the events.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  indexEvents(body: models.IndexEventsBody & { dryRun?: false }, options?: ChangeOptions): Promise<models.Operation>;
  /**
   * Index older events
   *
   * Starts an operation that reads the payloads of older events of the type, so that they are found by the search
   * keys that it has now. Repeating it changes nothing. With `dryRun` it only counts the events.
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
   * Rotate the search key of the workspace
   *
   * Events that are accepted from now on are stored with tokens of a new key. Searches look with both keys until
   * the last event under the former one has left the retention, and until then there is no further rotation. A
   * token may do this while its creator is an owner, or when posthorn-admin or the bootstrap created it.
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
   * Which endpoints would get an event of this type now, and why the others would not. Nothing is stored or sent.
   * At most 5,000 endpoints are shown, active subscribers first.
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
   * List the operational events
   *
   * What Posthorn can tell about deliveries, as events. To get one, create an event type of that name, publish it,
   * and subscribe an endpoint of the workspace to it.
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
  /** How many items are asked for at a time. */
  limit?: number | undefined;
  /** Where to begin: `nextCursor` of a page. */
  cursor?: string | undefined;
};

/** What receivers may get: the published event types with schema and example. */
export class CatalogResource extends Resource {
  /**
   * List the catalogue of an environment
   *
   * The event types that are published in the environment, with schema and example, oldest first.
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
   * A type that is not published in the environment is missing.
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
   * Get the catalogue of an environment as an OpenAPI document
   *
   * OpenAPI 3.1, with a webhook for each published event type: its schema, its example, the headers and the
   * signature. For the engineers who receive them.
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
  /** How many items are asked for at a time. */
  limit?: number | undefined;
  /** Where to begin: `nextCursor` of a page. */
  cursor?: string | undefined;
  externalId?: string | undefined;
  /** A text in the name or the externalId, case-insensitive. */
  search?: string | undefined;
  include?: 'health' | undefined;
  /** With `include` or `sort`: only the endpoints and events of this environment count. */
  environmentId?: string | undefined;
  /**
   * Applications with the most failing endpoints first, then with the most degraded ones. Where an application
   * gets better or worse between two pages, it may come twice or not at all. Newest first by default.
   */
  sort?: 'trouble' | undefined;
};

export type ListApplicationEndpointsOptions = RequestOptions & {
  /** How many items are asked for at a time. */
  limit?: number | undefined;
  /** Where to begin: `nextCursor` of a page. */
  cursor?: string | undefined;
  environmentId?: string | undefined;
};

/** End customers, each with its own endpoints. */
export class ApplicationsResource extends Resource {
  /**
   * List applications
   *
   * Newest first, or with `sort=trouble` those with the most failing endpoints first. `include=health` adds how
   * the endpoints of each are.
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
   * An `externalId` is unique in the workspace; `ext:<externalId>` is accepted wherever an application’s id is.
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
   * By its id, or by `ext:` and its externalId.
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
   * By `ext:` and an externalId. An optional field that is absent gets its default. The answer is 201 where the
   * application is new.
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
   * `metadata` is replaced completely.
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
   * Also ends its endpoints and portal sessions.
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
   * Oldest first. With `limit` or `cursor` only one page; the `Link` header leads to the next.
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
   * In the default environment unless another is named. An application has at most 500 endpoints.
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
   * By `ext:` and an externalId, in the default environment unless the body names another. An optional field that
   * is absent gets its default; the id, the secret, `isActive`, the health and the owner stay. The answer is 201
   * where the endpoint is new.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `plan_required`, `token_disabled`, `not_found`,
   * `external_id_taken`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  upsertEndpoint(
    applicationId: string,
    endpointId: string,
    body: models.CreateApplicationEndpointBody,
    options: RequestOptions = {},
  ): Promise<models.CreatedEndpoint> {
    return this.transport.request(
      { method: 'PUT', path: path`/applications/${applicationId}/endpoints/${endpointId}`, body },
      options,
    );
  }
}

export type ListEndpointTypesOptions = RequestOptions & {
  /** How many items are asked for at a time. */
  limit?: number | undefined;
  /** Where to begin: `nextCursor` of a page. */
  cursor?: string | undefined;
};

export type ListEndpointsOptions = RequestOptions & {
  /** How many items are asked for at a time. */
  limit?: number | undefined;
  /** Where to begin: `nextCursor` of a page. */
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
  /** How many items are asked for at a time. */
  limit?: number | undefined;
  /** Where to begin: `nextCursor` of a page. */
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

/** The addresses that get signed deliveries. */
export class EndpointsResource extends Resource {
  /**
   * List the types of endpoints
   *
   * The values that `type` of a new endpoint may have. For each: what to set up, what its `config` and credentials
   * look like, and what `delivered` means. Draw forms from this list.
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
   * Every endpoint of the workspace, application-owned included, oldest first. With `limit` or `cursor` only one
   * page; the `Link` header leads to the next. `include=stats` adds the attempts of the last 24 hours.
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
   * In the default environment unless another is named. A signing secret is generated unless one is given.
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
   * The password is never returned. `include=stats` adds the attempts of the last 24 hours.
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
   * Applies to every attempt that starts after the answer. `config` is replaced completely. A `url` of another
   * origin clears the credentials unless the body gives them again.
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
   * By `ext:` and an externalId, in the default environment unless the body names another. An optional field that
   * is absent gets its default; the id, the secret, `isActive`, the health and the owner stay. The answer is 201
   * where the endpoint is new.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `external_id_taken`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  upsert(id: string, body: models.CreateEndpointBody, options: RequestOptions = {}): Promise<models.CreatedEndpoint> {
    return this.transport.request({ method: 'PUT', path: path`/endpoints/${id}`, body }, options);
  }

  /**
   * Delete an endpoint
   *
   * Also deletes its subscriptions and permanently stops deliveries to it. Its past deliveries stay readable.
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
   * The old secret also signs until its grace period ends; at most 3 are valid at a time.
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
   * Send a test
   *
   * Sends one signed request now and answers its attempt, also for an inactive endpoint. The body is `payload` as
   * it is written here, else the example of the event type, else a payload of the service. It counts in no
   * statistic, circuit breaker or health, and is never retried.
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
   * Checks the way to the endpoint and its answers, step by step, and says what to change. It sends at most three
   * requests, stores no result, and takes at most 60 seconds; once in 10 seconds for an endpoint.
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
   * Runs the code for a payload, and answers what would be sent. Nothing is stored or sent.
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
   * Ids that are already subscribed are skipped and not counted. With an unknown id, nothing is subscribed. A
   * `filter` applies to the new subscriptions.
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
   * Remove a subscription
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
   * Newest first. Deliveries older than the retention (7 days) are not returned.
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
   * Get one of an endpoint's deliveries
   *
   * `include=payload,attempts` adds the body as ingested and the newest 100 attempts, as in their list. When the
   * body is not shown, the envelope’s status gives the reason.
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
   * Recover what an endpoint did not receive
   *
   * `failed` takes deliveries that are `failed` or `dead_letter`, `missed` events that the endpoint would get now
   * and has no delivery of, `all` both and what was `delivered`. `since` is inclusive, `until` exclusive; both
   * compare the time of the event. Paced, behind new events. With `dryRun` it only counts.
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
   * Recover what an endpoint did not receive
   *
   * `failed` takes deliveries that are `failed` or `dead_letter`, `missed` events that the endpoint would get now
   * and has no delivery of, `all` both and what was `delivered`. `since` is inclusive, `until` exclusive; both
   * compare the time of the event. Paced, behind new events. With `dryRun` it only counts.
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
   * Recover what an endpoint did not receive
   *
   * `failed` takes deliveries that are `failed` or `dead_letter`, `missed` events that the endpoint would get now
   * and has no delivery of, `all` both and what was `delivered`. `since` is inclusive, `until` exclusive; both
   * compare the time of the event. Paced, behind new events. With `dryRun` it only counts.
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
  /** How many items are asked for at a time. */
  limit?: number | undefined;
  /** Where to begin: `nextCursor` of a page. */
  cursor?: string | undefined;
  environmentId?: string | undefined;
};

export type CreatePullKeyOptions = ChangeOptions & {
  environmentId?: string | undefined;
};

export type DeletePullKeyOptions = RequestOptions & {
  environmentId?: string | undefined;
};

/** Credentials of the consumers that fetch the deliveries of one endpoint. */
export class PullKeysResource extends Resource {
  /**
   * List the pull keys of an endpoint
   *
   * Oldest first, at most 10. The keys themselves are not shown.
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
   * A pull endpoint has at most 10. The key is shown only in this answer. To rotate a key: create one, use it,
   * delete the other.
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
   * The key is refused within a second. Messages that a consumer holds can be answered with another key.
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
  /** How many items are asked for at a time. */
  limit?: number | undefined;
  /** Where to begin: `nextCursor` of a page. */
  cursor?: string | undefined;
  environmentId?: string | undefined;
};

export type UpdateSubscriptionOptions = RequestOptions & {
  environmentId?: string | undefined;
};

/** Which endpoint gets which event types. */
export class SubscriptionsResource extends Resource {
  /**
   * List an endpoint's subscriptions
   *
   * Oldest first.
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
   * Change the filter of a subscription
   *
   * Replaces the filter; null removes it. It applies to the events that are fanned out from then on.
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
   * Whether a payload matches a filter, and the result of each clause. Nothing is stored.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`, `unavailable`.
   */
  testFilter(body: models.TestFilterBody, options: RequestOptions = {}): Promise<models.TestFilterAnswer> {
    return this.transport.request({ method: 'POST', path: path`/filters/test`, body, idempotencyKey: null }, options);
  }
}

export type ListSourcesOptions = RequestOptions & {
  /** How many items are asked for at a time. */
  limit?: number | undefined;
  /** Where to begin: `nextCursor` of a page. */
  cursor?: string | undefined;
  environmentId?: string | undefined;
};

export type ListSourceRejectionsOptions = RequestOptions & {
  /** How many items are asked for at a time. */
  limit?: number | undefined;
  /** Where to begin: `nextCursor` of a page. */
  cursor?: string | undefined;
};

/** Topics of Kafka whose records become events. */
export class SourcesResource extends Resource {
  /**
   * List the sources
   *
   * Oldest first. Credentials are not shown.
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
   * Reads topics of Apache Kafka: each record becomes one event, exactly once. It begins within seconds; `health`
   * says what it found.
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
   * With its health, as the reader has reported it.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  get(id: string, options: RequestOptions = {}): Promise<models.Source> {
    return this.transport.request({ method: 'GET', path: path`/sources/${id}` }, options);
  }

  /**
   * Change a source
   *
   * It reads on where it was, and a topic that is new to it from `start`. Stored credentials are dropped when the
   * brokers change. A source that has stopped tries again.
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
   * With its position and its rejections. Its events stay.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  delete(id: string, options: RequestOptions = {}): Promise<void> {
    return this.transport.request({ method: 'DELETE', path: path`/sources/${id}` }, options);
  }

  /**
   * Move a source in a topic
   *
   * To an offset or a time. What lies behind it is read again, and becomes new events. A source that has stopped
   * tries again.
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
   * Connects to the brokers, describes the topics and reads one record, without storing it. The answer says what
   * the record means, or why it could not become an event. Once in 5 seconds for a source.
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
   * List the rejected records of a source
   *
   * Newest first; the newest 10,000 are kept.
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
  /** How many items are asked for at a time. */
  limit?: number | undefined;
  /** Where to begin: `nextCursor` of a page. */
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
  /** How many items are asked for at a time. */
  limit?: number | undefined;
  /** Where to begin: `nextCursor` of a page. */
  cursor?: string | undefined;
};

/** Events on their way to endpoints, with every attempt. */
export class DeliveriesResource extends Resource {
  /**
   * List the workspace's deliveries
   *
   * Newest first, including deliveries of deleted endpoints. `from` is inclusive, `to` exclusive; both compare the
   * time of the event.
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
   * The deliveries of events that have the values, by the search keys of their types, newest first. It takes what
   * the list takes, in a body, so that no value stands in an address. It needs the right to read payloads.
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
   * `include=payload,attempts` adds the body as ingested and the newest 100 attempts, as in their list. When the
   * body is not shown, the envelope’s status gives the reason.
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
   * The newest 100, oldest first; the `Link` header leads to older ones. Credentials in the request headers are
   * redacted. Headers and bodies take at most 2 MiB together: an omitted body is null, with `responseTruncated`
   * true.
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
   * Makes the delivery due now, with a full new schedule; allowed 100 times for a delivery. Attempt numbers
   * continue.
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
   * Ends a delivery that is `pending` or `scheduled_retry` as `failed` with the reason `cancelled`. While it is
   * being delivered the answer is `delivery_in_progress`, and `not_cancellable` once it has ended.
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
  /** How many items are asked for at a time. */
  limit?: number | undefined;
  /** Where to begin: `nextCursor` of a page. */
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
  /** How many items are asked for at a time. */
  limit?: number | undefined;
  /** Where to begin: `nextCursor` of a page. */
  cursor?: string | undefined;
};

export type TraceEventOptions = RequestOptions & {
  limit?: number | undefined;
  cursor?: string | undefined;
  decision?: 'matched' | 'skipped' | 'waiting' | undefined;
  endpointId?: string | undefined;
};

/** What producers sent, and which endpoints got it or why not. */
export class EventsResource<Payloads extends AnyPayloads = AnyPayloads> extends Ingestion<Payloads> {
  /**
   * Send an event
   *
   * Sends an event without an API key, into the default environment unless `environmentId` names another. It is
   * accepted as by ingestion, with the same checks, quotas and idempotency keys. `data` is the payload.
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
   * Newest first, within the retention. `from` is inclusive, `to` exclusive. One request reads a bounded number of
   * events: with a filter that few events match, a page may be short or empty while `nextCursor` leads on.
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
   * The events that have the values, by the search keys of their types, newest first. It takes what the list
   * takes, in a body, so that no value stands in an address. It needs the right to read payloads.
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
   * `include=payload` adds the body as ingested. When the body is not shown, the envelope’s status gives the
   * reason.
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
   * One for each endpoint that got the event, in the order of their ids.
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
   * An event that waits for its fan-out is delivered to nobody, and its deliveries that are still to be delivered
   * end as failed. A delivery that is being delivered goes on.
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
   * For every endpoint of the environment, whether it got the event, and why not: as the set-up was when the event
   * was fanned out. Matched endpoints come first.
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
   * Erases the payload, and the headers and bodies of its attempts, at once, and cancels its open deliveries. The
   * event and its deliveries stay in lists. A repetition answers the same.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  deletePayload(id: string, options: RequestOptions = {}): Promise<void> {
    return this.transport.request({ method: 'DELETE', path: path`/events/${id}/payload` }, options);
  }
}

/** Recoveries and bulk changes: work on many deliveries, which goes on after the answer. */
export class ErasuresResource extends Resource {
  /**
   * Erase the data of a customer
   *
   * Erases the payloads of the events that were sent to the application, and what attempts to its endpoints sent
   * and got. Without `eventTypes`, `from` and `to` it erases the customer: it also deletes the application, its
   * endpoints and portal sessions, with every name. It cannot be undone. With `dryRun` it only counts the events.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  start(body: models.StartErasureBody & { dryRun: true }, options?: ChangeOptions): Promise<models.DryRun>;
  /**
   * Erase the data of a customer
   *
   * Erases the payloads of the events that were sent to the application, and what attempts to its endpoints sent
   * and got. Without `eventTypes`, `from` and `to` it erases the customer: it also deletes the application, its
   * endpoints and portal sessions, with every name. It cannot be undone. With `dryRun` it only counts the events.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  start(body: models.StartErasureBody & { dryRun?: false }, options?: ChangeOptions): Promise<models.Operation>;
  /**
   * Erase the data of a customer
   *
   * Erases the payloads of the events that were sent to the application, and what attempts to its endpoints sent
   * and got. Without `eventTypes`, `from` and `to` it erases the customer: it also deletes the application, its
   * endpoints and portal sessions, with every name. It cannot be undone. With `dryRun` it only counts the events.
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
  /** How many items are asked for at a time. */
  limit?: number | undefined;
  /** Where to begin: `nextCursor` of a page. */
  cursor?: string | undefined;
  endpointId?: string | undefined;
  environmentId?: string | undefined;
  status?: 'counting' | 'running' | 'completed' | 'cancelled' | 'failed' | undefined;
};

/** Recoveries and bulk changes: work on many deliveries, which goes on after the answer. */
export class OperationsResource extends Resource {
  /**
   * Retry many deliveries
   *
   * Retries every delivery that the filter matches, as a manual retry does, at a pace that its endpoint keeps up
   * with. At least one key. With `dryRun` it only counts.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
   * `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  retryDeliveries(body: models.RetryDeliveriesBody & { dryRun: true }, options?: ChangeOptions): Promise<models.DryRun>;
  /**
   * Retry many deliveries
   *
   * Retries every delivery that the filter matches, as a manual retry does, at a pace that its endpoint keeps up
   * with. At least one key. With `dryRun` it only counts.
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
   * Retry many deliveries
   *
   * Retries every delivery that the filter matches, as a manual retry does, at a pace that its endpoint keeps up
   * with. At least one key. With `dryRun` it only counts.
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
   * Cancel many deliveries
   *
   * Cancels every delivery that the filter matches and that is `pending` or `scheduled_retry`. At least one key.
   * With `dryRun` it only counts.
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
   * Cancel many deliveries
   *
   * Cancels every delivery that the filter matches and that is `pending` or `scheduled_retry`. At least one key.
   * With `dryRun` it only counts.
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
   * Cancel many deliveries
   *
   * Cancels every delivery that the filter matches and that is `pending` or `scheduled_retry`. At least one key.
   * With `dryRun` it only counts.
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
   * List the operations
   *
   * Newest first. An operation is kept for the retention (7 days).
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
   * `matched` is null while it counts. `delivered` and `failed` follow within seconds. It is `completed` once all
   * that it enqueued has ended.
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
   * It enqueues nothing more. Deliveries that it has enqueued go on, and are counted.
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
   * It moves nothing on until it is resumed. Deliveries that it has enqueued go on, and are counted.
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
   * A paused operation goes on where it was.
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
  /** How many items are asked for at a time. */
  limit?: number | undefined;
  /** Where to begin: `nextCursor` of a page. */
  cursor?: string | undefined;
  /**
   * Lists the rules about this application, also the rules that its portal made. Without it, lists the rules that
   * no portal made.
   */
  applicationId?: string | undefined;
};

/** Whom to tell of operational events, by mail, in a chat or by PagerDuty. */
export class AlertRulesResource extends Resource {
  /**
   * List the alert rules
   *
   * Oldest first. Targets are shortened.
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
   * Messages go to an address, a chat or PagerDuty when one of the `events` happens. No published event type is
   * needed. An address that is not a member’s first gets a mail with a link to confirm.
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
   * Its target is shortened.
   *
   * Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
   * `internal_error`, `unavailable`.
   */
  get(id: string, options: RequestOptions = {}): Promise<models.AlertRule> {
    return this.transport.request({ method: 'GET', path: path`/alert-rules/${id}` }, options);
  }

  /**
   * Change an alert rule
   *
   * A new address that is not a member’s is confirmed again. The shortened target changes nothing.
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
   * Alerts that it has gathered are not sent.
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
   * The message goes out within seconds, whatever the quiet time. `lastSentAt`, `lastError` and `lastErrorCode` of
   * the rule then say what became of it. One test of a rule waits at a time.
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

/** Counts, durations and delays, and changes as they happen. */
export class StatsResource extends Resource {
  /**
   * Get statistics
   *
   * Events, attempts and ended deliveries by `step`: a minute (at most 24 hours), an hour (at most 7 days) or a
   * day. With `group_by` the totals of the 50 largest groups instead. Within 5 seconds of the truth; tests are not
   * counted.
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
   * Watch deliveries and events live
   *
   * A stream of server-sent events: `delivery` with the item of the deliveries list whenever one changes, `event`
   * when an event is accepted (not with `status`), `gap` with the number of changes that were dropped. It is a
   * view: nothing is repeated after a reconnection. At most 20 streams a workspace, of them 10 of portals, and 2
   * of the portal of one application.
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
  /** How many items are asked for at a time. */
  limit?: number | undefined;
  /** Where to begin: `nextCursor` of a page. */
  cursor?: string | undefined;
};

/** What each customer used, for billing. */
export class UsageResource extends Resource {
  /**
   * List the usage of each application
   *
   * Events, deliveries, attempts and bytes of each application by day or month in UTC, for billing. Exact, and
   * kept for 13 months. A day or month that is not over is `provisional`. `from` is rounded down and `to` up. With
   * `Accept: text/csv` the page is a table.
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
  /** Where to begin: `nextCursor` of a page, as a number. */
  page?: number | undefined;
  from?: string | Date | undefined;
  to?: string | Date | undefined;
  action?: string | undefined;
  resourceType?: string | undefined;
  actorType?: string | undefined;
};

/** Every change, its actor and its origin. */
export class AuditLogsResource extends Resource {
  /**
   * List the audit log
   *
   * Newest first, 50 in a page, kept for 365 days. `from` is inclusive, `to` exclusive.
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
  /** How many items are asked for at a time. */
  limit?: number | undefined;
  /** Where to begin: `nextCursor` of a page. */
  cursor?: string | undefined;
};

/** Access for a customer to the portal. */
export class PortalSessionsResource extends Resource {
  /**
   * List an application's portal sessions
   *
   * Sessions that have not expired, oldest first.
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
   * Give the customer the `url`, or open it in a frame. The session reaches one application in one environment.
   * Its `capabilities` cannot exceed your own rights, which are the default.
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
   * The token is shown only at creation.
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
   * Its token is refused from the next request on.
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
  /** Credentials of the management interface. */
  readonly me: MeResource;
  /** The tenant: every other resource belongs to one. */
  readonly workspace: WorkspaceResource;
  /** They separate API keys, endpoints and the visibility of event types. */
  readonly environments: EnvironmentsResource;
  /** Subscriptions of agents over the Model Context Protocol, and their keys. */
  readonly agents: AgentsResource;
  /** Producers' credentials; each is bound to one environment. */
  readonly apiKeys: ApiKeysResource;
  /** The categories of events, their schemas, and in which environments each is published and checked. */
  readonly eventTypes: EventTypesResource;
  /** What receivers may get: the published event types with schema and example. */
  readonly catalog: CatalogResource;
  /** End customers, each with its own endpoints. */
  readonly applications: ApplicationsResource;
  /** The addresses that get signed deliveries. */
  readonly endpoints: EndpointsResource;
  /** Credentials of the consumers that fetch the deliveries of one endpoint. */
  readonly pullKeys: PullKeysResource;
  /** Which endpoint gets which event types. */
  readonly subscriptions: SubscriptionsResource;
  /** Topics of Kafka whose records become events. */
  readonly sources: SourcesResource;
  /** Events on their way to endpoints, with every attempt. */
  readonly deliveries: DeliveriesResource;
  /** What producers sent, and which endpoints got it or why not. */
  readonly events: EventsResource<Payloads>;
  /** Recoveries and bulk changes: work on many deliveries, which goes on after the answer. */
  readonly erasures: ErasuresResource;
  /** Recoveries and bulk changes: work on many deliveries, which goes on after the answer. */
  readonly operations: OperationsResource;
  /** Whom to tell of operational events, by mail, in a chat or by PagerDuty. */
  readonly alertRules: AlertRulesResource;
  /** Counts, durations and delays, and changes as they happen. */
  readonly stats: StatsResource;
  /** What each customer used, for billing. */
  readonly usage: UsageResource;
  /** Every change, its actor and its origin. */
  readonly auditLogs: AuditLogsResource;
  /** Access for a customer to the portal. */
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
