# Written by `npm run sdks:generate` from docs/openapi-sdk.json. Change the generator, not this file.

"""The objects of the API: classes for answers, dictionaries for requests."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Dict, List, Literal, Mapping, Sequence, TypedDict, Union

from ._model import Model, describe


class AcceptedEvent(Model):
    """The fields of an event that never change."""
    id: str
    event_type: str | None
    event_type_name: str | None
    """The same value as `eventType`. Use `eventType` instead."""
    environment_id: str
    application_id: str | None
    endpoint_id: str | None
    """The endpoint, for an event that was sent directly to it and for a test. Null otherwise."""
    idempotency_key: str
    ordering_key: str | None
    deliver_at: str | None
    published: bool
    has_payload: bool
    is_test: bool
    searchable: bool
    """
    Whether the event can be found by search keys. False if the payload is too large for the search keys of its
    event type.
    """
    schema_errors: List[str] | None
    """At most 10 places where the payload does not match its schema. Null if nothing was checked."""
    source: EventSource | None
    """The source of the event. Null for an event that was not read from a source. Absent in the portal."""
    created_at: str


class _AckedMessageRequired(TypedDict):
    deliveryId: str
    leaseToken: str


class AckedMessage(_AckedMessageRequired, total=False):
    responseStatus: int
    responseBody: str
    """A text to store with the attempt, like the response body of a webhook."""


class AgentIssuer(Model):
    """An OAuth 2 authorization server whose access tokens agents can use."""
    issuer: str
    """The `iss` of the tokens."""
    jwks_uri: str | None
    """The URL of the keys. If null, the URL in the metadata of the issuer is used."""
    audience: str | None
    """The `aud` of the tokens. If null, the URL at which agents subscribe."""
    scope: str
    """The scope that the `scope` of a token must contain."""
    application_claim: str
    """The claim that identifies the application."""
    max_ttl_seconds: int
    """The maximum time in seconds before a subscription made with such a token must be refreshed."""


class AgentKey(Model):
    """A credential with which an agent subscribes to events of one environment."""
    id: str
    name: str
    environment_id: str
    application_id: str | None
    """The application whose events the agent receives. Null if the agent subscribes for the workspace itself."""
    key_preview: str
    created_at: str
    last_used_at: str | None
    expires_at: str


class AgentPrincipal(Model):
    """The subscriber: the name of an agent key (null once the key is deleted), or the issuer of a login."""
    kind: Literal["key", "oauth"] | str
    name: str | None


class AgentRateLimit(Model):
    """The rate limit of deliveries for each new subscription."""
    limit: int
    period_seconds: int


class AgentSettings(Model):
    """The settings for agents in an environment."""
    enabled: bool
    """Whether agents may subscribe. Setting `false` ends every agent subscription of the environment."""
    callback_hosts: List[str] | None
    """The allowed hosts of callbacks, such as `*.example.com`. Null allows any public host."""
    max_ttl_seconds: int
    """The maximum time in seconds before a subscription must be refreshed."""
    rate_limit: AgentRateLimit
    issuer: AgentIssuer | None
    """The issuer of access tokens. Null if agents can use only agent keys."""
    available: bool
    """Whether the operator allows agents to subscribe (`MCP_EVENTS`)."""


class AgentSubscription(Model):
    """A subscription of an agent to an event type."""
    id: str
    endpoint_id: str
    """The endpoint of the subscription. Use it to list the deliveries."""
    environment_id: str
    application_id: str | None
    event_type: str
    arguments: Dict[str, Any]
    """The filter that the agent set."""
    url: str
    """The URL of the callback."""
    principal: AgentPrincipal
    client_name: str | None
    """The name that the agent gave for itself."""
    status: Literal["active", "suspended", "ended"] | str
    """The status of the subscription. `suspended`: the callback fails, and events are waiting."""
    end_reason: Literal["unsubscribed", "expired", "person", "key_revoked", "disabled", "deleted", "event_type_removed", "schema_changed", "receiver"] | str | None
    expires_at: str
    """When the subscription expires, unless it is refreshed first."""
    created_at: str
    refreshed_at: str
    ended_at: str | None
    last_delivery_at: str | None
    last_error: Literal["connection_refused", "timeout", "tls_error", "http_4xx", "http_5xx", "challenge_failed"] | str | None
    """The reason why the latest attempt failed."""


AlertChannel = Union[Literal["email", "slack", "teams", "discord", "pagerduty"], str]
"""The channel through which messages are sent."""


class AlertRule(Model):
    """A rule that sends messages about operational events."""
    id: str
    name: str
    channel: AlertChannel
    target: str
    """The target, shortened."""
    events: List[Literal["posthorn.endpoint.disabled", "posthorn.endpoint.failing", "posthorn.endpoint.recovered", "posthorn.delivery.dead_letter", "posthorn.delivery.failed", "posthorn.operation.completed", "posthorn.api_key.expiring", "posthorn.source.failing", "posthorn.source.recovered"] | str]
    environment_id: str | None
    """The environment of the rule. Null for all environments."""
    application_id: str | None
    """The application whose endpoints the rule is about. Null for all endpoints of the workspace."""
    is_of_portal: bool
    """Whether a customer created the rule in the portal."""
    quiet_minutes: int
    status: Literal["active", "unconfirmed"] | str
    """The status of the rule. `unconfirmed`: the link in the confirmation email has not been opened yet."""
    last_sent_at: str | None
    last_error: str | None
    """The reason why the last message could not be sent. Null if it was sent."""
    last_error_code: Literal["timeout", "dns_failure", "connection_refused", "connection_reset", "tls_error", "blocked_address", "http_status", "too_large", "protocol_error", "proxy_error", "internal", "sender_stopped", "target_unreadable", "not_a_member", "too_many_mails"] | str | None
    """A machine-readable code for `lastError`. Null without an error, and for an error that an earlier version stored."""
    last_error_status: int | None
    """The HTTP status that the target returned, if `lastErrorCode` is `http_status`. Null otherwise."""
    created_at: str
    updated_at: str


class ApiKey(Model):
    """A credential of a producer, bound to one environment."""
    id: str
    name: str
    environment_id: str
    key_preview: str
    created_at: str
    last_used_at: str | None
    expires_at: str | None
    revoked_at: str | None
    """When the key is revoked. A time in the future means that the key is valid until then."""


class Application(Model):
    """One of your customers, with its own endpoints."""
    id: str
    external_id: str | None
    name: str
    metadata: Dict[str, str]
    created_at: str
    updated_at: str


class ApplicationHealth(Model):
    """The health of the endpoints of an application."""
    endpoints: int
    """The number of endpoints, including inactive ones."""
    failing: int
    """The number of active endpoints whose `health` is `failing`."""
    degraded: int
    """The number of active endpoints whose `health` is `degraded`."""
    undelivered: int
    """The number of deliveries to these endpoints that ended as `failed` or `dead_letter` in the last 24 hours."""
    last_event_at: str | None
    """When the latest event of the application was accepted. Null if there is none among its 200 latest events."""


class ApplicationRead(Model):
    """An application, with the fields that `include` adds."""
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
    """One attempt of a delivery: a request and its result."""
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
    """The first 64 KiB of the sent body, in base64. Null if the endpoint type does not store it."""
    response_status: int | None
    response_headers: Dict[str, HeaderValue] | None
    response_body: str | None
    response_truncated: bool
    response_hidden: bool
    """Whether there is a response or an `errorMessage` that the caller may not see, because it may repeat the payload."""
    error_code: Literal["timeout", "dns_failure", "connection_refused", "connection_reset", "tls_error", "blocked_address", "http_status", "too_large", "protocol_error", "internal", "proxy_error", "oauth2_failed", "nacked", "lease_expired", "authentication_failed", "access_denied", "target_not_found", "unroutable", "invalid_target", "invalid_payload", "target_exists", "message_too_large", "throttled", "broker_error", "transformation_failed"] | str | None
    error_message: str | None
    remote_address: str | None
    reconnected: bool
    """
    Whether a reused connection closed before any byte of the response, so that the request was sent again over a
    new connection.
    """
    acknowledgement: Dict[str, Any] | None
    """
    The details that a broker or store returned for the stored message, such as its id. Null for other endpoint
    types, and after a failure.
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
    """An entry of the audit log: a change, with its actor and origin."""
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
    """The total number of entries that match the filters, across all pages."""
    page: int
    page_size: int


