# Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.

"""The objects of the interface: classes for what is answered, dictionaries for what is sent."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Dict, List, Literal, Mapping, Sequence, TypedDict, Union

from ._model import Model, describe


class AcceptedEvent(Model):
    """What never changes of an event."""
    id: str
    event_type: str | None
    event_type_name: str | None
    """The same as `eventType`, which is the name to use."""
    environment_id: str
    application_id: str | None
    endpoint_id: str | None
    """Set for direct ingestion and for tests only."""
    idempotency_key: str
    ordering_key: str | None
    deliver_at: str | None
    published: bool
    has_payload: bool
    is_test: bool
    searchable: bool
    """False if the payload is too large for the search keys of its type."""
    schema_errors: List[str] | None
    """At most 10; null where nothing was checked."""
    source: EventSource | None
    """Null for an event that was sent. Not in a portal."""
    created_at: str


class _AckedMessageRequired(TypedDict):
    deliveryId: str
    leaseToken: str


class AckedMessage(_AckedMessageRequired, total=False):
    responseStatus: int
    responseBody: str
    """Kept with the attempt, as the body of an answer to a webhook."""


class AgentIssuer(Model):
    """An OAuth 2 authorization server whose access tokens agents may use."""
    issuer: str
    """The `iss` of its tokens."""
    jwks_uri: str | None
    """Its keys; null: as its description says."""
    audience: str | None
    """The `aud` of its tokens; null: the address of the events."""
    scope: str
    """What `scope` must contain."""
    application_claim: str
    """The claim that names the application."""
    max_ttl_seconds: int
    """The longest time until such a subscription must be refreshed."""


class AgentKey(Model):
    """A credential with which an agent subscribes to events of one environment."""
    id: str
    name: str
    environment_id: str
    application_id: str | None
    """Null: it subscribes for the workspace itself."""
    key_preview: str
    created_at: str
    last_used_at: str | None
    expires_at: str


class AgentPrincipal(Model):
    """The subscriber: a key, by its name, which is null once it is deleted; or a login, by its issuer."""
    kind: Literal["key", "oauth"] | str
    name: str | None


class AgentRateLimit(Model):
    """The deliveries of each new subscription."""
    limit: int
    period_seconds: int


class AgentSettings(Model):
    """The rules for agents in an environment."""
    enabled: bool
    """Whether agents may subscribe. `false` ends every subscription."""
    callback_hosts: List[str] | None
    """The hosts that callbacks may have, `*.example.com` included; null for any public host."""
    max_ttl_seconds: int
    """The longest time until a subscription must be refreshed."""
    rate_limit: AgentRateLimit
    issuer: AgentIssuer | None
    """Null: agents subscribe with agent keys alone."""
    available: bool
    """Whether the operator lets agents subscribe at all: `MCP_EVENTS`."""


class AgentSubscription(Model):
    """A subscription of an agent."""
    id: str
    endpoint_id: str
    """Names its deliveries."""
    environment_id: str
    application_id: str | None
    event_type: str
    arguments: Dict[str, Any]
    """The filter that the agent chose."""
    url: str
    """The callback."""
    principal: AgentPrincipal
    client_name: str | None
    """The name that the agent gave itself."""
    status: Literal["active", "suspended", "ended"] | str
    """`suspended`: its callback fails, and its events wait."""
    end_reason: Literal["unsubscribed", "expired", "person", "key_revoked", "disabled", "deleted", "event_type_removed", "schema_changed", "receiver"] | str | None
    expires_at: str
    """Unless it is refreshed before."""
    created_at: str
    refreshed_at: str
    ended_at: str | None
    last_delivery_at: str | None
    last_error: Literal["connection_refused", "timeout", "tls_error", "http_4xx", "http_5xx", "challenge_failed"] | str | None
    """How the latest attempt failed."""


AlertChannel = Union[Literal["email", "slack", "teams", "discord", "pagerduty"], str]
"""How the message goes out."""


class AlertRule(Model):
    """Whom to tell of operational events, and how."""
    id: str
    name: str
    channel: AlertChannel
    target: str
    """Shortened."""
    events: List[Literal["posthorn.endpoint.disabled", "posthorn.endpoint.failing", "posthorn.endpoint.recovered", "posthorn.delivery.dead_letter", "posthorn.delivery.failed", "posthorn.operation.completed", "posthorn.api_key.expiring", "posthorn.source.failing", "posthorn.source.recovered"] | str]
    environment_id: str | None
    """Null for every environment."""
    application_id: str | None
    """Null for every endpoint of the workspace."""
    is_of_portal: bool
    """Whether a customer made it in the portal."""
    quiet_minutes: int
    status: Literal["active", "unconfirmed"] | str
    """`unconfirmed`: the holder of the address has not opened the link of the mail yet."""
    last_sent_at: str | None
    last_error: str | None
    """Why the last message could not be sent; null if it was."""
    last_error_code: Literal["timeout", "dns_failure", "connection_refused", "connection_reset", "tls_error", "blocked_address", "http_status", "too_large", "protocol_error", "proxy_error", "internal", "sender_stopped", "target_unreadable", "not_a_member", "too_many_mails"] | str | None
    """
    The kind of `lastError`, for programs; null without an error, and for one that an earlier version of the service
    stored.
    """
    last_error_status: int | None
    """The status that the target answered, when `lastErrorCode` is `http_status`; else null."""
    created_at: str
    updated_at: str


class ApiKey(Model):
    """A producer's credential, bound to one environment."""
    id: str
    name: str
    environment_id: str
    key_preview: str
    created_at: str
    last_used_at: str | None
    expires_at: str | None
    revoked_at: str | None
    """May be in the future: the key is valid until then."""


class Application(Model):
    """One end customer, with its own endpoints."""
    id: str
    external_id: str | None
    name: str
    metadata: Dict[str, str]
    created_at: str
    updated_at: str


class ApplicationHealth(Model):
    """How the endpoints of an application are."""
    endpoints: int
    """Its endpoints, inactive ones included."""
    failing: int
    """The active endpoints among them whose `health` is `failing`."""
    degraded: int
    """The active endpoints among them whose `health` is `degraded`."""
    undelivered: int
    """Their deliveries that ended as `failed` or `dead_letter` in the last 24 hours."""
    last_event_at: str | None
    """When its newest event was accepted; null without one among its newest 200."""


class ApplicationRead(Model):
    """An application, with the part that `include` selects."""
    id: str
    external_id: str | None
    name: str
    metadata: Dict[str, str]
    created_at: str
    updated_at: str
    health: ApplicationHealth | None


class ApplicationsPage(Model):
    applications: List[ApplicationRead]
    next_cursor: str | None


class Attempt(Model):
    """One request and its result."""
    id: str
    number: int
    trigger: Literal["schedule", "manual", "recovery", "test"] | str
    outcome: Literal["success", "failure"] | str
    started_at: str
    duration_ms: float
    timings: AttemptTimings
    url: str
    request_headers: Dict[str, str]
    request_body: str | None
    """The first 64 KiB of the sent body, as base64, where the kind of endpoint keeps it; else null."""
    response_status: int | None
    response_headers: Dict[str, HeaderValue] | None
    response_body: str | None
    response_truncated: bool
    response_hidden: bool
    """There is an answer, whose headers and body the caller may not see: they may repeat the payload."""
    error_code: Literal["timeout", "dns_failure", "connection_refused", "connection_reset", "tls_error", "blocked_address", "http_status", "too_large", "protocol_error", "internal", "proxy_error", "oauth2_failed", "nacked", "lease_expired", "authentication_failed", "access_denied", "target_not_found", "unroutable", "invalid_target", "invalid_payload", "target_exists", "message_too_large", "throttled", "broker_error", "transformation_failed"] | str | None
    error_message: str | None
    remote_address: str | None
    reconnected: bool
    """The kept connection ended before a byte of the answer, and the request was sent again over a new one."""
    acknowledgement: Dict[str, Any] | None
    """
    What a broker or a store said about the message that it has, such as its id; null for other types, and after a
    failure.
    """


class AttemptTimings(Model):
    dns_ms: float | None
    connect_ms: float | None
    tls_ms: float | None
    ttfb_ms: float | None


class AuditLogChange(Model):
    from_: Any
    to: Any


class AuditLogEntry(Model):
    """A change, its actor and its origin."""
    id: str
    actor_type: Literal["user", "management_token", "api_key", "portal_session", "agent_key", "agent", "system"] | str
    actor_id: str
    actor_label: str
    visibility: Literal["workspace", "portal"] | str
    action: str
    resource_type: str
    resource_id: str
    metadata: AuditLogEntryMetadata
    created_at: str


class AuditLogEntryMetadata(Model):
    changes: Dict[str, AuditLogChange]
    ip: str | None
    user_agent: str | None
    request_id: str | None


class AuditLogsPage(Model):
    data: List[AuditLogEntry]
    total: int
    """The number of entries that match the filters, on all pages."""
    page: int
    page_size: int


class BatchAnswer(Model):
    results: List[BatchResult]


class _BatchEventRequired(TypedDict):
    data: Any


class BatchEvent(_BatchEventRequired, total=False):
    """Names either `eventType` or `endpointId`; `data` is the payload."""
    eventType: str
    endpointId: str
    idempotencyKey: str
    applicationId: str
    orderingKey: str
    deliverAt: str | datetime


class BatchResult(Model):
    """The answer to one event, or `error` alone when it was refused."""
    id: str | None
    event_type: str | None
    environment_id: str | None
    idempotency_key: str | None
    published: bool | None
    """Whether the type was published; if not, no endpoint gets the event."""
    duplicate: bool | None
    """Whether this repeats an earlier Idempotency-Key; nothing was created."""
    schema_errors: List[str] | None
    """At most 10 places where the payload does not fit its schema; null where none was checked."""
    created_at: str | None
    delivery_id: str | None
    endpoint_id: str | None
    error: ErrorDetail | None


