// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.

/** The fields of an event that never change. */
export type AcceptedEvent = {
  id: string;
  eventType: string | null;
  /** The same value as `eventType`. Use `eventType` instead. */
  eventTypeName: string | null;
  environmentId: string;
  applicationId: string | null;
  /** The endpoint, for an event that was sent directly to it and for a test. Null otherwise. */
  endpointId: string | null;
  idempotencyKey: string;
  orderingKey: string | null;
  deliverAt: string | null;
  published: boolean;
  hasPayload: boolean;
  isTest: boolean;
  /**
   * Whether the event can be found by search keys. False if the payload is too large for the search keys of its
   * event type.
   */
  searchable: boolean;
  /** At most 10 places where the payload does not match its schema. Null if nothing was checked. */
  schemaErrors: Array<string> | null;
  /** The source of the event. Null for an event that was not read from a source. Absent in the portal. */
  source?: EventSource | null;
  createdAt: string;
};

export type AckBody = {
  messages: Array<AckedMessage>;
};

export type AckedMessage = {
  deliveryId: string;
  leaseToken: string;
  responseStatus?: number | undefined;
  /** A text to store with the attempt, like the response body of a webhook. */
  responseBody?: string | undefined;
};

/** An OAuth 2 authorization server whose access tokens agents can use. */
export type AgentIssuer = {
  /** The `iss` of the tokens. */
  issuer: string;
  /** The URL of the keys. If null, the URL in the metadata of the issuer is used. */
  jwksUri: string | null;
  /** The `aud` of the tokens. If null, the URL at which agents subscribe. */
  audience: string | null;
  /** The scope that the `scope` of a token must contain. */
  scope: string;
  /** The claim that identifies the application. */
  applicationClaim: string;
  /** The maximum time in seconds before a subscription made with such a token must be refreshed. */
  maxTtlSeconds: number;
};

/** A credential with which an agent subscribes to events of one environment. */
export type AgentKey = {
  id: string;
  name: string;
  environmentId: string;
  /** The application whose events the agent receives. Null if the agent subscribes for the workspace itself. */
  applicationId: string | null;
  keyPreview: string;
  createdAt: string;
  lastUsedAt: string | null;
  expiresAt: string;
};

/** The subscriber: the name of an agent key (null once the key is deleted), or the issuer of a login. */
export type AgentPrincipal = {
  kind: 'key' | 'oauth' | (string & {});
  name: string | null;
};

/** The rate limit of deliveries for each new subscription. */
export type AgentRateLimit = {
  limit: number;
  periodSeconds: number;
};

/** The settings for agents in an environment. */
export type AgentSettings = {
  /** Whether agents may subscribe. Setting `false` ends every agent subscription of the environment. */
  enabled: boolean;
  /** The allowed hosts of callbacks, such as `*.example.com`. Null allows any public host. */
  callbackHosts: Array<string> | null;
  /** The maximum time in seconds before a subscription must be refreshed. */
  maxTtlSeconds: number;
  rateLimit: AgentRateLimit;
  /** The issuer of access tokens. Null if agents can use only agent keys. */
  issuer: AgentIssuer | null;
  /** Whether the operator allows agents to subscribe (`MCP_EVENTS`). */
  available: boolean;
};

/** A subscription of an agent to an event type. */
export type AgentSubscription = {
  id: string;
  /** The endpoint of the subscription. Use it to list the deliveries. */
  endpointId: string;
  environmentId: string;
  applicationId: string | null;
  eventType: string;
  /** The filter that the agent set. */
  arguments: Record<string, unknown>;
  /** The URL of the callback. */
  url: string;
  principal: AgentPrincipal;
  /** The name that the agent gave for itself. */
  clientName: string | null;
  /** The status of the subscription. `suspended`: the callback fails, and events are waiting. */
  status: 'active' | 'suspended' | 'ended' | (string & {});
  endReason:
    | 'unsubscribed'
    | 'expired'
    | 'person'
    | 'key_revoked'
    | 'disabled'
    | 'deleted'
    | 'event_type_removed'
    | 'schema_changed'
    | 'receiver'
    | (string & {})
    | null;
  /** When the subscription expires, unless it is refreshed first. */
  expiresAt: string;
  createdAt: string;
  refreshedAt: string;
  endedAt: string | null;
  lastDeliveryAt: string | null;
  /** The reason why the latest attempt failed. */
  lastError:
    | 'connection_refused'
    | 'timeout'
    | 'tls_error'
    | 'http_4xx'
    | 'http_5xx'
    | 'challenge_failed'
    | (string & {})
    | null;
};

/** The channel through which messages are sent. */
export type AlertChannel = 'email' | 'slack' | 'teams' | 'discord' | 'pagerduty' | (string & {});

/** A rule that sends messages about operational events. */
export type AlertRule = {
  id: string;
  name: string;
  channel: AlertChannel;
  /** The target, shortened. */
  target: string;
  events: Array<
    | 'posthorn.endpoint.disabled'
    | 'posthorn.endpoint.failing'
    | 'posthorn.endpoint.recovered'
    | 'posthorn.delivery.dead_letter'
    | 'posthorn.delivery.failed'
    | 'posthorn.operation.completed'
    | 'posthorn.api_key.expiring'
    | 'posthorn.source.failing'
    | 'posthorn.source.recovered'
    | (string & {})
  >;
  /** The environment of the rule. Null for all environments. */
  environmentId: string | null;
  /** The application whose endpoints the rule is about. Null for all endpoints of the workspace. */
  applicationId: string | null;
  /** Whether a customer created the rule in the portal. */
  isOfPortal: boolean;
  quietMinutes: number;
  /** The status of the rule. `unconfirmed`: the link in the confirmation email has not been opened yet. */
  status: 'active' | 'unconfirmed' | (string & {});
  lastSentAt: string | null;
  /** The reason why the last message could not be sent. Null if it was sent. */
  lastError: string | null;
  /**
   * A machine-readable code for `lastError`. Null without an error, and for an error that an earlier version
   * stored.
   */
  lastErrorCode:
    | 'timeout'
    | 'dns_failure'
    | 'connection_refused'
    | 'connection_reset'
    | 'tls_error'
    | 'blocked_address'
    | 'http_status'
    | 'too_large'
    | 'protocol_error'
    | 'proxy_error'
    | 'internal'
    | 'sender_stopped'
    | 'target_unreadable'
    | 'not_a_member'
    | 'too_many_mails'
    | (string & {})
    | null;
  /** The HTTP status that the target returned, if `lastErrorCode` is `http_status`. Null otherwise. */
  lastErrorStatus: number | null;
  createdAt: string;
  updatedAt: string;
};

/** A credential of a producer, bound to one environment. */
export type ApiKey = {
  id: string;
  name: string;
  environmentId: string;
  keyPreview: string;
  createdAt: string;
  lastUsedAt: string | null;
  expiresAt: string | null;
  /** When the key is revoked. A time in the future means that the key is valid until then. */
  revokedAt: string | null;
};

/** One of your customers, with its own endpoints. */
export type Application = {
  id: string;
  externalId: string | null;
  name: string;
  metadata: Record<string, string>;
  createdAt: string;
  updatedAt: string;
};

/** The health of the endpoints of an application. */
export type ApplicationHealth = {
  /** The number of endpoints, including inactive ones. */
  endpoints: number;
  /** The number of active endpoints whose `health` is `failing`. */
  failing: number;
  /** The number of active endpoints whose `health` is `degraded`. */
  degraded: number;
  /** The number of deliveries to these endpoints that ended as `failed` or `dead_letter` in the last 24 hours. */
  undelivered: number;
  /** When the latest event of the application was accepted. Null if there is none among its 200 latest events. */
  lastEventAt: string | null;
};

/** An application, with the fields that `include` adds. */
export type ApplicationRead = {
  id: string;
  externalId: string | null;
  name: string;
  metadata: Record<string, string>;
  createdAt: string;
  updatedAt: string;
  health?: ApplicationHealth;
};

export type ApplicationsPage = {
  applications: Array<ApplicationRead>;
  nextCursor: string | null;
};

export type ApplyWorkspaceBody = {
  document: WorkspaceDocument;
  /** Whether to return the changes without applying them. */
  dryRun?: boolean | undefined;
  /** Whether to remove the items that the lists of the document do not contain. */
  prune?: boolean | undefined;
  /**
   * With `prune`, whether the document is a part of a larger file. Removes only what the named resources have in
   * addition to the document, and no resources.
   */
  part?: boolean | undefined;
  /** With `prune`, the resources that other parts of the file name. They are not removed. */
  keep?: KeptNames | undefined;
};

/** One attempt of a delivery: a request and its result. */
export type Attempt = {
  id: string;
  number: number;
  trigger: 'schedule' | 'manual' | 'recovery' | 'test' | (string & {});
  outcome: 'success' | 'failure' | (string & {});
  startedAt: string;
  durationMs: number;
  timings: AttemptTimings;
  url: string;
  requestHeaders: Record<string, string>;
  /** The first 64 KiB of the sent body, in base64. Null if the endpoint type does not store it. */
  requestBody: string | null;
  responseStatus: number | null;
  responseHeaders: Record<string, HeaderValue> | null;
  responseBody: string | null;
  responseTruncated: boolean;
  /**
   * Whether there is a response or an `errorMessage` that the caller may not see, because it may repeat the
   * payload.
   */
  responseHidden: boolean;
  errorCode:
    | 'timeout'
    | 'dns_failure'
    | 'connection_refused'
    | 'connection_reset'
    | 'tls_error'
    | 'blocked_address'
    | 'http_status'
    | 'too_large'
    | 'protocol_error'
    | 'internal'
    | 'proxy_error'
    | 'oauth2_failed'
    | 'nacked'
    | 'lease_expired'
    | 'authentication_failed'
    | 'access_denied'
    | 'target_not_found'
    | 'unroutable'
    | 'invalid_target'
    | 'invalid_payload'
    | 'target_exists'
    | 'message_too_large'
    | 'throttled'
    | 'broker_error'
    | 'transformation_failed'
    | (string & {})
    | null;
  errorMessage: string | null;
  remoteAddress: string | null;
  /**
   * Whether a reused connection closed before any byte of the response, so that the request was sent again over a
   * new connection.
   */
  reconnected: boolean;
  /**
   * The details that a broker or store returned for the stored message, such as its id. Null for other endpoint
   * types, and after a failure.
   */
  acknowledgement: Record<string, unknown> | null;
};

export type AttemptTimings = {
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
  ttfbMs: number | null;
};

export type AuditLogChange = {
  from: unknown;
  to: unknown;
};

/** An entry of the audit log: a change, with its actor and origin. */
export type AuditLogEntry = {
  id: string;
  actorType:
    | 'user'
    | 'management_token'
    | 'api_key'
    | 'portal_session'
    | 'agent_key'
    | 'agent'
    | 'system'
    | (string & {});
  actorId: string;
  actorLabel: string;
  visibility: 'workspace' | 'portal' | (string & {});
  action: string;
  resourceType: string;
  resourceId: string;
  metadata: AuditLogEntryMetadata;
  createdAt: string;
};

export type AuditLogEntryMetadata = {
  changes: Record<string, AuditLogChange>;
  ip: string | null;
  userAgent: string | null;
  requestId: string | null;
};

export type AuditLogsPage = {
  data: Array<AuditLogEntry>;
  /** The total number of entries that match the filters, across all pages. */
  total: number;
  page: number;
  pageSize: number;
};

export type BatchAnswer = {
  results: Array<BatchResult>;
};

/** An event to send. Set either `eventType` or `endpointId`; `data` is the payload. */
export type BatchEvent = {
  eventType?: string | undefined;
  endpointId?: string | undefined;
  idempotencyKey?: string | undefined;
  applicationId?: string | undefined;
  orderingKey?: string | undefined;
  deliverAt?: string | Date | undefined;
  data: unknown;
};

/** The result for one event: the fields of an accepted event, or only `error` if it was refused. */
export type BatchResult = {
  id?: string;
  eventType?: string | null;
  environmentId?: string;
  idempotencyKey?: string;
  /** Whether the event type was published. If not, no endpoint receives the event. */
  published?: boolean;
  /** Whether the request repeated an earlier `Idempotency-Key`, so that nothing was created. */
  duplicate?: boolean;
  /** At most 10 places where the payload does not match its schema. Null if nothing was checked. */
  schemaErrors?: Array<string> | null;
  createdAt?: string;
  deliveryId?: string;
  endpointId?: string;
  error?: ErrorDetail;
};

export type Capability =
  | 'endpoints:read'
  | 'endpoints:write'
  | 'secrets:read'
  | 'secrets:rotate'
  | 'deliveries:read'
  | 'deliveries:retry'
  | 'payloads:read'
  | 'events:test'
  | 'transformations:write'
  | 'alerts:write'
  | (string & {});

/** An OpenAPI 3.1 document with a webhook for each published event type. */
export type CatalogDocument = Record<string, unknown>;

/** Deliveries that are waiting after an outage of Posthorn and are sent at a limited rate. */
export type CatchingUp = {
  /** The number of deliveries that are still waiting. At most 100,000 are counted. */
  waiting: number;
  /** The maximum number of deliveries per second to all their endpoints together. */
  perSecond: number;
  /** When the last of them is expected to be sent, if new events arrive at the usual rate. */
  endsAt: string;
};

export type CheckedAgentIssuer = {
  ok: boolean;
  /** The number of keys that were found. */
  keys: number;
  /** The error, or a message with the number of keys. */
  message: string;
};