class BatchAnswer(Model):
    results: List[BatchResult]


class _BatchEventRequired(TypedDict):
    data: Any


class BatchEvent(_BatchEventRequired, total=False):
    """An event to send. Set either `eventType` or `endpointId`; `data` is the payload."""
    eventType: str
    endpointId: str
    idempotencyKey: str
    applicationId: str
    orderingKey: str
    deliverAt: str | datetime


class BatchResult(Model):
    """The result for one event: the fields of an accepted event, or only `error` if it was refused."""
    id: str | None
    event_type: str | None
    environment_id: str | None
    idempotency_key: str | None
    published: bool | None
    """Whether the event type was published. If not, no endpoint receives the event."""
    duplicate: bool | None
    """Whether the request repeated an earlier `Idempotency-Key`, so that nothing was created."""
    schema_errors: List[str] | None
    """At most 10 places where the payload does not match its schema. Null if nothing was checked."""
    created_at: str | None
    delivery_id: str | None
    endpoint_id: str | None
    error: ErrorDetail | None


Capability = Union[Literal["endpoints:read", "endpoints:write", "secrets:read", "secrets:rotate", "deliveries:read", "deliveries:retry", "payloads:read", "events:test", "transformations:write", "alerts:write"], str]


CatalogDocument = Dict[str, Any]
"""An OpenAPI 3.1 document with a webhook for each published event type."""


class CatchingUp(Model):
    """Deliveries that are waiting after an outage of Posthorn and are sent at a limited rate."""
    waiting: int
    """The number of deliveries that are still waiting. At most 100,000 are counted."""
    per_second: float
    """The maximum number of deliveries per second to all their endpoints together."""
    ends_at: str
    """When the last of them is expected to be sent, if new events arrive at the usual rate."""


class CheckedAgentIssuer(Model):
    ok: bool
    keys: int
    """The number of keys that were found."""
    message: str
    """The error, or a message with the number of keys."""


class _ChosenNameRequired(TypedDict):
    name: str


class ChosenName(_ChosenNameRequired, total=False):
    """An event type, with an optional filter."""
    filter: Mapping[str, Any] | None


class _ChosenPatternRequired(TypedDict):
    pattern: str


class ChosenPattern(_ChosenPatternRequired, total=False):
    """A pattern of event types, with an optional filter."""
    filter: Mapping[str, Any] | None


class _CreateEventTypeBodySearchKeysItemRequired(TypedDict):
    name: str
    path: str
    """The path of the value in the payload, as in a filter."""


class CreateEventTypeBodySearchKeysItem(_CreateEventTypeBodySearchKeysItemRequired, total=False):
    fold: bool
    """Whether text is matched case-insensitively. Defaults to false."""


class CreatedAgentKey(Model):
    id: str
    name: str
    environment_id: str
    application_id: str | None
    """The application whose events the agent receives. Null if the agent subscribes for the workspace itself."""
    key_preview: str
    created_at: str
    last_used_at: str | None
    expires_at: str
    key: str | None
    """
    The agent key, `pha_…`. It is shown only once. Null if an `Idempotency-Key` repeats a creation of more than ten
    minutes ago.
    """


class CreatedApiKey(Model):
    id: str
    name: str
    environment_id: str
    key_preview: str
    created_at: str
    last_used_at: str | None
    expires_at: str | None
    revoked_at: str | None
    """When the key is revoked. A time in the future means that the key is valid until then."""
    key: str | None
    """
    The API key, `phk_…`. It is shown only once. Null if an `Idempotency-Key` repeats a creation of more than ten
    minutes ago.
    """


class CreatedEndpoint(Model):
    """A new endpoint, with its first pull key if it is a pull endpoint."""
    id: str
    environment_id: str
    application_id: str | None
    external_id: str | None
    """Your own id for the endpoint. `ext:` and this value is accepted wherever the endpoint's id is."""
    promoted_from: str | None
    """The endpoint in another environment from which this endpoint was promoted."""
    url: str
    target: str
    """A human-readable description of where messages are sent. For a webhook, the `url`."""
    secret: str | None
    """The secret that signs every request. Null for callers who may not see it."""
    public_key: str | None
    """The public key that verifies the `v1a` signatures. Null unless `config.signature` is `standard-ed25519`."""
    description: str
    auth_username: str | None
    has_auth: bool
    is_active: bool
    disabled_at: str | None
    disabled_reason: Literal["manual", "failing", "gone", "receiver"] | str | None
    health: Literal["healthy", "degraded", "failing"] | str
    pull: PullStatus | None
    """The state of a pull endpoint. Null for other types."""
    type: str
    config: EndpointConfig
    event_type_patterns: List[EventTypePattern]
    """The patterns of event types. Every matching event type, including later ones, gets a subscription."""
    credential_names: List[str]
    """The names of the stored credentials."""
    secret_header_names: List[str]
    """The names of the headers with secret values."""
    metadata: Dict[str, MetadataValue]
    created_at: str
    updated_at: str
    pull_key: str | None
    """
    The pull key, `phpl_…`. It is shown only once. Null if an `Idempotency-Key` repeats a creation of more than ten
    minutes ago.
    """


class CreatedEvent(Model):
    """An accepted event. `deliveryId` is set if the request named an endpoint."""
    id: str
    event_type: str | None
    environment_id: str
    idempotency_key: str
    published: bool
    """Whether the event type was published. If not, no endpoint receives the event."""
    duplicate: bool
    """Whether the request repeated an earlier `Idempotency-Key`, so that nothing was created."""
    schema_errors: List[str] | None
    """At most 10 places where the payload does not match its schema. Null if nothing was checked."""
    created_at: str
    delivery_id: str | None
    endpoint_id: str | None


class CreatedEventType(Model):
    id: str
    name: str
    description: str | None
    schema: Dict[str, Any] | None
    """A JSON Schema (draft 2020-12). Every reference must point to a place within it."""
    schema_version: int
    """The version of the schema. Each change of the schema increases it."""
    example: Any
    """Any JSON value."""
    payload_retention: Literal["workspace", "until_ended", "none"] | str
    """
    How long payloads are kept. `workspace`: for the retention period of the workspace. `until_ended`: while a
    delivery is open or a dead letter. `none`: until each delivery has had its only attempt.
    """
    search_keys: List[SearchKey] | None
    """The values in payloads by which events can be found."""
    agent_filters: List[str] | None
    """The paths by which agents can filter. Null for the first 30 paths of the schema."""
    created_at: str
    schema_warnings: List[SchemaWarning] | None
    """The keywords of the schema that are published, but not used to check payloads."""


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
    """The URL of the portal. The token is in its fragment, which is never sent to a server. Null if `token` is null."""
    token: str | None
    """
    The Bearer token for `/api/portal`, `php_…`. It is shown only once. Null if an `Idempotency-Key` repeats a
    creation of more than ten minutes ago.
    """


class CreatedPullKey(Model):
    id: str
    name: str
    key_preview: str
    created_at: str
    last_used_at: str | None
    expires_at: str | None
    pull_key: str | None
    """
    The pull key, `phpl_…`. It is shown only once. Null if an `Idempotency-Key` repeats a creation of more than ten
    minutes ago.
    """


class DeliveriesPage(Model):
    deliveries: List[Delivery]
    next_cursor: str | None


class Delivery(Model):
    """The delivery of one event to one endpoint."""
    id: str
    event_id: str
    event_type: str | None
    event_type_name: str | None
    """The same value as `eventType`. Use `eventType` instead."""
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
    """At an endpoint with `ordering: "fifo"`, the delivery that must end before this one is sent."""
    has_payload: bool
    is_test: bool
    created_at: str
    updated_at: str


class DeliveryDetail(Model):
    """A delivery, with the fields that `include` adds."""
    id: str
    event_id: str
    event_type: str | None
    event_type_name: str | None
    """The same value as `eventType`. Use `eventType` instead."""
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
    """At an endpoint with `ordering: "fifo"`, the delivery that must end before this one is sent."""
    has_payload: bool
    is_test: bool
    created_at: str
    updated_at: str
    cancel_reason: str | None
    """
    The reason that the transformation gave in `cancel`, if it cancelled the event. Null for callers who may not
    read payloads.
    """
    payload: PayloadEnvelope | None
    attempts: List[Attempt] | None


DeliveryStatus = Union[Literal["pending", "delivering", "delivered", "scheduled_retry", "failed", "dead_letter"], str]