Capability = Union[Literal["endpoints:read", "endpoints:write", "secrets:read", "secrets:rotate", "deliveries:read", "deliveries:retry", "payloads:read", "events:test", "transformations:write", "alerts:write"], str]


CatalogDocument = Dict[str, Any]
"""An OpenAPI 3.1 document with a webhook for each published type."""


class CatchingUp(Model):
    """What waits because of an outage of Posthorn, and is sent at a pace."""
    waiting: int
    """Deliveries that still wait; at most 100,000 are counted."""
    per_second: float
    """What their endpoints get at most, together."""
    ends_at: str
    """When the last of them is sent, if new events come at the usual rates."""


class CheckedAgentIssuer(Model):
    ok: bool
    keys: int
    """The number of its keys."""
    message: str
    """The fault, or how many keys were found."""


class _ChosenNameRequired(TypedDict):
    name: str


class ChosenName(_ChosenNameRequired, total=False):
    """An event type, and which of its events are wanted."""
    filter: Mapping[str, Any] | None


class _ChosenPatternRequired(TypedDict):
    pattern: str


class ChosenPattern(_ChosenPatternRequired, total=False):
    """A pattern of event types, and which of their events are wanted."""
    filter: Mapping[str, Any] | None


class _CreateEventTypeBodySearchKeysItemRequired(TypedDict):
    name: str
    path: str
    """Where the value is in the payload, as in a filter."""


class CreateEventTypeBodySearchKeysItem(_CreateEventTypeBodySearchKeysItemRequired, total=False):
    fold: bool
    """Whether a text is found without regard to case. Default: false."""


class CreatedAgentKey(Model):
    id: str
    name: str
    environment_id: str
    application_id: str | None
    """Null: it subscribes for the workspace itself."""
    key_preview: str
    created_at: str
    last_used_at: str | None
    expires_at: str
    key: str | None
    """`pha_…`; shown once. Null when an `Idempotency-Key` repeats a creation of more than ten minutes ago."""


class CreatedApiKey(Model):
    id: str
    name: str
    environment_id: str
    key_preview: str
    created_at: str
    last_used_at: str | None
    expires_at: str | None
    revoked_at: str | None
    """May be in the future: the key is valid until then."""
    key: str | None
    """`phk_…`; shown once. Null when an `Idempotency-Key` repeats a creation of more than ten minutes ago."""


class CreatedEndpoint(Model):
    """A new endpoint, and its first pull key where consumers fetch its deliveries."""
    id: str
    environment_id: str
    application_id: str | None
    external_id: str | None
    """Your own name for it: `ext:` and this text is accepted wherever its id is."""
    promoted_from: str | None
    """The endpoint of another environment for which it stands."""
    url: str
    target: str
    """In words for people, where messages go. Of a webhook it is the `url`."""
    secret: str | None
    """Signs every request; null for callers that may not see it."""
    public_key: str | None
    """Verifies the `v1a` signatures; null unless `config.signature` is `standard-ed25519`."""
    description: str
    auth_username: str | None
    has_auth: bool
    is_active: bool
    disabled_at: str | None
    disabled_reason: Literal["manual", "failing", "gone", "receiver"] | str | None
    health: Literal["healthy", "degraded", "failing"] | str
    pull: PullStatus | None
    """Null unless consumers fetch its deliveries."""
    type: str
    config: EndpointConfig
    event_type_patterns: List[EventTypePattern]
    """Every event type that fits one of these, also a later one, gets a subscription."""
    credential_names: List[str]
    """The credentials that are stored, by name."""
    secret_header_names: List[str]
    """The headers with secret values, by name."""
    metadata: Dict[str, MetadataValue]
    created_at: str
    updated_at: str
    pull_key: str | None
    """`phpl_…`; shown once. Null when an `Idempotency-Key` repeats a creation of more than ten minutes ago."""


class CreatedEvent(Model):
    """An accepted event. `deliveryId` is set when it names an endpoint."""
    id: str
    event_type: str | None
    environment_id: str
    idempotency_key: str
    published: bool
    """Whether the type was published; if not, no endpoint gets the event."""
    duplicate: bool
    """Whether this repeats an earlier Idempotency-Key; nothing was created."""
    schema_errors: List[str] | None
    """At most 10 places where the payload does not fit its schema; null where none was checked."""
    created_at: str
    delivery_id: str | None
    endpoint_id: str | None


class CreatedEventType(Model):
    id: str
    name: str
    description: str | None
    schema: Dict[str, Any] | None
    """A JSON Schema of draft 2020-12. Every reference must lead to a place in it."""
    schema_version: int
    """Counts the changes of the schema."""
    example: Any
    """Any JSON value."""
    payload_retention: Literal["workspace", "until_ended", "none"] | str
    """
    How long payloads are kept: `workspace` for the retention of the workspace, `until_ended` while a delivery is
    open or a dead letter, `none` until each delivery has had its one attempt.
    """
    search_keys: List[SearchKey] | None
    """The values in payloads by which events are found."""
    agent_filters: List[str] | None
    """The paths by which agents may filter; null for the first 30 of the schema."""
    created_at: str
    schema_warnings: List[SchemaWarning] | None
    """The keywords of the schema that are published, but by which no payload is checked."""


class CreatedPortalSession(Model):
    id: str
    application_id: str
    environment_id: str
    capabilities: List[Capability]
    theme: PortalTheme | None
    locale: PortalLocale
    return_url: str | None
    expires_at: str
    created_at: str
    url: str | None
    """The portal, with the token in its fragment: no server sees it. Null where `token` is."""
    token: str | None
    """
    The Bearer credential of `/api/portal`. `php_…`; shown once. Null when an `Idempotency-Key` repeats a creation
    of more than ten minutes ago.
    """


class CreatedPullKey(Model):
    id: str
    name: str
    key_preview: str
    created_at: str
    last_used_at: str | None
    expires_at: str | None
    pull_key: str | None
    """`phpl_…`; shown once. Null when an `Idempotency-Key` repeats a creation of more than ten minutes ago."""


class DeliveriesPage(Model):
    deliveries: List[Delivery]
    next_cursor: str | None


class Delivery(Model):
    """The record of one event being sent to one endpoint."""
    id: str
    event_id: str
    event_type: str | None
    event_type_name: str | None
    """The same as `eventType`, which is the name to use."""
    idempotency_key: str
    endpoint_id: str
    status: DeliveryStatus
    failure_reason: Literal["endpoint_inactive", "endpoint_deleted", "subscription_ended", "quarantined", "retries_exhausted", "gone", "aborted_by_receiver", "blocked_address", "invalid_target", "invalid_payload", "target_exists", "message_too_large", "payload_expired", "payload_unreadable", "invalid_request", "cancelled", "cancelled_by_transformation"] | str | None
    total_attempts: int
    last_response_status: int | None
    first_attempt_at: str | None
    delivered_at: str | None
    next_retry_at: str | None
    waiting_for: str | None
    """At a fifo endpoint, the delivery that must end before this one is sent."""
    has_payload: bool
    is_test: bool
    created_at: str
    updated_at: str


class DeliveryDetail(Model):
    """A delivery, with the parts that `include` selects."""
    id: str
    event_id: str
    event_type: str | None
    event_type_name: str | None
    """The same as `eventType`, which is the name to use."""
    idempotency_key: str
    endpoint_id: str
    status: DeliveryStatus
    failure_reason: Literal["endpoint_inactive", "endpoint_deleted", "subscription_ended", "quarantined", "retries_exhausted", "gone", "aborted_by_receiver", "blocked_address", "invalid_target", "invalid_payload", "target_exists", "message_too_large", "payload_expired", "payload_unreadable", "invalid_request", "cancelled", "cancelled_by_transformation"] | str | None
    total_attempts: int
    last_response_status: int | None
    first_attempt_at: str | None
    delivered_at: str | None
    next_retry_at: str | None
    waiting_for: str | None
    """At a fifo endpoint, the delivery that must end before this one is sent."""
    has_payload: bool
    is_test: bool
    created_at: str
    updated_at: str
    cancel_reason: str | None
    """The `cancel` of the transformation that cancelled the event. Null without the right to payloads."""
    payload: PayloadEnvelope | None
    attempts: List[Attempt] | None


DeliveryStatus = Union[Literal["pending", "delivering", "delivered", "scheduled_retry", "failed", "dead_letter"], str]


class DirectIngestAnswer(Model):
    id: str
    event_type: str | None
    environment_id: str
    idempotency_key: str
    published: bool
    """Whether the type was published; if not, no endpoint gets the event."""
    duplicate: bool
    """Whether this repeats an earlier Idempotency-Key; nothing was created."""
    schema_errors: List[str] | None
    """At most 10 places where the payload does not fit its schema; null where none was checked."""
    created_at: str
    delivery_id: str
    endpoint_id: str


class DoctorReport(Model):
    """The result of examining an endpoint, check by check."""
    endpoint_id: str
    verdict: Literal["healthy", "warning", "broken"] | str
    checks: List[DoctorReportChecksItem]
    started_at: str
    duration_ms: float


class DoctorReportChecksItem(Model):
    name: Literal["dns", "tcp", "tls", "certificate", "oauth2", "http", "redirect", "latency", "signature", "replay", "body", "target", "publish"] | str
    outcome: Literal["pass", "warn", "fail", "skipped"] | str
    detail: str
    advice: str | None
    """What to change; null where nothing needs a change."""
    duration_ms: float


class _DocumentApplicationRequired(TypedDict):
    externalId: str
    name: str


class DocumentApplication(_DocumentApplicationRequired, total=False):
    metadata: Mapping[str, str]


class _DocumentEndpointRequired(TypedDict):
    externalId: str
    """Your own name for it in its environment; or the id of an endpoint that has no externalId."""
    environment: str
    """The slug of its environment."""