/** An event type, with an optional filter. */
export type ChosenName = {
  name: string;
  filter?: Record<string, unknown> | null | undefined;
};

/** A pattern of event types, with an optional filter. */
export type ChosenPattern = {
  pattern: string;
  filter?: Record<string, unknown> | null | undefined;
};

export type CreateAgentKeyBody = {
  name: string;
  /** The environment. Defaults to the default environment of the workspace. */
  environmentId?: string | undefined;
  /**
   * The application whose events the agent receives. The agent sees the event types that the portal of this
   * application shows.
   */
  applicationId?: string | null | undefined;
  /** When the key expires, at most 365 days from now. Defaults to 365 days from now. */
  expiresAt?: string | Date | undefined;
};

export type CreateAlertRuleBody = {
  name: string;
  channel: AlertChannel;
  /**
   * The email address for `email`, the integration key of a service (Events API v2) for `pagerduty`, and the https
   * URL of the incoming webhook for the other channels.
   */
  target: string;
  events: Array<
    | 'posthorn.endpoint.disabled'
    | 'posthorn.endpoint.failing'
    | 'posthorn.endpoint.recovered'
    | 'posthorn.delivery.dead_letter'
    | 'posthorn.delivery.failed'
    | 'posthorn.operation.completed'
    | 'posthorn.api_key.expiring'
    | 'posthorn.source.failing'
    | 'posthorn.source.recovered'
  >;
  environmentId?: string | null | undefined;
  applicationId?: string | null | undefined;
  /**
   * The minimum time in minutes between two messages about the same event. A message names up to 10 affected
   * endpoints.
   */
  quietMinutes?: number | undefined;
};

export type CreateApiKeyBody = {
  name: string;
  expiresAt?: string | Date | null | undefined;
};

export type CreateApplicationBody = {
  name: string;
  externalId?: string | null | undefined;
  metadata?: Record<string, string> | undefined;
};

export type CreateApplicationEndpointBody = {
  /** The URL of the endpoint. Required if the endpoint type has one; for other types, Posthorn sets it. */
  url?: string | undefined;
  description?: string | undefined;
  authUsername?: string | null | undefined;
  authPassword?: string | null | undefined;
  secretHeaders?: Record<string, string | null> | undefined;
  credentials?: Record<string, string | null> | undefined;
  metadata?: Record<string, MetadataValue> | undefined;
  environmentId?: string | undefined;
  externalId?: string | null | undefined;
  secret?: string | null | undefined;
  isActive?: boolean | undefined;
  /** The event types to subscribe to, by name or by pattern. */
  eventTypes?: Array<ChosenEventType> | undefined;
} & (
  | {
      type?: 'webhook' | 'playground' | 'pull' | undefined;
      config?: (Omit<EndpointConfig, 'destination'> & { destination?: never }) | undefined;
    }
  | { type: 'rabbitmq'; config: Omit<EndpointConfig, 'destination'> & { destination: RabbitmqDestination } }
  | { type: 'kafka'; config: Omit<EndpointConfig, 'destination'> & { destination: KafkaDestination } }
  | { type: 'nats'; config: Omit<EndpointConfig, 'destination'> & { destination: NatsDestination } }
  | { type: 'sqs'; config: Omit<EndpointConfig, 'destination'> & { destination: SqsDestination } }
  | { type: 'sns'; config: Omit<EndpointConfig, 'destination'> & { destination: SnsDestination } }
  | { type: 'kinesis'; config: Omit<EndpointConfig, 'destination'> & { destination: KinesisDestination } }
  | { type: 'eventbridge'; config: Omit<EndpointConfig, 'destination'> & { destination: EventbridgeDestination } }
  | { type: 's3'; config: Omit<EndpointConfig, 'destination'> & { destination: S3Destination } }
  | { type: 'pubsub'; config: Omit<EndpointConfig, 'destination'> & { destination: PubsubDestination } }
);

export type CreateEndpointBody = {
  /** The URL of the endpoint. Required if the endpoint type has one; for other types, Posthorn sets it. */
  url?: string | undefined;
  description?: string | undefined;
  authUsername?: string | null | undefined;
  authPassword?: string | null | undefined;
  secretHeaders?: Record<string, string | null> | undefined;
  credentials?: Record<string, string | null> | undefined;
  metadata?: Record<string, MetadataValue> | undefined;
  environmentId?: string | undefined;
  externalId?: string | null | undefined;
  secret?: string | null | undefined;
  isActive?: boolean | undefined;
  /** The event types to subscribe to, by name or by pattern. */
  eventTypes?: Array<ChosenEventType> | undefined;
  /** The application that owns the endpoint. If omitted, the endpoint belongs to the workspace itself. */
  applicationId?: string | null | undefined;
} & (
  | {
      type?: 'webhook' | 'playground' | 'pull' | undefined;
      config?: (Omit<EndpointConfig, 'destination'> & { destination?: never }) | undefined;
    }
  | { type: 'rabbitmq'; config: Omit<EndpointConfig, 'destination'> & { destination: RabbitmqDestination } }
  | { type: 'kafka'; config: Omit<EndpointConfig, 'destination'> & { destination: KafkaDestination } }
  | { type: 'nats'; config: Omit<EndpointConfig, 'destination'> & { destination: NatsDestination } }
  | { type: 'sqs'; config: Omit<EndpointConfig, 'destination'> & { destination: SqsDestination } }
  | { type: 'sns'; config: Omit<EndpointConfig, 'destination'> & { destination: SnsDestination } }
  | { type: 'kinesis'; config: Omit<EndpointConfig, 'destination'> & { destination: KinesisDestination } }
  | { type: 'eventbridge'; config: Omit<EndpointConfig, 'destination'> & { destination: EventbridgeDestination } }
  | { type: 's3'; config: Omit<EndpointConfig, 'destination'> & { destination: S3Destination } }
  | { type: 'pubsub'; config: Omit<EndpointConfig, 'destination'> & { destination: PubsubDestination } }
);

export type CreateEnvironmentBody = {
  name: string;
  slug: string;
  /**
   * Whether an event with an event type must name an application, or `*` for all, in `X-Application-Id`. Defaults
   * to false.
   */
  requireApplication?: boolean | undefined;
};

/** An event to send. Set either `eventType` or `endpointId`; `data` is the payload. */
export type CreateEventBody = {
  eventType?: string | undefined;
  endpointId?: string | undefined;
  idempotencyKey?: string | undefined;
  applicationId?: string | undefined;
  orderingKey?: string | undefined;
  deliverAt?: string | Date | undefined;
  data: unknown;
  environmentId?: string | undefined;
};

export type CreateEventTypeBody = {
  name: string;
  description?: string | null | undefined;
  publishIn?: Array<string> | undefined;
  /** A JSON Schema (draft 2020-12). Every reference must point to a place within it. */
  schema?: Record<string, unknown> | null | undefined;
  /** Any JSON value. */
  example?: unknown | undefined;
  /**
   * How long payloads are kept. `workspace`: for the retention period of the workspace. `until_ended`: while a
   * delivery is open or a dead letter. `none`: until each delivery has had its only attempt.
   */
  payloadRetention?: 'workspace' | 'until_ended' | 'none' | undefined;
  searchKeys?: Array<CreateEventTypeBodySearchKeysItem> | null | undefined;
  agentFilters?: Array<string> | null | undefined;
};

export type CreateEventTypeBodySearchKeysItem = {
  name: string;
  /** The path of the value in the payload, as in a filter. */
  path: string;
  /** Whether text is matched case-insensitively. Defaults to false. */
  fold?: boolean | undefined;
};

export type CreatePortalSessionBody = {
  environmentId?: string | undefined;
  expiresInSeconds?: number | undefined;
  /**
   * The capabilities of the session, within the caller's own rights. Defaults to all of these except
   * `transformations:write` and `alerts:write`.
   */
  capabilities?: Array<Capability> | undefined;
  theme?: PortalTheme | null | undefined;
  /** The language of the portal. Defaults to `en`. */
  locale?: PortalLocale | undefined;
  returnUrl?: string | null | undefined;
};

export type CreatePullKeyBody = {
  name?: string | undefined;
  expiresAt?: string | Date | null | undefined;
};

export type CreateSourceBody = {
  name: string;
  externalId?: string | null | undefined;
  type?: 'kafka' | undefined;
  /** The environment. Defaults to the default environment of the workspace. */
  environmentId?: string | undefined;
  isActive?: boolean | undefined;
  config: SourceConfigInput;
  credentials?: Record<string, string | null> | undefined;
};

export type CreatedAgentKey = {
  id: string;
  name: string;
  environmentId: string;
  /** The application whose events the agent receives. Null if the agent subscribes for the workspace itself. */
  applicationId: string | null;
  keyPreview: string;
  createdAt: string;
  lastUsedAt: string | null;
  expiresAt: string;
  /**
   * The agent key, `pha_…`. It is shown only once. Null if an `Idempotency-Key` repeats a creation of more than
   * ten minutes ago.
   */
  key: string | null;
};

export type CreatedApiKey = {
  id: string;
  name: string;
  environmentId: string;
  keyPreview: string;
  createdAt: string;
  lastUsedAt: string | null;
  expiresAt: string | null;
  /** When the key is revoked. A time in the future means that the key is valid until then. */
  revokedAt: string | null;
  /**
   * The API key, `phk_…`. It is shown only once. Null if an `Idempotency-Key` repeats a creation of more than ten
   * minutes ago.
   */
  key: string | null;
};

/** A new endpoint, with its first pull key if it is a pull endpoint. */
export type CreatedEndpoint = {
  id: string;
  environmentId: string;
  applicationId: string | null;
  /** Your own id for the endpoint. `ext:` and this value is accepted wherever the endpoint's id is. */
  externalId: string | null;
  /** The endpoint in another environment from which this endpoint was promoted. */
  promotedFrom: string | null;
  url: string;
  /** A human-readable description of where messages are sent. For a webhook, the `url`. */
  target: string;
  /** The secret that signs every request. Null for callers who may not see it. */
  secret: string | null;
  /** The public key that verifies the `v1a` signatures. Null unless `config.signature` is `standard-ed25519`. */
  publicKey: string | null;
  description: string;
  authUsername: string | null;
  hasAuth: boolean;
  isActive: boolean;
  disabledAt: string | null;
  disabledReason: 'manual' | 'failing' | 'gone' | 'receiver' | (string & {}) | null;
  health: 'healthy' | 'degraded' | 'failing' | (string & {});
  /** The state of a pull endpoint. Null for other types. */
  pull: PullStatus | null;
  /** The patterns of event types. Every matching event type, including later ones, gets a subscription. */
  eventTypePatterns: Array<EventTypePattern>;
  /** The names of the stored credentials. */
  credentialNames: Array<string>;
  /** The names of the headers with secret values. */
  secretHeaderNames: Array<string>;
  metadata: Record<string, MetadataValue>;
  createdAt: string;
  updatedAt: string;
  /**
   * The pull key, `phpl_…`. It is shown only once. Null if an `Idempotency-Key` repeats a creation of more than
   * ten minutes ago.
   */
  pullKey?: string | null;
} & (
  | { type: 'webhook' | 'playground' | 'pull'; config: Omit<EndpointConfig, 'destination'> & { destination?: never } }
  | { type: 'rabbitmq'; config: Omit<EndpointConfig, 'destination'> & { destination: RabbitmqDestination } }
  | { type: 'kafka'; config: Omit<EndpointConfig, 'destination'> & { destination: KafkaDestination } }
  | { type: 'nats'; config: Omit<EndpointConfig, 'destination'> & { destination: NatsDestination } }
  | { type: 'sqs'; config: Omit<EndpointConfig, 'destination'> & { destination: SqsDestination } }
  | { type: 'sns'; config: Omit<EndpointConfig, 'destination'> & { destination: SnsDestination } }
  | { type: 'kinesis'; config: Omit<EndpointConfig, 'destination'> & { destination: KinesisDestination } }
  | { type: 'eventbridge'; config: Omit<EndpointConfig, 'destination'> & { destination: EventbridgeDestination } }
  | { type: 's3'; config: Omit<EndpointConfig, 'destination'> & { destination: S3Destination } }
  | { type: 'pubsub'; config: Omit<EndpointConfig, 'destination'> & { destination: PubsubDestination } }
);

/** An accepted event. `deliveryId` is set if the request named an endpoint. */
export type CreatedEvent = {
  id: string;
  eventType: string | null;
  environmentId: string;
  idempotencyKey: string;
  /** Whether the event type was published. If not, no endpoint receives the event. */
  published: boolean;
  /** Whether the request repeated an earlier `Idempotency-Key`, so that nothing was created. */
  duplicate: boolean;
  /** At most 10 places where the payload does not match its schema. Null if nothing was checked. */
  schemaErrors: Array<string> | null;
  createdAt: string;
  deliveryId: string | null;
  endpointId: string | null;
};

export type CreatedEventType = {
  id: string;
  name: string;
  description: string | null;
  /** A JSON Schema (draft 2020-12). Every reference must point to a place within it. */
  schema: Record<string, unknown> | null;
  /** The version of the schema. Each change of the schema increases it. */
  schemaVersion: number;
  /** Any JSON value. */
  example: unknown;
  /**
   * How long payloads are kept. `workspace`: for the retention period of the workspace. `until_ended`: while a
   * delivery is open or a dead letter. `none`: until each delivery has had its only attempt.
   */
  payloadRetention: 'workspace' | 'until_ended' | 'none' | (string & {});
  /** The values in payloads by which events can be found. */
  searchKeys: Array<SearchKey> | null;
  /** The paths by which agents can filter. Null for the first 30 paths of the schema. */
  agentFilters: Array<string> | null;
  createdAt: string;
  /** The keywords of the schema that are published, but not used to check payloads. */
  schemaWarnings?: Array<SchemaWarning>;
};