class DirectIngestAnswer(Model):
    id: str
    event_type: str | None
    environment_id: str
    idempotency_key: str
    published: bool
    """Whether the event type was published. If not, no endpoint receives the event."""
    duplicate: bool
    """Whether the request repeated an earlier `Idempotency-Key`, so that nothing was created."""
    schema_errors: List[str] | None
    """At most 10 places where the payload does not match its schema. Null if nothing was checked."""
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
    """What to change. Null if nothing needs to be changed."""
    duration_ms: float


class _DocumentApplicationRequired(TypedDict):
    externalId: str
    name: str


class DocumentApplication(_DocumentApplicationRequired, total=False):
    metadata: Mapping[str, str]


class _DocumentEndpointRequired(TypedDict):
    externalId: str
    """Your own id for the endpoint, unique in its environment, or the id of an endpoint without an externalId."""
    environment: str
    """The slug of the environment."""


class DocumentEndpoint(_DocumentEndpointRequired, total=False):
    application: str
    """The externalId of the application. If omitted, the endpoint belongs to the workspace itself."""
    url: str
    """The URL of the endpoint. Required if the endpoint type has one; for other types, Posthorn sets it."""
    type: Literal["webhook", "playground", "pull", "rabbitmq", "kafka", "nats", "sqs", "sns", "kinesis", "eventbridge", "s3", "pubsub"]
    destination: Destination
    """The `config.destination` of an endpoint type that has one."""
    description: str
    isActive: bool
    config: EndpointConfigDict | EndpointConfig
    metadata: Mapping[str, MetadataValue]
    eventTypes: Sequence[ChosenEventType]
    """The event types to subscribe to, by name or by pattern."""
    authUsername: str | None
    """The username for HTTP Basic, used with `authPassword`. If either one is null, both are removed."""
    authPassword: str | None
    secret: str
    """The signing secret of the endpoint."""
    secretHeaders: Mapping[str, str | None]
    credentials: Mapping[str, str | None]


class _DocumentEnvironmentRequired(TypedDict):
    name: str
    slug: str


class DocumentEnvironment(_DocumentEnvironmentRequired, total=False):
    requireApplication: bool
    """
    Whether an event with an event type must name an application, or `*` for all, in `X-Application-Id`. Defaults to
    false.
    """
    isDefault: bool
    """Whether this is the default environment. Setting `true` replaces the current default environment."""


class _DocumentEventTypeRequired(TypedDict):
    name: str


class DocumentEventType(_DocumentEventTypeRequired, total=False):
    description: str | None
    schema: Mapping[str, Any] | None
    """A JSON Schema (draft 2020-12). Every reference must point to a place within it."""
    example: Any
    """Any JSON value."""
    payloadRetention: Literal["workspace", "until_ended", "none"]
    """
    How long payloads are kept. `workspace`: for the retention period of the workspace. `until_ended`: while a
    delivery is open or a dead letter. `none`: until each delivery has had its only attempt.
    """
    searchKeys: Sequence[DocumentEventTypeSearchKeysItem] | None
    agentFilters: Sequence[str] | None
    publishIn: Sequence[str]
    """The slugs of the environments in which the event type is published."""
    schemaMode: Mapping[str, Literal["off", "warn", "reject"]]
    """How payloads are checked in each environment, by the slug of the environment."""


class _DocumentEventTypeSearchKeysItemRequired(TypedDict):
    name: str
    path: str
    """The path of the value in the payload, as in a filter."""


class DocumentEventTypeSearchKeysItem(_DocumentEventTypeSearchKeysItemRequired, total=False):
    fold: bool
    """Whether text is matched case-insensitively. Defaults to false."""


class _DocumentSourceRequired(TypedDict):
    externalId: str
    """Your own id for the source, unique in its environment, or the id of a source without an externalId."""
    environment: str
    """The slug of the environment."""
    name: str
    config: SourceConfigInput


class DocumentSource(_DocumentSourceRequired, total=False):
    type: Literal["kafka"]
    isActive: bool
    """Whether the source is active. A new source is active by default."""
    credentials: Mapping[str, str | None]


class DryRun(Model):
    """A preview of what an operation would select now."""
    id: str | None
    """Always null, because no operation was started."""
    matched: int
    oldest: str | None
    newest: str | None
    event_types: Dict[str, int]


class Endpoint(Model):
    """A destination that receives signed deliveries."""
    id: str
    environment_id: str
    application_id: str | None
    external_id: str | None
    """Your own id for the endpoint. `ext:` and this value is accepted wherever the endpoint's id is."""
    promoted_from: str | None
    """The endpoint in another environment from which this endpoint was promoted."""
    url: str
    target: str
    """A human-readable description of where messages are sent. For a webhook, the `url`."""
    secret: str | None
    """The secret that signs every request. Null for callers who may not see it."""
    public_key: str | None
    """The public key that verifies the `v1a` signatures. Null unless `config.signature` is `standard-ed25519`."""
    description: str
    auth_username: str | None
    has_auth: bool
    is_active: bool
    disabled_at: str | None
    disabled_reason: Literal["manual", "failing", "gone", "receiver"] | str | None
    health: Literal["healthy", "degraded", "failing"] | str
    pull: PullStatus | None
    """The state of a pull endpoint. Null for other types."""
    type: str
    config: EndpointConfig
    event_type_patterns: List[EventTypePattern]
    """The patterns of event types. Every matching event type, including later ones, gets a subscription."""
    credential_names: List[str]
    """The names of the stored credentials."""
    secret_header_names: List[str]
    """The names of the headers with secret values."""
    metadata: Dict[str, MetadataValue]
    created_at: str
    updated_at: str


class EndpointConfig(Model):
    """The configuration of the requests to an endpoint. Unknown keys are refused."""
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
    """The destination of messages, as described by `configSchema` of the endpoint type."""
    signature: Signature | None
    """
    The signature of the requests: one of standard, standard-ed25519, svix, stripe, github, shopify, slack, convoy,
    convoy-advanced, outpost, hook0, or an object with `scheme` and `header` for a custom HMAC.
    """
    transformation: EndpointConfigTransformation | None
    standard_headers: bool | None
    oauth2: EndpointConfigOauth2 | None
    tls: EndpointConfigTls | None


class EndpointConfigDict(TypedDict, total=False):
    """The configuration of the requests to an endpoint. Unknown keys are refused."""
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
    """The destination of messages, as described by `configSchema` of the endpoint type."""
    signature: Signature
    """
    The signature of the requests: one of standard, standard-ed25519, svix, stripe, github, shopify, slack, convoy,
    convoy-advanced, outpost, hook0, or an object with `scheme` and `header` for a custom HMAC.
    """
    transformation: EndpointConfigTransformationDict | EndpointConfigTransformation
    standardHeaders: bool
    oauth2: EndpointConfigOauth2Dict | EndpointConfigOauth2
    tls: EndpointConfigTlsDict | EndpointConfigTls


class EndpointConfigOauth2(Model):
    token_url: str
    """The URL of the token endpoint. It must use https. The rules for the `url` of an endpoint apply."""
    client_id: str
    scopes: List[str] | None
    audience: str | None
    auth_method: Literal["basic", "post", "private_key_jwt"] | str | None
    extra_params: Dict[str, str] | None


class _EndpointConfigOauth2DictRequired(TypedDict):
    tokenUrl: str
    """The URL of the token endpoint. It must use https. The rules for the `url` of an endpoint apply."""
    clientId: str


class EndpointConfigOauth2Dict(_EndpointConfigOauth2DictRequired, total=False):
    scopes: Sequence[str]
    audience: str
    authMethod: Literal["basic", "post", "private_key_jwt"] | str
    extraParams: Mapping[str, str]


class EndpointConfigPlayground(Model):
    status: int | None
    """The status of each response. Defaults to 200."""
    delay_ms: int | None
    """The delay before each response, in milliseconds."""
    fail_first: int | None
    """The number of attempts of each event that get a response with status 500."""
    body: str | None
    """The body of each response."""


class EndpointConfigPlaygroundDict(TypedDict, total=False):
    status: int
    """The status of each response. Defaults to 200."""
    delayMs: int
    """The delay before each response, in milliseconds."""
    failFirst: int
    """The number of attempts of each event that get a response with status 500."""
    body: str
    """The body of each response."""


class EndpointConfigRateLimit(Model):
    limit: int
    period_seconds: int


class EndpointConfigRateLimitDict(TypedDict):
    limit: int
    periodSeconds: int