class DocumentEndpoint(_DocumentEndpointRequired, total=False):
    application: str
    """The externalId of its application; without it, an endpoint of the workspace itself."""
    url: str
    """Required where the type takes one. To others, the service gives a URL."""
    type: Literal["webhook", "playground", "pull", "rabbitmq", "kafka", "nats", "sqs", "sns", "kinesis", "eventbridge", "s3", "pubsub"]
    destination: Destination
    """`config.destination` of an endpoint type that has one."""
    description: str
    isActive: bool
    config: EndpointConfigDict | EndpointConfig
    metadata: Mapping[str, MetadataValue]
    eventTypes: Sequence[ChosenEventType]
    """The event types to which it subscribes, by name or by pattern."""
    authUsername: str | None
    """With `authPassword`, HTTP Basic credentials. Null in either one removes both."""
    authPassword: str | None
    secret: str
    """Its signing secret."""
    secretHeaders: Mapping[str, str | None]
    credentials: Mapping[str, str | None]


class _DocumentEnvironmentRequired(TypedDict):
    name: str
    slug: str


class DocumentEnvironment(_DocumentEnvironmentRequired, total=False):
    requireApplication: bool
    """Whether an event of a type must name an application in `X-Application-Id`, or `*` for all. False if absent."""
    isDefault: bool
    """True makes it the default environment. The former default loses that mark."""


class _DocumentEventTypeRequired(TypedDict):
    name: str


class DocumentEventType(_DocumentEventTypeRequired, total=False):
    description: str | None
    schema: Mapping[str, Any] | None
    """A JSON Schema of draft 2020-12. Every reference must lead to a place in it."""
    example: Any
    """Any JSON value."""
    payloadRetention: Literal["workspace", "until_ended", "none"]
    """
    How long payloads are kept: `workspace` for the retention of the workspace, `until_ended` while a delivery is
    open or a dead letter, `none` until each delivery has had its one attempt.
    """
    searchKeys: Sequence[DocumentEventTypeSearchKeysItem] | None
    agentFilters: Sequence[str] | None
    publishIn: Sequence[str]
    """The slugs of the environments in which it is published."""
    schemaMode: Mapping[str, Literal["off", "warn", "reject"]]
    """By the slug of an environment, how payloads are checked there."""


class _DocumentEventTypeSearchKeysItemRequired(TypedDict):
    name: str
    path: str
    """Where the value is in the payload, as in a filter."""


class DocumentEventTypeSearchKeysItem(_DocumentEventTypeSearchKeysItemRequired, total=False):
    fold: bool
    """Whether a text is found without regard to case. Default: false."""


class _DocumentSourceRequired(TypedDict):
    externalId: str
    """Your own name for it in its environment; or the id of a source that has no externalId."""
    environment: str
    """The slug of its environment."""
    name: str
    config: SourceConfigInput


class DocumentSource(_DocumentSourceRequired, total=False):
    type: Literal["kafka"]
    isActive: bool
    """A new one is active."""
    credentials: Mapping[str, str | None]


class DryRun(Model):
    """What an operation would select now."""
    id: str | None
    """Always null: nothing was started."""
    matched: int
    oldest: str | None
    newest: str | None
    event_types: Dict[str, int]


class Endpoint(Model):
    """A destination URL that gets signed deliveries."""
    id: str
    environment_id: str
    application_id: str | None
    external_id: str | None
    """Your own name for it: `ext:` and this text is accepted wherever its id is."""
    promoted_from: str | None
    """The endpoint of another environment for which it stands."""
    url: str
    target: str
    """In words for people, where messages go. Of a webhook it is the `url`."""
    secret: str | None
    """Signs every request; null for callers that may not see it."""
    public_key: str | None
    """Verifies the `v1a` signatures; null unless `config.signature` is `standard-ed25519`."""
    description: str
    auth_username: str | None
    has_auth: bool
    is_active: bool
    disabled_at: str | None
    disabled_reason: Literal["manual", "failing", "gone", "receiver"] | str | None
    health: Literal["healthy", "degraded", "failing"] | str
    pull: PullStatus | None
    """Null unless consumers fetch its deliveries."""
    type: str
    config: EndpointConfig
    event_type_patterns: List[EventTypePattern]
    """Every event type that fits one of these, also a later one, gets a subscription."""
    credential_names: List[str]
    """The credentials that are stored, by name."""
    secret_header_names: List[str]
    """The headers with secret values, by name."""
    metadata: Dict[str, MetadataValue]
    created_at: str
    updated_at: str


class EndpointConfig(Model):
    """How an endpoint is called. An unknown key is refused."""
    headers: Dict[str, str] | None
    timeout_seconds: int | None
    retry_schedule: List[int] | None
    rate_limit: EndpointConfigRateLimit | None
    max_concurrency: int | None
    catch_up: Literal["paced", "at-once"] | str | None
    ordering: Literal["none", "fifo"] | str | None
    payload_format: Literal["raw", "envelope", "cloudevents"] | str | None
    playground: EndpointConfigPlayground | None
    destination: Destination | None
    """Where messages go, as `configSchema` of the endpoint type describes it."""
    signature: Signature | None
    """
    One of standard, standard-ed25519, svix, stripe, github, shopify, slack, convoy, convoy-advanced, outpost,
    hook0; or an object with `scheme` and `header`: an HMAC of your own form.
    """
    transformation: EndpointConfigTransformation | None
    standard_headers: bool | None
    oauth2: EndpointConfigOauth2 | None
    tls: EndpointConfigTls | None


class EndpointConfigDict(TypedDict, total=False):
    """How an endpoint is called. An unknown key is refused."""
    headers: Mapping[str, str]
    timeoutSeconds: int
    retrySchedule: Sequence[int]
    rateLimit: EndpointConfigRateLimitDict | EndpointConfigRateLimit
    maxConcurrency: int
    catchUp: Literal["paced", "at-once"] | str
    ordering: Literal["none", "fifo"] | str
    payloadFormat: Literal["raw", "envelope", "cloudevents"] | str
    playground: EndpointConfigPlaygroundDict | EndpointConfigPlayground
    destination: Destination
    """Where messages go, as `configSchema` of the endpoint type describes it."""
    signature: Signature
    """
    One of standard, standard-ed25519, svix, stripe, github, shopify, slack, convoy, convoy-advanced, outpost,
    hook0; or an object with `scheme` and `header`: an HMAC of your own form.
    """
    transformation: EndpointConfigTransformationDict | EndpointConfigTransformation
    standardHeaders: bool
    oauth2: EndpointConfigOauth2Dict | EndpointConfigOauth2
    tls: EndpointConfigTlsDict | EndpointConfigTls


class EndpointConfigOauth2(Model):
    token_url: str
    """An https URL. The rules of an endpoint’s `url` hold."""
    client_id: str
    scopes: List[str] | None
    audience: str | None
    auth_method: Literal["basic", "post", "private_key_jwt"] | str | None
    extra_params: Dict[str, str] | None


class _EndpointConfigOauth2DictRequired(TypedDict):
    tokenUrl: str
    """An https URL. The rules of an endpoint’s `url` hold."""
    clientId: str


class EndpointConfigOauth2Dict(_EndpointConfigOauth2DictRequired, total=False):
    scopes: Sequence[str]
    audience: str
    authMethod: Literal["basic", "post", "private_key_jwt"] | str
    extraParams: Mapping[str, str]


class EndpointConfigPlayground(Model):
    status: int | None
    """The status of each answer; 200 if absent."""
    delay_ms: int | None
    """Milliseconds until each answer."""
    fail_first: int | None
    """How many attempts of each event are answered with 500."""
    body: str | None
    """The body of each answer."""


class EndpointConfigPlaygroundDict(TypedDict, total=False):
    status: int
    """The status of each answer; 200 if absent."""
    delayMs: int
    """Milliseconds until each answer."""
    failFirst: int
    """How many attempts of each event are answered with 500."""
    body: str
    """The body of each answer."""


class EndpointConfigRateLimit(Model):
    limit: int
    period_seconds: int


class EndpointConfigRateLimitDict(TypedDict):
    limit: int
    periodSeconds: int


class EndpointConfigTls(Model):
    ca: str | None
    """Certificates in PEM. They replace the well-known authorities."""
    client_certificate: str | None
    """A certificate in PEM, and then its chain."""
    server_name: str | None


class EndpointConfigTlsDict(TypedDict, total=False):
    ca: str
    """Certificates in PEM. They replace the well-known authorities."""
    clientCertificate: str
    """A certificate in PEM, and then its chain."""
    serverName: str


class EndpointConfigTransformation(Model):
    language: Literal["javascript"] | str
    code: str
    is_enabled: bool | None


class _EndpointConfigTransformationDictRequired(TypedDict):
    language: Literal["javascript"] | str
    code: str


class EndpointConfigTransformationDict(_EndpointConfigTransformationDictRequired, total=False):
    isEnabled: bool


class EndpointDefaults(Model):
    """What holds where `config` sets nothing else."""
    timeout_seconds: int
    retry_schedule: List[int]


class EndpointRead(Model):
    """An endpoint, with the part that `include` selects."""
    id: str
    environment_id: str
    application_id: str | None
    external_id: str | None
    """Your own name for it: `ext:` and this text is accepted wherever its id is."""
    promoted_from: str | None
    """The endpoint of another environment for which it stands."""
    url: str
    target: str
    """In words for people, where messages go. Of a webhook it is the `url`."""
    secret: str | None
    """Signs every request; null for callers that may not see it."""
    public_key: str | None
    """Verifies the `v1a` signatures; null unless `config.signature` is `standard-ed25519`."""
    description: str
    auth_username: str | None
    has_auth: bool
    is_active: bool
    disabled_at: str | None
    disabled_reason: Literal["manual", "failing", "gone", "receiver"] | str | None
    health: Literal["healthy", "degraded", "failing"] | str
    pull: PullStatus | None
    """Null unless consumers fetch its deliveries."""
    type: str
    config: EndpointConfig
    event_type_patterns: List[EventTypePattern]
    """Every event type that fits one of these, also a later one, gets a subscription."""
    credential_names: List[str]
    """The credentials that are stored, by name."""
    secret_header_names: List[str]
    """The headers with secret values, by name."""
    metadata: Dict[str, MetadataValue]
    created_at: str
    updated_at: str
    stats: EndpointStats | None