export type CreatedPortalSession = {
  id: string;
  applicationId: string;
  environmentId: string;
  capabilities: Array<Capability>;
  theme: PortalTheme | null;
  locale: PortalLocale;
  returnUrl: string | null;
  expiresAt: string;
  createdAt: string;
  /** The URL of the portal. The token is in its fragment, which is never sent to a server. Null if `token` is null. */
  url: string | null;
  /**
   * The Bearer token for `/api/portal`, `php_…`. It is shown only once. Null if an `Idempotency-Key` repeats a
   * creation of more than ten minutes ago.
   */
  token: string | null;
};

export type CreatedPullKey = {
  id: string;
  name: string;
  keyPreview: string;
  createdAt: string;
  lastUsedAt: string | null;
  expiresAt: string | null;
  /**
   * The pull key, `phpl_…`. It is shown only once. Null if an `Idempotency-Key` repeats a creation of more than
   * ten minutes ago.
   */
  pullKey: string | null;
};

export type DeliveriesPage = {
  deliveries: Array<Delivery>;
  nextCursor: string | null;
};

/** The delivery of one event to one endpoint. */
export type Delivery = {
  id: string;
  eventId: string;
  eventType: string | null;
  /** The same value as `eventType`. Use `eventType` instead. */
  eventTypeName: string | null;
  idempotencyKey: string;
  endpointId: string;
  status: DeliveryStatus;
  failureReason:
    | 'endpoint_inactive'
    | 'endpoint_deleted'
    | 'subscription_ended'
    | 'quarantined'
    | 'retries_exhausted'
    | 'gone'
    | 'aborted_by_receiver'
    | 'blocked_address'
    | 'invalid_target'
    | 'invalid_payload'
    | 'target_exists'
    | 'message_too_large'
    | 'payload_expired'
    | 'payload_unreadable'
    | 'invalid_request'
    | 'cancelled'
    | 'cancelled_by_transformation'
    | (string & {})
    | null;
  totalAttempts: number;
  lastResponseStatus: number | null;
  firstAttemptAt: string | null;
  deliveredAt: string | null;
  nextRetryAt: string | null;
  /** At an endpoint with `ordering: "fifo"`, the delivery that must end before this one is sent. */
  waitingFor: string | null;
  hasPayload: boolean;
  isTest: boolean;
  createdAt: string;
  updatedAt: string;
};

/** A delivery, with the fields that `include` adds. */
export type DeliveryDetail = {
  id: string;
  eventId: string;
  eventType: string | null;
  /** The same value as `eventType`. Use `eventType` instead. */
  eventTypeName: string | null;
  idempotencyKey: string;
  endpointId: string;
  status: DeliveryStatus;
  failureReason:
    | 'endpoint_inactive'
    | 'endpoint_deleted'
    | 'subscription_ended'
    | 'quarantined'
    | 'retries_exhausted'
    | 'gone'
    | 'aborted_by_receiver'
    | 'blocked_address'
    | 'invalid_target'
    | 'invalid_payload'
    | 'target_exists'
    | 'message_too_large'
    | 'payload_expired'
    | 'payload_unreadable'
    | 'invalid_request'
    | 'cancelled'
    | 'cancelled_by_transformation'
    | (string & {})
    | null;
  totalAttempts: number;
  lastResponseStatus: number | null;
  firstAttemptAt: string | null;
  deliveredAt: string | null;
  nextRetryAt: string | null;
  /** At an endpoint with `ordering: "fifo"`, the delivery that must end before this one is sent. */
  waitingFor: string | null;
  hasPayload: boolean;
  isTest: boolean;
  createdAt: string;
  updatedAt: string;
  /**
   * The reason that the transformation gave in `cancel`, if it cancelled the event. Null for callers who may not
   * read payloads.
   */
  cancelReason: string | null;
  payload?: PayloadEnvelope;
  attempts?: Array<Attempt>;
};

export type DeliveryStatus =
  | 'pending'
  | 'delivering'
  | 'delivered'
  | 'scheduled_retry'
  | 'failed'
  | 'dead_letter'
  | (string & {});

export type DirectIngestAnswer = {
  id: string;
  eventType: string | null;
  environmentId: string;
  idempotencyKey: string;
  /** Whether the event type was published. If not, no endpoint receives the event. */
  published: boolean;
  /** Whether the request repeated an earlier `Idempotency-Key`, so that nothing was created. */
  duplicate: boolean;
  /** At most 10 places where the payload does not match its schema. Null if nothing was checked. */
  schemaErrors: Array<string> | null;
  createdAt: string;
  deliveryId: string;
  endpointId: string;
};

/** The result of examining an endpoint, check by check. */
export type DoctorReport = {
  endpointId: string;
  verdict: 'healthy' | 'warning' | 'broken' | (string & {});
  checks: Array<DoctorReportChecksItem>;
  startedAt: string;
  durationMs: number;
};

export type DoctorReportChecksItem = {
  name:
    | 'dns'
    | 'tcp'
    | 'tls'
    | 'certificate'
    | 'oauth2'
    | 'http'
    | 'redirect'
    | 'latency'
    | 'signature'
    | 'replay'
    | 'body'
    | 'target'
    | 'publish'
    | (string & {});
  outcome: 'pass' | 'warn' | 'fail' | 'skipped' | (string & {});
  detail: string;
  /** What to change. Null if nothing needs to be changed. */
  advice: string | null;
  durationMs: number;
};

export type DocumentApplication = {
  externalId: string;
  name: string;
  metadata?: Record<string, string> | undefined;
};

export type DocumentEndpoint = {
  /** Your own id for the endpoint, unique in its environment, or the id of an endpoint without an externalId. */
  externalId: string;
  /** The slug of the environment. */
  environment: string;
  /** The externalId of the application. If omitted, the endpoint belongs to the workspace itself. */
  application?: string | undefined;
  /** The URL of the endpoint. Required if the endpoint type has one; for other types, Posthorn sets it. */
  url?: string | undefined;
  description?: string | undefined;
  isActive?: boolean | undefined;
  config?: EndpointConfig | undefined;
  metadata?: Record<string, MetadataValue> | undefined;
  /** The event types to subscribe to, by name or by pattern. */
  eventTypes?: Array<ChosenEventType> | undefined;
  /** The username for HTTP Basic, used with `authPassword`. If either one is null, both are removed. */
  authUsername?: string | null | undefined;
  authPassword?: string | null | undefined;
  /** The signing secret of the endpoint. */
  secret?: string | undefined;
  secretHeaders?: Record<string, string | null> | undefined;
  credentials?: Record<string, string | null> | undefined;
} & (
  | { type?: 'webhook' | 'playground' | 'pull' | undefined; destination?: never | undefined }
  | { type: 'rabbitmq'; destination?: RabbitmqDestination | undefined }
  | { type: 'kafka'; destination?: KafkaDestination | undefined }
  | { type: 'nats'; destination?: NatsDestination | undefined }
  | { type: 'sqs'; destination?: SqsDestination | undefined }
  | { type: 'sns'; destination?: SnsDestination | undefined }
  | { type: 'kinesis'; destination?: KinesisDestination | undefined }
  | { type: 'eventbridge'; destination?: EventbridgeDestination | undefined }
  | { type: 's3'; destination?: S3Destination | undefined }
  | { type: 'pubsub'; destination?: PubsubDestination | undefined }
);

export type DocumentEnvironment = {
  name: string;
  slug: string;
  /**
   * Whether an event with an event type must name an application, or `*` for all, in `X-Application-Id`. Defaults
   * to false.
   */
  requireApplication?: boolean | undefined;
  /** Whether this is the default environment. Setting `true` replaces the current default environment. */
  isDefault?: boolean | undefined;
};

export type DocumentEventType = {
  name: string;
  description?: string | null | undefined;
  /** A JSON Schema (draft 2020-12). Every reference must point to a place within it. */
  schema?: Record<string, unknown> | null | undefined;
  /** Any JSON value. */
  example?: unknown | undefined;
  /**
   * How long payloads are kept. `workspace`: for the retention period of the workspace. `until_ended`: while a
   * delivery is open or a dead letter. `none`: until each delivery has had its only attempt.
   */
  payloadRetention?: 'workspace' | 'until_ended' | 'none' | undefined;
  searchKeys?: Array<DocumentEventTypeSearchKeysItem> | null | undefined;
  agentFilters?: Array<string> | null | undefined;
  /** The slugs of the environments in which the event type is published. */
  publishIn?: Array<string> | undefined;
  /** How payloads are checked in each environment, by the slug of the environment. */
  schemaMode?: Record<string, 'off' | 'warn' | 'reject'> | undefined;
};

export type DocumentEventTypeSearchKeysItem = {
  name: string;
  /** The path of the value in the payload, as in a filter. */
  path: string;
  /** Whether text is matched case-insensitively. Defaults to false. */
  fold?: boolean | undefined;
};

export type DocumentSource = {
  /** Your own id for the source, unique in its environment, or the id of a source without an externalId. */
  externalId: string;
  /** The slug of the environment. */
  environment: string;
  name: string;
  type?: 'kafka' | undefined;
  /** Whether the source is active. A new source is active by default. */
  isActive?: boolean | undefined;
  config: SourceConfigInput;
  credentials?: Record<string, string | null> | undefined;
};

/** A preview of what an operation would select now. */
export type DryRun = {
  /** Always null, because no operation was started. */
  id: string | null;
  matched: number;
  oldest: string | null;
  newest: string | null;
  eventTypes: Record<string, number>;
};

/** A destination that receives signed deliveries. */
export type Endpoint = {
  id: string;
  environmentId: string;
  applicationId: string | null;
  /** Your own id for the endpoint. `ext:` and this value is accepted wherever the endpoint's id is. */
  externalId: string | null;
  /** The endpoint in another environment from which this endpoint was promoted. */
  promotedFrom: string | null;
  url: string;
  /** A human-readable description of where messages are sent. For a webhook, the `url`. */
  target: string;
  /** The secret that signs every request. Null for callers who may not see it. */
  secret: string | null;
  /** The public key that verifies the `v1a` signatures. Null unless `config.signature` is `standard-ed25519`. */
  publicKey: string | null;
  description: string;
  authUsername: string | null;
  hasAuth: boolean;
  isActive: boolean;
  disabledAt: string | null;
  disabledReason: 'manual' | 'failing' | 'gone' | 'receiver' | (string & {}) | null;
  health: 'healthy' | 'degraded' | 'failing' | (string & {});
  /** The state of a pull endpoint. Null for other types. */
  pull: PullStatus | null;
  /** The patterns of event types. Every matching event type, including later ones, gets a subscription. */
  eventTypePatterns: Array<EventTypePattern>;
  /** The names of the stored credentials. */
  credentialNames: Array<string>;
  /** The names of the headers with secret values. */
  secretHeaderNames: Array<string>;
  metadata: Record<string, MetadataValue>;
  createdAt: string;
  updatedAt: string;
} & (
  | { type: 'webhook' | 'playground' | 'pull'; config: Omit<EndpointConfig, 'destination'> & { destination?: never } }
  | { type: 'rabbitmq'; config: Omit<EndpointConfig, 'destination'> & { destination: RabbitmqDestination } }
  | { type: 'kafka'; config: Omit<EndpointConfig, 'destination'> & { destination: KafkaDestination } }
  | { type: 'nats'; config: Omit<EndpointConfig, 'destination'> & { destination: NatsDestination } }
  | { type: 'sqs'; config: Omit<EndpointConfig, 'destination'> & { destination: SqsDestination } }
  | { type: 'sns'; config: Omit<EndpointConfig, 'destination'> & { destination: SnsDestination } }
  | { type: 'kinesis'; config: Omit<EndpointConfig, 'destination'> & { destination: KinesisDestination } }
  | { type: 'eventbridge'; config: Omit<EndpointConfig, 'destination'> & { destination: EventbridgeDestination } }
  | { type: 's3'; config: Omit<EndpointConfig, 'destination'> & { destination: S3Destination } }
  | { type: 'pubsub'; config: Omit<EndpointConfig, 'destination'> & { destination: PubsubDestination } }
);

/** The configuration of the requests to an endpoint. Unknown keys are refused. */
export type EndpointConfig = {
  headers?: Record<string, string>;
  timeoutSeconds?: number;
  retrySchedule?: Array<number>;
  rateLimit?: EndpointConfigRateLimit;
  maxConcurrency?: number;
  catchUp?: 'paced' | 'at-once' | (string & {});
  ordering?: 'none' | 'fifo' | (string & {});
  payloadFormat?: 'raw' | 'envelope' | 'cloudevents' | (string & {});
  playground?: EndpointConfigPlayground;
  /** The destination of messages, as described by `configSchema` of the endpoint type. */
  destination?: Destination;
  /**
   * The signature of the requests: one of standard, standard-ed25519, svix, stripe, github, shopify, slack,
   * convoy, convoy-advanced, outpost, hook0, or an object with `scheme` and `header` for a custom HMAC.
   */
  signature?: Signature;
  transformation?: EndpointConfigTransformation;
  standardHeaders?: boolean;
  oauth2?: EndpointConfigOauth2;
  tls?: EndpointConfigTls;
};

