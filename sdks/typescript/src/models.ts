// Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.

/** What never changes of an event. */
export type AcceptedEvent = {
  id: string;
  eventType: string | null;
  /** The same as `eventType`, which is the name to use. */
  eventTypeName: string | null;
  environmentId: string;
  applicationId: string | null;
  /** Set for direct ingestion and for tests only. */
  endpointId: string | null;
  idempotencyKey: string;
  orderingKey: string | null;
  deliverAt: string | null;
  published: boolean;
  hasPayload: boolean;
  isTest: boolean;
  /** False if the payload is too large for the search keys of its type. */
  searchable: boolean;
  /** At most 10; null where nothing was checked. */
  schemaErrors: Array<string> | null;
  /** Null for an event that was sent. Not in a portal. */
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
  /** Kept with the attempt, as the body of an answer to a webhook. */
  responseBody?: string | undefined;
};

/** An OAuth 2 authorization server whose access tokens agents may use. */
export type AgentIssuer = {
  /** The `iss` of its tokens. */
  issuer: string;
  /** Its keys; null: as its description says. */
  jwksUri: string | null;
  /** The `aud` of its tokens; null: the address of the events. */
  audience: string | null;
  /** What `scope` must contain. */
  scope: string;
  /** The claim that names the application. */
  applicationClaim: string;
  /** The longest time until such a subscription must be refreshed. */
  maxTtlSeconds: number;
};

/** A credential with which an agent subscribes to events of one environment. */
export type AgentKey = {
  id: string;
  name: string;
  environmentId: string;
  /** Null: it subscribes for the workspace itself. */
  applicationId: string | null;
  keyPreview: string;
  createdAt: string;
  lastUsedAt: string | null;
  expiresAt: string;
};

/** The subscriber: a key, by its name, which is null once it is deleted; or a login, by its issuer. */
export type AgentPrincipal = {
  kind: 'key' | 'oauth' | (string & {});
  name: string | null;
};

/** The deliveries of each new subscription. */
export type AgentRateLimit = {
  limit: number;
  periodSeconds: number;
};

/** The rules for agents in an environment. */
export type AgentSettings = {
  /** Whether agents may subscribe. `false` ends every subscription. */
  enabled: boolean;
  /** The hosts that callbacks may have, `*.example.com` included; null for any public host. */
  callbackHosts: Array<string> | null;
  /** The longest time until a subscription must be refreshed. */
  maxTtlSeconds: number;
  rateLimit: AgentRateLimit;
  /** Null: agents subscribe with agent keys alone. */
  issuer: AgentIssuer | null;
  /** Whether the operator lets agents subscribe at all: `MCP_EVENTS`. */
  available: boolean;
};

/** A subscription of an agent. */
export type AgentSubscription = {
  id: string;
  /** Names its deliveries. */
  endpointId: string;
  environmentId: string;
  applicationId: string | null;
  eventType: string;
  /** The filter that the agent chose. */
  arguments: Record<string, unknown>;
  /** The callback. */
  url: string;
  principal: AgentPrincipal;
  /** The name that the agent gave itself. */
  clientName: string | null;
  /** `suspended`: its callback fails, and its events wait. */
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
  /** Unless it is refreshed before. */
  expiresAt: string;
  createdAt: string;
  refreshedAt: string;
  endedAt: string | null;
  lastDeliveryAt: string | null;
  /** How the latest attempt failed. */
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

/** How the message goes out. */
export type AlertChannel = 'email' | 'slack' | 'teams' | 'discord' | 'pagerduty' | (string & {});

/** Whom to tell of operational events, and how. */
export type AlertRule = {
  id: string;
  name: string;
  channel: AlertChannel;
  /** Shortened. */
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
  /** Null for every environment. */
  environmentId: string | null;
  /** Null for every endpoint of the workspace. */
  applicationId: string | null;
  /** Whether a customer made it in the portal. */
  isOfPortal: boolean;
  quietMinutes: number;
  /** `unconfirmed`: the holder of the address has not opened the link of the mail yet. */
  status: 'active' | 'unconfirmed' | (string & {});
  lastSentAt: string | null;
  /** Why the last message could not be sent; null if it was. */
  lastError: string | null;
  /**
   * The kind of `lastError`, for programs; null without an error, and for one that an earlier version of the
   * service stored.
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
  /** The status that the target answered, when `lastErrorCode` is `http_status`; else null. */
  lastErrorStatus: number | null;
  createdAt: string;
  updatedAt: string;
};

/** A producer's credential, bound to one environment. */
export type ApiKey = {
  id: string;
  name: string;
  environmentId: string;
  keyPreview: string;
  createdAt: string;
  lastUsedAt: string | null;
  expiresAt: string | null;
  /** May be in the future: the key is valid until then. */
  revokedAt: string | null;
};

/** One end customer, with its own endpoints. */
export type Application = {
  id: string;
  externalId: string | null;
  name: string;
  metadata: Record<string, string>;
  createdAt: string;
  updatedAt: string;
};

/** How the endpoints of an application are. */
export type ApplicationHealth = {
  /** Its endpoints, inactive ones included. */
  endpoints: number;
  /** The active endpoints among them whose `health` is `failing`. */
  failing: number;
  /** The active endpoints among them whose `health` is `degraded`. */
  degraded: number;
  /** Their deliveries that ended as `failed` or `dead_letter` in the last 24 hours. */
  undelivered: number;
  /** When its newest event was accepted; null without one among its newest 200. */
  lastEventAt: string | null;
};

/** An application, with the part that `include` selects. */
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
  /** Only tells what would change. */
  dryRun?: boolean | undefined;
  /** Also removes what the lists of the document do not name. */
  prune?: boolean | undefined;
  /** With `prune`, for a part of a file: removes only what the named resources have beyond it, and no resource. */
  part?: boolean | undefined;
  /** With `prune`: other parts of the file name these, so they stay. */
  keep?: KeptNames | undefined;
};

/** One request and its result. */
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
  /** The first 64 KiB of the sent body, as base64, where the kind of endpoint keeps it; else null. */
  requestBody: string | null;
  responseStatus: number | null;
  responseHeaders: Record<string, HeaderValue> | null;
  responseBody: string | null;
  responseTruncated: boolean;
  /** There is an answer, whose headers and body the caller may not see: they may repeat the payload. */
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
  /** The kept connection ended before a byte of the answer, and the request was sent again over a new one. */
  reconnected: boolean;
  /**
   * What a broker or a store said about the message that it has, such as its id; null for other types, and after a
   * failure.
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

/** A change, its actor and its origin. */
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
  /** The number of entries that match the filters, on all pages. */
  total: number;
  page: number;
  pageSize: number;
};

export type BatchAnswer = {
  results: Array<BatchResult>;
};

/** Names either `eventType` or `endpointId`; `data` is the payload. */
export type BatchEvent = {
  eventType?: string | undefined;
  endpointId?: string | undefined;
  idempotencyKey?: string | undefined;
  applicationId?: string | undefined;
  orderingKey?: string | undefined;
  deliverAt?: string | Date | undefined;
  data: unknown;
};