class EndpointStats(Model):
    """How an endpoint has fared lately."""
    hours: List[EndpointStatsHoursItem]
    """The attempts of the last 24 hours, oldest first; the last one is the current hour."""
    last_success_at: str | None
    last_failure_at: str | None
    failure_rate: float
    """Failed attempts of all attempts of these hours, from 0 to 1."""
    is_subscribed: bool
    """Whether it subscribes to an event type at present."""


class EndpointStatsHoursItem(Model):
    at: str
    succeeded: int
    failed: int


class _EndpointToPromoteRequired(TypedDict):
    endpointId: str


class EndpointToPromote(_EndpointToPromoteRequired, total=False):
    url: str
    """Required where the endpoint is created, if its type takes one."""
    destination: Destination
    """`config.destination` of the new endpoint: required where its type has one."""


class EndpointType(Model):
    """A kind of endpoint."""
    type: Literal["webhook", "playground", "pull", "rabbitmq", "kafka", "nats", "sqs", "sns", "kinesis", "eventbridge", "s3", "pubsub"] | str
    label: str
    description: str
    setup: str
    """Markdown: what to create at the provider."""
    has_url: bool
    """Whether an endpoint of the type is given a `url`."""
    config_key: str | None
    """The key of `config` that only this type has; `configSchema` describes its value."""
    config_schema: Dict[str, Any] | None
    """A JSON Schema (2020-12); null without a `configKey`."""
    credentials_schema: Dict[str, Any] | None
    """A JSON Schema (2020-12); null if it takes no credentials."""
    delivered: str
    """What the status `delivered` means."""
    ordering: str
    """The order in which events arrive."""
    deduplication: str
    """How a receiver finds repetitions."""
    max_bytes: int
    """The largest payload of an event to such an endpoint."""
    defaults: EndpointDefaults


class Environment(Model):
    """Separates API keys, endpoints and event-type visibility."""
    id: str
    name: str
    slug: str
    is_default: bool
    require_application: bool
    created_at: str
    updated_at: str


class EnvironmentDetail(Model):
    """An environment, with the part that `include` selects."""
    id: str
    name: str
    slug: str
    is_default: bool
    require_application: bool
    created_at: str
    updated_at: str
    events_without_application: int | None
    """The events of the last 7 days that named an event type and no application, those with `*` included."""


class EnvironmentDiff(Model):
    """What would make the environment `to` like `from`."""
    from_: str
    to: str
    settings: PromotedSettings
    event_types: List[PromotedEventType]
    endpoints: List[PromotedEndpoint]
    sources: List[PromotedSource]


class ErrorBody(Model):
    """An error: a code for programs and a message for people."""
    error: ErrorDetail


ErrorCode = Union[Literal["validation_error", "invalid_cursor", "unauthorized", "token_disabled", "forbidden", "plan_required", "second_factor_required", "not_found", "method_not_allowed", "slug_taken", "event_type_exists", "external_id_taken", "environment_limit_reached", "limit_reached", "last_owner", "member_exists", "not_cancellable", "default_environment", "event_type_in_use", "agents_subscribed", "idempotency_conflict", "delivery_in_progress", "endpoint_inactive", "payload_expired", "payload_too_large", "unsupported_media_type", "schema_violation", "rate_limited", "internal_error", "unavailable"], str]


class ErrorDetail(Model):
    code: ErrorCode
    message: str
    details: List[FieldProblem] | None
    """Of a `validation_error`, and of a document that is refused: up to 20 problems; `message` is the first."""


class Event(Model):
    """One accepted request of a producer."""
    id: str
    event_type: str | None
    event_type_name: str | None
    """The same as `eventType`, which is the name to use."""
    environment_id: str
    application_id: str | None
    endpoint_id: str | None
    """Set for direct ingestion and for tests only."""
    idempotency_key: str
    ordering_key: str | None
    deliver_at: str | None
    status: Literal["scheduled", "matching", "matched", "unmatched", "cancelled"] | str
    published: bool
    has_payload: bool
    is_test: bool
    searchable: bool
    """False if the payload is too large for the search keys of its type."""
    schema_errors: List[str] | None
    """At most 10; null where nothing was checked."""
    deliveries: EventDeliveries
    """The number of deliveries of each status."""
    reached_applications: int
    """The number of applications whose endpoints have a delivery of the event."""
    source: EventSource | None
    """Null for an event that was sent. Not in a portal."""
    created_at: str


class EventDeliveries(Model):
    pending: int
    delivering: int
    delivered: int
    scheduled_retry: int
    failed: int
    dead_letter: int


class EventDetail(Model):
    """An event, with its payload when `include` asks for it."""
    id: str
    event_type: str | None
    event_type_name: str | None
    """The same as `eventType`, which is the name to use."""
    environment_id: str
    application_id: str | None
    endpoint_id: str | None
    """Set for direct ingestion and for tests only."""
    idempotency_key: str
    ordering_key: str | None
    deliver_at: str | None
    status: Literal["scheduled", "matching", "matched", "unmatched", "cancelled"] | str
    published: bool
    has_payload: bool
    is_test: bool
    searchable: bool
    """False if the payload is too large for the search keys of its type."""
    schema_errors: List[str] | None
    """At most 10; null where nothing was checked."""
    deliveries: EventDetailDeliveries
    """The number of deliveries of each status."""
    reached_applications: int
    """The number of applications whose endpoints have a delivery of the event."""
    source: EventSource | None
    """Null for an event that was sent. Not in a portal."""
    created_at: str
    payload: PayloadEnvelope | None


class EventDetailDeliveries(Model):
    pending: int
    delivering: int
    delivered: int
    scheduled_retry: int
    failed: int
    dead_letter: int


class EventSource(Model):
    """The record that an event was read from."""
    source_id: str
    topic: str
    partition: int
    offset: str
    timestamp: str
    """Of the record."""


class EventTrace(Model):
    """For each endpoint of the environment, why it got the event or did not."""
    event_id: str
    event_type: str | None
    event_type_name: str | None
    """The same as `eventType`, which is the name to use."""
    environment_id: str
    published: bool
    fanned_out_at: str | None
    matched: int
    skipped: int
    reached_applications: int
    """The number of applications that the matched endpoints belong to."""
    search_keys: EventTraceSearchKeys | None
    """
    How many values of the payload find the event, and how many were left out: those of an array after the first 16,
    and texts of more than 256 characters. Null where there are none.
    """
    endpoints: List[EventTraceEndpointsItem]
    next_cursor: str | None


class EventTraceEndpointsItem(Model):
    endpoint_id: str
    url: str
    description: str
    application_id: str | None
    decision: Literal["matched", "skipped", "waiting"] | str
    reason: Literal["event_type_not_published", "endpoint_deleted", "other_application", "not_subscribed", "endpoint_inactive", "filtered"] | str | None
    detail: str
    delivery: EventTraceEndpointsItemDelivery | None


class EventTraceEndpointsItemDelivery(Model):
    id: str
    status: DeliveryStatus
    total_attempts: int
    next_retry_at: str | None
    last_response_status: int | None
    failure_reason: Literal["endpoint_inactive", "endpoint_deleted", "subscription_ended", "quarantined", "retries_exhausted", "gone", "aborted_by_receiver", "blocked_address", "invalid_target", "invalid_payload", "target_exists", "message_too_large", "payload_expired", "payload_unreadable", "invalid_request", "cancelled", "cancelled_by_transformation"] | str | None
    waiting_for: str | None
    """At a fifo endpoint, the delivery that must end before this one is sent."""
    cancel_reason: str | None
    """The `cancel` of the transformation that cancelled the event. Null without the right to payloads."""


class EventTraceSearchKeys(Model):
    stored: int
    left_out: int


class EventType(Model):
    """A named category of event, shared by the whole workspace."""
    id: str
    name: str
    description: str | None
    schema: Dict[str, Any] | None
    """A JSON Schema of draft 2020-12. Every reference must lead to a place in it."""
    schema_version: int
    """Counts the changes of the schema."""
    example: Any
    """Any JSON value."""
    payload_retention: Literal["workspace", "until_ended", "none"] | str
    """
    How long payloads are kept: `workspace` for the retention of the workspace, `until_ended` while a delivery is
    open or a dead letter, `none` until each delivery has had its one attempt.
    """
    search_keys: List[SearchKey] | None
    """The values in payloads by which events are found."""
    agent_filters: List[str] | None
    """The paths by which agents may filter; null for the first 30 of the schema."""
    created_at: str


class EventTypePattern(Model):
    """Subscribes an endpoint to every event type that fits."""
    pattern: str
    filter: Dict[str, Any] | None


class EventTypeVisibility(Model):
    """Whether an event type is published in an environment."""
    event_type_id: str
    event_type: str
    event_type_name: str
    """The same as `eventType`, which is the name to use."""
    published: bool
    schema_mode: Literal["off", "warn", "reject"] | str
    """What becomes of a payload that does not fit the schema of its type: `warn` keeps its faults."""
    applications: List[str] | None
    """The applications whose portals show the type where it is published. Null: all."""


class EventTypeVisibilityRead(Model):
    """An entry of a list, with the part that `include` selects."""
    event_type_id: str
    event_type: str
    event_type_name: str
    """The same as `eventType`, which is the name to use."""
    published: bool
    schema_mode: Literal["off", "warn", "reject"] | str
    """What becomes of a payload that does not fit the schema of its type: `warn` keeps its faults."""
    applications: List[str] | None
    """The applications whose portals show the type where it is published. Null: all."""
    endpoints: int | None
    """The environment's endpoints that subscribe to the event type."""


class _EventbridgeDestinationRequired(TypedDict):
    eventBusName: str
    """Its name or its ARN."""
    region: str
    """The code of the region."""