export type EndpointConfigOauth2 = {
  /** The URL of the token endpoint. It must use https. The rules for the `url` of an endpoint apply. */
  tokenUrl: string;
  clientId: string;
  scopes?: Array<string>;
  audience?: string;
  authMethod?: 'basic' | 'post' | 'private_key_jwt' | (string & {});
  extraParams?: Record<string, string>;
};

export type EndpointConfigPlayground = {
  /** The status of each response. Defaults to 200. */
  status?: number;
  /** The delay before each response, in milliseconds. */
  delayMs?: number;
  /** The number of attempts of each event that get a response with status 500. */
  failFirst?: number;
  /** The body of each response. */
  body?: string;
};

export type EndpointConfigRateLimit = {
  limit: number;
  periodSeconds: number;
};

export type EndpointConfigTls = {
  /** The certificate authorities to trust instead of the public ones, as certificates in PEM. */
  ca?: string;
  /** The client certificate in PEM, followed by its chain. */
  clientCertificate?: string;
  serverName?: string;
};

export type EndpointConfigTransformation = {
  language: 'javascript' | (string & {});
  code: string;
  isEnabled?: boolean;
};

/** The values that apply unless `config` sets others. */
export type EndpointDefaults = {
  timeoutSeconds: number;
  retrySchedule: Array<number>;
};

/** An endpoint, with the fields that `include` adds. */
export type EndpointRead = {
  id: string;
  environmentId: string;
  applicationId: string | null;
  /** Your own id for the endpoint. `ext:` and this value is accepted wherever the endpoint's id is. */
  externalId: string | null;
  /** The endpoint in another environment from which this endpoint was promoted. */
  promotedFrom: string | null;
  url: string;
  /** A human-readable description of where messages are sent. For a webhook, the `url`. */
  target: string;
  /** The secret that signs every request. Null for callers who may not see it. */
  secret: string | null;
  /** The public key that verifies the `v1a` signatures. Null unless `config.signature` is `standard-ed25519`. */
  publicKey: string | null;
  description: string;
  authUsername: string | null;
  hasAuth: boolean;
  isActive: boolean;
  disabledAt: string | null;
  disabledReason: 'manual' | 'failing' | 'gone' | 'receiver' | (string & {}) | null;
  health: 'healthy' | 'degraded' | 'failing' | (string & {});
  /** The state of a pull endpoint. Null for other types. */
  pull: PullStatus | null;
  /** The patterns of event types. Every matching event type, including later ones, gets a subscription. */
  eventTypePatterns: Array<EventTypePattern>;
  /** The names of the stored credentials. */
  credentialNames: Array<string>;
  /** The names of the headers with secret values. */
  secretHeaderNames: Array<string>;
  metadata: Record<string, MetadataValue>;
  createdAt: string;
  updatedAt: string;
  stats?: EndpointStats;
} & (
  | { type: 'webhook' | 'playground' | 'pull'; config: Omit<EndpointConfig, 'destination'> & { destination?: never } }
  | { type: 'rabbitmq'; config: Omit<EndpointConfig, 'destination'> & { destination: RabbitmqDestination } }
  | { type: 'kafka'; config: Omit<EndpointConfig, 'destination'> & { destination: KafkaDestination } }
  | { type: 'nats'; config: Omit<EndpointConfig, 'destination'> & { destination: NatsDestination } }
  | { type: 'sqs'; config: Omit<EndpointConfig, 'destination'> & { destination: SqsDestination } }
  | { type: 'sns'; config: Omit<EndpointConfig, 'destination'> & { destination: SnsDestination } }
  | { type: 'kinesis'; config: Omit<EndpointConfig, 'destination'> & { destination: KinesisDestination } }
  | { type: 'eventbridge'; config: Omit<EndpointConfig, 'destination'> & { destination: EventbridgeDestination } }
  | { type: 's3'; config: Omit<EndpointConfig, 'destination'> & { destination: S3Destination } }
  | { type: 'pubsub'; config: Omit<EndpointConfig, 'destination'> & { destination: PubsubDestination } }
);

/** The recent statistics of an endpoint. */
export type EndpointStats = {
  /** The attempts of the last 24 hours by hour, oldest first. The last item is the current hour. */
  hours: Array<EndpointStatsHoursItem>;
  lastSuccessAt: string | null;
  lastFailureAt: string | null;
  /** The share of attempts in these hours that failed, from 0 to 1. */
  failureRate: number;
  /** Whether the endpoint currently subscribes to any event type. */
  isSubscribed: boolean;
};

export type EndpointStatsHoursItem = {
  at: string;
  succeeded: number;
  failed: number;
};

export type EndpointToPromote = {
  endpointId: string;
  /** The URL of the new endpoint. Required if the endpoint is created and its type has a URL. */
  url?: string | undefined;
  /** The `config.destination` of the new endpoint. Required if its type has one. */
  destination?: Destination | undefined;
};

/** A type of endpoint. */
export type EndpointType = {
  type:
    | 'webhook'
    | 'playground'
    | 'pull'
    | 'rabbitmq'
    | 'kafka'
    | 'nats'
    | 'sqs'
    | 'sns'
    | 'kinesis'
    | 'eventbridge'
    | 's3'
    | 'pubsub'
    | (string & {});
  label: string;
  description: string;
  /** The setup instructions, in Markdown: what to create at the provider. */
  setup: string;
  /** Whether you set the `url` of an endpoint of this type. */
  hasUrl: boolean;
  /** The key of `config` that is specific to this type. `configSchema` describes its value. */
  configKey: string | null;
  /** The JSON Schema (2020-12) of that value. Null without a `configKey`. */
  configSchema: Record<string, unknown> | null;
  /** The JSON Schema (2020-12) of the credentials. Null if the type takes none. */
  credentialsSchema: Record<string, unknown> | null;
  /** The meaning of the status `delivered`. */
  delivered: string;
  /** The order in which events arrive. */
  ordering: string;
  /** How a receiver detects duplicates. */
  deduplication: string;
  /** The maximum size of an event's payload for an endpoint of this type, in bytes. */
  maxBytes: number;
  defaults: EndpointDefaults;
};

/** A separate set of API keys and endpoints, with its own visibility of event types. */
export type Environment = {
  id: string;
  name: string;
  slug: string;
  isDefault: boolean;
  requireApplication: boolean;
  createdAt: string;
  updatedAt: string;
};

/** An environment, with the fields that `include` adds. */
export type EnvironmentDetail = {
  id: string;
  name: string;
  slug: string;
  isDefault: boolean;
  requireApplication: boolean;
  createdAt: string;
  updatedAt: string;
  /** The number of events in the last 7 days that named an event type and no application, including those with `*`. */
  eventsWithoutApplication?: number;
};

/** The changes that would make the environment `to` match the environment `from`. */
export type EnvironmentDiff = {
  from: string;
  to: string;
  settings: PromotedSettings;
  eventTypes: Array<PromotedEventType>;
  endpoints: Array<PromotedEndpoint>;
  sources: Array<PromotedSource>;
};

/** An error, with a code for programs and a message for people. */
export type ErrorBody = {
  error: ErrorDetail;
};

export type ErrorCode =
  | 'validation_error'
  | 'invalid_cursor'
  | 'unauthorized'
  | 'token_disabled'
  | 'forbidden'
  | 'plan_required'
  | 'second_factor_required'
  | 'not_found'
  | 'method_not_allowed'
  | 'slug_taken'
  | 'event_type_exists'
  | 'external_id_taken'
  | 'environment_limit_reached'
  | 'limit_reached'
  | 'last_owner'
  | 'member_exists'
  | 'not_cancellable'
  | 'default_environment'
  | 'event_type_in_use'
  | 'agents_subscribed'
  | 'idempotency_conflict'
  | 'delivery_in_progress'
  | 'endpoint_inactive'
  | 'payload_expired'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'schema_violation'
  | 'rate_limited'
  | 'internal_error'
  | 'unavailable'
  | (string & {});

export type ErrorDetail = {
  code: ErrorCode;
  message: string;
  /** Up to 20 problems, for a `validation_error` or a document that is refused. `message` describes the first one. */
  details?: Array<FieldProblem>;
};

/** An event that was accepted from a producer. */
export type Event = {
  id: string;
  eventType: string | null;
  /** The same value as `eventType`. Use `eventType` instead. */
  eventTypeName: string | null;
  environmentId: string;
  applicationId: string | null;
  /** The endpoint, for an event that was sent directly to it and for a test. Null otherwise. */
  endpointId: string | null;
  idempotencyKey: string;
  orderingKey: string | null;
  deliverAt: string | null;
  status: 'scheduled' | 'matching' | 'matched' | 'unmatched' | 'cancelled' | (string & {});
  published: boolean;
  hasPayload: boolean;
  isTest: boolean;
  /**
   * Whether the event can be found by search keys. False if the payload is too large for the search keys of its
   * event type.
   */
  searchable: boolean;
  /** At most 10 places where the payload does not match its schema. Null if nothing was checked. */
  schemaErrors: Array<string> | null;
  /** The number of deliveries in each status. */
  deliveries: EventDeliveries;
  /** The number of applications whose endpoints have a delivery of the event. */
  reachedApplications: number;
  /** The source of the event. Null for an event that was not read from a source. Absent in the portal. */
  source?: EventSource | null;
  createdAt: string;
};

export type EventDeliveries = {
  pending: number;
  delivering: number;
  delivered: number;
  scheduled_retry: number;
  failed: number;
  dead_letter: number;
};

/** An event, with its payload if `include` asks for it. */
export type EventDetail = {
  id: string;
  eventType: string | null;
  /** The same value as `eventType`. Use `eventType` instead. */
  eventTypeName: string | null;
  environmentId: string;
  applicationId: string | null;
  /** The endpoint, for an event that was sent directly to it and for a test. Null otherwise. */
  endpointId: string | null;
  idempotencyKey: string;
  orderingKey: string | null;
  deliverAt: string | null;
  status: 'scheduled' | 'matching' | 'matched' | 'unmatched' | 'cancelled' | (string & {});
  published: boolean;
  hasPayload: boolean;
  isTest: boolean;
  /**
   * Whether the event can be found by search keys. False if the payload is too large for the search keys of its
   * event type.
   */
  searchable: boolean;
  /** At most 10 places where the payload does not match its schema. Null if nothing was checked. */
  schemaErrors: Array<string> | null;
  /** The number of deliveries in each status. */
  deliveries: EventDetailDeliveries;
  /** The number of applications whose endpoints have a delivery of the event. */
  reachedApplications: number;
  /** The source of the event. Null for an event that was not read from a source. Absent in the portal. */
  source?: EventSource | null;
  createdAt: string;
  payload?: PayloadEnvelope;
};

export type EventDetailDeliveries = {
  pending: number;
  delivering: number;
  delivered: number;
  scheduled_retry: number;
  failed: number;
  dead_letter: number;
};

/** The source record from which an event was read. */
export type EventSource = {
  sourceId: string;
  topic: string;
  partition: number;
  offset: string;
  /** The timestamp of the record, limited to the years 1970 to 9999. */
  timestamp: string;
};

/** For each endpoint of the environment, why it did or did not receive the event. */
export type EventTrace = {
  eventId: string;
  eventType: string | null;
  /** The same value as `eventType`. Use `eventType` instead. */
  eventTypeName: string | null;
  environmentId: string;
  published: boolean;
  fannedOutAt: string | null;
  matched: number;
  skipped: number;
  /** The number of applications that the matched endpoints belong to. */
  reachedApplications: number;
  /**
   * The number of values in the payload by which the event can be found, and the number that were left out: those
   * of an array after the first 16, and texts of more than 256 characters. Null if there are none.
   */
  searchKeys: EventTraceSearchKeys | null;
  endpoints: Array<EventTraceEndpointsItem>;
  nextCursor: string | null;
};

export type EventTraceEndpointsItem = {
  endpointId: string;
  url: string;
  description: string;
  applicationId: string | null;
  decision: 'matched' | 'skipped' | 'waiting' | (string & {});
  reason:
    | 'event_type_not_published'
    | 'endpoint_deleted'
    | 'other_application'
    | 'not_subscribed'
    | 'endpoint_inactive'
    | 'filtered'
    | (string & {})
    | null;
  detail: string;
  delivery: EventTraceEndpointsItemDelivery | null;
};

export type EventTraceEndpointsItemDelivery = {
  id: string;
  status: DeliveryStatus;
  totalAttempts: number;
  nextRetryAt: string | null;
  lastResponseStatus: number | null;
  failureReason:
    | 'endpoint_inactive'
    | 'endpoint_deleted'
    | 'subscription_ended'
    | 'quarantined'
    | 'retries_exhausted'
    | 'gone'
    | 'aborted_by_receiver'
    | 'blocked_address'
    | 'invalid_target'
    | 'invalid_payload'
    | 'target_exists'
    | 'message_too_large'
    | 'payload_expired'
    | 'payload_unreadable'
    | 'invalid_request'
    | 'cancelled'
    | 'cancelled_by_transformation'
    | (string & {})
    | null;
  /** At an endpoint with `ordering: "fifo"`, the delivery that must end before this one is sent. */
  waitingFor: string | null;
  /**
   * The reason that the transformation gave in `cancel`, if it cancelled the event. Null for callers who may not
   * read payloads.
   */
  cancelReason: string | null;
};