/** The answer to one event, or `error` alone when it was refused. */
export type BatchResult = {
  id?: string;
  eventType?: string | null;
  environmentId?: string;
  idempotencyKey?: string;
  /** Whether the type was published; if not, no endpoint gets the event. */
  published?: boolean;
  /** Whether this repeats an earlier Idempotency-Key; nothing was created. */
  duplicate?: boolean;
  /** At most 10 places where the payload does not fit its schema; null where none was checked. */
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

/** An OpenAPI 3.1 document with a webhook for each published type. */
export type CatalogDocument = Record<string, unknown>;

/** What waits because of an outage of Posthorn, and is sent at a pace. */
export type CatchingUp = {
  /** Deliveries that still wait; at most 100,000 are counted. */
  waiting: number;
  /** What their endpoints get at most, together. */
  perSecond: number;
  /** When the last of them is sent, if new events come at the usual rates. */
  endsAt: string;
};

export type CheckedAgentIssuer = {
  ok: boolean;
  /** The number of its keys. */
  keys: number;
  /** The fault, or how many keys were found. */
  message: string;
};

/** An event type, and which of its events are wanted. */
export type ChosenName = {
  name: string;
  filter?: Record<string, unknown> | null | undefined;
};

/** A pattern of event types, and which of their events are wanted. */
export type ChosenPattern = {
  pattern: string;
  filter?: Record<string, unknown> | null | undefined;
};

export type CreateAgentKeyBody = {
  name: string;
  /** Absent: the default environment. */
  environmentId?: string | undefined;
  /** The agent gets the events of this application, and sees the types that its portal shows. */
  applicationId?: string | undefined;
  /** At most 365 days ahead, which is also the default. */
  expiresAt?: string | Date | undefined;
};

export type CreateAlertRuleBody = {
  name: string;
  channel: AlertChannel;
  /**
   * Of `email` an address, of `pagerduty` the integration key of a service (Events API v2), else the https URL of
   * the incoming webhook.
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
  environmentId?: string | undefined;
  applicationId?: string | undefined;
  /** At most one message of each event in this time. It names up to 10 endpoints concerned. */
  quietMinutes?: number | undefined;
};

export type CreateApiKeyBody = {
  name: string;
  expiresAt?: string | Date | undefined;
};

export type CreateApplicationBody = {
  name: string;
  externalId?: string | undefined;
  metadata?: Record<string, string> | undefined;
};

export type CreateApplicationEndpointBody = {
  /** Required where the type takes one. To others, the service gives a URL. */
  url?: string | undefined;
  description?: string | undefined;
  authUsername?: string | undefined;
  authPassword?: string | undefined;
  secretHeaders?: Record<string, string | null> | undefined;
  credentials?: Record<string, string | null> | undefined;
  metadata?: Record<string, MetadataValue> | undefined;
  environmentId?: string | undefined;
  externalId?: string | undefined;
  secret?: string | undefined;
  isActive?: boolean | undefined;
  /** The event types to which it subscribes, by name or by pattern. */
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
  /** Required where the type takes one. To others, the service gives a URL. */
  url?: string | undefined;
  description?: string | undefined;
  authUsername?: string | undefined;
  authPassword?: string | undefined;
  secretHeaders?: Record<string, string | null> | undefined;
  credentials?: Record<string, string | null> | undefined;
  metadata?: Record<string, MetadataValue> | undefined;
  environmentId?: string | undefined;
  externalId?: string | undefined;
  secret?: string | undefined;
  isActive?: boolean | undefined;
  /** The event types to which it subscribes, by name or by pattern. */
  eventTypes?: Array<ChosenEventType> | undefined;
  /** The application that owns it; none if absent. */
  applicationId?: string | undefined;
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
  /** Whether an event of a type must name an application in `X-Application-Id`, or `*` for all. False if absent. */
  requireApplication?: boolean | undefined;
};

/** Names either `eventType` or `endpointId`; `data` is the payload. */
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
  /** A JSON Schema of draft 2020-12. Every reference must lead to a place in it. */
  schema?: Record<string, unknown> | null | undefined;
  /** Any JSON value. */
  example?: unknown | undefined;
  /**
   * How long payloads are kept: `workspace` for the retention of the workspace, `until_ended` while a delivery is
   * open or a dead letter, `none` until each delivery has had its one attempt.
   */
  payloadRetention?: 'workspace' | 'until_ended' | 'none' | undefined;
  searchKeys?: Array<CreateEventTypeBodySearchKeysItem> | null | undefined;
  agentFilters?: Array<string> | null | undefined;
};

export type CreateEventTypeBodySearchKeysItem = {
  name: string;
  /** Where the value is in the payload, as in a filter. */
  path: string;
  /** Whether a text is found without regard to case. Default: false. */
  fold?: boolean | undefined;
};

export type CreatePortalSessionBody = {
  environmentId?: string | undefined;
  expiresInSeconds?: number | undefined;
  /** At most the caller’s own rights. By default all of them but `transformations:write` and `alerts:write`. */
  capabilities?: Array<Capability> | undefined;
  theme?: PortalTheme | undefined;
  /** The language of the pages. `en` by default. */
  locale?: PortalLocale | undefined;
  returnUrl?: string | undefined;
};

export type CreatePullKeyBody = {
  name?: string | undefined;
  expiresAt?: string | Date | undefined;
};

export type CreateSourceBody = {
  name: string;
  externalId?: string | undefined;
  type?: 'kafka' | undefined;
  /** Absent: the default environment. */
  environmentId?: string | undefined;
  isActive?: boolean | undefined;
  config: SourceConfigInput;
  credentials?: Record<string, string | null> | undefined;
};

export type CreatedAgentKey = {
  id: string;
  name: string;
  environmentId: string;
  /** Null: it subscribes for the workspace itself. */
  applicationId: string | null;
  keyPreview: string;
  createdAt: string;
  lastUsedAt: string | null;
  expiresAt: string;
  /** `pha_…`; shown once. Null when an `Idempotency-Key` repeats a creation of more than ten minutes ago. */
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
  /** May be in the future: the key is valid until then. */
  revokedAt: string | null;
  /** `phk_…`; shown once. Null when an `Idempotency-Key` repeats a creation of more than ten minutes ago. */
  key: string | null;
};