class EndpointConfigTls(Model):
    ca: str | None
    """The certificate authorities to trust instead of the public ones, as certificates in PEM."""
    client_certificate: str | None
    """The client certificate in PEM, followed by its chain."""
    server_name: str | None


class EndpointConfigTlsDict(TypedDict, total=False):
    ca: str
    """The certificate authorities to trust instead of the public ones, as certificates in PEM."""
    clientCertificate: str
    """The client certificate in PEM, followed by its chain."""
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
    """The values that apply unless `config` sets others."""
    timeout_seconds: int
    retry_schedule: List[int]


class EndpointRead(Model):
    """An endpoint, with the fields that `include` adds."""
    id: str
    environment_id: str
    application_id: str | None
    external_id: str | None
    """Your own id for the endpoint. `ext:` and this value is accepted wherever the endpoint's id is."""
    promoted_from: str | None
    """The endpoint in another environment from which this endpoint was promoted."""
    url: str
    target: str
    """A human-readable description of where messages are sent. For a webhook, the `url`."""
    secret: str | None
    """The secret that signs every request. Null for callers who may not see it."""
    public_key: str | None
    """The public key that verifies the `v1a` signatures. Null unless `config.signature` is `standard-ed25519`."""
    description: str
    auth_username: str | None
    has_auth: bool
    is_active: bool
    disabled_at: str | None
    disabled_reason: Literal["manual", "failing", "gone", "receiver"] | str | None
    health: Literal["healthy", "degraded", "failing"] | str
    pull: PullStatus | None
    """The state of a pull endpoint. Null for other types."""
    type: str
    config: EndpointConfig
    event_type_patterns: List[EventTypePattern]
    """The patterns of event types. Every matching event type, including later ones, gets a subscription."""
    credential_names: List[str]
    """The names of the stored credentials."""
    secret_header_names: List[str]
    """The names of the headers with secret values."""
    metadata: Dict[str, MetadataValue]
    created_at: str
    updated_at: str
    stats: EndpointStats | None


class EndpointStats(Model):
    """The recent statistics of an endpoint."""
    hours: List[EndpointStatsHoursItem]
    """The attempts of the last 24 hours by hour, oldest first. The last item is the current hour."""
    last_success_at: str | None
    last_failure_at: str | None
    failure_rate: float
    """The share of attempts in these hours that failed, from 0 to 1."""
    is_subscribed: bool
    """Whether the endpoint currently subscribes to any event type."""


class EndpointStatsHoursItem(Model):
    at: str
    succeeded: int
    failed: int


class _EndpointToPromoteRequired(TypedDict):
    endpointId: str


class EndpointToPromote(_EndpointToPromoteRequired, total=False):
    url: str
    """The URL of the new endpoint. Required if the endpoint is created and its type has a URL."""
    destination: Destination
    """The `config.destination` of the new endpoint. Required if its type has one."""


class EndpointType(Model):
    """A type of endpoint."""
    type: Literal["webhook", "playground", "pull", "rabbitmq", "kafka", "nats", "sqs", "sns", "kinesis", "eventbridge", "s3", "pubsub"] | str
    label: str
    description: str
    setup: str
    """The setup instructions, in Markdown: what to create at the provider."""
    has_url: bool
    """Whether you set the `url` of an endpoint of this type."""
    config_key: str | None
    """The key of `config` that is specific to this type. `configSchema` describes its value."""
    config_schema: Dict[str, Any] | None
    """The JSON Schema (2020-12) of that value. Null without a `configKey`."""
    credentials_schema: Dict[str, Any] | None
    """The JSON Schema (2020-12) of the credentials. Null if the type takes none."""
    delivered: str
    """The meaning of the status `delivered`."""
    ordering: str
    """The order in which events arrive."""
    deduplication: str
    """How a receiver detects duplicates."""
    max_bytes: int
    """The maximum size of an event's payload for an endpoint of this type, in bytes."""
    defaults: EndpointDefaults


class Environment(Model):
    """A separate set of API keys and endpoints, with its own visibility of event types."""
    id: str
    name: str
    slug: str
    is_default: bool
    require_application: bool
    created_at: str
    updated_at: str


class EnvironmentDetail(Model):
    """An environment, with the fields that `include` adds."""
    id: str
    name: str
    slug: str
    is_default: bool
    require_application: bool
    created_at: str
    updated_at: str
    events_without_application: int | None
    """The number of events in the last 7 days that named an event type and no application, including those with `*`."""


class EnvironmentDiff(Model):
    """The changes that would make the environment `to` match the environment `from`."""
    from_: str
    to: str
    settings: PromotedSettings
    event_types: List[PromotedEventType]
    endpoints: List[PromotedEndpoint]
    sources: List[PromotedSource]


class ErrorBody(Model):
    """An error, with a code for programs and a message for people."""
    error: ErrorDetail


ErrorCode = Union[Literal["validation_error", "invalid_cursor", "unauthorized", "token_disabled", "forbidden", "plan_required", "second_factor_required", "not_found", "method_not_allowed", "slug_taken", "event_type_exists", "external_id_taken", "environment_limit_reached", "limit_reached", "last_owner", "member_exists", "not_cancellable", "default_environment", "event_type_in_use", "agents_subscribed", "idempotency_conflict", "delivery_in_progress", "endpoint_inactive", "payload_expired", "payload_too_large", "unsupported_media_type", "schema_violation", "rate_limited", "internal_error", "unavailable"], str]


class ErrorDetail(Model):
    code: ErrorCode
    message: str
    details: List[FieldProblem] | None
    """Up to 20 problems, for a `validation_error` or a document that is refused. `message` describes the first one."""


class Event(Model):
    """An event that was accepted from a producer."""
    id: str
    event_type: str | None
    event_type_name: str | None
    """The same value as `eventType`. Use `eventType` instead."""
    environment_id: str
    application_id: str | None
    endpoint_id: str | None
    """The endpoint, for an event that was sent directly to it and for a test. Null otherwise."""
    idempotency_key: str
    ordering_key: str | None
    deliver_at: str | None
    status: Literal["scheduled", "matching", "matched", "unmatched", "cancelled"] | str
    published: bool
    has_payload: bool
    is_test: bool
    searchable: bool
    """
    Whether the event can be found by search keys. False if the payload is too large for the search keys of its
    event type.
    """
    schema_errors: List[str] | None
    """At most 10 places where the payload does not match its schema. Null if nothing was checked."""
    deliveries: EventDeliveries
    """The number of deliveries in each status."""
    reached_applications: int
    """The number of applications whose endpoints have a delivery of the event."""
    source: EventSource | None
    """The source of the event. Null for an event that was not read from a source. Absent in the portal."""
    created_at: str


class EventDeliveries(Model):
    pending: int
    delivering: int
    delivered: int
    scheduled_retry: int
    failed: int
    dead_letter: int


class EventDetail(Model):
    """An event, with its payload if `include` asks for it."""
    id: str
    event_type: str | None
    event_type_name: str | None
    """The same value as `eventType`. Use `eventType` instead."""
    environment_id: str
    application_id: str | None
    endpoint_id: str | None
    """The endpoint, for an event that was sent directly to it and for a test. Null otherwise."""
    idempotency_key: str
    ordering_key: str | None
    deliver_at: str | None
    status: Literal["scheduled", "matching", "matched", "unmatched", "cancelled"] | str
    published: bool
    has_payload: bool
    is_test: bool
    searchable: bool
    """
    Whether the event can be found by search keys. False if the payload is too large for the search keys of its
    event type.
    """
    schema_errors: List[str] | None
    """At most 10 places where the payload does not match its schema. Null if nothing was checked."""
    deliveries: EventDetailDeliveries
    """The number of deliveries in each status."""
    reached_applications: int
    """The number of applications whose endpoints have a delivery of the event."""
    source: EventSource | None
    """The source of the event. Null for an event that was not read from a source. Absent in the portal."""
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
    """The source record from which an event was read."""
    source_id: str
    topic: str
    partition: int
    offset: str
    timestamp: str
    """The timestamp of the record, limited to the years 1970 to 9999."""