class EventbridgeDestination(_EventbridgeDestinationRequired, total=False):
    """Where messages to Amazon EventBridge go."""
    endpoint: str
    """Only for a server that is compatible with AWS. Leave it out for AWS itself."""
    source: str
    """The sender of the events, as rules of the bus match it."""
    detailType: str
    """A template. Rules of the bus match it, too."""


class ExtendResult(Model):
    delivery_id: str
    result: Literal["settled", "lease_lost"] | str
    leased_until: str | None


class ExtendResults(Model):
    """For each message, in the order of the request, its new end."""
    results: List[ExtendResult]


class ExtendedMessage(TypedDict):
    deliveryId: str
    leaseToken: str
    leaseSeconds: int
    """The new length of the lease, from now."""


class FieldProblem(Model):
    """A field of a request, and the rule that it breaks."""
    field: str
    """Its place: a path in the body, `query.` and a parameter, or `body`."""
    message: str
    rule: str | None
    """The rule as a word for programs, where it has one: docs/interface/errors.md lists them. More may follow."""


class FoundEvent(Model):
    id: str
    event_type: str | None
    event_type_name: str | None
    """The same as `eventType`, which is the name to use."""
    environment_id: str
    application_id: str | None
    endpoint_id: str | None
    """Set for direct ingestion and for tests only."""
    idempotency_key: str
    ordering_key: str | None
    deliver_at: str | None
    status: Literal["scheduled", "matching", "matched", "unmatched", "cancelled"] | str
    published: bool
    has_payload: bool
    is_test: bool
    searchable: bool
    """False if the payload is too large for the search keys of its type."""
    schema_errors: List[str] | None
    """At most 10; null where nothing was checked."""
    deliveries: FoundEventDeliveries
    """The number of deliveries of each status."""
    reached_applications: int
    """The number of applications whose endpoints have a delivery of the event."""
    source: EventSource | None
    """Null for an event that was sent. Not in a portal."""
    created_at: str
    found_by: List[str]
    """The search keys under which it was found."""


class FoundEventDeliveries(Model):
    pending: int
    delivering: int
    delivered: int
    scheduled_retry: int
    failed: int
    dead_letter: int


class FoundEventsPage(Model):
    events: List[FoundEvent]
    next_cursor: str | None


class _HmacSignatureRequired(TypedDict):
    scheme: Literal["hmac"]
    header: str


class HmacSignature(_HmacSignatureRequired, total=False):
    """An HMAC in a header that you name."""
    algorithm: Literal["sha256", "sha512", "sha1"]
    encoding: Literal["hex", "base64"]
    content: Literal["body", "timestamp.body", "id.timestamp.body"]
    form: str
    """The value of the header, with `{signature}` and perhaps `{timestamp}`: `t={timestamp},v1={signature}`."""
    timestampHeader: str
    idHeader: str


class IngestAnswer(Model):
    id: str
    event_type: str | None
    environment_id: str
    idempotency_key: str
    published: bool
    """Whether the type was published; if not, no endpoint gets the event."""
    duplicate: bool
    """Whether this repeats an earlier Idempotency-Key; nothing was created."""
    schema_errors: List[str] | None
    """At most 10 places where the payload does not fit its schema; null where none was checked."""
    created_at: str


class _KafkaDestinationRequired(TypedDict):
    brokers: Sequence[str]
    """Each as host:port. The port is 9092 if you leave it out."""
    topic: str
    """It must exist: no topic is created."""


class KafkaDestination(_KafkaDestinationRequired, total=False):
    """Where messages to Apache Kafka go."""
    tls: bool
    """Only an operator can allow connections without TLS."""
    saslMechanism: Literal["none", "plain", "scram-sha-256", "scram-sha-512"]
    """How to sign in with the user and the password."""
    key: str
    """A text with values of the event. Without it, the ordering key of the event, or else its id."""
    ca: str
    """In PEM. It replaces the well-known authorities, for a broker with a private one."""


class KeptNames(TypedDict, total=False):
    eventTypes: Sequence[str]
    """Names."""
    applications: Sequence[str]
    """The externalIds."""
    endpoints: Mapping[str, Sequence[str]]
    """By the slug of an environment, the externalIds."""


class _KinesisDestinationRequired(TypedDict):
    streamName: str
    """The name of the data stream."""
    region: str
    """The code of the region."""


class KinesisDestination(_KinesisDestinationRequired, total=False):
    """Where messages to Amazon Kinesis go."""
    endpoint: str
    """Only for a server that is compatible with AWS. Leave it out for AWS itself."""
    partitionKey: str
    """A template. Where it is empty, the id of the event is used."""


class LeaseAnswer(Model):
    """What a consumer has leased, and what waits besides."""
    messages: List[LeasedMessage]
    waiting: int
    """Messages that can be leased now or later, up to 10,000."""
    oldest_age_seconds: float | None
    """How long the first of them has been due; null when none waits."""


class LeaseResult(Model):
    delivery_id: str
    result: Literal["settled", "lease_lost"] | str


class LeaseResults(Model):
    """For each message, in the order of the request, whether the lease counted."""
    results: List[LeaseResult]


class LeasedMessage(Model):
    """A delivery that a consumer holds."""
    delivery_id: str
    lease_token: str
    """Names the lease. Give it back with each answer."""
    leased_until: str
    attempt_number: int
    event_id: str
    event_type: str | None
    created_at: str
    ordering_key: str | None
    headers: Dict[str, str]
    """The headers of a webhook, `webhook-signature` included."""
    body: str
    """The bytes that are signed, in base64."""


class ListAgentKeysAnswer(Model):
    agent_keys: List[AgentKey]
    next_cursor: str | None


class ListAgentSubscriptionsAnswer(Model):
    agent_subscriptions: List[AgentSubscription]
    next_cursor: str | None


class ListEventsAnswer(Model):
    events: List[Event]
    next_cursor: str | None


class ListOperationsAnswer(Model):
    operations: List[Operation]
    next_cursor: str | None


class ListSourceRejectionsAnswer(Model):
    rejections: List[SourceRejection]
    next_cursor: str | None


class ListSourcesAnswer(Model):
    sources: List[Source]
    next_cursor: str | None


class LiveGap(Model):
    """How many changes were dropped at most; null where it is not known."""
    dropped: int | None


class _NackedMessageRequired(TypedDict):
    deliveryId: str
    leaseToken: str


class NackedMessage(_NackedMessageRequired, total=False):
    delaySeconds: int
    """The time until it is due again. Without it, the retry schedule of the endpoint counts."""
    responseStatus: int
    responseBody: str
    """Kept with the attempt, as the body of an answer to a webhook."""
    reason: str
    """In words for people, why it could not be processed."""


class _NatsDestinationRequired(TypedDict):
    servers: Sequence[str]
    """Each as host:port. The port is 4222 if you leave it out."""


class NatsDestination(_NatsDestinationRequired, total=False):
    """Where messages to NATS JetStream go."""
    subject: str
    """A template. A stream must capture the subject."""
    tls: bool
    """Only an operator can allow connections without TLS."""
    ca: str
    """In PEM. It replaces the well-known authorities, for a broker with a private one."""


class Operation(Model):
    """Work on many deliveries, which goes on after the answer."""
    id: str
    type: Literal["recovery", "retry", "cancel", "erasure", "search_index"] | str
    status: Literal["counting", "running", "completed", "cancelled", "failed"] | str
    endpoint_id: str | None
    filter: Dict[str, Any]
    matched: int | None
    enqueued: int
    delivered: int
    failed: int
    error: str | None
    created_at: str
    updated_at: str
    paused_at: str | None
    finished_at: str | None


class OperationalEvent(Model):
    """What Posthorn can tell a workspace about its deliveries, as an event."""
    name: str
    description: str
    schema: Dict[str, Any]
    """The JSON Schema (2020-12) of its payload."""
    example: Any
    """Any JSON value."""


class OwnManagementToken(Model):
    """A management token, its workspace and the environments of it."""
    workspace: OwnWorkspaceSummary
    token: OwnManagementTokenDetails
    environments: List[Environment]


class OwnManagementTokenDetails(Model):
    id: str
    name: str
    token_preview: str
    scopes: List[Scope]
    environment_ids: List[str] | None
    """
    Null for every environment. Else the token sees and changes only what belongs to these; of the workspace itself
    it reads, and changes nothing.
    """
    allowed_networks: List[str] | None
    """Null for every network. Else a request from another address is `forbidden`."""
    expires_at: str | None
    created_at: str


class OwnWorkspaceSummary(Model):
    id: str
    name: str
    slug: str
    plan: Plan


class PayloadEnvelope(Model):
    """The body as ingested, or the reason why it is not shown."""
    status: Literal["available", "plan_required", "forbidden", "expired", "erased", "not_stored", "unavailable"] | str
    content_type: str | None
    encoding: Literal["utf8", "base64"] | str | None
    size: int | None
    sha256: str | None
    body: str | None


Plan = Union[Literal["free", "pro", "enterprise"], str]


PortalLocale = Union[Literal["en", "de", "fr"], str]


class PortalSession(Model):
    """A session with which a customer uses the portal."""
    id: str
    application_id: str
    environment_id: str
    capabilities: List[Capability]
    theme: PortalTheme | None
    locale: PortalLocale
    return_url: str | None
    expires_at: str
    created_at: str


class PortalTerms(Model):
    """What the pages of the customer portal call an event."""
    event: Literal["Message", "Event"] | str


class PortalTermsDict(TypedDict):
    """What the pages of the customer portal call an event."""
    event: Literal["Message", "Event"] | str


class PortalTheme(Model):
    mode: Literal["light", "dark", "auto"] | str | None
    primary_color: str | None
    logo_url: str | None
    font_family: str | None
    """Fonts of the reader’s device, the first that is there. The page loads none."""
    radius: int | None
    """The corners of buttons, fields and panels, in pixels."""
    css: str | None
    """Custom properties of the page, such as `--surface: #fafafa; --line: #ddd`."""