export type EventTraceSearchKeys = {
  stored: number;
  leftOut: number;
};

/** A named category of events, shared by the whole workspace. */
export type EventType = {
  id: string;
  name: string;
  description: string | null;
  /** A JSON Schema (draft 2020-12). Every reference must point to a place within it. */
  schema: Record<string, unknown> | null;
  /** The version of the schema. Each change of the schema increases it. */
  schemaVersion: number;
  /** Any JSON value. */
  example: unknown;
  /**
   * How long payloads are kept. `workspace`: for the retention period of the workspace. `until_ended`: while a
   * delivery is open or a dead letter. `none`: until each delivery has had its only attempt.
   */
  payloadRetention: 'workspace' | 'until_ended' | 'none' | (string & {});
  /** The values in payloads by which events can be found. */
  searchKeys: Array<SearchKey> | null;
  /** The paths by which agents can filter. Null for the first 30 paths of the schema. */
  agentFilters: Array<string> | null;
  createdAt: string;
};

/** A pattern that subscribes an endpoint to every matching event type. */
export type EventTypePattern = {
  pattern: string;
  filter: Record<string, unknown> | null;
};

/** The visibility of an event type in an environment. */
export type EventTypeVisibility = {
  eventTypeId: string;
  eventType: string;
  /** The same value as `eventType`. Use `eventType` instead. */
  eventTypeName: string;
  published: boolean;
  /**
   * How payloads are checked against the schema of their event type. `off` does not check them, `warn` accepts an
   * invalid payload and records its errors, and `reject` refuses it.
   */
  schemaMode: 'off' | 'warn' | 'reject' | (string & {});
  /** The applications whose portals show the event type where it is published. Null for all applications. */
  applications: Array<string> | null;
};

/** The visibility of an event type, with the fields that `include` adds. */
export type EventTypeVisibilityRead = {
  eventTypeId: string;
  eventType: string;
  /** The same value as `eventType`. Use `eventType` instead. */
  eventTypeName: string;
  published: boolean;
  /**
   * How payloads are checked against the schema of their event type. `off` does not check them, `warn` accepts an
   * invalid payload and records its errors, and `reject` refuses it.
   */
  schemaMode: 'off' | 'warn' | 'reject' | (string & {});
  /** The applications whose portals show the event type where it is published. Null for all applications. */
  applications: Array<string> | null;
  /** The number of endpoints in the environment that subscribe to the event type, without those of agents. */
  endpoints?: number;
};

/** The destination of messages to Amazon EventBridge. */
export type EventbridgeDestination = {
  /** The name or ARN of the event bus. */
  eventBusName: string;
  /** The code of the AWS region. */
  region: string;
  /** The address of a server that is compatible with AWS. Omit it for AWS itself. */
  endpoint?: string | undefined;
  /** The source of the events, which rules of the event bus can match. */
  source?: string | undefined;
  /** The detail type of the events, as a template. Rules of the event bus can match it. */
  detailType?: string | undefined;
};

export type ExtendBody = {
  messages: Array<ExtendedMessage>;
};

export type ExtendResult = {
  deliveryId: string;
  result: 'settled' | 'lease_lost' | (string & {});
  leasedUntil: string | null;
};

/** For each message, in the order of the request, the new end of its lease. */
export type ExtendResults = {
  results: Array<ExtendResult>;
};

export type ExtendedMessage = {
  deliveryId: string;
  leaseToken: string;
  /** The duration of the lease in seconds, from now. */
  leaseSeconds: number;
};

/** A field of a request, and the rule that it violates. */
export type FieldProblem = {
  /** The location of the problem: a path in the body, `query.` and the name of a parameter, or `body`. */
  field: string;
  message: string;
  /** A machine-readable name of the rule, if it has one. docs/interface/errors.md lists them. More may be added. */
  rule?: string;
};

export type FoundEvent = {
  id: string;
  eventType: string | null;
  /** The same value as `eventType`. Use `eventType` instead. */
  eventTypeName: string | null;
  environmentId: string;
  applicationId: string | null;
  /** The endpoint, for an event that was sent directly to it and for a test. Null otherwise. */
  endpointId: string | null;
  idempotencyKey: string;
  orderingKey: string | null;
  deliverAt: string | null;
  status: 'scheduled' | 'matching' | 'matched' | 'unmatched' | 'cancelled' | (string & {});
  published: boolean;
  hasPayload: boolean;
  isTest: boolean;
  /**
   * Whether the event can be found by search keys. False if the payload is too large for the search keys of its
   * event type.
   */
  searchable: boolean;
  /** At most 10 places where the payload does not match its schema. Null if nothing was checked. */
  schemaErrors: Array<string> | null;
  /** The number of deliveries in each status. */
  deliveries: FoundEventDeliveries;
  /** The number of applications whose endpoints have a delivery of the event. */
  reachedApplications: number;
  /** The source of the event. Null for an event that was not read from a source. Absent in the portal. */
  source?: EventSource | null;
  createdAt: string;
  /** The names of the search keys that matched. */
  foundBy: Array<string>;
};

export type FoundEventDeliveries = {
  pending: number;
  delivering: number;
  delivered: number;
  scheduled_retry: number;
  failed: number;
  dead_letter: number;
};

export type FoundEventsPage = {
  events: Array<FoundEvent>;
  nextCursor: string | null;
};

/** An HMAC signature in a header of your choice. */
export type HmacSignature = {
  scheme: 'hmac';
  header: string;
  algorithm?: 'sha256' | 'sha512' | 'sha1' | undefined;
  encoding?: 'hex' | 'base64' | undefined;
  content?: 'body' | 'timestamp.body' | 'id.timestamp.body' | undefined;
  /**
   * The format of the header value, with `{signature}` and optionally `{timestamp}`, such as
   * `t={timestamp},v1={signature}`.
   */
  form?: string | undefined;
  timestampHeader?: string | undefined;
  idHeader?: string | undefined;
};

export type IndexEventsBody = {
  eventType: string;
  from?: string | Date | undefined;
  to?: string | Date | undefined;
  dryRun?: boolean | undefined;
};

export type IngestAnswer = {
  id: string;
  eventType: string | null;
  environmentId: string;
  idempotencyKey: string;
  /** Whether the event type was published. If not, no endpoint receives the event. */
  published: boolean;
  /** Whether the request repeated an earlier `Idempotency-Key`, so that nothing was created. */
  duplicate: boolean;
  /** At most 10 places where the payload does not match its schema. Null if nothing was checked. */
  schemaErrors: Array<string> | null;
  createdAt: string;
};

export type IngestBatchBody = {
  events: Array<BatchEvent>;
};

/** The destination of messages to Apache Kafka. */
export type KafkaDestination = {
  /** Each as host:port. The default port is 9092. */
  brokers: Array<string>;
  /** The name of an existing topic. No topic is created. */
  topic: string;
  /** Whether to use TLS. Only an operator can allow connections without TLS. */
  tls?: boolean | undefined;
  /** The SASL mechanism for signing in with the user and password. */
  saslMechanism?: 'none' | 'plain' | 'scram-sha-256' | 'scram-sha-512' | undefined;
  /**
   * The key of the message, as a text with values of the event. Defaults to the ordering key of the event, or its
   * id.
   */
  key?: string | undefined;
  /**
   * The certificate authority to trust instead of the public ones, as a certificate in PEM. For brokers with a
   * private one.
   */
  ca?: string | undefined;
};

export type KeptNames = {
  /** The names of event types. */
  eventTypes?: Array<string> | undefined;
  /** The externalIds of applications. */
  applications?: Array<string> | undefined;
  /** The externalIds of endpoints, by the slug of their environment. */
  endpoints?: Record<string, Array<string>> | undefined;
};

/** The destination of messages to Amazon Kinesis. */
export type KinesisDestination = {
  /** The name of the data stream. */
  streamName: string;
  /** The code of the AWS region. */
  region: string;
  /** The address of a server that is compatible with AWS. Omit it for AWS itself. */
  endpoint?: string | undefined;
  /** The partition key, as a template. If the result is empty, the id of the event is used. */
  partitionKey?: string | undefined;
};

/** The leased messages, and the state of the messages that are still waiting. */
export type LeaseAnswer = {
  messages: Array<LeasedMessage>;
  /** The number of messages that can be leased now or later, up to 10,000. */
  waiting: number;
  /** How long the first of these messages has been due, in seconds. Null if none is waiting. */
  oldestAgeSeconds: number | null;
};

export type LeaseBody = {
  /** The maximum number of messages to return. */
  max?: number | undefined;
  /** The maximum time in seconds to wait for the first message if none can be leased. */
  waitSeconds?: number | undefined;
  /**
   * The duration of the lease in seconds. A message that is not acknowledged, rejected or extended in time goes to
   * the next consumer.
   */
  leaseSeconds?: number | undefined;
};

export type LeaseResult = {
  deliveryId: string;
  result: 'settled' | 'lease_lost' | (string & {});
};

/** For each message, in the order of the request, whether the lease still counted. */
export type LeaseResults = {
  results: Array<LeaseResult>;
};

/** A delivery that a consumer has leased. */
export type LeasedMessage = {
  deliveryId: string;
  /** The token of the lease. Send it with each ack, nack and extend. */
  leaseToken: string;
  leasedUntil: string;
  attemptNumber: number;
  eventId: string;
  eventType: string | null;
  createdAt: string;
  orderingKey: string | null;
  /** The headers of a webhook, including `webhook-signature`. */
  headers: Record<string, string>;
  /** The signed bytes, in base64. */
  body: string;
};

export type ListAgentKeysAnswer = {
  agentKeys: Array<AgentKey>;
  nextCursor: string | null;
};

export type ListAgentSubscriptionsAnswer = {
  agentSubscriptions: Array<AgentSubscription>;
  nextCursor: string | null;
};

export type ListEventsAnswer = {
  events: Array<Event>;
  nextCursor: string | null;
};

export type ListOperationsAnswer = {
  operations: Array<Operation>;
  nextCursor: string | null;
};

export type ListSourceRejectionsAnswer = {
  rejections: Array<SourceRejection>;
  nextCursor: string | null;
};

export type ListSourcesAnswer = {
  sources: Array<Source>;
  nextCursor: string | null;
};

/** A gap in the stream. `dropped` is the maximum number of changes that were dropped, or null if it is unknown. */
export type LiveGap = {
  dropped: number | null;
};

export type NackBody = {
  messages: Array<NackedMessage>;
};

export type NackedMessage = {
  deliveryId: string;
  leaseToken: string;
  /** The time in seconds until the message is due again. Defaults to the retry schedule of the endpoint. */
  delaySeconds?: number | undefined;
  responseStatus?: number | undefined;
  /** A text to store with the attempt, like the response body of a webhook. */
  responseBody?: string | undefined;
  /** A human-readable reason why the message could not be processed. */
  reason?: string | undefined;
};

/** The destination of messages to NATS JetStream. */
export type NatsDestination = {
  /** Each as host:port. The default port is 4222. */
  servers: Array<string>;
  /** The subject, as a template. A stream must capture it. */
  subject?: string | undefined;
  /** Whether to use TLS. Only an operator can allow connections without TLS. */
  tls?: boolean | undefined;
  /**
   * The certificate authority to trust instead of the public ones, as a certificate in PEM. For brokers with a
   * private one.
   */
  ca?: string | undefined;
};

/** Work on many deliveries that runs in the background. */
export type Operation = {
  id: string;
  type: 'recovery' | 'retry' | 'cancel' | 'erasure' | 'search_index' | (string & {});
  status: 'counting' | 'running' | 'completed' | 'cancelled' | 'failed' | (string & {});
  endpointId: string | null;
  filter: Record<string, unknown>;
  matched: number | null;
  enqueued: number;
  delivered: number;
  failed: number;
  error: string | null;
  createdAt: string;
  updatedAt: string;
  pausedAt: string | null;
  finishedAt: string | null;
};

/** A type of event that Posthorn can send to a workspace about its deliveries. */
export type OperationalEvent = {
  name: string;
  description: string;
  /** The JSON Schema (2020-12) of the payload. */
  schema: Record<string, unknown>;
  /** Any JSON value. */
  example: unknown;
};

/** A management token, with its workspace and environments. */
export type OwnManagementToken = {
  workspace: OwnWorkspaceSummary;
  token: OwnManagementTokenDetails;
  environments: Array<Environment>;
};

export type OwnManagementTokenDetails = {
  id: string;
  name: string;
  tokenPreview: string;
  scopes: Array<Scope>;
  /**
   * The environments to which the token is limited. It can read and change only what belongs to them, and can read
   * but not change the workspace itself. Null for all environments.
   */
  environmentIds: Array<string> | null;
  /**
   * The networks from which the token can be used. A request from another address is `forbidden`. Null for all
   * networks.
   */
  allowedNetworks: Array<string> | null;
  expiresAt: string | null;
  createdAt: string;
};

export type OwnWorkspaceSummary = {
  id: string;
  name: string;
  slug: string;
  plan: Plan;
};

/** The payload as ingested, or the reason why it is not available. */
export type PayloadEnvelope = {
  status:
    | 'available'
    | 'plan_required'
    | 'forbidden'
    | 'expired'
    | 'erased'
    | 'not_stored'
    | 'unavailable'
    | (string & {});
  contentType: string | null;
  encoding: 'utf8' | 'base64' | (string & {}) | null;
  size: number | null;
  sha256: string | null;
  body: string | null;
};