class EventTrace(Model):
    """For each endpoint of the environment, why it did or did not receive the event."""
    event_id: str
    event_type: str | None
    event_type_name: str | None
    """The same value as `eventType`. Use `eventType` instead."""
    environment_id: str
    published: bool
    fanned_out_at: str | None
    matched: int
    skipped: int
    reached_applications: int
    """The number of applications that the matched endpoints belong to."""
    search_keys: EventTraceSearchKeys | None
    """
    The number of values in the payload by which the event can be found, and the number that were left out: those of
    an array after the first 16, and texts of more than 256 characters. Null if there are none.
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
    """At an endpoint with `ordering: "fifo"`, the delivery that must end before this one is sent."""
    cancel_reason: str | None
    """
    The reason that the transformation gave in `cancel`, if it cancelled the event. Null for callers who may not
    read payloads.
    """


class EventTraceSearchKeys(Model):
    stored: int
    left_out: int


class EventType(Model):
    """A named category of events, shared by the whole workspace."""
    id: str
    name: str
    description: str | None
    schema: Dict[str, Any] | None
    """A JSON Schema (draft 2020-12). Every reference must point to a place within it."""
    schema_version: int
    """The version of the schema. Each change of the schema increases it."""
    example: Any
    """Any JSON value."""
    payload_retention: Literal["workspace", "until_ended", "none"] | str
    """
    How long payloads are kept. `workspace`: for the retention period of the workspace. `until_ended`: while a
    delivery is open or a dead letter. `none`: until each delivery has had its only attempt.
    """
    search_keys: List[SearchKey] | None
    """The values in payloads by which events can be found."""
    agent_filters: List[str] | None
    """The paths by which agents can filter. Null for the first 30 paths of the schema."""
    created_at: str


class EventTypePattern(Model):
    """A pattern that subscribes an endpoint to every matching event type."""
    pattern: str
    filter: Dict[str, Any] | None


class EventTypeVisibility(Model):
    """The visibility of an event type in an environment."""
    event_type_id: str
    event_type: str
    event_type_name: str
    """The same value as `eventType`. Use `eventType` instead."""
    published: bool
    schema_mode: Literal["off", "warn", "reject"] | str
    """
    How payloads are checked against the schema of their event type. `off` does not check them, `warn` accepts an
    invalid payload and records its errors, and `reject` refuses it.
    """
    applications: List[str] | None
    """The applications whose portals show the event type where it is published. Null for all applications."""


class EventTypeVisibilityRead(Model):
    """The visibility of an event type, with the fields that `include` adds."""
    event_type_id: str
    event_type: str
    event_type_name: str
    """The same value as `eventType`. Use `eventType` instead."""
    published: bool
    schema_mode: Literal["off", "warn", "reject"] | str
    """
    How payloads are checked against the schema of their event type. `off` does not check them, `warn` accepts an
    invalid payload and records its errors, and `reject` refuses it.
    """
    applications: List[str] | None
    """The applications whose portals show the event type where it is published. Null for all applications."""
    endpoints: int | None
    """The number of endpoints in the environment that subscribe to the event type, without those of agents."""


class _EventbridgeDestinationRequired(TypedDict):
    eventBusName: str
    """The name or ARN of the event bus."""
    region: str
    """The code of the AWS region."""


class EventbridgeDestination(_EventbridgeDestinationRequired, total=False):
    """The destination of messages to Amazon EventBridge."""
    endpoint: str
    """The address of a server that is compatible with AWS. Omit it for AWS itself."""
    source: str
    """The source of the events, which rules of the event bus can match."""
    detailType: str
    """The detail type of the events, as a template. Rules of the event bus can match it."""


class ExtendResult(Model):
    delivery_id: str
    result: Literal["settled", "lease_lost"] | str
    leased_until: str | None


class ExtendResults(Model):
    """For each message, in the order of the request, the new end of its lease."""
    results: List[ExtendResult]


class ExtendedMessage(TypedDict):
    deliveryId: str
    leaseToken: str
    leaseSeconds: int
    """The duration of the lease in seconds, from now."""


class FieldProblem(Model):
    """A field of a request, and the rule that it violates."""
    field: str
    """The location of the problem: a path in the body, `query.` and the name of a parameter, or `body`."""
    message: str
    rule: str | None
    """A machine-readable name of the rule, if it has one. docs/interface/errors.md lists them. More may be added."""


class FoundEvent(Model):
    id: str
    event_type: str | None
    event_type_name: str | None
    """The same value as `eventType`. Use `eventType` instead."""
    environment_id: str
    application_id: str | None
    endpoint_id: str | None
    """The endpoint, for an event that was sent directly to it and for a test. Null otherwise."""
    idempotency_key: str
    ordering_key: str | None
    deliver_at: str | None
    status: Literal["scheduled", "matching", "matched", "unmatched", "cancelled"] | str
    published: bool
    has_payload: bool
    is_test: bool
    searchable: bool
    """
    Whether the event can be found by search keys. False if the payload is too large for the search keys of its
    event type.
    """
    schema_errors: List[str] | None
    """At most 10 places where the payload does not match its schema. Null if nothing was checked."""
    deliveries: FoundEventDeliveries
    """The number of deliveries in each status."""
    reached_applications: int
    """The number of applications whose endpoints have a delivery of the event."""
    source: EventSource | None
    """The source of the event. Null for an event that was not read from a source. Absent in the portal."""
    created_at: str
    found_by: List[str]
    """The names of the search keys that matched."""


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
    """An HMAC signature in a header of your choice."""
    algorithm: Literal["sha256", "sha512", "sha1"]
    encoding: Literal["hex", "base64"]
    content: Literal["body", "timestamp.body", "id.timestamp.body"]
    form: str
    """
    The format of the header value, with `{signature}` and optionally `{timestamp}`, such as
    `t={timestamp},v1={signature}`.
    """
    timestampHeader: str
    idHeader: str


class IngestAnswer(Model):
    id: str
    event_type: str | None
    environment_id: str
    idempotency_key: str
    published: bool
    """Whether the event type was published. If not, no endpoint receives the event."""
    duplicate: bool
    """Whether the request repeated an earlier `Idempotency-Key`, so that nothing was created."""
    schema_errors: List[str] | None
    """At most 10 places where the payload does not match its schema. Null if nothing was checked."""
    created_at: str


class _KafkaDestinationRequired(TypedDict):
    brokers: Sequence[str]
    """Each as host:port. The default port is 9092."""
    topic: str
    """The name of an existing topic. No topic is created."""


class KafkaDestination(_KafkaDestinationRequired, total=False):
    """The destination of messages to Apache Kafka."""
    tls: bool
    """Whether to use TLS. Only an operator can allow connections without TLS."""
    saslMechanism: Literal["none", "plain", "scram-sha-256", "scram-sha-512"]
    """The SASL mechanism for signing in with the user and password."""
    key: str
    """
    The key of the message, as a text with values of the event. Defaults to the ordering key of the event, or its
    id.
    """
    ca: str
    """
    The certificate authority to trust instead of the public ones, as a certificate in PEM. For brokers with a
    private one.
    """


class KeptNames(TypedDict, total=False):
    eventTypes: Sequence[str]
    """The names of event types."""
    applications: Sequence[str]
    """The externalIds of applications."""
    endpoints: Mapping[str, Sequence[str]]
    """The externalIds of endpoints, by the slug of their environment."""


class _KinesisDestinationRequired(TypedDict):
    streamName: str
    """The name of the data stream."""
    region: str
    """The code of the AWS region."""


class KinesisDestination(_KinesisDestinationRequired, total=False):
    """The destination of messages to Amazon Kinesis."""
    endpoint: str
    """The address of a server that is compatible with AWS. Omit it for AWS itself."""
    partitionKey: str
    """The partition key, as a template. If the result is empty, the id of the event is used."""


class LeaseAnswer(Model):
    """The leased messages, and the state of the messages that are still waiting."""
    messages: List[LeasedMessage]
    waiting: int
    """The number of messages that can be leased now or later, up to 10,000."""
    oldest_age_seconds: float | None
    """How long the first of these messages has been due, in seconds. Null if none is waiting."""


class LeaseResult(Model):
    delivery_id: str
    result: Literal["settled", "lease_lost"] | str


class LeaseResults(Model):
    """For each message, in the order of the request, whether the lease still counted."""
    results: List[LeaseResult]


class LeasedMessage(Model):
    """A delivery that a consumer has leased."""
    delivery_id: str
    lease_token: str
    """The token of the lease. Send it with each ack, nack and extend."""
    leased_until: str
    attempt_number: int
    event_id: str
    event_type: str | None
    created_at: str
    ordering_key: str | None
    headers: Dict[str, str]
    """The headers of a webhook, including `webhook-signature`."""
    body: str
    """The signed bytes, in base64."""


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
    """A gap in the stream. `dropped` is the maximum number of changes that were dropped, or null if it is unknown."""
    dropped: int | None


class _NackedMessageRequired(TypedDict):
    deliveryId: str
    leaseToken: str


class NackedMessage(_NackedMessageRequired, total=False):
    delaySeconds: int
    """The time in seconds until the message is due again. Defaults to the retry schedule of the endpoint."""
    responseStatus: int
    responseBody: str
    """A text to store with the attempt, like the response body of a webhook."""
    reason: str
    """A human-readable reason why the message could not be processed."""


class _NatsDestinationRequired(TypedDict):
    servers: Sequence[str]
    """Each as host:port. The default port is 4222."""


class NatsDestination(_NatsDestinationRequired, total=False):
    """The destination of messages to NATS JetStream."""
    subject: str
    """The subject, as a template. A stream must capture it."""
    tls: bool
    """Whether to use TLS. Only an operator can allow connections without TLS."""
    ca: str
    """
    The certificate authority to trust instead of the public ones, as a certificate in PEM. For brokers with a
    private one.
    """


class Operation(Model):
    """Work on many deliveries that runs in the background."""
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
    """A type of event that Posthorn can send to a workspace about its deliveries."""
    name: str
    description: str
    schema: Dict[str, Any]
    """The JSON Schema (2020-12) of the payload."""
    example: Any
    """Any JSON value."""


class OwnManagementToken(Model):
    """A management token, with its workspace and environments."""
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
    The environments to which the token is limited. It can read and change only what belongs to them, and can read
    but not change the workspace itself. Null for all environments.
    """
    allowed_networks: List[str] | None
    """
    The networks from which the token can be used. A request from another address is `forbidden`. Null for all
    networks.
    """
    expires_at: str | None
    created_at: str