class PortalThemeDict(TypedDict, total=False):
    mode: Literal["light", "dark", "auto"] | str
    primaryColor: str
    logoUrl: str
    fontFamily: str
    """Fonts of the reader’s device, the first that is there. The page loads none."""
    radius: int
    """The corners of buttons, fields and panels, in pixels."""
    css: str
    """Custom properties of the page, such as `--surface: #fafafa; --line: #ddd`."""


class Precheck(Model):
    """The endpoints that would get an event of the type now."""
    published: bool
    matched: int
    endpoints: List[PrecheckEndpointsItem]
    truncated: bool
    """Whether the environment has more endpoints than are shown."""


class PrecheckEndpointsItem(Model):
    endpoint_id: str
    url: str
    application_id: str | None
    decision: Literal["matched", "skipped", "depends"] | str
    reason: Literal["event_type_not_published", "endpoint_deleted", "other_application", "not_subscribed", "endpoint_inactive", "filtered"] | str | None
    detail: str


class PromotedEndpoint(Model):
    change: Literal["create", "update", "delete"] | str
    endpoint_id: str
    """The endpoint that is promoted; with `delete` it exists no more."""
    target_endpoint_id: str | None
    """The endpoint that stands for it; null before `create`."""
    fields: Dict[str, PromotedField]
    subscriptions: PromotedSubscriptions


class PromotedEventType(Model):
    """`from` is the value in the environment that would change."""
    event_type_id: str
    name: str
    change: Literal["publish", "unpublish", "schema_mode"] | str
    from_: Any
    """Any JSON value."""
    to: Any
    """Any JSON value."""


class PromotedField(Model):
    from_: Any
    """Any JSON value."""
    to: Any
    """Any JSON value."""


class PromotedFilter(Model):
    event_type_id: str
    event_type: str
    event_type_name: str
    """The same as `eventType`, which is the name to use."""
    from_: Dict[str, Any] | None
    to: Dict[str, Any] | None


class PromotedSettings(Model):
    """The settings of the environment that differ."""
    require_application: PromotedSettingsRequireApplication | None


class PromotedSettingsRequireApplication(Model):
    from_: bool
    to: bool


class PromotedSource(Model):
    change: Literal["create", "update"] | str
    source_id: str
    """The source that is promoted."""
    target_source_id: str | None
    """The source that stands for it; null before `create`."""
    fields: Dict[str, PromotedField]


class PromotedSubscription(Model):
    event_type_id: str
    event_type: str
    event_type_name: str
    """The same as `eventType`, which is the name to use."""
    filter: Dict[str, Any] | None


class PromotedSubscriptions(Model):
    add: List[PromotedSubscription]
    remove: List[PromotedSubscription]
    change: List[PromotedFilter]


class Promotion(Model):
    """What a promotion has changed, or would change."""
    applied: EnvironmentDiff


class _PubsubDestinationRequired(TypedDict):
    projectId: str
    """The id of the project, not its name."""
    topicId: str
    """The id of the topic, without the path before it."""


class PubsubDestination(_PubsubDestinationRequired, total=False):
    """Where messages to Google Cloud Pub/Sub go."""
    endpoint: str
    """As host:port, for an endpoint of one region or a compatible server. Without it, the global endpoint of Google."""
    tls: bool
    """Only an operator can allow connections without TLS."""
    ca: str
    """In PEM. It replaces the well-known authorities, for a broker with a private one."""


class PullKey(Model):
    """A credential with which consumers fetch from one endpoint."""
    id: str
    name: str
    key_preview: str
    created_at: str
    last_used_at: str | None
    expires_at: str | None


class PullStatus(Model):
    """What waits for the consumers of an endpoint."""
    waiting: int
    """Messages that can be leased now or later, up to 10,000."""
    oldest_age_seconds: float | None
    """How long the first of them has been due; null when none waits."""
    last_lease_at: str | None


class Quota(Model):
    limit: int | None
    """Null means no limit."""
    used: int
    """Some seconds old."""


class _RabbitmqDestinationRequired(TypedDict):
    host: str
    """A host name or an address, without a scheme."""


class RabbitmqDestination(_RabbitmqDestinationRequired, total=False):
    """Where messages to RabbitMQ go."""
    port: int
    """5671 is the usual one with TLS."""
    tls: bool
    """Only an operator can allow connections without TLS."""
    vhost: str
    """The part of the broker that has the exchange."""
    exchange: str
    """The default exchange has no name. There, the routing key is the name of a queue."""
    routingKey: str
    """A text with values of the event, such as {{eventType}}."""
    ca: str
    """In PEM. It replaces the well-known authorities, for a broker with a private one."""


RetryDeliveriesBodyFilter = TypedDict(
    "RetryDeliveriesBodyFilter",
    {
        "environmentId": "str",
        "endpointId": "str",
        "applicationId": "str",
        "eventTypes": "Sequence[str]",
        "statuses": "Sequence[DeliveryStatus]",
        "from": "str | datetime",
        "to": "str | datetime",
    },
    total=False,
)


class _S3DestinationRequired(TypedDict):
    bucket: str
    """It must exist."""
    region: str
    """The code of the region."""


class S3Destination(_S3DestinationRequired, total=False):
    """Where messages to Amazon S3 go."""
    endpoint: str
    """Only for a server that is compatible with AWS. Leave it out for AWS itself."""
    key: str
    """The name of each object, as a template."""
    storageClass: Literal["STANDARD", "STANDARD_IA", "ONEZONE_IA", "INTELLIGENT_TIERING", "GLACIER_IR", "GLACIER", "DEEP_ARCHIVE"]
    """Absent: the bucket's default."""
    overwrite: bool
    """Replace an object that has the key. For a store without conditional writes (If-None-Match)."""


class SchemaChange(Model):
    path: str
    """A place in the payload; `*` stands for every item."""
    change: Literal["added", "removed", "type", "required", "enum", "constraint"] | str
    breaking: bool
    """Whether payloads may come now that were not allowed before."""
    detail: str


class SchemaWarning(Model):
    path: str
    """The field of the request."""
    message: str


Scope = Union[Literal["read", "write", "keys", "payloads"], str]


class SearchKey(Model):
    name: str
    path: str
    fold: bool


class SearchKeyRotation(Model):
    rotated_at: str
    former_key_ends_at: str
    """Until then, searches look with the former key, too."""


class _SetAgentSettingsBodyIssuerRequired(TypedDict):
    issuer: str


class SetAgentSettingsBodyIssuer(_SetAgentSettingsBodyIssuerRequired, total=False):
    jwksUri: str | None
    audience: str | None
    scope: str
    applicationClaim: str
    maxTtlSeconds: int


class SetAgentSettingsBodyRateLimit(TypedDict):
    limit: int
    periodSeconds: int


class _SnsDestinationRequired(TypedDict):
    topicArn: str
    """It names the region, too."""


class SnsDestination(_SnsDestinationRequired, total=False):
    """Where messages to Amazon SNS go."""
    endpoint: str
    """Only for a server that is compatible with AWS. Leave it out for AWS itself."""


class Source(Model):
    """Topics whose records become events."""
    id: str
    external_id: str | None
    """Your own name for it, unique in its environment."""
    name: str
    type: Literal["kafka"] | str
    environment_id: str
    is_active: bool
    config: SourceConfig
    credential_names: List[str]
    """The credentials that are stored, by name."""
    promoted_from: str | None
    """The source of another environment from which a promotion made it."""
    health: SourceHealth
    created_at: str
    updated_at: str


class SourceApplication(Model):
    """Where the `externalId` of the application is."""
    header: str | None
    """The name of a header of the record."""
    pointer: str | None
    """A JSON pointer into the value (RFC 6901)."""


class SourceApplicationDict(TypedDict, total=False):
    """Where the `externalId` of the application is."""
    header: str
    """The name of a header of the record."""
    pointer: str
    """A JSON pointer into the value (RFC 6901)."""


class SourceConfig(Model):
    """Which topics are read, and how a record becomes an event."""
    brokers: List[str]
    """Each as host:port. The port is 9092 if you leave it out."""
    tls: bool
    """Only an operator can allow connections without TLS."""
    sasl_mechanism: Literal["none", "plain", "scram-sha-256", "scram-sha-512"] | str
    """How to sign in with the user and the password."""
    ca: str | None
    """In PEM. It replaces the well-known authorities, for a broker with a private one."""
    topics: List[str]
    """They must exist."""
    start: str
    """`latest`, `earliest` or a time: where the first reading of a topic begins."""
    event_type: SourceEventType
    data: SourceData | None
    application: SourceApplication | None
    ordering_key: Literal["key"] | str | None
    """`key`: the ordering key of an event is the key of its record."""
    idempotency_key: SourceIdempotencyKey | None
    content_type: str
    tombstones: Literal["skip", "send"] | str
    """What becomes of a record without a value: `send` makes an event without a payload."""
    on_error: Literal["reject", "stop"] | str
    """Of a record that cannot become an event: `reject` notes it and reads on; `stop` stops before it."""


class _SourceConfigInputRequired(TypedDict):
    brokers: Sequence[str]
    """Each as host:port. The port is 9092 if you leave it out."""
    topics: Sequence[str]
    """They must exist."""
    eventType: SourceEventTypeDict | SourceEventType


class SourceConfigInput(_SourceConfigInputRequired, total=False):
    """Which topics are read, and how a record becomes an event."""
    tls: bool
    """Only an operator can allow connections without TLS."""
    saslMechanism: Literal["none", "plain", "scram-sha-256", "scram-sha-512"]
    """How to sign in with the user and the password."""
    ca: str
    """In PEM. It replaces the well-known authorities, for a broker with a private one."""
    start: str
    """`latest`, `earliest` or a time: where the first reading of a topic begins."""
    data: SourceDataDict | SourceData
    application: SourceApplicationDict | SourceApplication
    orderingKey: Literal["key"] | None
    """`key`: the ordering key of an event is the key of its record."""
    idempotencyKey: SourceIdempotencyKeyDict | SourceIdempotencyKey
    contentType: str
    tombstones: Literal["skip", "send"]
    """What becomes of a record without a value: `send` makes an event without a payload."""
    onError: Literal["reject", "stop"]
    """Of a record that cannot become an event: `reject` notes it and reads on; `stop` stops before it."""