export type Plan = 'free' | 'pro' | 'enterprise' | (string & {});

export type PortalLocale = 'en' | 'de' | 'fr' | (string & {});

/** A session that gives a customer access to the portal. */
export type PortalSession = {
  id: string;
  applicationId: string;
  environmentId: string;
  capabilities: Array<Capability>;
  theme: PortalTheme | null;
  locale: PortalLocale;
  returnUrl: string | null;
  expiresAt: string;
  createdAt: string;
};

/** The word that the customer portal uses for an event. */
export type PortalTerms = {
  event: 'Message' | 'Event' | (string & {});
};

export type PortalTheme = {
  mode?: 'light' | 'dark' | 'auto' | (string & {});
  primaryColor?: string;
  logoUrl?: string;
  /**
   * The font families, as in CSS. The first one that is installed on the reader's device is used; no font is
   * loaded.
   */
  fontFamily?: string;
  /** The corner radius of buttons, fields and panels, in pixels. */
  radius?: number;
  /** CSS custom properties of the page, such as `--surface: #fafafa; --line: #ddd`. */
  css?: string;
};

/** The endpoints that would receive an event of the event type now. */
export type Precheck = {
  published: boolean;
  matched: number;
  endpoints: Array<PrecheckEndpointsItem>;
  /** Whether the environment has more endpoints than are returned. */
  truncated: boolean;
};

export type PrecheckEndpointsItem = {
  endpointId: string;
  url: string;
  applicationId: string | null;
  decision: 'matched' | 'skipped' | 'depends' | (string & {});
  reason:
    | 'event_type_not_published'
    | 'endpoint_deleted'
    | 'other_application'
    | 'not_subscribed'
    | 'endpoint_inactive'
    | 'filtered'
    | (string & {})
    | null;
  detail: string;
};

export type PrecheckEventTypeBody = {
  environmentId?: string | undefined;
  applicationId?: string | undefined;
  /** Any JSON value. */
  payload?: unknown | undefined;
};

export type PromoteEnvironmentBody = {
  /** Whether to also apply the settings of the environment (`requireApplication`). */
  settings?: boolean | undefined;
  /** `all`, or a list of event type ids. */
  eventTypes?: PromotedEventTypes | undefined;
  endpoints?: Array<EndpointToPromote> | undefined;
  sources?: Array<SourceToPromote> | undefined;
  dryRun?: boolean | undefined;
  prune?: boolean | undefined;
};

export type PromotedEndpoint = {
  change: 'create' | 'update' | 'delete' | (string & {});
  /** The endpoint that is promoted. For `delete`, it no longer exists. */
  endpointId: string;
  /** The corresponding endpoint in the target. Null before a `create` is applied. */
  targetEndpointId: string | null;
  fields: Record<string, PromotedField>;
  subscriptions: PromotedSubscriptions;
};

/** A change of an event type. `from` is the value in the environment that would change. */
export type PromotedEventType = {
  eventTypeId: string;
  name: string;
  change: 'publish' | 'unpublish' | 'schema_mode' | (string & {});
  /** Any JSON value. */
  from: unknown;
  /** Any JSON value. */
  to: unknown;
};

export type PromotedField = {
  /** Any JSON value. */
  from: unknown;
  /** Any JSON value. */
  to: unknown;
};

export type PromotedFilter = {
  eventTypeId: string;
  eventType: string;
  /** The same value as `eventType`. Use `eventType` instead. */
  eventTypeName: string;
  from: Record<string, unknown> | null;
  to: Record<string, unknown> | null;
};

/** The settings that differ between the environments. */
export type PromotedSettings = {
  requireApplication?: PromotedSettingsRequireApplication;
};

export type PromotedSettingsRequireApplication = {
  from: boolean;
  to: boolean;
};

export type PromotedSource = {
  change: 'create' | 'update' | (string & {});
  /** The source that is promoted. */
  sourceId: string;
  /** The corresponding source in the target. Null before a `create` is applied. */
  targetSourceId: string | null;
  fields: Record<string, PromotedField>;
};

export type PromotedSubscription = {
  eventTypeId: string;
  eventType: string;
  /** The same value as `eventType`. Use `eventType` instead. */
  eventTypeName: string;
  filter: Record<string, unknown> | null;
};

export type PromotedSubscriptions = {
  add: Array<PromotedSubscription>;
  remove: Array<PromotedSubscription>;
  change: Array<PromotedFilter>;
};

/** The changes that a promotion made or would make. */
export type Promotion = {
  applied: EnvironmentDiff;
};

/** The destination of messages to Google Cloud Pub/Sub. */
export type PubsubDestination = {
  /** The id of the project, not its name. */
  projectId: string;
  /** The id of the topic, without the path in front of it. */
  topicId: string;
  /**
   * The address of a regional endpoint or a compatible server, as host:port. Defaults to the global endpoint of
   * Google.
   */
  endpoint?: string | undefined;
  /** Whether to use TLS. Only an operator can allow connections without TLS. */
  tls?: boolean | undefined;
  /**
   * The certificate authority to trust instead of the public ones, as a certificate in PEM. For brokers with a
   * private one.
   */
  ca?: string | undefined;
};

/** A credential with which consumers fetch deliveries from one endpoint. */
export type PullKey = {
  id: string;
  name: string;
  keyPreview: string;
  createdAt: string;
  lastUsedAt: string | null;
  expiresAt: string | null;
};

/** The messages that are waiting for the consumers of an endpoint. */
export type PullStatus = {
  /** The number of messages that can be leased now or later, up to 10,000. */
  waiting: number;
  /** How long the first of these messages has been due, in seconds. Null if none is waiting. */
  oldestAgeSeconds: number | null;
  lastLeaseAt: string | null;
};

export type Quota = {
  /** The limit. Null if there is none. */
  limit: number | null;
  /** The amount that is used, as of a few seconds ago. */
  used: number;
};

/** The destination of messages to RabbitMQ. */
export type RabbitmqDestination = {
  /** The host name or address of the broker, without a scheme. */
  host: string;
  /** The port of the broker, usually 5671 with TLS. */
  port?: number | undefined;
  /** Whether to use TLS. Only an operator can allow connections without TLS. */
  tls?: boolean | undefined;
  /** The virtual host of the exchange. */
  vhost?: string | undefined;
  /** The exchange. The default exchange has an empty name; its routing key is the name of a queue. */
  exchange?: string | undefined;
  /** The routing key, as a text with values of the event, such as {{eventType}}. */
  routingKey?: string | undefined;
  /**
   * The certificate authority to trust instead of the public ones, as a certificate in PEM. For brokers with a
   * private one.
   */
  ca?: string | undefined;
};

export type RecoverEndpointBody = {
  /** The start of the time range. Either `since` or `from` is required. */
  since?: string | Date | undefined;
  until?: string | Date | undefined;
  /** The same as `since`. */
  from?: string | Date | undefined;
  /** The same as `until`. */
  to?: string | Date | undefined;
  mode: 'failed' | 'missed' | 'all';
  eventTypes?: Array<string> | undefined;
  statusClass?: Array<'2xx' | '3xx' | '4xx' | '5xx' | 'other' | 'none'> | undefined;
  dryRun?: boolean | undefined;
};

export type RetryDeliveriesBody = {
  filter: RetryDeliveriesBodyFilter;
  dryRun?: boolean | undefined;
};

export type RetryDeliveriesBodyFilter = {
  environmentId?: string | undefined;
  endpointId?: string | undefined;
  applicationId?: string | undefined;
  eventTypes?: Array<string> | undefined;
  statuses?: Array<DeliveryStatus> | undefined;
  from?: string | Date | undefined;
  to?: string | Date | undefined;
};

export type RotateApiKeyBody = {
  gracePeriodSeconds?: number | undefined;
};

export type RotateEndpointSecretBody = {
  gracePeriodSeconds?: number | undefined;
  secret?: string | undefined;
};

/** The destination of messages to Amazon S3. */
export type S3Destination = {
  /** The name of an existing bucket. */
  bucket: string;
  /** The code of the AWS region. */
  region: string;
  /** The address of a server that is compatible with AWS. Omit it for AWS itself. */
  endpoint?: string | undefined;
  /** The key of each object, as a template. */
  key?: string | undefined;
  /** The storage class. Defaults to that of the bucket. */
  storageClass?:
    | 'STANDARD'
    | 'STANDARD_IA'
    | 'ONEZONE_IA'
    | 'INTELLIGENT_TIERING'
    | 'GLACIER_IR'
    | 'GLACIER'
    | 'DEEP_ARCHIVE'
    | undefined;
  /** Whether to replace an object with the same key. For stores without conditional writes (If-None-Match). */
  overwrite?: boolean | undefined;
};

export type SchemaChange = {
  /** The path in the payload. `*` stands for every item of an array. */
  path: string;
  change: 'added' | 'removed' | 'type' | 'required' | 'enum' | 'constraint' | (string & {});
  /** Whether receivers may now get payloads that the previous schema did not allow. */
  breaking: boolean;
  detail: string;
};

export type SchemaWarning = {
  /** The path of the field in the request. */
  path: string;
  message: string;
};

export type Scope = 'read' | 'write' | 'keys' | 'payloads' | (string & {});

export type SearchDeliveriesBody = {
  /**
   * The values to search for. Each is `name:value` for one search key, or a value that is looked up in every
   * search key. An event must match all of them.
   */
  search: Array<string>;
  endpointId?: string | undefined;
  environmentId?: string | undefined;
  applicationId?: string | undefined;
  eventType?: string | undefined;
  status?: DeliveryStatus | undefined;
  from?: string | Date | undefined;
  to?: string | Date | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
};

export type SearchEventsBody = {
  /**
   * The values to search for. Each is `name:value` for one search key, or a value that is looked up in every
   * search key. An event must match all of them.
   */
  search: Array<string>;
  environmentId?: string | undefined;
  applicationId?: string | undefined;
  eventType?: string | undefined;
  idempotencyKey?: string | undefined;
  status?: 'scheduled' | 'matching' | 'matched' | 'unmatched' | 'cancelled' | undefined;
  from?: string | Date | undefined;
  to?: string | Date | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
};

export type SearchKey = {
  name: string;
  path: string;
  fold: boolean;
};

export type SearchKeyRotation = {
  rotatedAt: string;
  /** When the former key ends. Until then, searches also use it. */
  formerKeyEndsAt: string;
};

export type SeekSourceBody = {
  topic: string;
  /** The partition. If omitted, all partitions. */
  partition?: number | undefined;
  /** The offset of the next record to read. */
  offset?: number | undefined;
  /** The time of the next record to read: the first record at or after this time. */
  timestamp?: string | Date | undefined;
};

export type SetAgentSettingsBody = {
  enabled?: boolean | undefined;
  /** The allowed hosts of callbacks. If omitted or null, any public host is allowed. */
  callbackHosts?: Array<string> | null | undefined;
  maxTtlSeconds?: number | undefined;
  /** The rate limit of each new subscription. Defaults to 600 requests in 60 seconds. */
  rateLimit?: SetAgentSettingsBodyRateLimit | undefined;
  issuer?: SetAgentSettingsBodyIssuer | null | undefined;
};

export type SetAgentSettingsBodyIssuer = {
  issuer: string;
  jwksUri?: string | null | undefined;
  audience?: string | null | undefined;
  scope?: string | undefined;
  applicationClaim?: string | undefined;
  maxTtlSeconds?: number | undefined;
};

export type SetAgentSettingsBodyRateLimit = {
  limit: number;
  periodSeconds: number;
};

export type SetEventTypeVisibilityBody = {
  published: boolean;
  /** How payloads are checked against the schema of the event type. Unchanged if omitted. */
  schemaMode?: 'off' | 'warn' | 'reject' | undefined;
  /**
   * The applications whose portals show the event type and that may subscribe to it. Null for all applications.
   * Unchanged if omitted.
   */
  applications?: Array<string> | null | undefined;
};

/** The destination of messages to Amazon SNS. */
export type SnsDestination = {
  /** The ARN of the topic. It includes the region. */
  topicArn: string;
  /** The address of a server that is compatible with AWS. Omit it for AWS itself. */
  endpoint?: string | undefined;
};

/** A source reads topics, whose records become events. */
export type Source = {
  id: string;
  /** Your own id for the source, unique in its environment. */
  externalId: string | null;
  name: string;
  type: 'kafka' | (string & {});
  environmentId: string;
  isActive: boolean;
  config: SourceConfig;
  /** The names of the stored credentials. */
  credentialNames: Array<string>;
  /** The source in another environment from which this source was promoted. */
  promotedFrom: string | null;
  health: SourceHealth;
  createdAt: string;
  updatedAt: string;
};

/** The location of the application's `externalId` in a record. */
export type SourceApplication = {
  /** The name of a record header. */
  header?: string;
  /** A JSON pointer into the record value (RFC 6901). */
  pointer?: string;
};