class OwnWorkspaceSummary(Model):
    id: str
    name: str
    slug: str
    plan: Plan


class PayloadEnvelope(Model):
    """The payload as ingested, or the reason why it is not available."""
    status: Literal["available", "plan_required", "forbidden", "expired", "erased", "not_stored", "unavailable"] | str
    content_type: str | None
    encoding: Literal["utf8", "base64"] | str | None
    size: int | None
    sha256: str | None
    body: str | None


Plan = Union[Literal["free", "pro", "enterprise"], str]


PortalLocale = Union[Literal["en", "de", "fr"], str]


class PortalSession(Model):
    """A session that gives a customer access to the portal."""
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
    """The word that the customer portal uses for an event."""
    event: Literal["Message", "Event"] | str


class PortalTermsDict(TypedDict):
    """The word that the customer portal uses for an event."""
    event: Literal["Message", "Event"] | str


class PortalTheme(Model):
    mode: Literal["light", "dark", "auto"] | str | None
    primary_color: str | None
    logo_url: str | None
    font_family: str | None
    """The font families, as in CSS. The first one that is installed on the reader's device is used; no font is loaded."""
    radius: int | None
    """The corner radius of buttons, fields and panels, in pixels."""
    css: str | None
    """CSS custom properties of the page, such as `--surface: #fafafa; --line: #ddd`."""


class PortalThemeDict(TypedDict, total=False):
    mode: Literal["light", "dark", "auto"] | str
    primaryColor: str
    logoUrl: str
    fontFamily: str
    """The font families, as in CSS. The first one that is installed on the reader's device is used; no font is loaded."""
    radius: int
    """The corner radius of buttons, fields and panels, in pixels."""
    css: str
    """CSS custom properties of the page, such as `--surface: #fafafa; --line: #ddd`."""


class Precheck(Model):
    """The endpoints that would receive an event of the event type now."""
    published: bool
    matched: int
    endpoints: List[PrecheckEndpointsItem]
    truncated: bool
    """Whether the environment has more endpoints than are returned."""


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
    """The endpoint that is promoted. For `delete`, it no longer exists."""
    target_endpoint_id: str | None
    """The corresponding endpoint in the target. Null before a `create` is applied."""
    fields: Dict[str, PromotedField]
    subscriptions: PromotedSubscriptions


class PromotedEventType(Model):
    """A change of an event type. `from` is the value in the environment that would change."""
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
    """The same value as `eventType`. Use `eventType` instead."""
    from_: Dict[str, Any] | None
    to: Dict[str, Any] | None


class PromotedSettings(Model):
    """The settings that differ between the environments."""
    require_application: PromotedSettingsRequireApplication | None


class PromotedSettingsRequireApplication(Model):
    from_: bool
    to: bool


class PromotedSource(Model):
    change: Literal["create", "update"] | str
    source_id: str
    """The source that is promoted."""
    target_source_id: str | None
    """The corresponding source in the target. Null before a `create` is applied."""
    fields: Dict[str, PromotedField]


class PromotedSubscription(Model):
    event_type_id: str
    event_type: str
    event_type_name: str
    """The same value as `eventType`. Use `eventType` instead."""
    filter: Dict[str, Any] | None


class PromotedSubscriptions(Model):
    add: List[PromotedSubscription]
    remove: List[PromotedSubscription]
    change: List[PromotedFilter]


class Promotion(Model):
    """The changes that a promotion made or would make."""
    applied: EnvironmentDiff


class _PubsubDestinationRequired(TypedDict):
    projectId: str
    """The id of the project, not its name."""
    topicId: str
    """The id of the topic, without the path in front of it."""


class PubsubDestination(_PubsubDestinationRequired, total=False):
    """The destination of messages to Google Cloud Pub/Sub."""
    endpoint: str
    """
    The address of a regional endpoint or a compatible server, as host:port. Defaults to the global endpoint of
    Google.
    """
    tls: bool
    """Whether to use TLS. Only an operator can allow connections without TLS."""
    ca: str
    """
    The certificate authority to trust instead of the public ones, as a certificate in PEM. For brokers with a
    private one.
    """


class PullKey(Model):
    """A credential with which consumers fetch deliveries from one endpoint."""
    id: str
    name: str
    key_preview: str
    created_at: str
    last_used_at: str | None
    expires_at: str | None


class PullStatus(Model):
    """The messages that are waiting for the consumers of an endpoint."""
    waiting: int
    """The number of messages that can be leased now or later, up to 10,000."""
    oldest_age_seconds: float | None
    """How long the first of these messages has been due, in seconds. Null if none is waiting."""
    last_lease_at: str | None


class Quota(Model):
    limit: int | None
    """The limit. Null if there is none."""
    used: int
    """The amount that is used, as of a few seconds ago."""


class _RabbitmqDestinationRequired(TypedDict):
    host: str
    """The host name or address of the broker, without a scheme."""


class RabbitmqDestination(_RabbitmqDestinationRequired, total=False):
    """The destination of messages to RabbitMQ."""
    port: int
    """The port of the broker, usually 5671 with TLS."""
    tls: bool
    """Whether to use TLS. Only an operator can allow connections without TLS."""
    vhost: str
    """The virtual host of the exchange."""
    exchange: str
    """The exchange. The default exchange has an empty name; its routing key is the name of a queue."""
    routingKey: str
    """The routing key, as a text with values of the event, such as {{eventType}}."""
    ca: str
    """
    The certificate authority to trust instead of the public ones, as a certificate in PEM. For brokers with a
    private one.
    """


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
    """The name of an existing bucket."""
    region: str
    """The code of the AWS region."""


class S3Destination(_S3DestinationRequired, total=False):
    """The destination of messages to Amazon S3."""
    endpoint: str
    """The address of a server that is compatible with AWS. Omit it for AWS itself."""
    key: str
    """The key of each object, as a template."""
    storageClass: Literal["STANDARD", "STANDARD_IA", "ONEZONE_IA", "INTELLIGENT_TIERING", "GLACIER_IR", "GLACIER", "DEEP_ARCHIVE"]
    """The storage class. Defaults to that of the bucket."""
    overwrite: bool
    """Whether to replace an object with the same key. For stores without conditional writes (If-None-Match)."""


class SchemaChange(Model):
    path: str
    """The path in the payload. `*` stands for every item of an array."""
    change: Literal["added", "removed", "type", "required", "enum", "constraint"] | str
    breaking: bool
    """Whether receivers may now get payloads that the previous schema did not allow."""
    detail: str


class SchemaWarning(Model):
    path: str
    """The path of the field in the request."""
    message: str