class SourceData(Model):
    """Absent: the value, byte for byte."""
    pointer: str
    """A JSON pointer into the value (RFC 6901)."""


class SourceDataDict(TypedDict):
    """Absent: the value, byte for byte."""
    pointer: str
    """A JSON pointer into the value (RFC 6901)."""


class SourceEventType(Model):
    """Where the event type of a record is."""
    header: str | None
    """The name of a header of the record."""
    pointer: str | None
    """A JSON pointer into the value (RFC 6901)."""
    fixed: str | None


class SourceEventTypeDict(TypedDict, total=False):
    """Where the event type of a record is."""
    header: str
    """The name of a header of the record."""
    pointer: str
    """A JSON pointer into the value (RFC 6901)."""
    fixed: str


class SourceHealth(Model):
    """As the reader has reported it, at most some seconds ago."""
    status: Literal["starting", "running", "paused", "quota", "failing", "stopped", "inactive"] | str
    """
    `paused`: deliveries of the workspace wait; `quota`: the quota of the day is used up; `failing`: it is tried
    again and again; `stopped`: only a change or a seek lets it read on.
    """
    error: str | None
    """Of `failing` and `stopped`: why."""
    lag_records: int | None
    """The records that wait in the topics."""
    lag_seconds: int | None
    """The age of the newest record that was read, while others wait; 0 while none waits."""
    last_record_at: str | None
    """The time of the newest record that was read."""
    rejected: int
    """All records that were rejected."""


class SourceIdempotencyKey(Model):
    """Where the idempotency key is."""
    header: str
    """The name of a header of the record."""


class SourceIdempotencyKeyDict(TypedDict):
    """Where the idempotency key is."""
    header: str
    """The name of a header of the record."""


class _SourcePlaceRequired(TypedDict):
    brokers: Sequence[str]
    """Each as host:port. The port is 9092 if you leave it out."""
    topics: Sequence[str]
    """They must exist."""


class SourcePlace(_SourcePlaceRequired, total=False):
    """The brokers and the topics of a source, as in its config."""
    tls: bool
    """Only an operator can allow connections without TLS."""
    saslMechanism: Literal["none", "plain", "scram-sha-256", "scram-sha-512"]
    """How to sign in with the user and the password."""
    ca: str
    """In PEM. It replaces the well-known authorities, for a broker with a private one."""
    start: str
    """`latest`, `earliest` or a time: where the first reading of a topic begins."""


class SourceRejection(Model):
    """A record that did not become an event. It stays where it is."""
    topic: str
    partition: int
    offset: int
    reason: str
    """An error code."""
    message: str
    size: int
    """The bytes of the value."""
    at: str


class SourceTest(Model):
    """What a source finds at its brokers. Nothing is stored."""
    source_id: str
    outcome: Literal["success", "failure"] | str
    error: str | None
    """Of a failure: why, in the words of the brokers."""
    topics: List[TestedTopic]
    record: TestedRecord | None
    """A record among the newest ones. Null if there is none."""
    duration_ms: int


class _SourceToPromoteRequired(TypedDict):
    sourceId: str


class SourceToPromote(_SourceToPromoteRequired, total=False):
    place: SourcePlace
    """Required where the source is created, and only used then."""


class _SqsDestinationRequired(TypedDict):
    queueUrl: str
    """As the console of SQS shows it."""


class SqsDestination(_SqsDestinationRequired, total=False):
    """Where messages to Amazon SQS go."""
    region: str
    """Only where the URL of the queue does not name it."""
    endpoint: str
    """Only for a server that is compatible with AWS. Leave it out for AWS itself."""


class Stats(Model):
    """`series` and `totals`, or `groups` with `group_by`."""
    from_: str
    to: str
    step: Literal["minute", "hour", "day"] | str
    catching_up: CatchingUp | None
    series: List[StatsPoint] | None
    totals: StatsTotals | None
    groups: List[StatsGroupsItem] | None


class StatsGroupsItem(Model):
    key: str | None
    """The id of an endpoint, the name of an event type (null: direct ingestion), or a status."""
    totals: StatsGroupsItemTotals


class StatsGroupsItemTotals(Model):
    ingested: int | None
    """Events accepted; null where an endpoint is given."""
    attempts: int | None
    """Null in groups by status."""
    succeeded: int | None
    """Null in groups by status."""
    failed: int | None
    """Null in groups by status."""
    delivered: int
    dead_lettered: int
    duration_ms: StatsGroupsItemTotalsDurationMs
    """In milliseconds, with a relative error of at most 5 %; null where nothing was counted."""
    delay_ms: StatsGroupsItemTotalsDelayMs
    """In milliseconds, with a relative error of at most 5 %; null where nothing was counted."""
    ended: int
    """Deliveries that ended as delivered, failed or dead_letter."""


class StatsGroupsItemTotalsDelayMs(Model):
    p50: float | None
    p95: float | None
    p99: float | None


class StatsGroupsItemTotalsDurationMs(Model):
    p50: float | None
    p95: float | None
    p99: float | None


class StatsPoint(Model):
    """The counts of one step."""
    at: str
    """The beginning of the step."""
    ingested: int | None
    """Events accepted; null where an endpoint is given."""
    attempts: int
    succeeded: int
    failed: int
    """Attempts that failed."""
    delivered: int
    dead_lettered: int
    duration_ms: StatsPointDurationMs
    """In milliseconds, with a relative error of at most 5 %; null where nothing was counted."""
    delay_ms: StatsPointDelayMs
    """In milliseconds, with a relative error of at most 5 %; null where nothing was counted."""


class StatsPointDelayMs(Model):
    p50: float | None
    p95: float | None
    p99: float | None


class StatsPointDurationMs(Model):
    p50: float | None
    p95: float | None
    p99: float | None


class StatsTotals(Model):
    ingested: int | None
    """Events accepted; null where an endpoint is given."""
    attempts: int
    succeeded: int
    failed: int
    """Attempts that failed."""
    delivered: int
    dead_lettered: int
    duration_ms: StatsTotalsDurationMs
    """In milliseconds, with a relative error of at most 5 %; null where nothing was counted."""
    delay_ms: StatsTotalsDelayMs
    """In milliseconds, with a relative error of at most 5 %; null where nothing was counted."""
    ended: int
    """Deliveries that ended as delivered, failed or dead_letter."""


class StatsTotalsDelayMs(Model):
    p50: float | None
    p95: float | None
    p99: float | None


class StatsTotalsDurationMs(Model):
    p50: float | None
    p95: float | None
    p99: float | None


class SubscribeEndpointAnswer(Model):
    subscribed: int
    """The number of newly created subscriptions."""


class Subscription(Model):
    """Links one endpoint to one event type."""
    id: str
    event_type_id: str
    event_type: str
    event_type_name: str
    """The same as `eventType`, which is the name to use."""
    filter: Dict[str, Any] | None
    pattern: str | None
    """The endpoint's pattern that made it; null for one that was made by itself."""
    created_at: str


class TestFilterAnswer(Model):
    matches: bool
    clauses: List[TestFilterAnswerClausesItem]


class TestFilterAnswerClausesItem(Model):
    path: str
    operator: Literal["eq", "ne", "in", "gt", "gte", "lt", "lte", "exists", "startsWith", "endsWith", "contains"] | str
    expected: Any
    found: Any
    """The value that the payload has there; null where the path is absent."""
    holds: bool


class TestedRecord(Model):
    topic: str
    partition: int
    offset: int
    timestamp: str
    size: int
    """The bytes of the value."""
    event_type: str | None
    """The event type that it says; null if it is not an event."""
    rejection: str | None
    """Why it could not become an event; null if it could."""


class TestedTopic(Model):
    name: str
    partitions: int
    records: int
    """The records that the topic holds now."""


class TransformationResult(Model):
    """What a transformation makes of an event."""
    result: Literal["sent", "cancelled", "failed"] | str
    body: str | None
    """The text that would be sent; null unless `result` is `sent`."""
    content_type: str | None
    headers: Dict[str, str]
    path: str | None
    reason: str | None
    """Why the code cancelled the event."""
    logs: List[str]
    """The first 50 lines of `console.log`."""
    error: TransformationResultError | None
    duration_ms: float
    """The computing that it took."""


class TransformationResultError(Model):
    message: str
    line: int | None
    column: int | None


class _UpdateEventTypeBodySearchKeysItemRequired(TypedDict):
    name: str
    path: str
    """Where the value is in the payload, as in a filter."""


class UpdateEventTypeBodySearchKeysItem(_UpdateEventTypeBodySearchKeysItemRequired, total=False):
    fold: bool
    """Whether a text is found without regard to case. Default: false."""


class UpdatedEventType(Model):
    id: str
    name: str
    description: str | None
    schema: Dict[str, Any] | None
    """A JSON Schema of draft 2020-12. Every reference must lead to a place in it."""
    schema_version: int
    """Counts the changes of the schema."""
    example: Any
    """Any JSON value."""
    payload_retention: Literal["workspace", "until_ended", "none"] | str
    """
    How long payloads are kept: `workspace` for the retention of the workspace, `until_ended` while a delivery is
    open or a dead letter, `none` until each delivery has had its one attempt.
    """
    search_keys: List[SearchKey] | None
    """The values in payloads by which events are found."""
    agent_filters: List[str] | None
    """The paths by which agents may filter; null for the first 30 of the schema."""
    created_at: str
    schema_warnings: List[SchemaWarning] | None
    """The keywords of the schema that are published, but by which no payload is checked."""
    schema_changes: List[SchemaChange] | None
    example_errors: List[str] | None
    """At most 10 faults of the example; null without a schema or an example."""