/** A new endpoint, and its first pull key where consumers fetch its deliveries. */
export type CreatedEndpoint = {
  id: string;
  environmentId: string;
  applicationId: string | null;
  /** Your own name for it: `ext:` and this text is accepted wherever its id is. */
  externalId: string | null;
  /** The endpoint of another environment for which it stands. */
  promotedFrom: string | null;
  url: string;
  /** In words for people, where messages go. Of a webhook it is the `url`. */
  target: string;
  /** Signs every request; null for callers that may not see it. */
  secret: string | null;
  /** Verifies the `v1a` signatures; null unless `config.signature` is `standard-ed25519`. */
  publicKey: string | null;
  description: string;
  authUsername: string | null;
  hasAuth: boolean;
  isActive: boolean;
  disabledAt: string | null;
  disabledReason: 'manual' | 'failing' | 'gone' | 'receiver' | (string & {}) | null;
  health: 'healthy' | 'degraded' | 'failing' | (string & {});
  /** Null unless consumers fetch its deliveries. */
  pull: PullStatus | null;
  /** Every event type that fits one of these, also a later one, gets a subscription. */
  eventTypePatterns: Array<EventTypePattern>;
  /** The credentials that are stored, by name. */
  credentialNames: Array<string>;
  /** The headers with secret values, by name. */
  secretHeaderNames: Array<string>;
  metadata: Record<string, MetadataValue>;
  createdAt: string;
  updatedAt: string;
  /** `phpl_…`; shown once. Null when an `Idempotency-Key` repeats a creation of more than ten minutes ago. */
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

/** An accepted event. `deliveryId` is set when it names an endpoint. */
export type CreatedEvent = {
  id: string;
  eventType: string | null;
  environmentId: string;
  idempotencyKey: string;
  /** Whether the type was published; if not, no endpoint gets the event. */
  published: boolean;
  /** Whether this repeats an earlier Idempotency-Key; nothing was created. */
  duplicate: boolean;
  /** At most 10 places where the payload does not fit its schema; null where none was checked. */
  schemaErrors: Array<string> | null;
  createdAt: string;
  deliveryId: string | null;
  endpointId: string | null;
};

export type CreatedEventType = {
  id: string;
  name: string;
  description: string | null;
  /** A JSON Schema of draft 2020-12. Every reference must lead to a place in it. */
  schema: Record<string, unknown> | null;
  /** Counts the changes of the schema. */
  schemaVersion: number;
  /** Any JSON value. */
  example: unknown;
  /**
   * How long payloads are kept: `workspace` for the retention of the workspace, `until_ended` while a delivery is
   * open or a dead letter, `none` until each delivery has had its one attempt.
   */
  payloadRetention: 'workspace' | 'until_ended' | 'none' | (string & {});
  /** The values in payloads by which events are found. */
  searchKeys: Array<SearchKey> | null;
  /** The paths by which agents may filter; null for the first 30 of the schema. */
  agentFilters: Array<string> | null;
  createdAt: string;
  /** The keywords of the schema that are published, but by which no payload is checked. */
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
  /** The portal, with the token in its fragment: no server sees it. Null where `token` is. */
  url: string | null;
  /**
   * The Bearer credential of `/api/portal`. `php_…`; shown once. Null when an `Idempotency-Key` repeats a creation
   * of more than ten minutes ago.
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
  /** `phpl_…`; shown once. Null when an `Idempotency-Key` repeats a creation of more than ten minutes ago. */
  pullKey: string | null;
};

export type DeliveriesPage = {
  deliveries: Array<Delivery>;
  nextCursor: string | null;
};

/** The record of one event being sent to one endpoint. */
export type Delivery = {
  id: string;
  eventId: string;
  eventType: string | null;
  /** The same as `eventType`, which is the name to use. */
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
  /** At a fifo endpoint, the delivery that must end before this one is sent. */
  waitingFor: string | null;
  hasPayload: boolean;
  isTest: boolean;
  createdAt: string;
  updatedAt: string;
};

/** A delivery, with the parts that `include` selects. */
export type DeliveryDetail = {
  id: string;
  eventId: string;
  eventType: string | null;
  /** The same as `eventType`, which is the name to use. */
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
  /** At a fifo endpoint, the delivery that must end before this one is sent. */
  waitingFor: string | null;
  hasPayload: boolean;
  isTest: boolean;
  createdAt: string;
  updatedAt: string;
  /** The `cancel` of the transformation that cancelled the event. Null without the right to payloads. */
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
  /** Whether the type was published; if not, no endpoint gets the event. */
  published: boolean;
  /** Whether this repeats an earlier Idempotency-Key; nothing was created. */
  duplicate: boolean;
  /** At most 10 places where the payload does not fit its schema; null where none was checked. */
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
  /** What to change; null where nothing needs a change. */
  advice: string | null;
  durationMs: number;
};

export type DocumentApplication = {
  externalId: string;
  name: string;
  metadata?: Record<string, string> | undefined;
};

export type DocumentEndpoint = {
  /** Your own name for it in its environment; or the id of an endpoint that has no externalId. */
  externalId: string;
  /** The slug of its environment. */
  environment: string;
  /** The externalId of its application; without it, an endpoint of the workspace itself. */
  application?: string | undefined;
  /** Required where the type takes one. To others, the service gives a URL. */
  url?: string | undefined;
  description?: string | undefined;
  isActive?: boolean | undefined;
  config?: EndpointConfig | undefined;
  metadata?: Record<string, MetadataValue> | undefined;
  /** The event types to which it subscribes, by name or by pattern. */
  eventTypes?: Array<ChosenEventType> | undefined;
  /** With `authPassword`, HTTP Basic credentials. Null in either one removes both. */
  authUsername?: string | null | undefined;
  authPassword?: string | null | undefined;
  /** Its signing secret. */
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
  /** Whether an event of a type must name an application in `X-Application-Id`, or `*` for all. False if absent. */
  requireApplication?: boolean | undefined;
  /** True makes it the default environment. The former default loses that mark. */
  isDefault?: boolean | undefined;
};

export type DocumentEventType = {
  name: string;
  description?: string | null | undefined;
  /** A JSON Schema of draft 2020-12. Every reference must lead to a place in it. */
  schema?: Record<string, unknown> | null | undefined;
  /** Any JSON value. */
  example?: unknown | undefined;
  /**
   * How long payloads are kept: `workspace` for the retention of the workspace, `until_ended` while a delivery is
   * open or a dead letter, `none` until each delivery has had its one attempt.
   */
  payloadRetention?: 'workspace' | 'until_ended' | 'none' | undefined;
  searchKeys?: Array<DocumentEventTypeSearchKeysItem> | null | undefined;
  agentFilters?: Array<string> | null | undefined;
  /** The slugs of the environments in which it is published. */
  publishIn?: Array<string> | undefined;
  /** By the slug of an environment, how payloads are checked there. */
  schemaMode?: Record<string, 'off' | 'warn' | 'reject'> | undefined;
};

export type DocumentEventTypeSearchKeysItem = {
  name: string;
  /** Where the value is in the payload, as in a filter. */
  path: string;
  /** Whether a text is found without regard to case. Default: false. */
  fold?: boolean | undefined;
};

export type DocumentSource = {
  /** Your own name for it in its environment; or the id of a source that has no externalId. */
  externalId: string;
  /** The slug of its environment. */
  environment: string;
  name: string;
  type?: 'kafka' | undefined;
  /** A new one is active. */
  isActive?: boolean | undefined;
  config: SourceConfigInput;
  credentials?: Record<string, string | null> | undefined;
};

/** What an operation would select now. */
export type DryRun = {
  /** Always null: nothing was started. */
  id: string | null;
  matched: number;
  oldest: string | null;
  newest: string | null;
  eventTypes: Record<string, number>;
};

/** A destination URL that gets signed deliveries. */
export type Endpoint = {
  id: string;
  environmentId: string;
  applicationId: string | null;
  /** Your own name for it: `ext:` and this text is accepted wherever its id is. */
  externalId: string | null;
  /** The endpoint of another environment for which it stands. */
  promotedFrom: string | null;
  url: string;
  /** In words for people, where messages go. Of a webhook it is the `url`. */
  target: string;
  /** Signs every request; null for callers that may not see it. */
  secret: string | null;
  /** Verifies the `v1a` signatures; null unless `config.signature` is `standard-ed25519`. */
  publicKey: string | null;
  description: string;
  authUsername: string | null;
  hasAuth: boolean;
  isActive: boolean;
  disabledAt: string | null;
  disabledReason: 'manual' | 'failing' | 'gone' | 'receiver' | (string & {}) | null;
  health: 'healthy' | 'degraded' | 'failing' | (string & {});
  /** Null unless consumers fetch its deliveries. */
  pull: PullStatus | null;
  /** Every event type that fits one of these, also a later one, gets a subscription. */
  eventTypePatterns: Array<EventTypePattern>;
  /** The credentials that are stored, by name. */
  credentialNames: Array<string>;
  /** The headers with secret values, by name. */
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

/** How an endpoint is called. An unknown key is refused. */
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
  /** Where messages go, as `configSchema` of the endpoint type describes it. */
  destination?: Destination;
  /**
   * One of standard, standard-ed25519, svix, stripe, github, shopify, slack, convoy, convoy-advanced, outpost,
   * hook0; or an object with `scheme` and `header`: an HMAC of your own form.
   */
  signature?: Signature;
  transformation?: EndpointConfigTransformation;
  standardHeaders?: boolean;
  oauth2?: EndpointConfigOauth2;
  tls?: EndpointConfigTls;
};

export type EndpointConfigOauth2 = {
  /** An https URL. The rules of an endpoint’s `url` hold. */
  tokenUrl: string;
  clientId: string;
  scopes?: Array<string>;
  audience?: string;
  authMethod?: 'basic' | 'post' | 'private_key_jwt' | (string & {});
  extraParams?: Record<string, string>;
};

export type EndpointConfigPlayground = {
  /** The status of each answer; 200 if absent. */
  status?: number;
  /** Milliseconds until each answer. */
  delayMs?: number;
  /** How many attempts of each event are answered with 500. */
  failFirst?: number;
  /** The body of each answer. */
  body?: string;
};

export type EndpointConfigRateLimit = {
  limit: number;
  periodSeconds: number;
};

export type EndpointConfigTls = {
  /** Certificates in PEM. They replace the well-known authorities. */
  ca?: string;
  /** A certificate in PEM, and then its chain. */
  clientCertificate?: string;
  serverName?: string;
};

export type EndpointConfigTransformation = {
  language: 'javascript' | (string & {});
  code: string;
  isEnabled?: boolean;
};

/** What holds where `config` sets nothing else. */
export type EndpointDefaults = {
  timeoutSeconds: number;
  retrySchedule: Array<number>;
};

/** An endpoint, with the part that `include` selects. */
export type EndpointRead = {
  id: string;
  environmentId: string;
  applicationId: string | null;
  /** Your own name for it: `ext:` and this text is accepted wherever its id is. */
  externalId: string | null;
  /** The endpoint of another environment for which it stands. */
  promotedFrom: string | null;
  url: string;
  /** In words for people, where messages go. Of a webhook it is the `url`. */
  target: string;
  /** Signs every request; null for callers that may not see it. */
  secret: string | null;
  /** Verifies the `v1a` signatures; null unless `config.signature` is `standard-ed25519`. */
  publicKey: string | null;
  description: string;
  authUsername: string | null;
  hasAuth: boolean;
  isActive: boolean;
  disabledAt: string | null;
  disabledReason: 'manual' | 'failing' | 'gone' | 'receiver' | (string & {}) | null;
  health: 'healthy' | 'degraded' | 'failing' | (string & {});
  /** Null unless consumers fetch its deliveries. */
  pull: PullStatus | null;
  /** Every event type that fits one of these, also a later one, gets a subscription. */
  eventTypePatterns: Array<EventTypePattern>;
  /** The credentials that are stored, by name. */
  credentialNames: Array<string>;
  /** The headers with secret values, by name. */
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

/** How an endpoint has fared lately. */
export type EndpointStats = {
  /** The attempts of the last 24 hours, oldest first; the last one is the current hour. */
  hours: Array<EndpointStatsHoursItem>;
  lastSuccessAt: string | null;
  lastFailureAt: string | null;
  /** Failed attempts of all attempts of these hours, from 0 to 1. */
  failureRate: number;
  /** Whether it subscribes to an event type at present. */
  isSubscribed: boolean;
};

export type EndpointStatsHoursItem = {
  at: string;
  succeeded: number;
  failed: number;
};

export type EndpointToPromote = {
  endpointId: string;
  /** Required where the endpoint is created, if its type takes one. */
  url?: string | undefined;
  /** `config.destination` of the new endpoint: required where its type has one. */
  destination?: Destination | undefined;
};

/** A kind of endpoint. */
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
  /** Markdown: what to create at the provider. */
  setup: string;
  /** Whether an endpoint of the type is given a `url`. */
  hasUrl: boolean;
  /** The key of `config` that only this type has; `configSchema` describes its value. */
  configKey: string | null;
  /** A JSON Schema (2020-12); null without a `configKey`. */
  configSchema: Record<string, unknown> | null;
  /** A JSON Schema (2020-12); null if it takes no credentials. */
  credentialsSchema: Record<string, unknown> | null;
  /** What the status `delivered` means. */
  delivered: string;
  /** The order in which events arrive. */
  ordering: string;
  /** How a receiver finds repetitions. */
  deduplication: string;
  /** The largest payload of an event to such an endpoint. */
  maxBytes: number;
  defaults: EndpointDefaults;
};

/** Separates API keys, endpoints and event-type visibility. */
export type Environment = {
  id: string;
  name: string;
  slug: string;
  isDefault: boolean;
  requireApplication: boolean;
  createdAt: string;
  updatedAt: string;
};

/** An environment, with the part that `include` selects. */
export type EnvironmentDetail = {
  id: string;
  name: string;
  slug: string;
  isDefault: boolean;
  requireApplication: boolean;
  createdAt: string;
  updatedAt: string;
  /** The events of the last 7 days that named an event type and no application, those with `*` included. */
  eventsWithoutApplication?: number;
};

/** What would make the environment `to` like `from`. */
export type EnvironmentDiff = {
  from: string;
  to: string;
  settings: PromotedSettings;
  eventTypes: Array<PromotedEventType>;
  endpoints: Array<PromotedEndpoint>;
  sources: Array<PromotedSource>;
};

/** An error: a code for programs and a message for people. */
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
  /** Of a `validation_error`, and of a document that is refused: up to 20 problems; `message` is the first. */
  details?: Array<FieldProblem>;
};