Scope = Union[Literal["read", "write", "keys", "payloads"], str]


class SearchKey(Model):
    name: str
    path: str
    fold: bool


class SearchKeyRotation(Model):
    rotated_at: str
    former_key_ends_at: str
    """When the former key ends. Until then, searches also use it."""


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
    """The ARN of the topic. It includes the region."""


class SnsDestination(_SnsDestinationRequired, total=False):
    """The destination of messages to Amazon SNS."""
    endpoint: str
    """The address of a server that is compatible with AWS. Omit it for AWS itself."""


class Source(Model):
    """A source reads topics, whose records become events."""
    id: str
    external_id: str | None
    """Your own id for the source, unique in its environment."""
    name: str
    type: Literal["kafka"] | str
    environment_id: str
    is_active: bool
    config: SourceConfig
    credential_names: List[str]
    """The names of the stored credentials."""
    promoted_from: str | None
    """The source in another environment from which this source was promoted."""
    health: SourceHealth
    created_at: str
    updated_at: str


class SourceApplication(Model):
    """The location of the application's `externalId` in a record."""
    header: str | None
    """The name of a record header."""
    pointer: str | None
    """A JSON pointer into the record value (RFC 6901)."""


class SourceApplicationDict(TypedDict, total=False):
    """The location of the application's `externalId` in a record."""
    header: str
    """The name of a record header."""
    pointer: str
    """A JSON pointer into the record value (RFC 6901)."""


class SourceConfig(Model):
    """The topics to read, and how a record becomes an event."""
    brokers: List[str]
    """Each as host:port. The default port is 9092."""
    tls: bool
    """Whether to use TLS. Only an operator can allow connections without TLS."""
    sasl_mechanism: Literal["none", "plain", "scram-sha-256", "scram-sha-512"] | str
    """The SASL mechanism for signing in with the user and password."""
    ca: str | None
    """
    The certificate authority to trust instead of the public ones, as a certificate in PEM. For brokers with a
    private one.
    """
    topics: List[str]
    """The topics to read. They must exist."""
    start: str
    """Where reading starts in a topic that is new to the source: `latest`, `earliest` or a time."""
    event_type: SourceEventType
    data: SourceData | None
    application: SourceApplication | None
    ordering_key: Literal["key"] | str | None
    """The source of the ordering key. `key` uses the key of the record."""
    idempotency_key: SourceIdempotencyKey | None
    content_type: str
    tombstones: Literal["skip", "send"] | str
    """How to handle a record without a value. `send` creates an event without a payload, `skip` ignores the record."""
    on_error: Literal["reject", "stop"] | str
    """How to handle a record that cannot become an event. `reject` notes it and continues, `stop` stops before it."""


class _SourceConfigInputRequired(TypedDict):
    brokers: Sequence[str]
    """Each as host:port. The default port is 9092."""
    topics: Sequence[str]
    """The topics to read. They must exist."""
    eventType: SourceEventTypeDict | SourceEventType


class SourceConfigInput(_SourceConfigInputRequired, total=False):
    """The topics to read, and how a record becomes an event."""
    tls: bool
    """Whether to use TLS. Only an operator can allow connections without TLS."""
    saslMechanism: Literal["none", "plain", "scram-sha-256", "scram-sha-512"]
    """The SASL mechanism for signing in with the user and password."""
    ca: str
    """
    The certificate authority to trust instead of the public ones, as a certificate in PEM. For brokers with a
    private one.
    """
    start: str
    """Where reading starts in a topic that is new to the source: `latest`, `earliest` or a time."""
    data: SourceDataDict | SourceData
    application: SourceApplicationDict | SourceApplication
    orderingKey: Literal["key"] | None
    """The source of the ordering key. `key` uses the key of the record."""
    idempotencyKey: SourceIdempotencyKeyDict | SourceIdempotencyKey
    contentType: str
    tombstones: Literal["skip", "send"]
    """How to handle a record without a value. `send` creates an event without a payload, `skip` ignores the record."""
    onError: Literal["reject", "stop"]
    """How to handle a record that cannot become an event. `reject` notes it and continues, `stop` stops before it."""


class SourceData(Model):
    """The location of the payload in a record. Defaults to the record value, byte for byte."""
    pointer: str
    """A JSON pointer into the record value (RFC 6901)."""


class SourceDataDict(TypedDict):
    """The location of the payload in a record. Defaults to the record value, byte for byte."""
    pointer: str
    """A JSON pointer into the record value (RFC 6901)."""


class SourceEventType(Model):
    """The location of the event type in a record, or a fixed event type."""
    header: str | None
    """The name of a record header."""
    pointer: str | None
    """A JSON pointer into the record value (RFC 6901)."""
    fixed: str | None


class SourceEventTypeDict(TypedDict, total=False):
    """The location of the event type in a record, or a fixed event type."""
    header: str
    """The name of a record header."""
    pointer: str
    """A JSON pointer into the record value (RFC 6901)."""
    fixed: str


class SourceHealth(Model):
    """The health of a source as reported by its reader, at most a few seconds ago."""
    status: Literal["starting", "running", "paused", "quota", "failing", "stopped", "inactive"] | str
    """
    The status of the source. `paused`: reading waits until the workspace has fewer waiting deliveries. `quota`: a
    quota of the workspace is used up. `failing`: reading fails and is retried. `stopped`: reading continues only
    after an update or a seek.
    """
    error: str | None
    """
    The reason for the status `failing`, `stopped` or `quota`, or why no dispatcher reads a source that is
    `starting`.
    """
    lag_records: int | None
    """The number of records that are waiting in the topics."""
    lag_seconds: int | None
    """The age of the newest record that was read, in seconds, while other records are waiting. 0 if none are waiting."""
    last_record_at: str | None
    """The timestamp of the newest record that was read, or the time of reading if that is earlier."""
    rejected: int
    """The total number of rejected records."""


class SourceIdempotencyKey(Model):
    """The location of the idempotency key in a record."""
    header: str
    """The name of a record header."""


class SourceIdempotencyKeyDict(TypedDict):
    """The location of the idempotency key in a record."""
    header: str
    """The name of a record header."""


class _SourcePlaceRequired(TypedDict):
    brokers: Sequence[str]
    """Each as host:port. The default port is 9092."""
    topics: Sequence[str]
    """The topics to read. They must exist."""


class SourcePlace(_SourcePlaceRequired, total=False):
    """The brokers and topics of a source, as in its `config`."""
    tls: bool
    """Whether to use TLS. Only an operator can allow connections without TLS."""
    saslMechanism: Literal["none", "plain", "scram-sha-256", "scram-sha-512"]
    """The SASL mechanism for signing in with the user and password."""
    ca: str
    """
    The certificate authority to trust instead of the public ones, as a certificate in PEM. For brokers with a
    private one.
    """
    start: str
    """Where reading starts in a topic that is new to the source: `latest`, `earliest` or a time."""


class SourceRejection(Model):
    """A record that could not become an event. It remains in its topic."""
    topic: str
    partition: int
    offset: int
    reason: str
    """An error code."""
    message: str
    size: int
    """The size of the record value in bytes."""
    at: str


class SourceTest(Model):
    """The result of testing a source. Nothing is stored."""
    source_id: str
    outcome: Literal["success", "failure"] | str
    error: str | None
    """The error message of the brokers, if the test failed."""
    topics: List[TestedTopic]
    record: TestedRecord | None
    """One of the newest records. Null if there is none."""
    duration_ms: int


class _SourceToPromoteRequired(TypedDict):
    sourceId: str


class SourceToPromote(_SourceToPromoteRequired, total=False):
    place: SourcePlace
    """The brokers and topics of the new source. Required if the source is created, and used only then."""


class _SqsDestinationRequired(TypedDict):
    queueUrl: str
    """The URL of the queue, as shown in the SQS console."""


class SqsDestination(_SqsDestinationRequired, total=False):
    """The destination of messages to Amazon SQS."""
    region: str
    """The region. Required only if the URL of the queue does not contain it."""
    endpoint: str
    """The address of a server that is compatible with AWS. Omit it for AWS itself."""


class Stats(Model):
    """Statistics: `series` and `totals`, or `groups` if `group_by` is set."""
    from_: str
    to: str
    step: Literal["minute", "hour", "day"] | str
    catching_up: CatchingUp | None
    series: List[StatsPoint] | None
    totals: StatsTotals | None
    groups: List[StatsGroupsItem] | None