/** The topics to read, and how a record becomes an event. */
export type SourceConfig = {
  /** Each as host:port. The default port is 9092. */
  brokers: Array<string>;
  /** Whether to use TLS. Only an operator can allow connections without TLS. */
  tls: boolean;
  /** The SASL mechanism for signing in with the user and password. */
  saslMechanism: 'none' | 'plain' | 'scram-sha-256' | 'scram-sha-512' | (string & {});
  /**
   * The certificate authority to trust instead of the public ones, as a certificate in PEM. For brokers with a
   * private one.
   */
  ca?: string;
  /** The topics to read. They must exist. */
  topics: Array<string>;
  /** Where reading starts in a topic that is new to the source: `latest`, `earliest` or a time. */
  start: string;
  eventType: SourceEventType;
  data?: SourceData;
  application?: SourceApplication;
  /** The source of the ordering key. `key` uses the key of the record. */
  orderingKey: 'key' | (string & {}) | null;
  idempotencyKey?: SourceIdempotencyKey;
  contentType: string;
  /** How to handle a record without a value. `send` creates an event without a payload, `skip` ignores the record. */
  tombstones: 'skip' | 'send' | (string & {});
  /** How to handle a record that cannot become an event. `reject` notes it and continues, `stop` stops before it. */
  onError: 'reject' | 'stop' | (string & {});
};

/** The topics to read, and how a record becomes an event. */
export type SourceConfigInput = {
  /** Each as host:port. The default port is 9092. */
  brokers: Array<string>;
  /** Whether to use TLS. Only an operator can allow connections without TLS. */
  tls?: boolean | undefined;
  /** The SASL mechanism for signing in with the user and password. */
  saslMechanism?: 'none' | 'plain' | 'scram-sha-256' | 'scram-sha-512' | undefined;
  /**
   * The certificate authority to trust instead of the public ones, as a certificate in PEM. For brokers with a
   * private one.
   */
  ca?: string | undefined;
  /** The topics to read. They must exist. */
  topics: Array<string>;
  /** Where reading starts in a topic that is new to the source: `latest`, `earliest` or a time. */
  start?: string | undefined;
  eventType: SourceEventType;
  data?: SourceData | undefined;
  application?: SourceApplication | undefined;
  /** The source of the ordering key. `key` uses the key of the record. */
  orderingKey?: 'key' | null | undefined;
  idempotencyKey?: SourceIdempotencyKey | undefined;
  contentType?: string | undefined;
  /** How to handle a record without a value. `send` creates an event without a payload, `skip` ignores the record. */
  tombstones?: 'skip' | 'send' | undefined;
  /** How to handle a record that cannot become an event. `reject` notes it and continues, `stop` stops before it. */
  onError?: 'reject' | 'stop' | undefined;
};

/** The location of the payload in a record. Defaults to the record value, byte for byte. */
export type SourceData = {
  /** A JSON pointer into the record value (RFC 6901). */
  pointer: string;
};

/** The location of the event type in a record, or a fixed event type. */
export type SourceEventType = {
  /** The name of a record header. */
  header?: string;
  /** A JSON pointer into the record value (RFC 6901). */
  pointer?: string;
  fixed?: string;
};

/** The health of a source as reported by its reader, at most a few seconds ago. */
export type SourceHealth = {
  /**
   * The status of the source. `paused`: reading waits until the workspace has fewer waiting deliveries. `quota`: a
   * quota of the workspace is used up. `failing`: reading fails and is retried. `stopped`: reading continues only
   * after an update or a seek.
   */
  status: 'starting' | 'running' | 'paused' | 'quota' | 'failing' | 'stopped' | 'inactive' | (string & {});
  /**
   * The reason for the status `failing`, `stopped` or `quota`, or why no dispatcher reads a source that is
   * `starting`.
   */
  error: string | null;
  /** The number of records that are waiting in the topics. */
  lagRecords: number | null;
  /**
   * The age of the newest record that was read, in seconds, while other records are waiting. 0 if none are
   * waiting.
   */
  lagSeconds: number | null;
  /** The timestamp of the newest record that was read, or the time of reading if that is earlier. */
  lastRecordAt: string | null;
  /** The total number of rejected records. */
  rejected: number;
};

/** The location of the idempotency key in a record. */
export type SourceIdempotencyKey = {
  /** The name of a record header. */
  header: string;
};

/** The brokers and topics of a source, as in its `config`. */
export type SourcePlace = {
  /** Each as host:port. The default port is 9092. */
  brokers: Array<string>;
  /** Whether to use TLS. Only an operator can allow connections without TLS. */
  tls?: boolean | undefined;
  /** The SASL mechanism for signing in with the user and password. */
  saslMechanism?: 'none' | 'plain' | 'scram-sha-256' | 'scram-sha-512' | undefined;
  /**
   * The certificate authority to trust instead of the public ones, as a certificate in PEM. For brokers with a
   * private one.
   */
  ca?: string | undefined;
  /** The topics to read. They must exist. */
  topics: Array<string>;
  /** Where reading starts in a topic that is new to the source: `latest`, `earliest` or a time. */
  start?: string | undefined;
};

/** A record that could not become an event. It remains in its topic. */
export type SourceRejection = {
  topic: string;
  partition: number;
  offset: number;
  /** An error code. */
  reason: string;
  message: string;
  /** The size of the record value in bytes. */
  size: number;
  at: string;
};

/** The result of testing a source. Nothing is stored. */
export type SourceTest = {
  sourceId: string;
  outcome: 'success' | 'failure' | (string & {});
  /** The error message of the brokers, if the test failed. */
  error: string | null;
  topics: Array<TestedTopic>;
  /** One of the newest records. Null if there is none. */
  record: TestedRecord | null;
  durationMs: number;
};

export type SourceToPromote = {
  sourceId: string;
  /** The brokers and topics of the new source. Required if the source is created, and used only then. */
  place?: SourcePlace | undefined;
};

/** The destination of messages to Amazon SQS. */
export type SqsDestination = {
  /** The URL of the queue, as shown in the SQS console. */
  queueUrl: string;
  /** The region. Required only if the URL of the queue does not contain it. */
  region?: string | undefined;
  /** The address of a server that is compatible with AWS. Omit it for AWS itself. */
  endpoint?: string | undefined;
};

export type StartErasureBody = {
  applicationId: string;
  eventTypes?: Array<string> | undefined;
  from?: string | Date | undefined;
  to?: string | Date | undefined;
  dryRun?: boolean | undefined;
};

/** Statistics: `series` and `totals`, or `groups` if `group_by` is set. */
export type Stats = {
  from: string;
  to: string;
  step: 'minute' | 'hour' | 'day' | (string & {});
  catchingUp: CatchingUp | null;
  series?: Array<StatsPoint>;
  totals?: StatsTotals;
  groups?: Array<StatsGroupsItem>;
};

export type StatsGroupsItem = {
  /**
   * The key of the group: the id of an endpoint, the name of an event type (null for direct ingestion), or a
   * status.
   */
  key: string | null;
  totals: StatsGroupsItemTotals;
};

export type StatsGroupsItemTotals = {
  /** The number of accepted events. Null in the statistics of an endpoint, and in groups by endpoint or status. */
  ingested: number | null;
  /** The number of these attempts. Null if grouped by status. */
  attempts: number | null;
  /** The number of these attempts. Null if grouped by status. */
  succeeded: number | null;
  /** The number of these attempts. Null if grouped by status. */
  failed: number | null;
  delivered: number;
  deadLettered: number;
  /** Quantiles in milliseconds, with a relative error of at most 5 %. Null if nothing was counted. */
  durationMs: StatsGroupsItemTotalsDurationMs;
  /** Quantiles in milliseconds, with a relative error of at most 5 %. Null if nothing was counted. */
  delayMs: StatsGroupsItemTotalsDelayMs;
  /** The number of deliveries that ended as `delivered`, `failed` or `dead_letter`. */
  ended: number;
};

export type StatsGroupsItemTotalsDelayMs = {
  p50: number | null;
  p95: number | null;
  p99: number | null;
};

export type StatsGroupsItemTotalsDurationMs = {
  p50: number | null;
  p95: number | null;
  p99: number | null;
};

/** The counts of one step. */
export type StatsPoint = {
  /** The start of the step. */
  at: string;
  /** The number of accepted events. Null in the statistics of an endpoint, and in groups by endpoint or status. */
  ingested: number | null;
  attempts: number;
  succeeded: number;
  /** The number of failed attempts. */
  failed: number;
  delivered: number;
  deadLettered: number;
  /** Quantiles in milliseconds, with a relative error of at most 5 %. Null if nothing was counted. */
  durationMs: StatsPointDurationMs;
  /** Quantiles in milliseconds, with a relative error of at most 5 %. Null if nothing was counted. */
  delayMs: StatsPointDelayMs;
};

export type StatsPointDelayMs = {
  p50: number | null;
  p95: number | null;
  p99: number | null;
};

export type StatsPointDurationMs = {
  p50: number | null;
  p95: number | null;
  p99: number | null;
};

export type StatsTotals = {
  /** The number of accepted events. Null in the statistics of an endpoint, and in groups by endpoint or status. */
  ingested: number | null;
  attempts: number;
  succeeded: number;
  /** The number of failed attempts. */
  failed: number;
  delivered: number;
  deadLettered: number;
  /** Quantiles in milliseconds, with a relative error of at most 5 %. Null if nothing was counted. */
  durationMs: StatsTotalsDurationMs;
  /** Quantiles in milliseconds, with a relative error of at most 5 %. Null if nothing was counted. */
  delayMs: StatsTotalsDelayMs;
  /** The number of deliveries that ended as `delivered`, `failed` or `dead_letter`. */
  ended: number;
};

export type StatsTotalsDelayMs = {
  p50: number | null;
  p95: number | null;
  p99: number | null;
};

export type StatsTotalsDurationMs = {
  p50: number | null;
  p95: number | null;
  p99: number | null;
};

export type SubscribeEndpointAnswer = {
  /** The number of subscriptions that were created. */
  subscribed: number;
};

export type SubscribeEndpointBody = {
  eventTypeIds: Array<string>;
  /** Conditions on the payload. Only events that match are delivered. */
  filter?: Record<string, unknown> | undefined;
};

/** A subscription of an endpoint to an event type. */
export type Subscription = {
  id: string;
  eventTypeId: string;
  eventType: string;
  /** The same value as `eventType`. Use `eventType` instead. */
  eventTypeName: string;
  filter: Record<string, unknown> | null;
  /** The pattern of the endpoint that created the subscription. Null if no pattern did. */
  pattern: string | null;
  createdAt: string;
};

export type TestEndpointBody = {
  eventTypeId?: string | undefined;
  payload?: unknown | undefined;
};

export type TestFilterAnswer = {
  matches: boolean;
  clauses: Array<TestFilterAnswerClausesItem>;
};

export type TestFilterAnswerClausesItem = {
  path: string;
  operator:
    | 'eq'
    | 'ne'
    | 'in'
    | 'gt'
    | 'gte'
    | 'lt'
    | 'lte'
    | 'exists'
    | 'startsWith'
    | 'endsWith'
    | 'contains'
    | (string & {});
  expected: unknown;
  /** The value at the path in the payload. Null if the path is absent. */
  found: unknown;
  holds: boolean;
};

export type TestFilterBody = {
  /** Conditions on the payload. Only events that match are delivered. */
  filter: Record<string, unknown>;
  /** The payload to test the filter with, as JSON. */
  payload: unknown;
};

export type TestTransformationBody = {
  language: 'javascript';
  code: string;
  /**
   * The payload of the event, used as it is written here. Defaults to the example of the event type, or a default
   * payload.
   */
  payload?: unknown | undefined;
  eventTypeId?: string | undefined;
  /** The endpoint that the code receives. It also determines whether headers and a path may be set. */
  endpointId?: string | undefined;
};

export type TestedRecord = {
  topic: string;
  partition: number;
  offset: number;
  timestamp: string;
  /** The size of the record value in bytes. */
  size: number;
  /** The event type that the record names. Null if it names none. */
  eventType: string | null;
  /** Why the record could not become an event. Null if it could. Conflicts of idempotency keys are not checked. */
  rejection: string | null;
};

export type TestedTopic = {
  name: string;
  partitions: number;
  /** The number of records in the topic now. */
  records: number;
};

/** The result of transforming an event. */
export type TransformationResult = {
  result: 'sent' | 'cancelled' | 'failed' | (string & {});
  /** The body that would be sent. Null unless `result` is `sent`. */
  body: string | null;
  contentType: string | null;
  headers: Record<string, string>;
  path: string | null;
  /** The reason that the code gave for cancelling the event. */
  reason: string | null;
  /** The first 50 lines that the code logged with `console.log`. */
  logs: Array<string>;
  error: TransformationResultError | null;
  /** The computing time, in milliseconds. */
  durationMs: number;
};

export type TransformationResultError = {
  message: string;
  line: number | null;
  column: number | null;
};

export type UpdateAlertRuleBody = {
  name?: string | undefined;
  /**
   * The email address for `email`, the integration key of a service (Events API v2) for `pagerduty`, and the https
   * URL of the incoming webhook for the other channels.
   */
  target?: string | undefined;
  events?:
    | Array<
        | 'posthorn.endpoint.disabled'
        | 'posthorn.endpoint.failing'
        | 'posthorn.endpoint.recovered'
        | 'posthorn.delivery.dead_letter'
        | 'posthorn.delivery.failed'
        | 'posthorn.operation.completed'
        | 'posthorn.api_key.expiring'
        | 'posthorn.source.failing'
        | 'posthorn.source.recovered'
      >
    | undefined;
  environmentId?: string | null | undefined;
  applicationId?: string | null | undefined;
  /**
   * The minimum time in minutes between two messages about the same event. A message names up to 10 affected
   * endpoints.
   */
  quietMinutes?: number | undefined;
};