class UsagePage(Model):
    """Usage, by application and then by time."""
    from_: str
    to: str
    step: Literal["day", "month"] | str
    counted_to: str
    """What happened until then has been counted."""
    usage: List[UsageRow]
    next_cursor: str | None


class UsageRow(Model):
    """What an application used in a day or month."""
    from_: str
    """The beginning of the day or month, in UTC."""
    to: str
    """The beginning of the next one."""
    application_id: str | None
    """Null for what belongs to no application."""
    external_id: str | None
    name: str | None
    """The present name of the application; `Erased` after its erasure."""
    events: int
    """Events that were accepted for the application."""
    deliveries: int
    """Deliveries that were created for its endpoints."""
    attempts: int
    """Attempts at its endpoints that ended."""
    bytes: int
    """The bytes of the payloads of its events."""
    provisional: bool
    """Whether the numbers of this day or month may still rise."""


class WorkspaceChange(Model):
    action: Literal["create", "update", "remove", "none"] | str
    kind: Literal["environment", "eventType", "application", "endpoint", "source", "workspace"] | str
    key: str
    """The slug, the name or the externalId."""
    environment: str | None
    """The slug of the environment of an endpoint or a source."""
    fields: List[WorkspaceFieldChange]


class _WorkspaceDocumentRequired(TypedDict):
    version: int


class WorkspaceDocument(_WorkspaceDocumentRequired, total=False):
    """What a workspace should have. What it does not name is left alone."""
    environments: Sequence[DocumentEnvironment]
    eventTypes: Sequence[DocumentEventType]
    applications: Sequence[DocumentApplication]
    endpoints: Sequence[DocumentEndpoint]
    sources: Sequence[DocumentSource]
    portalOrigins: Sequence[str]
    portalTerms: PortalTermsDict | PortalTerms


class WorkspaceFieldChange(Model):
    field: str
    from_: Any
    """Null for none. A secret is `[redacted]`, a long value `{bytes, sha256}`."""
    to: Any
    """Any JSON value."""


class WorkspacePlan(Model):
    """What makes the workspace like the document."""
    changes: List[WorkspaceChange]
    counts: WorkspacePlanCounts
    applied: bool
    """False for a dry run."""


class WorkspacePlanCounts(Model):
    create: int
    update: int
    remove: int
    none: int


class WorkspaceWithQuotas(Model):
    """The workspace, and what it may send and keep."""
    id: str
    name: str
    slug: str
    plan: Plan
    portal_origins: List[str]
    """The origins that may frame the customer portal and call its interface."""
    portal_terms: PortalTerms
    require_second_factor: bool
    """Whether members without a second factor can do nothing here."""
    payload_retention_hours: int | None
    """How long payloads, and what attempts sent and got, are kept. Null: as long as the installation."""
    retention_hours: int | None
    """How far lists and statistics go back. Null: as far as the installation."""
    created_at: str
    updated_at: str
    installation_retention_hours: int
    """
    How long this installation keeps data: what null means in `payloadRetentionHours` and `retentionHours`, and
    their limit.
    """
    quotas: WorkspaceWithQuotasQuotas
    """The events of this UTC day, and the bytes of the payloads and of the attempts that are kept."""


class WorkspaceWithQuotasQuotas(Model):
    events_per_day: Quota
    bytes_kept: Quota
    attempt_bytes_kept: Quota


HeaderValue = Union[str, Sequence[str]]


MetadataValue = Union[str, float, bool, None]


ChosenEventType = Union[str, ChosenName, ChosenPattern]


Destination = Union[RabbitmqDestination, KafkaDestination, NatsDestination, SqsDestination, SnsDestination, KinesisDestination, EventbridgeDestination, S3Destination, PubsubDestination]


Signature = Union[Union[Literal["standard", "standard-ed25519", "svix", "stripe", "github", "shopify", "slack", "convoy", "convoy-advanced", "outpost", "hook0"], str], HmacSignature]


PromotedEventTypes = Union[Union[Literal["all"], str], Sequence[str]]


ChosenEventTypePattern = Union[str, ChosenPattern]


describe(AcceptedEvent, {"source": EventSource})
describe(AgentSettings, {"rate_limit": AgentRateLimit, "issuer": AgentIssuer})
describe(AgentSubscription, {"principal": AgentPrincipal})
describe(ApplicationRead, {"health": ApplicationHealth})
describe(ApplicationsPage, {"applications": [ApplicationRead]})
describe(Attempt, {"timings": AttemptTimings})
describe(AuditLogEntry, {"metadata": AuditLogEntryMetadata})
describe(AuditLogEntryMetadata, {"changes": {"": AuditLogChange}})
describe(AuditLogsPage, {"data": [AuditLogEntry]})
describe(BatchAnswer, {"results": [BatchResult]})
describe(BatchResult, {"error": ErrorDetail})
describe(CreatedEndpoint, {"pull": PullStatus, "config": EndpointConfig, "event_type_patterns": [EventTypePattern]})
describe(CreatedEventType, {"search_keys": [SearchKey], "schema_warnings": [SchemaWarning]})
describe(CreatedPortalSession, {"theme": PortalTheme})
describe(DeliveriesPage, {"deliveries": [Delivery]})
describe(DeliveryDetail, {"payload": PayloadEnvelope, "attempts": [Attempt]})
describe(DoctorReport, {"checks": [DoctorReportChecksItem]})
describe(Endpoint, {"pull": PullStatus, "config": EndpointConfig, "event_type_patterns": [EventTypePattern]})
describe(EndpointConfig, {"rate_limit": EndpointConfigRateLimit, "playground": EndpointConfigPlayground, "transformation": EndpointConfigTransformation, "oauth2": EndpointConfigOauth2, "tls": EndpointConfigTls})
describe(EndpointRead, {"pull": PullStatus, "config": EndpointConfig, "event_type_patterns": [EventTypePattern], "stats": EndpointStats})
describe(EndpointStats, {"hours": [EndpointStatsHoursItem]})
describe(EndpointType, {"defaults": EndpointDefaults})
describe(EnvironmentDiff, {"settings": PromotedSettings, "event_types": [PromotedEventType], "endpoints": [PromotedEndpoint], "sources": [PromotedSource]})
describe(ErrorBody, {"error": ErrorDetail})
describe(ErrorDetail, {"details": [FieldProblem]})
describe(Event, {"deliveries": EventDeliveries, "source": EventSource})
describe(EventDetail, {"deliveries": EventDetailDeliveries, "source": EventSource, "payload": PayloadEnvelope})
describe(EventTrace, {"search_keys": EventTraceSearchKeys, "endpoints": [EventTraceEndpointsItem]})
describe(EventTraceEndpointsItem, {"delivery": EventTraceEndpointsItemDelivery})
describe(EventType, {"search_keys": [SearchKey]})
describe(ExtendResults, {"results": [ExtendResult]})
describe(FoundEvent, {"deliveries": FoundEventDeliveries, "source": EventSource})
describe(FoundEventsPage, {"events": [FoundEvent]})
describe(LeaseAnswer, {"messages": [LeasedMessage]})
describe(LeaseResults, {"results": [LeaseResult]})
describe(ListAgentKeysAnswer, {"agent_keys": [AgentKey]})
describe(ListAgentSubscriptionsAnswer, {"agent_subscriptions": [AgentSubscription]})
describe(ListEventsAnswer, {"events": [Event]})
describe(ListOperationsAnswer, {"operations": [Operation]})
describe(ListSourceRejectionsAnswer, {"rejections": [SourceRejection]})
describe(ListSourcesAnswer, {"sources": [Source]})
describe(OwnManagementToken, {"workspace": OwnWorkspaceSummary, "token": OwnManagementTokenDetails, "environments": [Environment]})
describe(PortalSession, {"theme": PortalTheme})
describe(Precheck, {"endpoints": [PrecheckEndpointsItem]})
describe(PromotedEndpoint, {"fields": {"": PromotedField}, "subscriptions": PromotedSubscriptions})
describe(PromotedSettings, {"require_application": PromotedSettingsRequireApplication})
describe(PromotedSource, {"fields": {"": PromotedField}})
describe(PromotedSubscriptions, {"add": [PromotedSubscription], "remove": [PromotedSubscription], "change": [PromotedFilter]})
describe(Promotion, {"applied": EnvironmentDiff})
describe(Source, {"config": SourceConfig, "health": SourceHealth})
describe(SourceConfig, {"event_type": SourceEventType, "data": SourceData, "application": SourceApplication, "idempotency_key": SourceIdempotencyKey})
describe(SourceTest, {"topics": [TestedTopic], "record": TestedRecord})
describe(Stats, {"catching_up": CatchingUp, "series": [StatsPoint], "totals": StatsTotals, "groups": [StatsGroupsItem]})
describe(StatsGroupsItem, {"totals": StatsGroupsItemTotals})
describe(StatsGroupsItemTotals, {"duration_ms": StatsGroupsItemTotalsDurationMs, "delay_ms": StatsGroupsItemTotalsDelayMs})
describe(StatsPoint, {"duration_ms": StatsPointDurationMs, "delay_ms": StatsPointDelayMs})
describe(StatsTotals, {"duration_ms": StatsTotalsDurationMs, "delay_ms": StatsTotalsDelayMs})
describe(TestFilterAnswer, {"clauses": [TestFilterAnswerClausesItem]})
describe(TransformationResult, {"error": TransformationResultError})
describe(UpdatedEventType, {"search_keys": [SearchKey], "schema_warnings": [SchemaWarning], "schema_changes": [SchemaChange]})
describe(UsagePage, {"usage": [UsageRow]})
describe(WorkspaceChange, {"fields": [WorkspaceFieldChange]})
describe(WorkspacePlan, {"changes": [WorkspaceChange], "counts": WorkspacePlanCounts})
describe(WorkspaceWithQuotas, {"portal_terms": PortalTerms, "quotas": WorkspaceWithQuotasQuotas})
describe(WorkspaceWithQuotasQuotas, {"events_per_day": Quota, "bytes_kept": Quota, "attempt_bytes_kept": Quota})