/** One accepted request of a producer. */
export type Event = {
  id: string;
  eventType: string | null;
  /** The same as `eventType`, which is the name to use. */
  eventTypeName: string | null;
  environmentId: string;
  applicationId: string | null;
  /** Set for direct ingestion and for tests only. */
  endpointId: string | null;
  idempotencyKey: string;
  orderingKey: string | null;
  deliverAt: string | null;
  status: 'scheduled' | 'matching' | 'matched' | 'unmatched' | 'cancelled' | (string & {});
  published: boolean;
  hasPayload: boolean;
  isTest: boolean;
  /** False if the payload is too large for the search keys of its type. */
  searchable: boolean;
  /** At most 10; null where nothing was checked. */
  schemaErrors: Array<string> | null;
  /** The number of deliveries of each status. */
  deliveries: EventDeliveries;
  /** The number of applications whose endpoints have a delivery of the event. */
  reachedApplications: number;
  /** Null for an event that was sent. Not in a portal. */
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

/** An event, with its payload when `include` asks for it. */
export type EventDetail = {
  id: string;
  eventType: string | null;
  /** The same as `eventType`, which is the name to use. */
  eventTypeName: string | null;
  environmentId: string;
  applicationId: string | null;
  /** Set for direct ingestion and for tests only. */
  endpointId: string | null;
  idempotencyKey: string;
  orderingKey: string | null;
  deliverAt: string | null;
  status: 'scheduled' | 'matching' | 'matched' | 'unmatched' | 'cancelled' | (string & {});
  published: boolean;
  hasPayload: boolean;
  isTest: boolean;
  /** False if the payload is too large for the search keys of its type. */
  searchable: boolean;
  /** At most 10; null where nothing was checked. */
  schemaErrors: Array<string> | null;
  /** The number of deliveries of each status. */
  deliveries: EventDetailDeliveries;
  /** The number of applications whose endpoints have a delivery of the event. */
  reachedApplications: number;
  /** Null for an event that was sent. Not in a portal. */
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

/** The record that an event was read from. */
export type EventSource = {
  sourceId: string;
  topic: string;
  partition: number;
  offset: string;
  /** Of the record. */
  timestamp: string;
};

/** For each endpoint of the environment, why it got the event or did not. */
export type EventTrace = {
  eventId: string;
  eventType: string | null;
  /** The same as `eventType`, which is the name to use. */
  eventTypeName: string | null;
  environmentId: string;
  published: boolean;
  fannedOutAt: string | null;
  matched: number;
  skipped: number;
  /** The number of applications that the matched endpoints belong to. */
  reachedApplications: number;
  /**
   * How many values of the payload find the event, and how many were left out: those of an array after the first
   * 16, and texts of more than 256 characters. Null where there are none.
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
  /** At a fifo endpoint, the delivery that must end before this one is sent. */
  waitingFor: string | null;
  /** The `cancel` of the transformation that cancelled the event. Null without the right to payloads. */
  cancelReason: string | null;
};

export type EventTraceSearchKeys = {
  stored: number;
  leftOut: number;
};

/** A named category of event, shared by the whole workspace. */
export type EventType = {
  id: string;
  name: string;
  description: string | null;
  /** A JSON Schema of draft 2020-12. Every reference must lead to a place in it. */
  schema: Record<string, unknown> | null;
  /** Counts the changes of the schema. */
  schemaVersion: number;
  /** Any JSON value. */
  example: unknown;
  /**
   * How long payloads are kept: `workspace` for the retention of the workspace, `until_ended` while a delivery is
   * open or a dead letter, `none` until each delivery has had its one attempt.
   */
  payloadRetention: 'workspace' | 'until_ended' | 'none' | (string & {});
  /** The values in payloads by which events are found. */
  searchKeys: Array<SearchKey> | null;
  /** The paths by which agents may filter; null for the first 30 of the schema. */
  agentFilters: Array<string> | null;
  createdAt: string;
};

/** Subscribes an endpoint to every event type that fits. */
export type EventTypePattern = {
  pattern: string;
  filter: Record<string, unknown> | null;
};

/** Whether an event type is published in an environment. */
export type EventTypeVisibility = {
  eventTypeId: string;
  eventType: string;
  /** The same as `eventType`, which is the name to use. */
  eventTypeName: string;
  published: boolean;
  /** What becomes of a payload that does not fit the schema of its type: `warn` keeps its faults. */
  schemaMode: 'off' | 'warn' | 'reject' | (string & {});
  /** The applications whose portals show the type where it is published. Null: all. */
  applications: Array<string> | null;
};

/** An entry of a list, with the part that `include` selects. */
export type EventTypeVisibilityRead = {
  eventTypeId: string;
  eventType: string;
  /** The same as `eventType`, which is the name to use. */
  eventTypeName: string;
  published: boolean;
  /** What becomes of a payload that does not fit the schema of its type: `warn` keeps its faults. */
  schemaMode: 'off' | 'warn' | 'reject' | (string & {});
  /** The applications whose portals show the type where it is published. Null: all. */
  applications: Array<string> | null;
  /** The environment's endpoints that subscribe to the event type. */
  endpoints?: number;
};

/** Where messages to Amazon EventBridge go. */
export type EventbridgeDestination = {
  /** Its name or its ARN. */
  eventBusName: string;
  /** The code of the region. */
  region: string;
  /** Only for a server that is compatible with AWS. Leave it out for AWS itself. */
  endpoint?: string | undefined;
  /** The sender of the events, as rules of the bus match it. */
  source?: string | undefined;
  /** A template. Rules of the bus match it, too. */
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

/** For each message, in the order of the request, its new end. */
export type ExtendResults = {
  results: Array<ExtendResult>;
};

export type ExtendedMessage = {
  deliveryId: string;
  leaseToken: string;
  /** The new length of the lease, from now. */
  leaseSeconds: number;
};

/** A field of a request, and the rule that it breaks. */
export type FieldProblem = {
  /** Its place: a path in the body, `query.` and a parameter, or `body`. */
  field: string;
  message: string;
  /** The rule as a word for programs, where it has one: docs/interface/errors.md lists them. More may follow. */
  rule?: string;
};

export type FoundEvent = {
  id: string;
  eventType: string | null;
  /** The same as `eventType`, which is the name to use. */
  eventTypeName: string | null;
  environmentId: string;
  applicationId: string | null;
  /** Set for direct ingestion and for tests only. */
  endpointId: string | null;
  idempotencyKey: string;
  orderingKey: string | null;
  deliverAt: string | null;
  status: 'scheduled' | 'matching' | 'matched' | 'unmatched' | 'cancelled' | (string & {});
  published: boolean;
  hasPayload: boolean;
  isTest: boolean;
  /** False if the payload is too large for the search keys of its type. */
  searchable: boolean;
  /** At most 10; null where nothing was checked. */
  schemaErrors: Array<string> | null;
  /** The number of deliveries of each status. */
  deliveries: FoundEventDeliveries;
  /** The number of applications whose endpoints have a delivery of the event. */
  reachedApplications: number;
  /** Null for an event that was sent. Not in a portal. */
  source?: EventSource | null;
  createdAt: string;
  /** The search keys under which it was found. */
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

/** An HMAC in a header that you name. */
export type HmacSignature = {
  scheme: 'hmac';
  header: string;
  algorithm?: 'sha256' | 'sha512' | 'sha1' | undefined;
  encoding?: 'hex' | 'base64' | undefined;
  content?: 'body' | 'timestamp.body' | 'id.timestamp.body' | undefined;
  /** The value of the header, with `{signature}` and perhaps `{timestamp}`: `t={timestamp},v1={signature}`. */
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
  /** Whether the type was published; if not, no endpoint gets the event. */
  published: boolean;
  /** Whether this repeats an earlier Idempotency-Key; nothing was created. */
  duplicate: boolean;
  /** At most 10 places where the payload does not fit its schema; null where none was checked. */
  schemaErrors: Array<string> | null;
  createdAt: string;
};

export type IngestBatchBody = {
  events: Array<BatchEvent>;
};

/** Where messages to Apache Kafka go. */
export type KafkaDestination = {
  /** Each as host:port. The port is 9092 if you leave it out. */
  brokers: Array<string>;
  /** It must exist: no topic is created. */
  topic: string;
  /** Only an operator can allow connections without TLS. */
  tls?: boolean | undefined;
  /** How to sign in with the user and the password. */
  saslMechanism?: 'none' | 'plain' | 'scram-sha-256' | 'scram-sha-512' | undefined;
  /** A text with values of the event. Without it, the ordering key of the event, or else its id. */
  key?: string | undefined;
  /** In PEM. It replaces the well-known authorities, for a broker with a private one. */
  ca?: string | undefined;
};

export type KeptNames = {
  /** Names. */
  eventTypes?: Array<string> | undefined;
  /** The externalIds. */
  applications?: Array<string> | undefined;
  /** By the slug of an environment, the externalIds. */
  endpoints?: Record<string, Array<string>> | undefined;
};

/** Where messages to Amazon Kinesis go. */
export type KinesisDestination = {
  /** The name of the data stream. */
  streamName: string;
  /** The code of the region. */
  region: string;
  /** Only for a server that is compatible with AWS. Leave it out for AWS itself. */
  endpoint?: string | undefined;
  /** A template. Where it is empty, the id of the event is used. */
  partitionKey?: string | undefined;
};

/** What a consumer has leased, and what waits besides. */
export type LeaseAnswer = {
  messages: Array<LeasedMessage>;
  /** Messages that can be leased now or later, up to 10,000. */
  waiting: number;
  /** How long the first of them has been due; null when none waits. */
  oldestAgeSeconds: number | null;
};

export type LeaseBody = {
  /** The most messages in the answer. */
  max?: number | undefined;
  /** While nothing can be leased, the answer waits so long for the first message. */
  waitSeconds?: number | undefined;
  /** After this time without an answer, a message goes to the next consumer. */
  leaseSeconds?: number | undefined;
};

export type LeaseResult = {
  deliveryId: string;
  result: 'settled' | 'lease_lost' | (string & {});
};

/** For each message, in the order of the request, whether the lease counted. */
export type LeaseResults = {
  results: Array<LeaseResult>;
};

/** A delivery that a consumer holds. */
export type LeasedMessage = {
  deliveryId: string;
  /** Names the lease. Give it back with each answer. */
  leaseToken: string;
  leasedUntil: string;
  attemptNumber: number;
  eventId: string;
  eventType: string | null;
  createdAt: string;
  orderingKey: string | null;
  /** The headers of a webhook, `webhook-signature` included. */
  headers: Record<string, string>;
  /** The bytes that are signed, in base64. */
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

/** How many changes were dropped at most; null where it is not known. */
export type LiveGap = {
  dropped: number | null;
};

export type NackBody = {
  messages: Array<NackedMessage>;
};

export type NackedMessage = {
  deliveryId: string;
  leaseToken: string;
  /** The time until it is due again. Without it, the retry schedule of the endpoint counts. */
  delaySeconds?: number | undefined;
  responseStatus?: number | undefined;
  /** Kept with the attempt, as the body of an answer to a webhook. */
  responseBody?: string | undefined;
  /** In words for people, why it could not be processed. */
  reason?: string | undefined;
};

/** Where messages to NATS JetStream go. */
export type NatsDestination = {
  /** Each as host:port. The port is 4222 if you leave it out. */
  servers: Array<string>;
  /** A template. A stream must capture the subject. */
  subject?: string | undefined;
  /** Only an operator can allow connections without TLS. */
  tls?: boolean | undefined;
  /** In PEM. It replaces the well-known authorities, for a broker with a private one. */
  ca?: string | undefined;
};

/** Work on many deliveries, which goes on after the answer. */
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

/** What Posthorn can tell a workspace about its deliveries, as an event. */
export type OperationalEvent = {
  name: string;
  description: string;
  /** The JSON Schema (2020-12) of its payload. */
  schema: Record<string, unknown>;
  /** Any JSON value. */
  example: unknown;
};

/** A management token, its workspace and the environments of it. */
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
   * Null for every environment. Else the token sees and changes only what belongs to these; of the workspace
   * itself it reads, and changes nothing.
   */
  environmentIds: Array<string> | null;
  /** Null for every network. Else a request from another address is `forbidden`. */
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

/** The body as ingested, or the reason why it is not shown. */
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

/** A session with which a customer uses the portal. */
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

/** What the pages of the customer portal call an event. */
export type PortalTerms = {
  event: 'Message' | 'Event' | (string & {});
};

export type PortalTheme = {
  mode?: 'light' | 'dark' | 'auto' | (string & {});
  primaryColor?: string;
  logoUrl?: string;
  /** Fonts of the reader’s device, the first that is there. The page loads none. */
  fontFamily?: string;
  /** The corners of buttons, fields and panels, in pixels. */
  radius?: number;
  /** Custom properties of the page, such as `--surface: #fafafa; --line: #ddd`. */
  css?: string;
};

/** The endpoints that would get an event of the type now. */
export type Precheck = {
  published: boolean;
  matched: number;
  endpoints: Array<PrecheckEndpointsItem>;
  /** Whether the environment has more endpoints than are shown. */
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
  /** Also makes the settings of the environment the same: `requireApplication`. */
  settings?: boolean | undefined;
  /** `all`, or a list of ids. */
  eventTypes?: PromotedEventTypes | undefined;
  endpoints?: Array<EndpointToPromote> | undefined;
  sources?: Array<SourceToPromote> | undefined;
  dryRun?: boolean | undefined;
  prune?: boolean | undefined;
};

export type PromotedEndpoint = {
  change: 'create' | 'update' | 'delete' | (string & {});
  /** The endpoint that is promoted; with `delete` it exists no more. */
  endpointId: string;
  /** The endpoint that stands for it; null before `create`. */
  targetEndpointId: string | null;
  fields: Record<string, PromotedField>;
  subscriptions: PromotedSubscriptions;
};

/** `from` is the value in the environment that would change. */
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
  /** The same as `eventType`, which is the name to use. */
  eventTypeName: string;
  from: Record<string, unknown> | null;
  to: Record<string, unknown> | null;
};

/** The settings of the environment that differ. */
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
  /** The source that stands for it; null before `create`. */
  targetSourceId: string | null;
  fields: Record<string, PromotedField>;
};

export type PromotedSubscription = {
  eventTypeId: string;
  eventType: string;
  /** The same as `eventType`, which is the name to use. */
  eventTypeName: string;
  filter: Record<string, unknown> | null;
};

export type PromotedSubscriptions = {
  add: Array<PromotedSubscription>;
  remove: Array<PromotedSubscription>;
  change: Array<PromotedFilter>;
};

/** What a promotion has changed, or would change. */
export type Promotion = {
  applied: EnvironmentDiff;
};

/** Where messages to Google Cloud Pub/Sub go. */
export type PubsubDestination = {
  /** The id of the project, not its name. */
  projectId: string;
  /** The id of the topic, without the path before it. */
  topicId: string;
  /** As host:port, for an endpoint of one region or a compatible server. Without it, the global endpoint of Google. */
  endpoint?: string | undefined;
  /** Only an operator can allow connections without TLS. */
  tls?: boolean | undefined;
  /** In PEM. It replaces the well-known authorities, for a broker with a private one. */
  ca?: string | undefined;
};

/** A credential with which consumers fetch from one endpoint. */
export type PullKey = {
  id: string;
  name: string;
  keyPreview: string;
  createdAt: string;
  lastUsedAt: string | null;
  expiresAt: string | null;
};

/** What waits for the consumers of an endpoint. */
export type PullStatus = {
  /** Messages that can be leased now or later, up to 10,000. */
  waiting: number;
  /** How long the first of them has been due; null when none waits. */
  oldestAgeSeconds: number | null;
  lastLeaseAt: string | null;
};

export type Quota = {
  /** Null means no limit. */
  limit: number | null;
  /** Some seconds old. */
  used: number;
};

/** Where messages to RabbitMQ go. */
export type RabbitmqDestination = {
  /** A host name or an address, without a scheme. */
  host: string;
  /** 5671 is the usual one with TLS. */
  port?: number | undefined;
  /** Only an operator can allow connections without TLS. */
  tls?: boolean | undefined;
  /** The part of the broker that has the exchange. */
  vhost?: string | undefined;
  /** The default exchange has no name. There, the routing key is the name of a queue. */
  exchange?: string | undefined;
  /** A text with values of the event, such as {{eventType}}. */
  routingKey?: string | undefined;
  /** In PEM. It replaces the well-known authorities, for a broker with a private one. */
  ca?: string | undefined;
};

export type RecoverEndpointBody = {
  /** Or `from`; one of them is required. */
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

/** Where messages to Amazon S3 go. */
export type S3Destination = {
  /** It must exist. */
  bucket: string;
  /** The code of the region. */
  region: string;
  /** Only for a server that is compatible with AWS. Leave it out for AWS itself. */
  endpoint?: string | undefined;
  /** The name of each object, as a template. */
  key?: string | undefined;
  /** Absent: the bucket's default. */
  storageClass?:
    | 'STANDARD'
    | 'STANDARD_IA'
    | 'ONEZONE_IA'
    | 'INTELLIGENT_TIERING'
    | 'GLACIER_IR'
    | 'GLACIER'
    | 'DEEP_ARCHIVE'
    | undefined;
  /** Replace an object that has the key. For a store without conditional writes (If-None-Match). */
  overwrite?: boolean | undefined;
};

export type SchemaChange = {
  /** A place in the payload; `*` stands for every item. */
  path: string;
  change: 'added' | 'removed' | 'type' | 'required' | 'enum' | 'constraint' | (string & {});
  /** Whether payloads may come now that were not allowed before. */
  breaking: boolean;
  detail: string;
};

export type SchemaWarning = {
  /** The field of the request. */
  path: string;
  message: string;
};

export type Scope = 'read' | 'write' | 'keys' | 'payloads' | (string & {});

export type SearchDeliveriesBody = {
  /**
   * Each is `name:value` of a search key, or a value that is looked for under every search key. An event must have
   * all of them.
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
   * Each is `name:value` of a search key, or a value that is looked for under every search key. An event must have
   * all of them.
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
  /** Until then, searches look with the former key, too. */
  formerKeyEndsAt: string;
};

export type SeekSourceBody = {
  topic: string;
  /** Absent: all. */
  partition?: number | undefined;
  /** The record that is read next. */
  offset?: number | undefined;
  /** The first record of this time, or after it. */
  timestamp?: string | Date | undefined;
};

export type SetAgentSettingsBody = {
  enabled?: boolean | undefined;
  /** Absent or null: any public host. */
  callbackHosts?: Array<string> | null | undefined;
  maxTtlSeconds?: number | undefined;
  /** Absent: 600 requests in 60 seconds. */
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
  /** Stays as it is when it is absent. */
  schemaMode?: 'off' | 'warn' | 'reject' | undefined;
  /**
   * The applications whose portals show the type, and may subscribe to it. Null: all. Stays as it is when it is
   * absent.
   */
  applications?: Array<string> | null | undefined;
};

/** Where messages to Amazon SNS go. */
export type SnsDestination = {
  /** It names the region, too. */
  topicArn: string;
  /** Only for a server that is compatible with AWS. Leave it out for AWS itself. */
  endpoint?: string | undefined;
};

/** Topics whose records become events. */
export type Source = {
  id: string;
  /** Your own name for it, unique in its environment. */
  externalId: string | null;
  name: string;
  type: 'kafka' | (string & {});
  environmentId: string;
  isActive: boolean;
  config: SourceConfig;
  /** The credentials that are stored, by name. */
  credentialNames: Array<string>;
  /** The source of another environment from which a promotion made it. */
  promotedFrom: string | null;
  health: SourceHealth;
  createdAt: string;
  updatedAt: string;
};

/** Where the `externalId` of the application is. */
export type SourceApplication = {
  /** The name of a header of the record. */
  header?: string;
  /** A JSON pointer into the value (RFC 6901). */
  pointer?: string;
};

/** Which topics are read, and how a record becomes an event. */
export type SourceConfig = {
  /** Each as host:port. The port is 9092 if you leave it out. */
  brokers: Array<string>;
  /** Only an operator can allow connections without TLS. */
  tls: boolean;
  /** How to sign in with the user and the password. */
  saslMechanism: 'none' | 'plain' | 'scram-sha-256' | 'scram-sha-512' | (string & {});
  /** In PEM. It replaces the well-known authorities, for a broker with a private one. */
  ca?: string;
  /** They must exist. */
  topics: Array<string>;
  /** `latest`, `earliest` or a time: where the first reading of a topic begins. */
  start: string;
  eventType: SourceEventType;
  data?: SourceData;
  application?: SourceApplication;
  /** `key`: the ordering key of an event is the key of its record. */
  orderingKey: 'key' | (string & {}) | null;
  idempotencyKey?: SourceIdempotencyKey;
  contentType: string;
  /** What becomes of a record without a value: `send` makes an event without a payload. */
  tombstones: 'skip' | 'send' | (string & {});
  /** Of a record that cannot become an event: `reject` notes it and reads on; `stop` stops before it. */
  onError: 'reject' | 'stop' | (string & {});
};

/** Which topics are read, and how a record becomes an event. */
export type SourceConfigInput = {
  /** Each as host:port. The port is 9092 if you leave it out. */
  brokers: Array<string>;
  /** Only an operator can allow connections without TLS. */
  tls?: boolean | undefined;
  /** How to sign in with the user and the password. */
  saslMechanism?: 'none' | 'plain' | 'scram-sha-256' | 'scram-sha-512' | undefined;
  /** In PEM. It replaces the well-known authorities, for a broker with a private one. */
  ca?: string | undefined;
  /** They must exist. */
  topics: Array<string>;
  /** `latest`, `earliest` or a time: where the first reading of a topic begins. */
  start?: string | undefined;
  eventType: SourceEventType;
  data?: SourceData | undefined;
  application?: SourceApplication | undefined;
  /** `key`: the ordering key of an event is the key of its record. */
  orderingKey?: 'key' | null | undefined;
  idempotencyKey?: SourceIdempotencyKey | undefined;
  contentType?: string | undefined;
  /** What becomes of a record without a value: `send` makes an event without a payload. */
  tombstones?: 'skip' | 'send' | undefined;
  /** Of a record that cannot become an event: `reject` notes it and reads on; `stop` stops before it. */
  onError?: 'reject' | 'stop' | undefined;
};

/** Absent: the value, byte for byte. */
export type SourceData = {
  /** A JSON pointer into the value (RFC 6901). */
  pointer: string;
};

/** Where the event type of a record is. */
export type SourceEventType = {
  /** The name of a header of the record. */
  header?: string;
  /** A JSON pointer into the value (RFC 6901). */
  pointer?: string;
  fixed?: string;
};

/** As the reader has reported it, at most some seconds ago. */
export type SourceHealth = {
  /**
   * `paused`: deliveries of the workspace wait; `quota`: the quota of the day is used up; `failing`: it is tried
   * again and again; `stopped`: only a change or a seek lets it read on.
   */
  status: 'starting' | 'running' | 'paused' | 'quota' | 'failing' | 'stopped' | 'inactive' | (string & {});
  /** Of `failing` and `stopped`: why. */
  error: string | null;
  /** The records that wait in the topics. */
  lagRecords: number | null;
  /** The age of the newest record that was read, while others wait; 0 while none waits. */
  lagSeconds: number | null;
  /** The time of the newest record that was read. */
  lastRecordAt: string | null;
  /** All records that were rejected. */
  rejected: number;
};

/** Where the idempotency key is. */
export type SourceIdempotencyKey = {
  /** The name of a header of the record. */
  header: string;
};

/** The brokers and the topics of a source, as in its config. */
export type SourcePlace = {
  /** Each as host:port. The port is 9092 if you leave it out. */
  brokers: Array<string>;
  /** Only an operator can allow connections without TLS. */
  tls?: boolean | undefined;
  /** How to sign in with the user and the password. */
  saslMechanism?: 'none' | 'plain' | 'scram-sha-256' | 'scram-sha-512' | undefined;
  /** In PEM. It replaces the well-known authorities, for a broker with a private one. */
  ca?: string | undefined;
  /** They must exist. */
  topics: Array<string>;
  /** `latest`, `earliest` or a time: where the first reading of a topic begins. */
  start?: string | undefined;
};

/** A record that did not become an event. It stays where it is. */
export type SourceRejection = {
  topic: string;
  partition: number;
  offset: number;
  /** An error code. */
  reason: string;
  message: string;
  /** The bytes of the value. */
  size: number;
  at: string;
};

/** What a source finds at its brokers. Nothing is stored. */
export type SourceTest = {
  sourceId: string;
  outcome: 'success' | 'failure' | (string & {});
  /** Of a failure: why, in the words of the brokers. */
  error: string | null;
  topics: Array<TestedTopic>;
  /** A record among the newest ones. Null if there is none. */
  record: TestedRecord | null;
  durationMs: number;
};

export type SourceToPromote = {
  sourceId: string;
  /** Required where the source is created, and only used then. */
  place?: SourcePlace | undefined;
};

/** Where messages to Amazon SQS go. */
export type SqsDestination = {
  /** As the console of SQS shows it. */
  queueUrl: string;
  /** Only where the URL of the queue does not name it. */
  region?: string | undefined;
  /** Only for a server that is compatible with AWS. Leave it out for AWS itself. */
  endpoint?: string | undefined;
};

export type StartErasureBody = {
  applicationId: string;
  eventTypes?: Array<string> | undefined;
  from?: string | Date | undefined;
  to?: string | Date | undefined;
  dryRun?: boolean | undefined;
};

/** `series` and `totals`, or `groups` with `group_by`. */
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
  /** The id of an endpoint, the name of an event type (null: direct ingestion), or a status. */
  key: string | null;
  totals: StatsGroupsItemTotals;
};

export type StatsGroupsItemTotals = {
  /** Events accepted; null where an endpoint is given. */
  ingested: number | null;
  /** Null in groups by status. */
  attempts: number | null;
  /** Null in groups by status. */
  succeeded: number | null;
  /** Null in groups by status. */
  failed: number | null;
  delivered: number;
  deadLettered: number;
  /** In milliseconds, with a relative error of at most 5 %; null where nothing was counted. */
  durationMs: StatsGroupsItemTotalsDurationMs;
  /** In milliseconds, with a relative error of at most 5 %; null where nothing was counted. */
  delayMs: StatsGroupsItemTotalsDelayMs;
  /** Deliveries that ended as delivered, failed or dead_letter. */
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
  /** The beginning of the step. */
  at: string;
  /** Events accepted; null where an endpoint is given. */
  ingested: number | null;
  attempts: number;
  succeeded: number;
  /** Attempts that failed. */
  failed: number;
  delivered: number;
  deadLettered: number;
  /** In milliseconds, with a relative error of at most 5 %; null where nothing was counted. */
  durationMs: StatsPointDurationMs;
  /** In milliseconds, with a relative error of at most 5 %; null where nothing was counted. */
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
  /** Events accepted; null where an endpoint is given. */
  ingested: number | null;
  attempts: number;
  succeeded: number;
  /** Attempts that failed. */
  failed: number;
  delivered: number;
  deadLettered: number;
  /** In milliseconds, with a relative error of at most 5 %; null where nothing was counted. */
  durationMs: StatsTotalsDurationMs;
  /** In milliseconds, with a relative error of at most 5 %; null where nothing was counted. */
  delayMs: StatsTotalsDelayMs;
  /** Deliveries that ended as delivered, failed or dead_letter. */
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
  /** The number of newly created subscriptions. */
  subscribed: number;
};

export type SubscribeEndpointBody = {
  eventTypeIds: Array<string>;
  /** Conditions on the payload: only events that match are delivered. */
  filter?: Record<string, unknown> | undefined;
};

/** Links one endpoint to one event type. */
export type Subscription = {
  id: string;
  eventTypeId: string;
  eventType: string;
  /** The same as `eventType`, which is the name to use. */
  eventTypeName: string;
  filter: Record<string, unknown> | null;
  /** The endpoint's pattern that made it; null for one that was made by itself. */
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
  /** The value that the payload has there; null where the path is absent. */
  found: unknown;
  holds: boolean;
};

export type TestFilterBody = {
  /** Conditions on the payload: only events that match are delivered. */
  filter: Record<string, unknown>;
  /** A payload to match, as JSON. */
  payload: unknown;
};

export type TestTransformationBody = {
  language: 'javascript';
  code: string;
  /**
   * The payload of the event: as it is written here, else the example of the event type, else a payload of the
   * service.
   */
  payload?: unknown | undefined;
  eventTypeId?: string | undefined;
  /** The endpoint that the code learns about. It also decides whether headers and a path may be set. */
  endpointId?: string | undefined;
};

export type TestedRecord = {
  topic: string;
  partition: number;
  offset: number;
  timestamp: string;
  /** The bytes of the value. */
  size: number;
  /** The event type that it says; null if it is not an event. */
  eventType: string | null;
  /** Why it could not become an event; null if it could. */
  rejection: string | null;
};

export type TestedTopic = {
  name: string;
  partitions: number;
  /** The records that the topic holds now. */
  records: number;
};

/** What a transformation makes of an event. */
export type TransformationResult = {
  result: 'sent' | 'cancelled' | 'failed' | (string & {});
  /** The text that would be sent; null unless `result` is `sent`. */
  body: string | null;
  contentType: string | null;
  headers: Record<string, string>;
  path: string | null;
  /** Why the code cancelled the event. */
  reason: string | null;
  /** The first 50 lines of `console.log`. */
  logs: Array<string>;
  error: TransformationResultError | null;
  /** The computing that it took. */
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
   * Of `email` an address, of `pagerduty` the integration key of a service (Events API v2), else the https URL of
   * the incoming webhook.
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
  /** At most one message of each event in this time. It names up to 10 endpoints concerned. */
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
  /** Replaces its patterns; every event type that fits one gets a subscription. */
  eventTypePatterns?: Array<ChosenEventTypePattern> | undefined;
};

export type UpdateEnvironmentBody = {
  name?: string | undefined;
  slug?: string | undefined;
  /** `true` moves the default here; the default cannot be set to `false`. */
  isDefault?: boolean | undefined;
  /** Whether an event of a type must name an application in `X-Application-Id`, or `*` for all. */
  requireApplication?: boolean | undefined;
};

export type UpdateEventTypeBody = {
  description?: string | null | undefined;
  /** A JSON Schema of draft 2020-12. Every reference must lead to a place in it. */
  schema?: Record<string, unknown> | null | undefined;
  /** Any JSON value. */
  example?: unknown | undefined;
  /**
   * How long payloads are kept: `workspace` for the retention of the workspace, `until_ended` while a delivery is
   * open or a dead letter, `none` until each delivery has had its one attempt.
   */
  payloadRetention?: 'workspace' | 'until_ended' | 'none' | undefined;
  searchKeys?: Array<UpdateEventTypeBodySearchKeysItem> | null | undefined;
  agentFilters?: Array<string> | null | undefined;
};

export type UpdateEventTypeBodySearchKeysItem = {
  name: string;
  /** Where the value is in the payload, as in a filter. */
  path: string;
  /** Whether a text is found without regard to case. Default: false. */
  fold?: boolean | undefined;
};

export type UpdateSourceBody = {
  name?: string | undefined;
  externalId?: string | null | undefined;
  isActive?: boolean | undefined;
  /** Replaces the whole config. */
  config?: SourceConfigInput | undefined;
  credentials?: Record<string, string | null> | undefined;
};

export type UpdateSubscriptionBody = {
  /** Null removes the filter. */
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
  /** A JSON Schema of draft 2020-12. Every reference must lead to a place in it. */
  schema: Record<string, unknown> | null;
  /** Counts the changes of the schema. */
  schemaVersion: number;
  /** Any JSON value. */
  example: unknown;
  /**
   * How long payloads are kept: `workspace` for the retention of the workspace, `until_ended` while a delivery is
   * open or a dead letter, `none` until each delivery has had its one attempt.
   */
  payloadRetention: 'workspace' | 'until_ended' | 'none' | (string & {});
  /** The values in payloads by which events are found. */
  searchKeys: Array<SearchKey> | null;
  /** The paths by which agents may filter; null for the first 30 of the schema. */
  agentFilters: Array<string> | null;
  createdAt: string;
  /** The keywords of the schema that are published, but by which no payload is checked. */
  schemaWarnings?: Array<SchemaWarning>;
  schemaChanges?: Array<SchemaChange>;
  /** At most 10 faults of the example; null without a schema or an example. */
  exampleErrors?: Array<string> | null;
};

/** Usage, by application and then by time. */
export type UsagePage = {
  from: string;
  to: string;
  step: 'day' | 'month' | (string & {});
  /** What happened until then has been counted. */
  countedTo: string;
  usage: Array<UsageRow>;
  nextCursor: string | null;
};

/** What an application used in a day or month. */
export type UsageRow = {
  /** The beginning of the day or month, in UTC. */
  from: string;
  /** The beginning of the next one. */
  to: string;
  /** Null for what belongs to no application. */
  applicationId: string | null;
  externalId: string | null;
  /** The present name of the application; `Erased` after its erasure. */
  name: string | null;
  /** Events that were accepted for the application. */
  events: number;
  /** Deliveries that were created for its endpoints. */
  deliveries: number;
  /** Attempts at its endpoints that ended. */
  attempts: number;
  /** The bytes of the payloads of its events. */
  bytes: number;
  /** Whether the numbers of this day or month may still rise. */
  provisional: boolean;
};

export type WorkspaceChange = {
  action: 'create' | 'update' | 'remove' | 'none' | (string & {});
  kind: 'environment' | 'eventType' | 'application' | 'endpoint' | 'source' | 'workspace' | (string & {});
  /** The slug, the name or the externalId. */
  key: string;
  /** The slug of the environment of an endpoint or a source. */
  environment: string | null;
  fields: Array<WorkspaceFieldChange>;
};

/** What a workspace should have. What it does not name is left alone. */
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
  /** Null for none. A secret is `[redacted]`, a long value `{bytes, sha256}`. */
  from: unknown;
  /** Any JSON value. */
  to: unknown;
};

/** What makes the workspace like the document. */
export type WorkspacePlan = {
  changes: Array<WorkspaceChange>;
  counts: WorkspacePlanCounts;
  /** False for a dry run. */
  applied: boolean;
};

export type WorkspacePlanCounts = {
  create: number;
  update: number;
  remove: number;
  none: number;
};

/** The workspace, and what it may send and keep. */
export type WorkspaceWithQuotas = {
  id: string;
  name: string;
  slug: string;
  plan: Plan;
  /** The origins that may frame the customer portal and call its interface. */
  portalOrigins: Array<string>;
  portalTerms: PortalTerms;
  /** Whether members without a second factor can do nothing here. */
  requireSecondFactor: boolean;
  /** How long payloads, and what attempts sent and got, are kept. Null: as long as the installation. */
  payloadRetentionHours: number | null;
  /** How far lists and statistics go back. Null: as far as the installation. */
  retentionHours: number | null;
  createdAt: string;
  updatedAt: string;
  /**
   * How long this installation keeps data: what null means in `payloadRetentionHours` and `retentionHours`, and
   * their limit.
   */
  installationRetentionHours: number;
  /** The events of this UTC day, and the bytes of the payloads and of the attempts that are kept. */
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