export type UpdateApplicationBody = {
  name?: string | undefined;
  externalId?: string | null | undefined;
  metadata?: Record<string, string> | null | undefined;
};

export type UpdateEndpointBody = {
  url?: string | undefined;
  description?: string | undefined;
  isActive?: boolean | undefined;
  authUsername?: string | null | undefined;
  authPassword?: string | null | undefined;
  config?: EndpointConfig | undefined;
  secretHeaders?: Record<string, string | null> | undefined;
  credentials?: Record<string, string | null> | undefined;
  metadata?: Record<string, MetadataValue> | null | undefined;
  externalId?: string | null | undefined;
  /** The patterns of event types, which replace the current ones. Every matching event type gets a subscription. */
  eventTypePatterns?: Array<ChosenEventTypePattern> | undefined;
};

export type UpdateEnvironmentBody = {
  name?: string | undefined;
  slug?: string | undefined;
  /**
   * Whether this is the default environment. `true` makes it the default; the default environment cannot be set to
   * `false`.
   */
  isDefault?: boolean | undefined;
  /** Whether an event with an event type must name an application, or `*` for all, in `X-Application-Id`. */
  requireApplication?: boolean | undefined;
};

export type UpdateEventTypeBody = {
  description?: string | null | undefined;
  /** A JSON Schema (draft 2020-12). Every reference must point to a place within it. */
  schema?: Record<string, unknown> | null | undefined;
  /** Any JSON value. */
  example?: unknown | undefined;
  /**
   * How long payloads are kept. `workspace`: for the retention period of the workspace. `until_ended`: while a
   * delivery is open or a dead letter. `none`: until each delivery has had its only attempt.
   */
  payloadRetention?: 'workspace' | 'until_ended' | 'none' | undefined;
  searchKeys?: Array<UpdateEventTypeBodySearchKeysItem> | null | undefined;
  agentFilters?: Array<string> | null | undefined;
};

export type UpdateEventTypeBodySearchKeysItem = {
  name: string;
  /** The path of the value in the payload, as in a filter. */
  path: string;
  /** Whether text is matched case-insensitively. Defaults to false. */
  fold?: boolean | undefined;
};

export type UpdateSourceBody = {
  name?: string | undefined;
  externalId?: string | null | undefined;
  isActive?: boolean | undefined;
  /** The new config, which replaces the current one as a whole. */
  config?: SourceConfigInput | undefined;
  credentials?: Record<string, string | null> | undefined;
};

export type UpdateSubscriptionBody = {
  /** The new filter. Null removes the filter. */
  filter: Record<string, unknown> | null;
};

export type UpdateWorkspaceBody = {
  name?: string | undefined;
  requireSecondFactor?: boolean | undefined;
  payloadRetentionHours?: number | null | undefined;
  retentionHours?: number | null | undefined;
  portalOrigins?: Array<string> | undefined;
  portalTerms?: PortalTerms | undefined;
};

export type UpdatedEventType = {
  id: string;
  name: string;
  description: string | null;
  /** A JSON Schema (draft 2020-12). Every reference must point to a place within it. */
  schema: Record<string, unknown> | null;
  /** The version of the schema. Each change of the schema increases it. */
  schemaVersion: number;
  /** Any JSON value. */
  example: unknown;
  /**
   * How long payloads are kept. `workspace`: for the retention period of the workspace. `until_ended`: while a
   * delivery is open or a dead letter. `none`: until each delivery has had its only attempt.
   */
  payloadRetention: 'workspace' | 'until_ended' | 'none' | (string & {});
  /** The values in payloads by which events can be found. */
  searchKeys: Array<SearchKey> | null;
  /** The paths by which agents can filter. Null for the first 30 paths of the schema. */
  agentFilters: Array<string> | null;
  createdAt: string;
  /** The keywords of the schema that are published, but not used to check payloads. */
  schemaWarnings?: Array<SchemaWarning>;
  schemaChanges?: Array<SchemaChange>;
  /** At most 10 places where the example does not match the schema. Null without a schema or an example. */
  exampleErrors?: Array<string> | null;
};

export type UpsertApplicationEndpointBody = {
  /** The URL of the endpoint. Required if the endpoint type has one; for other types, Posthorn sets it. */
  url?: string | undefined;
  description?: string | undefined;
  authUsername?: string | null | undefined;
  authPassword?: string | null | undefined;
  secretHeaders?: Record<string, string | null> | undefined;
  credentials?: Record<string, string | null> | undefined;
  metadata?: Record<string, MetadataValue> | undefined;
  environmentId?: string | undefined;
  externalId?: string | null | undefined;
  secret?: string | null | undefined;
  isActive?: boolean | undefined;
  /** The event types to subscribe to, by name or by pattern. */
  eventTypes?: Array<ChosenEventType> | undefined;
  /**
   * The patterns, as an endpoint shows them. They replace the stored patterns, and other subscriptions are kept.
   * Ignored with `eventTypes`.
   */
  eventTypePatterns?: Array<ChosenEventTypePattern> | undefined;
  /** The names of the stored secret headers to keep, as an endpoint shows them. */
  secretHeaderNames?: Array<string> | undefined;
  /** The names of the stored credentials to keep, as an endpoint shows them. */
  credentialNames?: Array<string> | undefined;
} & (
  | {
      type?: 'webhook' | 'playground' | 'pull' | undefined;
      config?: (Omit<EndpointConfig, 'destination'> & { destination?: never }) | undefined;
    }
  | { type: 'rabbitmq'; config: Omit<EndpointConfig, 'destination'> & { destination: RabbitmqDestination } }
  | { type: 'kafka'; config: Omit<EndpointConfig, 'destination'> & { destination: KafkaDestination } }
  | { type: 'nats'; config: Omit<EndpointConfig, 'destination'> & { destination: NatsDestination } }
  | { type: 'sqs'; config: Omit<EndpointConfig, 'destination'> & { destination: SqsDestination } }
  | { type: 'sns'; config: Omit<EndpointConfig, 'destination'> & { destination: SnsDestination } }
  | { type: 'kinesis'; config: Omit<EndpointConfig, 'destination'> & { destination: KinesisDestination } }
  | { type: 'eventbridge'; config: Omit<EndpointConfig, 'destination'> & { destination: EventbridgeDestination } }
  | { type: 's3'; config: Omit<EndpointConfig, 'destination'> & { destination: S3Destination } }
  | { type: 'pubsub'; config: Omit<EndpointConfig, 'destination'> & { destination: PubsubDestination } }
);

export type UpsertEndpointBody = {
  /** The URL of the endpoint. Required if the endpoint type has one; for other types, Posthorn sets it. */
  url?: string | undefined;
  description?: string | undefined;
  authUsername?: string | null | undefined;
  authPassword?: string | null | undefined;
  secretHeaders?: Record<string, string | null> | undefined;
  credentials?: Record<string, string | null> | undefined;
  metadata?: Record<string, MetadataValue> | undefined;
  environmentId?: string | undefined;
  externalId?: string | null | undefined;
  secret?: string | null | undefined;
  isActive?: boolean | undefined;
  /** The event types to subscribe to, by name or by pattern. */
  eventTypes?: Array<ChosenEventType> | undefined;
  /**
   * The patterns, as an endpoint shows them. They replace the stored patterns, and other subscriptions are kept.
   * Ignored with `eventTypes`.
   */
  eventTypePatterns?: Array<ChosenEventTypePattern> | undefined;
  /** The names of the stored secret headers to keep, as an endpoint shows them. */
  secretHeaderNames?: Array<string> | undefined;
  /** The names of the stored credentials to keep, as an endpoint shows them. */
  credentialNames?: Array<string> | undefined;
  /** The application that owns the endpoint. If omitted, the endpoint belongs to the workspace itself. */
  applicationId?: string | null | undefined;
} & (
  | {
      type?: 'webhook' | 'playground' | 'pull' | undefined;
      config?: (Omit<EndpointConfig, 'destination'> & { destination?: never }) | undefined;
    }
  | { type: 'rabbitmq'; config: Omit<EndpointConfig, 'destination'> & { destination: RabbitmqDestination } }
  | { type: 'kafka'; config: Omit<EndpointConfig, 'destination'> & { destination: KafkaDestination } }
  | { type: 'nats'; config: Omit<EndpointConfig, 'destination'> & { destination: NatsDestination } }
  | { type: 'sqs'; config: Omit<EndpointConfig, 'destination'> & { destination: SqsDestination } }
  | { type: 'sns'; config: Omit<EndpointConfig, 'destination'> & { destination: SnsDestination } }
  | { type: 'kinesis'; config: Omit<EndpointConfig, 'destination'> & { destination: KinesisDestination } }
  | { type: 'eventbridge'; config: Omit<EndpointConfig, 'destination'> & { destination: EventbridgeDestination } }
  | { type: 's3'; config: Omit<EndpointConfig, 'destination'> & { destination: S3Destination } }
  | { type: 'pubsub'; config: Omit<EndpointConfig, 'destination'> & { destination: PubsubDestination } }
);

/** A page of usage, sorted by application and then by time. */
export type UsagePage = {
  from: string;
  to: string;
  step: 'day' | 'month' | (string & {});
  /** The time up to which usage has been counted. */
  countedTo: string;
  usage: Array<UsageRow>;
  nextCursor: string | null;
};

/** The usage of an application in a day or month. */
export type UsageRow = {
  /** The start of the day or month, in UTC. */
  from: string;
  /** The start of the next day or month. */
  to: string;
  /** The application. Null for usage that belongs to no application. */
  applicationId: string | null;
  externalId: string | null;
  /** The current name of the application, or `Erased` after its erasure. */
  name: string | null;
  /** The number of events that were accepted for the application. */
  events: number;
  /** The number of deliveries that were created for its endpoints. */
  deliveries: number;
  /** The number of attempts to its endpoints that ended. */
  attempts: number;
  /** The total size of the payloads of its events, in bytes. */
  bytes: number;
  /** Whether the counts of this day or month can still increase. */
  provisional: boolean;
};

export type WorkspaceChange = {
  action: 'create' | 'update' | 'remove' | 'none' | (string & {});
  kind: 'environment' | 'eventType' | 'application' | 'endpoint' | 'source' | 'workspace' | (string & {});
  /** The slug, name or externalId of the resource. */
  key: string;
  /** The slug of the environment, for an endpoint or a source. */
  environment: string | null;
  fields: Array<WorkspaceFieldChange>;
};

/** The desired state of a workspace. Anything that the document does not name is left unchanged. */
export type WorkspaceDocument = {
  version: number;
  environments?: Array<DocumentEnvironment> | undefined;
  eventTypes?: Array<DocumentEventType> | undefined;
  applications?: Array<DocumentApplication> | undefined;
  endpoints?: Array<DocumentEndpoint> | undefined;
  sources?: Array<DocumentSource> | undefined;
  portalOrigins?: Array<string> | undefined;
  portalTerms?: PortalTerms | undefined;
};

export type WorkspaceFieldChange = {
  field: string;
  /**
   * The value before the change, or null if there was none. A secret is `[redacted]`, a long value `{bytes,
   * sha256}`.
   */
  from: unknown;
  /** Any JSON value. */
  to: unknown;
};

/** The changes that make the workspace match the document. */
export type WorkspacePlan = {
  changes: Array<WorkspaceChange>;
  counts: WorkspacePlanCounts;
  /** Whether the changes were applied. False for a dry run. */
  applied: boolean;
};

export type WorkspacePlanCounts = {
  create: number;
  update: number;
  remove: number;
  none: number;
};

/** A workspace, with its quotas and the installation's retention. */
export type WorkspaceWithQuotas = {
  id: string;
  name: string;
  slug: string;
  plan: Plan;
  /** The origins that may frame the customer portal and call its API. */
  portalOrigins: Array<string>;
  portalTerms: PortalTerms;
  /** Whether members need a second factor to access the workspace. */
  requireSecondFactor: boolean;
  /**
   * How long payloads and the requests and responses of attempts are kept, in hours. Null for the retention of the
   * installation.
   */
  payloadRetentionHours: number | null;
  /** How far back lists and statistics go, in hours. Null for the retention of the installation. */
  retentionHours: number | null;
  createdAt: string;
  updatedAt: string;
  /**
   * How long this installation keeps data, in hours. This is the limit for `payloadRetentionHours` and
   * `retentionHours`, and applies if they are null.
   */
  installationRetentionHours: number;
  /** The events of this UTC day, and the bytes of payloads and attempts that are stored. */
  quotas: WorkspaceWithQuotasQuotas;
};

export type WorkspaceWithQuotasQuotas = {
  eventsPerDay: Quota;
  bytesKept: Quota;
  attemptBytesKept: Quota;
};

export type HeaderValue = string | Array<string>;

export type MetadataValue = string | number | boolean | null;

export type ChosenEventType = string | ChosenName | ChosenPattern;

export type Destination =
  | RabbitmqDestination
  | KafkaDestination
  | NatsDestination
  | SqsDestination
  | SnsDestination
  | KinesisDestination
  | EventbridgeDestination
  | S3Destination
  | PubsubDestination;

export type Signature =
  | 'standard'
  | 'standard-ed25519'
  | 'svix'
  | 'stripe'
  | 'github'
  | 'shopify'
  | 'slack'
  | 'convoy'
  | 'convoy-advanced'
  | 'outpost'
  | 'hook0'
  | HmacSignature;

export type PromotedEventTypes = 'all' | Array<string>;

export type ChosenEventTypePattern = string | ChosenPattern;