class StatsGroupsItem(Model):
    key: str | None
    """The key of the group: the id of an endpoint, the name of an event type (null for direct ingestion), or a status."""
    totals: StatsGroupsItemTotals


class StatsGroupsItemTotals(Model):
    ingested: int | None
    """The number of accepted events. Null in the statistics of an endpoint, and in groups by endpoint or status."""
    attempts: int | None
    """The number of these attempts. Null if grouped by status."""
    succeeded: int | None
    """The number of these attempts. Null if grouped by status."""
    failed: int | None
    """The number of these attempts. Null if grouped by status."""
    delivered: int
    dead_lettered: int
    duration_ms: StatsGroupsItemTotalsDurationMs
    """Quantiles in milliseconds, with a relative error of at most 5 %. Null if nothing was counted."""
    delay_ms: StatsGroupsItemTotalsDelayMs
    """Quantiles in milliseconds, with a relative error of at most 5 %. Null if nothing was counted."""
    ended: int
    """The number of deliveries that ended as `delivered`, `failed` or `dead_letter`."""


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
    """The start of the step."""
    ingested: int | None
    """The number of accepted events. Null in the statistics of an endpoint, and in groups by endpoint or status."""
    attempts: int
    succeeded: int
    failed: int
    """The number of failed attempts."""
    delivered: int
    dead_lettered: int
    duration_ms: StatsPointDurationMs
    """Quantiles in milliseconds, with a relative error of at most 5 %. Null if nothing was counted."""
    delay_ms: StatsPointDelayMs
    """Quantiles in milliseconds, with a relative error of at most 5 %. Null if nothing was counted."""


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
    """The number of accepted events. Null in the statistics of an endpoint, and in groups by endpoint or status."""
    attempts: int
    succeeded: int
    failed: int
    """The number of failed attempts."""
    delivered: int
    dead_lettered: int
    duration_ms: StatsTotalsDurationMs
    """Quantiles in milliseconds, with a relative error of at most 5 %. Null if nothing was counted."""
    delay_ms: StatsTotalsDelayMs
    """Quantiles in milliseconds, with a relative error of at most 5 %. Null if nothing was counted."""
    ended: int
    """The number of deliveries that ended as `delivered`, `failed` or `dead_letter`."""


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
    """The number of subscriptions that were created."""


class Subscription(Model):
    """A subscription of an endpoint to an event type."""
    id: str
    event_type_id: str
    event_type: str
    event_type_name: str
    """The same value as `eventType`. Use `eventType` instead."""
    filter: Dict[str, Any] | None
    pattern: str | None
    """The pattern of the endpoint that created the subscription. Null if no pattern did."""
    created_at: str


class TestFilterAnswer(Model):
    matches: bool
    clauses: List[TestFilterAnswerClausesItem]


class TestFilterAnswerClausesItem(Model):
    path: str
    operator: Literal["eq", "ne", "in", "gt", "gte", "lt", "lte", "exists", "startsWith", "endsWith", "contains"] | str
    expected: Any
    found: Any
    """The value at the path in the payload. Null if the path is absent."""
    holds: bool


class TestedRecord(Model):
    topic: str
    partition: int
    offset: int
    timestamp: str
    size: int
    """The size of the record value in bytes."""
    event_type: str | None
    """The event type that the record names. Null if it names none."""
    rejection: str | None
    """Why the record could not become an event. Null if it could. Conflicts of idempotency keys are not checked."""


class TestedTopic(Model):
    name: str
    partitions: int
    records: int
    """The number of records in the topic now."""


class TransformationResult(Model):
    """The result of transforming an event."""
    result: Literal["sent", "cancelled", "failed"] | str
    body: str | None
    """The body that would be sent. Null unless `result` is `sent`."""
    content_type: str | None
    headers: Dict[str, str]
    path: str | None
    reason: str | None
    """The reason that the code gave for cancelling the event."""
    logs: List[str]
    """The first 50 lines that the code logged with `console.log`."""
    error: TransformationResultError | None
    duration_ms: float
    """The computing time, in milliseconds."""


class TransformationResultError(Model):
    message: str
    line: int | None
    column: int | None


class _UpdateEventTypeBodySearchKeysItemRequired(TypedDict):
    name: str
    path: str
    """The path of the value in the payload, as in a filter."""


class UpdateEventTypeBodySearchKeysItem(_UpdateEventTypeBodySearchKeysItemRequired, total=False):
    fold: bool
    """Whether text is matched case-insensitively. Defaults to false."""


class UpdatedEventType(Model):
    id: str
    name: str
    description: str | None
    schema: Dict[str, Any] | None
    """A JSON Schema (draft 2020-12). Every reference must point to a place within it."""
    schema_version: int
    """The version of the schema. Each change of the schema increases it."""
    example: Any
    """Any JSON value."""
    payload_retention: Literal["workspace", "until_ended", "none"] | str
    """
    How long payloads are kept. `workspace`: for the retention period of the workspace. `until_ended`: while a
    delivery is open or a dead letter. `none`: until each delivery has had its only attempt.
    """
    search_keys: List[SearchKey] | None
    """The values in payloads by which events can be found."""
    agent_filters: List[str] | None
    """The paths by which agents can filter. Null for the first 30 paths of the schema."""
    created_at: str
    schema_warnings: List[SchemaWarning] | None
    """The keywords of the schema that are published, but not used to check payloads."""
    schema_changes: List[SchemaChange] | None
    example_errors: List[str] | None
    """At most 10 places where the example does not match the schema. Null without a schema or an example."""


class UsagePage(Model):
    """A page of usage, sorted by application and then by time."""
    from_: str
    to: str
    step: Literal["day", "month"] | str
    counted_to: str
    """The time up to which usage has been counted."""
    usage: List[UsageRow]
    next_cursor: str | None


class UsageRow(Model):
    """The usage of an application in a day or month."""
    from_: str
    """The start of the day or month, in UTC."""
    to: str
    """The start of the next day or month."""
    application_id: str | None
    """The application. Null for usage that belongs to no application."""
    external_id: str | None
    name: str | None
    """The current name of the application, or `Erased` after its erasure."""
    events: int
    """The number of events that were accepted for the application."""
    deliveries: int
    """The number of deliveries that were created for its endpoints."""
    attempts: int
    """The number of attempts to its endpoints that ended."""
    bytes: int
    """The total size of the payloads of its events, in bytes."""
    provisional: bool
    """Whether the counts of this day or month can still increase."""


class WorkspaceChange(Model):
    action: Literal["create", "update", "remove", "none"] | str
    kind: Literal["environment", "eventType", "application", "endpoint", "source", "workspace"] | str
    key: str
    """The slug, name or externalId of the resource."""
    environment: str | None
    """The slug of the environment, for an endpoint or a source."""
    fields: List[WorkspaceFieldChange]


class _WorkspaceDocumentRequired(TypedDict):
    version: int


class WorkspaceDocument(_WorkspaceDocumentRequired, total=False):
    """The desired state of a workspace. Anything that the document does not name is left unchanged."""
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
    """
    The value before the change, or null if there was none. A secret is `[redacted]`, a long value `{bytes,
    sha256}`.
    """
    to: Any
    """Any JSON value."""


class WorkspacePlan(Model):
    """The changes that make the workspace match the document."""
    changes: List[WorkspaceChange]
    counts: WorkspacePlanCounts
    applied: bool
    """Whether the changes were applied. False for a dry run."""


class WorkspacePlanCounts(Model):
    create: int
    update: int
    remove: int
    none: int


class WorkspaceWithQuotas(Model):
    """A workspace, with its quotas and the installation's retention."""
    id: str
    name: str
    slug: str
    plan: Plan
    portal_origins: List[str]
    """The origins that may frame the customer portal and call its API."""
    portal_terms: PortalTerms
    require_second_factor: bool
    """Whether members need a second factor to access the workspace."""
    payload_retention_hours: int | None
    """
    How long payloads and the requests and responses of attempts are kept, in hours. Null for the retention of the
    installation.
    """
    retention_hours: int | None
    """How far back lists and statistics go, in hours. Null for the retention of the installation."""
    created_at: str
    updated_at: str
    installation_retention_hours: int
    """
    How long this installation keeps data, in hours. This is the limit for `payloadRetentionHours` and
    `retentionHours`, and applies if they are null.
    """
    quotas: WorkspaceWithQuotasQuotas
    """The events of this UTC day, and the bytes of payloads and attempts that are stored."""


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
