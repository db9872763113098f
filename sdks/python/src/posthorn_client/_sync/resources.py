# Made from _async/resources.py by `npm run sdks:generate`. Change that file, not this one.

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any, Literal, Mapping, Sequence, overload

from .. import models
from .._calls import Call, Change, Paging, anything, json_body, nothing, path
from .._unset import UNSET, Unset
from .ingestion import Ingestion
from .listing import Listing
from .resource import Resource
from .transport import Transport


class MeResource(Resource):
    """Credentials of the management interface."""

    def get(
        self,
        *,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.OwnManagementToken:
        """
        Get your management token

        The workspace to which the token belongs, its scopes and its end, and the environments.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
        `internal_error`, `unavailable`.
        """
        call = Call(
            "GET",
            "/management/v1/me",
            in_workspace=False,
        )
        return self._transport.request(call, models.OwnManagementToken, timeout, retries)


class WorkspaceResource(Resource):
    """The tenant: every other resource belongs to one."""

    def get(
        self,
        *,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.WorkspaceWithQuotas:
        """
        Get the workspace

        The plan is fixed at creation. The quotas tell what the workspace may send on a UTC day and keep, and how much
        of it is used.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
        `internal_error`, `unavailable`.
        """
        call = Call(
            "GET",
            "",
        )
        return self._transport.request(call, models.WorkspaceWithQuotas, timeout, retries)

    def update(
        self,
        *,
        name: str | Unset = UNSET,
        require_second_factor: bool | Unset = UNSET,
        payload_retention_hours: int | None | Unset = UNSET,
        retention_hours: int | None | Unset = UNSET,
        portal_origins: Sequence[str] | Unset = UNSET,
        portal_terms: models.PortalTermsDict | models.PortalTerms | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.WorkspaceWithQuotas:
        """
        Update the workspace

        Its name, and the origins that may frame the customer portal: at most 20 https origins without a path;
        `http://localhost:*` and `http://127.0.0.1:*` while `BASE_URL` is local. `portalTerms` is what the portal calls
        an event. `payloadRetentionHours` and `retentionHours` are at most the retention of the installation. With
        `requireSecondFactor`, members without a second factor can do nothing but set one up; an owner needs one to
        require it. The slug does not change. A token may do this while its creator is an owner, or when posthorn-admin
        or the bootstrap created it.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `second_factor_required`, `token_disabled`,
        `not_found`, `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`, `unavailable`.
        """
        call = Call(
            "PATCH",
            "",
            content=json_body({
                "name": name,
                "requireSecondFactor": require_second_factor,
                "payloadRetentionHours": payload_retention_hours,
                "retentionHours": retention_hours,
                "portalOrigins": portal_origins,
                "portalTerms": portal_terms,
            }),
        )
        return self._transport.request(call, models.WorkspaceWithQuotas, timeout, retries)

    def apply(
        self,
        *,
        document: models.WorkspaceDocument,
        dry_run: bool | Unset = UNSET,
        prune: bool | Unset = UNSET,
        part: bool | Unset = UNSET,
        keep: models.KeptNames | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.WorkspacePlan:
        """
        Apply a document to a workspace

        Creates and changes what the document names, in one transaction, and answers what differed. Nothing is removed
        without `prune`. With `dryRun` it does the same and keeps nothing. A fault anywhere changes nothing: `details`
        names every place.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `plan_required`, `token_disabled`, `not_found`,
        `agents_subscribed`, `default_environment`, `environment_limit_reached`, `event_type_exists`,
        `event_type_in_use`, `external_id_taken`, `idempotency_conflict`, `limit_reached`, `slug_taken`,
        `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`, `unavailable`.

        - `dry_run`: Only tells what would change.
        - `prune`: Also removes what the lists of the document do not name.
        - `part`: With `prune`, for a part of a file: removes only what the named resources have beyond it,
          and no resource.
        - `keep`: With `prune`: other parts of the file name these, so they stay.
        """
        call = Call(
            "POST",
            "/apply",
            content=json_body({
                "document": document,
                "dryRun": dry_run,
                "prune": prune,
                "part": part,
                "keep": keep,
            }),
            idempotency_key=idempotency_key,
        )
        return self._transport.request(call, models.WorkspacePlan, timeout, retries)


class EnvironmentsResource(Resource):
    """They separate API keys, endpoints and the visibility of event types."""

    def list(
        self,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> Listing[models.Environment]:
        """
        List environments

        All environments of the workspace: the default first, then oldest first.

        Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `rate_limited`, `internal_error`, `unavailable`.

        - `limit`: How many items are asked for at a time.
        - `cursor`: Where to begin: `nextCursor` of a page.
        """
        call = Call(
            "GET",
            "/environments",
            query={
                "limit": limit,
                "cursor": cursor,
            },
        )
        return self._transport.list(call, models.Environment, Paging("link"), timeout, retries)

    def create(
        self,
        *,
        name: str,
        slug: str,
        require_application: bool | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.Environment:
        """
        Create an environment

        A workspace has at most 10. A new environment has no published event type.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `environment_limit_reached`, `idempotency_conflict`, `slug_taken`, `payload_too_large`,
        `unsupported_media_type`, `rate_limited`, `internal_error`, `unavailable`.

        - `require_application`: Whether an event of a type must name an application in `X-Application-Id`, or
          `*` for all. False if absent.
        """
        call = Call(
            "POST",
            "/environments",
            content=json_body({
                "name": name,
                "slug": slug,
                "requireApplication": require_application,
            }),
            idempotency_key=idempotency_key,
        )
        return self._transport.request(call, models.Environment, timeout, retries)

    def get(
        self,
        environment_id: str,
        /,
        *,
        include: Literal["events_without_application"] | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.EnvironmentDetail:
        """
        Get an environment

        Exactly one environment of a workspace is the default. `include=events_without_application` adds how many events
        of the last 7 days named an event type and no application.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
        `internal_error`, `unavailable`.
        """
        call = Call(
            "GET",
            path("/environments/{}", environment_id),
            query={
                "include": include,
            },
        )
        return self._transport.request(call, models.EnvironmentDetail, timeout, retries)

    def update(
        self,
        environment_id: str,
        /,
        *,
        name: str | Unset = UNSET,
        slug: str | Unset = UNSET,
        is_default: bool | Unset = UNSET,
        require_application: bool | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.Environment:
        """
        Update an environment

        `isDefault: true` makes this environment the default instead of the current one.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `slug_taken`,
        `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`, `unavailable`.

        - `is_default`: `true` moves the default here; the default cannot be set to `false`.
        - `require_application`: Whether an event of a type must name an application in `X-Application-Id`, or
          `*` for all.
        """
        call = Call(
            "PATCH",
            path("/environments/{}", environment_id),
            content=json_body({
                "name": name,
                "slug": slug,
                "isDefault": is_default,
                "requireApplication": require_application,
            }),
        )
        return self._transport.request(call, models.Environment, timeout, retries)

    def delete(
        self,
        environment_id: str,
        /,
        *,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> None:
        """
        Delete an environment

        Also ends its API keys, endpoints and portal sessions. The default environment cannot be deleted.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `default_environment`, `rate_limited`, `internal_error`, `unavailable`.
        """
        call = Call(
            "DELETE",
            path("/environments/{}", environment_id),
        )
        return self._transport.request(call, nothing, timeout, retries)

    def diff(
        self,
        environment_id: str,
        target_id: str,
        /,
        *,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.EnvironmentDiff:
        """
        Compare two environments

        What would make the target like the environment: its settings, the visibility of event types, and the
        workspace's own endpoints with their subscriptions. `from` is the target's value. Secrets, URLs, activity and
        credentials are never compared.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `limit_reached`,
        `rate_limited`, `internal_error`, `unavailable`.
        """
        call = Call(
            "GET",
            path("/environments/{}/diff/{}", environment_id, target_id),
        )
        return self._transport.request(call, models.EnvironmentDiff, timeout, retries)

    def promote(
        self,
        environment_id: str,
        target_id: str,
        /,
        *,
        settings: bool | Unset = UNSET,
        event_types: models.PromotedEventTypes | Unset = UNSET,
        endpoints: Sequence[models.EndpointToPromote] | Unset = UNSET,
        sources: Sequence[models.SourceToPromote] | Unset = UNSET,
        dry_run: bool | Unset = UNSET,
        prune: bool | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.Promotion:
        """
        Promote an environment to another

        Makes the target like the environment in what the body names, in one transaction. `url` is required for an
        endpoint that is created, and used only then. Nothing is deleted, unsubscribed or unpublished without `prune`.
        With `dryRun` it only tells.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
        `internal_error`, `unavailable`.

        - `settings`: Also makes the settings of the environment the same: `requireApplication`.
        - `event_types`: `all`, or a list of ids.
        """
        call = Call(
            "POST",
            path("/environments/{}/promote/{}", environment_id, target_id),
            content=json_body({
                "settings": settings,
                "eventTypes": event_types,
                "endpoints": endpoints,
                "sources": sources,
                "dryRun": dry_run,
                "prune": prune,
            }),
            idempotency_key=idempotency_key,
        )
        return self._transport.request(call, models.Promotion, timeout, retries)


class AgentsResource(Resource):
    """Subscriptions of agents over the Model Context Protocol, and their keys."""

    def get_settings(
        self,
        environment_id: str,
        /,
        *,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.AgentSettings:
        """
        Get what agents may do

        Whether agents may subscribe to events of this environment, and within which bounds.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
        `internal_error`, `unavailable`.
        """
        call = Call(
            "GET",
            path("/environments/{}/agents", environment_id),
        )
        return self._transport.request(call, models.AgentSettings, timeout, retries)

    def set_settings(
        self,
        environment_id: str,
        /,
        *,
        enabled: bool | Unset = UNSET,
        callback_hosts: Sequence[str] | None | Unset = UNSET,
        max_ttl_seconds: int | Unset = UNSET,
        rate_limit: models.SetAgentSettingsBodyRateLimit | Unset = UNSET,
        issuer: models.SetAgentSettingsBodyIssuer | None | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.AgentSettings:
        """
        Set what agents may do

        An absent field has its default. `enabled: false` ends every subscription of the environment. Subscriptions that
        exist keep their rate limit.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `plan_required`, `token_disabled`, `not_found`,
        `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`, `unavailable`.

        - `callback_hosts`: Absent or null: any public host.
        - `rate_limit`: Absent: 600 requests in 60 seconds.
        """
        call = Call(
            "PUT",
            path("/environments/{}/agents", environment_id),
            content=json_body({
                "enabled": enabled,
                "callbackHosts": callback_hosts,
                "maxTtlSeconds": max_ttl_seconds,
                "rateLimit": rate_limit,
                "issuer": issuer,
            }),
        )
        return self._transport.request(call, models.AgentSettings, timeout, retries)

    def check_issuer(
        self,
        environment_id: str,
        /,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.CheckedAgentIssuer:
        """
        Check the issuer of access tokens

        Reads its description and its keys now, as the check of a token does.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `idempotency_conflict`, `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`,
        `unavailable`.
        """
        call = Call(
            "POST",
            path("/environments/{}/agents/check-issuer", environment_id),
            idempotency_key=idempotency_key,
        )
        return self._transport.request(call, models.CheckedAgentIssuer, timeout, retries)

    def list_keys(
        self,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
        environment_id: str | Unset = UNSET,
        application_id: str | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> Listing[models.AgentKey]:
        """
        List agent keys

        Oldest first. The keys themselves are not shown.

        Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `rate_limited`, `internal_error`, `unavailable`.

        - `limit`: How many items are asked for at a time.
        - `cursor`: Where to begin: `nextCursor` of a page.
        """
        call = Call(
            "GET",
            "/agent-keys",
            query={
                "limit": limit,
                "cursor": cursor,
                "environment_id": environment_id,
                "application_id": application_id,
            },
        )
        return self._transport.list(call, models.AgentKey, Paging("cursor", "agentKeys"), timeout, retries)

    def create_key(
        self,
        *,
        name: str,
        environment_id: str | Unset = UNSET,
        application_id: str | Unset = UNSET,
        expires_at: str | datetime | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.CreatedAgentKey:
        """
        Create an agent key

        With it, an agent subscribes to events of the environment over the Model Context Protocol. An application has at
        most 20 keys, and the workspace has 100 of its own. The key is shown only in this answer.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `plan_required`, `token_disabled`, `not_found`,
        `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
        `internal_error`, `unavailable`.

        - `environment_id`: Absent: the default environment.
        - `application_id`: The agent gets the events of this application, and sees the types that its portal
          shows.
        - `expires_at`: At most 365 days ahead, which is also the default.
        """
        call = Call(
            "POST",
            "/agent-keys",
            content=json_body({
                "name": name,
                "environmentId": environment_id,
                "applicationId": application_id,
                "expiresAt": expires_at,
            }),
            idempotency_key=idempotency_key,
            shown_once="key",
        )
        return self._transport.request(call, models.CreatedAgentKey, timeout, retries)

    def delete_key(
        self,
        key_id: str,
        /,
        *,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> None:
        """
        Delete an agent key

        Also ends every subscription that was made with it.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
        `internal_error`, `unavailable`.
        """
        call = Call(
            "DELETE",
            path("/agent-keys/{}", key_id),
        )
        return self._transport.request(call, nothing, timeout, retries)

    def list_subscriptions(
        self,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
        environment_id: str | Unset = UNSET,
        application_id: str | Unset = UNSET,
        event_type: str | Unset = UNSET,
        status: Literal["active", "suspended", "ended"] | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> Listing[models.AgentSubscription]:
        """
        List the subscriptions of agents

        Newest first, those that have ended in the last 7 days included.

        Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `rate_limited`, `internal_error`, `unavailable`.

        - `limit`: How many items are asked for at a time.
        - `cursor`: Where to begin: `nextCursor` of a page.
        - `status`: `ended`: only those that have ended in the last 7 days.
        """
        call = Call(
            "GET",
            "/agent-subscriptions",
            query={
                "limit": limit,
                "cursor": cursor,
                "environment_id": environment_id,
                "application_id": application_id,
                "event_type": event_type,
                "status": status,
            },
        )
        return self._transport.list(call, models.AgentSubscription, Paging("cursor", "agentSubscriptions"), timeout, retries)

    def get_subscription(
        self,
        subscription_id: str,
        /,
        *,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.AgentSubscription:
        """
        Get a subscription of an agent

        The live one with this id, or else the one that ended last.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
        `internal_error`, `unavailable`.
        """
        call = Call(
            "GET",
            path("/agent-subscriptions/{}", subscription_id),
        )
        return self._transport.request(call, models.AgentSubscription, timeout, retries)

    def end_subscription(
        self,
        subscription_id: str,
        /,
        *,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> None:
        """
        End a subscription of an agent

        No attempt begins after the answer. The agent may subscribe again; delete its key to prevent that.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
        `internal_error`, `unavailable`.
        """
        call = Call(
            "DELETE",
            path("/agent-subscriptions/{}", subscription_id),
        )
        return self._transport.request(call, nothing, timeout, retries)


class ApiKeysResource(Resource):
    """Producers' credentials; each is bound to one environment."""

    def list(
        self,
        environment_id: str,
        /,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> Listing[models.ApiKey]:
        """
        List an environment's API keys

        Oldest first; a revoked key is listed until 7 days after its end. The keys themselves are not shown.

        Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `rate_limited`, `internal_error`, `unavailable`.

        - `limit`: How many items are asked for at a time.
        - `cursor`: Where to begin: `nextCursor` of a page.
        """
        call = Call(
            "GET",
            path("/environments/{}/api-keys", environment_id),
            query={
                "limit": limit,
                "cursor": cursor,
            },
        )
        return self._transport.list(call, models.ApiKey, Paging("link"), timeout, retries)

    def create(
        self,
        environment_id: str,
        /,
        *,
        name: str,
        expires_at: str | datetime | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.CreatedApiKey:
        """
        Create an API key

        An environment has at most 20 active keys. The key is shown only in this answer.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
        `internal_error`, `unavailable`.
        """
        call = Call(
            "POST",
            path("/environments/{}/api-keys", environment_id),
            content=json_body({
                "name": name,
                "expiresAt": expires_at,
            }),
            idempotency_key=idempotency_key,
            shown_once="key",
        )
        return self._transport.request(call, models.CreatedApiKey, timeout, retries)

    def rotate(
        self,
        environment_id: str,
        id: str,
        /,
        *,
        grace_period_seconds: int | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.CreatedApiKey:
        """
        Rotate an API key

        Returns a new key; the old one works until its grace period ends. Also allowed at the limit of keys.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
        `internal_error`, `unavailable`.
        """
        call = Call(
            "POST",
            path("/environments/{}/api-keys/{}/rotate", environment_id, id),
            content=json_body({
                "gracePeriodSeconds": grace_period_seconds,
            }),
            idempotency_key=idempotency_key,
            shown_once="key",
        )
        return self._transport.request(call, models.CreatedApiKey, timeout, retries)

    def delete(
        self,
        environment_id: str,
        id: str,
        /,
        *,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> None:
        """
        Delete an API key

        The key is refused within a second, and is no longer listed.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
        `internal_error`, `unavailable`.
        """
        call = Call(
            "DELETE",
            path("/environments/{}/api-keys/{}", environment_id, id),
        )
        return self._transport.request(call, nothing, timeout, retries)


class EventTypesResource(Resource):
    """The categories of events, their schemas, and in which environments each is published and checked."""

    def list(
        self,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> Listing[models.EventType]:
        """
        List event types

        All event types of the workspace, oldest first.

        Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `rate_limited`, `internal_error`, `unavailable`.

        - `limit`: How many items are asked for at a time.
        - `cursor`: Where to begin: `nextCursor` of a page.
        """
        call = Call(
            "GET",
            "/event-types",
            query={
                "limit": limit,
                "cursor": cursor,
            },
        )
        return self._transport.list(call, models.EventType, Paging("link"), timeout, retries)

    def create(
        self,
        *,
        name: str,
        description: str | None | Unset = UNSET,
        publish_in: Sequence[str] | Unset = UNSET,
        schema: Mapping[str, Any] | None | Unset = UNSET,
        example: Any | Unset = UNSET,
        payload_retention: Literal["workspace", "until_ended", "none"] | Unset = UNSET,
        search_keys: Sequence[models.CreateEventTypeBodySearchKeysItem] | None | Unset = UNSET,
        agent_filters: Sequence[str] | None | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.CreatedEventType:
        """
        Create an event type

        Names are dot-notation in lower case and cannot be changed. A new type is published only in the environments of
        `publishIn`.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `event_type_exists`, `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`,
        `rate_limited`, `internal_error`, `unavailable`.

        - `schema`: A JSON Schema of draft 2020-12. Every reference must lead to a place in it.
        - `example`: Any JSON value.
        - `payload_retention`: How long payloads are kept: `workspace` for the retention of the workspace,
          `until_ended` while a delivery is open or a dead letter, `none` until each delivery has had its one
          attempt.
        """
        call = Call(
            "POST",
            "/event-types",
            content=json_body({
                "name": name,
                "description": description,
                "publishIn": publish_in,
                "schema": schema,
                "example": example,
                "payloadRetention": payload_retention,
                "searchKeys": search_keys,
                "agentFilters": agent_filters,
            }),
            idempotency_key=idempotency_key,
        )
        return self._transport.request(call, models.CreatedEventType, timeout, retries)

    def get(
        self,
        id: str,
        /,
        *,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.EventType:
        """
        Get an event type

        Event types belong to the whole workspace.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
        `internal_error`, `unavailable`.
        """
        call = Call(
            "GET",
            path("/event-types/{}", id),
        )
        return self._transport.request(call, models.EventType, timeout, retries)

    def update(
        self,
        id: str,
        /,
        *,
        description: str | None | Unset = UNSET,
        schema: Mapping[str, Any] | None | Unset = UNSET,
        example: Any | Unset = UNSET,
        payload_retention: Literal["workspace", "until_ended", "none"] | Unset = UNSET,
        search_keys: Sequence[models.UpdateEventTypeBodySearchKeysItem] | None | Unset = UNSET,
        agent_filters: Sequence[str] | None | Unset = UNSET,
        end_agents: bool | Unset = UNSET,
        dry_run: bool | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.UpdatedEventType:
        """
        Update an event type

        Its name cannot be changed. With a schema, the answer tells how it differs for receivers. With `dryRun=true`
        nothing changes, and the right to read suffices.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `agents_subscribed`, `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`,
        `unavailable`.

        - `schema`: A JSON Schema of draft 2020-12. Every reference must lead to a place in it.
        - `example`: Any JSON value.
        - `payload_retention`: How long payloads are kept: `workspace` for the retention of the workspace,
          `until_ended` while a delivery is open or a dead letter, `none` until each delivery has had its one
          attempt.
        - `end_agents`: `true` ends the subscriptions of agents that the change breaks.
        - `dry_run`: `true` only tells what would change.
        """
        call = Call(
            "PATCH",
            path("/event-types/{}", id),
            query={
                "endAgents": end_agents,
                "dryRun": dry_run,
            },
            content=json_body({
                "description": description,
                "schema": schema,
                "example": example,
                "payloadRetention": payload_retention,
                "searchKeys": search_keys,
                "agentFilters": agent_filters,
            }),
        )
        return self._transport.request(call, models.UpdatedEventType, timeout, retries)

    def delete(
        self,
        id: str,
        /,
        *,
        end_agents: bool | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> None:
        """
        Delete an event type

        Refused while any endpoint subscribes to it, active or not.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `agents_subscribed`, `event_type_in_use`, `rate_limited`, `internal_error`, `unavailable`.

        - `end_agents`: `true` ends the subscriptions of agents that the change breaks.
        """
        call = Call(
            "DELETE",
            path("/event-types/{}", id),
            query={
                "endAgents": end_agents,
            },
        )
        return self._transport.request(call, nothing, timeout, retries)

    def list_visibility(
        self,
        environment_id: str,
        /,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
        include: Literal["endpoints"] | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> Listing[models.EventTypeVisibilityRead]:
        """
        List the visibility of event types in an environment

        Every event type of the workspace, whether it is published in this environment, and how its payloads are
        checked. `include=endpoints` adds how many endpoints subscribe to it.

        Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `rate_limited`, `internal_error`, `unavailable`.

        - `limit`: How many items are asked for at a time.
        - `cursor`: Where to begin: `nextCursor` of a page.
        """
        call = Call(
            "GET",
            path("/environments/{}/event-types", environment_id),
            query={
                "limit": limit,
                "cursor": cursor,
                "include": include,
            },
        )
        return self._transport.list(call, models.EventTypeVisibilityRead, Paging("link"), timeout, retries)

    def set_visibility(
        self,
        environment_id: str,
        event_type_id: str,
        /,
        *,
        published: bool,
        schema_mode: Literal["off", "warn", "reject"] | Unset = UNSET,
        applications: Sequence[str] | None | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.EventTypeVisibility:
        """
        Publish or unpublish an event type in an environment

        Takes effect within a second. Idempotent. `schemaMode` checks the payloads of ingestion by the schema of the
        type, whether it is published or not.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`, `unavailable`.

        - `schema_mode`: Stays as it is when it is absent.
        - `applications`: The applications whose portals show the type, and may subscribe to it. Null: all.
          Stays as it is when it is absent.
        """
        call = Call(
            "PUT",
            path("/environments/{}/event-types/{}/visibility", environment_id, event_type_id),
            content=json_body({
                "published": published,
                "schemaMode": schema_mode,
                "applications": applications,
            }),
        )
        return self._transport.request(call, models.EventTypeVisibility, timeout, retries)

    @overload
    def index_events(
        self,
        *,
        dry_run: Literal[True],
        event_type: str,
        from_: str | datetime | Unset = UNSET,
        to: str | datetime | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.DryRun: ...

    @overload
    def index_events(
        self,
        *,
        event_type: str,
        from_: str | datetime | Unset = UNSET,
        to: str | datetime | Unset = UNSET,
        dry_run: Literal[False] | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.Operation: ...

    @overload
    def index_events(
        self,
        *,
        event_type: str,
        from_: str | datetime | Unset = UNSET,
        to: str | datetime | Unset = UNSET,
        dry_run: bool | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.Operation | models.DryRun: ...

    def index_events(
        self,
        *,
        event_type: str,
        from_: str | datetime | Unset = UNSET,
        to: str | datetime | Unset = UNSET,
        dry_run: bool | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.Operation | models.DryRun:
        """
        Index older events

        Starts an operation that reads the payloads of older events of the type, so that they are found by the search
        keys that it has now. Repeating it changes nothing. With `dryRun` it only counts the events.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
        `internal_error`, `unavailable`.
        """
        call = Call(
            "POST",
            "/search-index",
            content=json_body({
                "eventType": event_type,
                "from": from_,
                "to": to,
                "dryRun": dry_run,
            }),
            idempotency_key=idempotency_key,
        )
        return self._transport.request(call, models.DryRun if dry_run is True else models.Operation, timeout, retries)

    def rotate_search_key(
        self,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.SearchKeyRotation:
        """
        Rotate the search key of the workspace

        Events that are accepted from now on are stored with tokens of a new key. Searches look with both keys until the
        last event under the former one has left the retention, and until then there is no further rotation. A token may
        do this while its creator is an owner, or when posthorn-admin or the bootstrap created it.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
        `internal_error`, `unavailable`.
        """
        call = Call(
            "POST",
            "/search-key/rotate",
            idempotency_key=idempotency_key,
        )
        return self._transport.request(call, models.SearchKeyRotation, timeout, retries)

    def precheck(
        self,
        id: str,
        /,
        *,
        environment_id: str | Unset = UNSET,
        application_id: str | Unset = UNSET,
        payload: Any | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.Precheck:
        """
        Precheck an event type

        Which endpoints would get an event of this type now, and why the others would not. Nothing is stored or sent. At
        most 5,000 endpoints are shown, active subscribers first.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`, `unavailable`.

        - `payload`: Any JSON value.
        """
        call = Call(
            "POST",
            path("/event-types/{}/precheck", id),
            content=json_body({
                "environmentId": environment_id,
                "applicationId": application_id,
                "payload": payload,
            }),
        )
        return self._transport.request(call, models.Precheck, timeout, retries)

    def list_operational_events(
        self,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> Listing[models.OperationalEvent]:
        """
        List the operational events

        What Posthorn can tell about deliveries, as events. To get one, create an event type of that name, publish it,
        and subscribe an endpoint of the workspace to it.

        Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `rate_limited`, `internal_error`, `unavailable`.

        - `limit`: How many items are asked for at a time.
        - `cursor`: Where to begin: `nextCursor` of a page.
        """
        call = Call(
            "GET",
            "/operational-events",
            query={
                "limit": limit,
                "cursor": cursor,
            },
        )
        return self._transport.list(call, models.OperationalEvent, Paging("link"), timeout, retries)


class CatalogResource(Resource):
    """What receivers may get: the published event types with schema and example."""

    def list(
        self,
        environment_id: str,
        /,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> Listing[models.EventType]:
        """
        List the catalogue of an environment

        The event types that are published in the environment, with schema and example, oldest first.

        Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `rate_limited`, `internal_error`, `unavailable`.

        - `limit`: How many items are asked for at a time.
        - `cursor`: Where to begin: `nextCursor` of a page.
        """
        call = Call(
            "GET",
            path("/environments/{}/catalog", environment_id),
            query={
                "limit": limit,
                "cursor": cursor,
            },
        )
        return self._transport.list(call, models.EventType, Paging("link"), timeout, retries)

    def get_event_type(
        self,
        environment_id: str,
        event_type_id: str,
        /,
        *,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.EventType:
        """
        Get an event type of a catalogue

        A type that is not published in the environment is missing.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
        `internal_error`, `unavailable`.
        """
        call = Call(
            "GET",
            path("/environments/{}/catalog/{}", environment_id, event_type_id),
        )
        return self._transport.request(call, models.EventType, timeout, retries)

    def get_document(
        self,
        environment_id: str,
        /,
        *,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.CatalogDocument:
        """
        Get the catalogue of an environment as an OpenAPI document

        OpenAPI 3.1, with a webhook for each published event type: its schema, its example, the headers and the
        signature. For the engineers who receive them.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `limit_reached`,
        `rate_limited`, `internal_error`, `unavailable`.
        """
        call = Call(
            "GET",
            path("/environments/{}/catalog/openapi.json", environment_id),
        )
        return self._transport.request(call, anything, timeout, retries)


class ApplicationsResource(Resource):
    """End customers, each with its own endpoints."""

    def list(
        self,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
        external_id: str | Unset = UNSET,
        search: str | Unset = UNSET,
        include: Literal["health"] | Unset = UNSET,
        environment_id: str | Unset = UNSET,
        sort: Literal["trouble"] | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> Listing[models.ApplicationRead]:
        """
        List applications

        Newest first, or with `sort=trouble` those with the most failing endpoints first. `include=health` adds how the
        endpoints of each are.

        Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `plan_required`,
        `token_disabled`, `not_found`, `rate_limited`, `internal_error`, `unavailable`.

        - `limit`: How many items are asked for at a time.
        - `cursor`: Where to begin: `nextCursor` of a page.
        - `search`: A text in the name or the externalId, case-insensitive.
        - `environment_id`: With `include` or `sort`: only the endpoints and events of this environment count.
        - `sort`: Applications with the most failing endpoints first, then with the most degraded ones. Where
          an application gets better or worse between two pages, it may come twice or not at all. Newest first
          by default.
        """
        call = Call(
            "GET",
            "/applications",
            query={
                "limit": limit,
                "cursor": cursor,
                "external_id": external_id,
                "search": search,
                "include": include,
                "environment_id": environment_id,
                "sort": sort,
            },
        )
        return self._transport.list(call, models.ApplicationRead, Paging("cursor", "applications"), timeout, retries)

    def create(
        self,
        *,
        name: str,
        external_id: str | Unset = UNSET,
        metadata: Mapping[str, str] | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.Application:
        """
        Create an application

        An `externalId` is unique in the workspace; `ext:<externalId>` is accepted wherever an application’s id is.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `plan_required`, `token_disabled`, `not_found`,
        `external_id_taken`, `idempotency_conflict`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
        `internal_error`, `unavailable`.
        """
        call = Call(
            "POST",
            "/applications",
            content=json_body({
                "name": name,
                "externalId": external_id,
                "metadata": metadata,
            }),
            idempotency_key=idempotency_key,
        )
        return self._transport.request(call, models.Application, timeout, retries)

    def get(
        self,
        application_id: str,
        /,
        *,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.Application:
        """
        Get an application

        By its id, or by `ext:` and its externalId.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `plan_required`, `token_disabled`, `not_found`,
        `rate_limited`, `internal_error`, `unavailable`.
        """
        call = Call(
            "GET",
            path("/applications/{}", application_id),
        )
        return self._transport.request(call, models.Application, timeout, retries)

    def upsert(
        self,
        application_id: str,
        /,
        *,
        name: str,
        external_id: str | Unset = UNSET,
        metadata: Mapping[str, str] | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.Application:
        """
        Create or replace an application

        By `ext:` and an externalId. An optional field that is absent gets its default. The answer is 201 where the
        application is new.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `plan_required`, `token_disabled`, `not_found`,
        `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`, `unavailable`.
        """
        call = Call(
            "PUT",
            path("/applications/{}", application_id),
            content=json_body({
                "name": name,
                "externalId": external_id,
                "metadata": metadata,
            }),
        )
        return self._transport.request(call, models.Application, timeout, retries)

    def update(
        self,
        application_id: str,
        /,
        *,
        name: str | Unset = UNSET,
        external_id: str | None | Unset = UNSET,
        metadata: Mapping[str, str] | None | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.Application:
        """
        Update an application

        `metadata` is replaced completely.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `plan_required`, `token_disabled`, `not_found`,
        `external_id_taken`, `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`,
        `unavailable`.
        """
        call = Call(
            "PATCH",
            path("/applications/{}", application_id),
            content=json_body({
                "name": name,
                "externalId": external_id,
                "metadata": metadata,
            }),
        )
        return self._transport.request(call, models.Application, timeout, retries)

    def delete(
        self,
        application_id: str,
        /,
        *,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> None:
        """
        Delete an application

        Also ends its endpoints and portal sessions.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `plan_required`, `token_disabled`, `not_found`,
        `rate_limited`, `internal_error`, `unavailable`.
        """
        call = Call(
            "DELETE",
            path("/applications/{}", application_id),
        )
        return self._transport.request(call, nothing, timeout, retries)

    def list_endpoints(
        self,
        application_id: str,
        /,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
        environment_id: str | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> Listing[models.Endpoint]:
        """
        List an application's endpoints

        Oldest first. With `limit` or `cursor` only one page; the `Link` header leads to the next.

        Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `plan_required`,
        `token_disabled`, `not_found`, `rate_limited`, `internal_error`, `unavailable`.

        - `limit`: How many items are asked for at a time.
        - `cursor`: Where to begin: `nextCursor` of a page.
        """
        call = Call(
            "GET",
            path("/applications/{}/endpoints", application_id),
            query={
                "limit": limit,
                "cursor": cursor,
                "environment_id": environment_id,
            },
        )
        return self._transport.list(call, models.Endpoint, Paging("link"), timeout, retries)

    def create_endpoint(
        self,
        application_id: str,
        /,
        *,
        url: str | Unset = UNSET,
        description: str | Unset = UNSET,
        auth_username: str | Unset = UNSET,
        auth_password: str | Unset = UNSET,
        type: Literal["webhook", "playground", "pull", "rabbitmq", "kafka", "nats", "sqs", "sns", "kinesis", "eventbridge", "s3", "pubsub"] | Unset = UNSET,
        config: models.EndpointConfigDict | models.EndpointConfig | Unset = UNSET,
        secret_headers: Mapping[str, str | None] | Unset = UNSET,
        credentials: Mapping[str, str | None] | Unset = UNSET,
        metadata: Mapping[str, models.MetadataValue] | Unset = UNSET,
        environment_id: str | Unset = UNSET,
        external_id: str | Unset = UNSET,
        secret: str | Unset = UNSET,
        is_active: bool | Unset = UNSET,
        event_types: Sequence[models.ChosenEventType] | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.CreatedEndpoint:
        """
        Create an endpoint of an application

        In the default environment unless another is named. An application has at most 500 endpoints.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `plan_required`, `token_disabled`, `not_found`,
        `external_id_taken`, `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`,
        `rate_limited`, `internal_error`, `unavailable`.

        - `url`: Required where the type takes one. To others, the service gives a URL.
        - `event_types`: The event types to which it subscribes, by name or by pattern.
        """
        call = Call(
            "POST",
            path("/applications/{}/endpoints", application_id),
            content=json_body({
                "url": url,
                "description": description,
                "authUsername": auth_username,
                "authPassword": auth_password,
                "type": type,
                "config": config,
                "secretHeaders": secret_headers,
                "credentials": credentials,
                "metadata": metadata,
                "environmentId": environment_id,
                "externalId": external_id,
                "secret": secret,
                "isActive": is_active,
                "eventTypes": event_types,
            }),
            idempotency_key=idempotency_key,
            shown_once="pullKey",
        )
        return self._transport.request(call, models.CreatedEndpoint, timeout, retries)

    def upsert_endpoint(
        self,
        application_id: str,
        endpoint_id: str,
        /,
        *,
        url: str | Unset = UNSET,
        description: str | Unset = UNSET,
        auth_username: str | Unset = UNSET,
        auth_password: str | Unset = UNSET,
        type: Literal["webhook", "playground", "pull", "rabbitmq", "kafka", "nats", "sqs", "sns", "kinesis", "eventbridge", "s3", "pubsub"] | Unset = UNSET,
        config: models.EndpointConfigDict | models.EndpointConfig | Unset = UNSET,
        secret_headers: Mapping[str, str | None] | Unset = UNSET,
        credentials: Mapping[str, str | None] | Unset = UNSET,
        metadata: Mapping[str, models.MetadataValue] | Unset = UNSET,
        environment_id: str | Unset = UNSET,
        external_id: str | Unset = UNSET,
        secret: str | Unset = UNSET,
        is_active: bool | Unset = UNSET,
        event_types: Sequence[models.ChosenEventType] | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.CreatedEndpoint:
        """
        Create or replace an endpoint of an application

        By `ext:` and an externalId, in the default environment unless the body names another. An optional field that is
        absent gets its default; the id, the secret, `isActive`, the health and the owner stay. The answer is 201 where
        the endpoint is new.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `plan_required`, `token_disabled`, `not_found`,
        `external_id_taken`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
        `internal_error`, `unavailable`.

        - `url`: Required where the type takes one. To others, the service gives a URL.
        - `event_types`: The event types to which it subscribes, by name or by pattern.
        """
        call = Call(
            "PUT",
            path("/applications/{}/endpoints/{}", application_id, endpoint_id),
            content=json_body({
                "url": url,
                "description": description,
                "authUsername": auth_username,
                "authPassword": auth_password,
                "type": type,
                "config": config,
                "secretHeaders": secret_headers,
                "credentials": credentials,
                "metadata": metadata,
                "environmentId": environment_id,
                "externalId": external_id,
                "secret": secret,
                "isActive": is_active,
                "eventTypes": event_types,
            }),
        )
        return self._transport.request(call, models.CreatedEndpoint, timeout, retries)


class EndpointsResource(Resource):
    """The addresses that get signed deliveries."""

    def list_types(
        self,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> Listing[models.EndpointType]:
        """
        List the types of endpoints

        The values that `type` of a new endpoint may have. For each: what to set up, what its `config` and credentials
        look like, and what `delivered` means. Draw forms from this list.

        Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `rate_limited`, `internal_error`, `unavailable`.

        - `limit`: How many items are asked for at a time.
        - `cursor`: Where to begin: `nextCursor` of a page.
        """
        call = Call(
            "GET",
            "/endpoint-types",
            query={
                "limit": limit,
                "cursor": cursor,
            },
        )
        return self._transport.list(call, models.EndpointType, Paging("link"), timeout, retries)

    def list(
        self,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
        environment_id: str | Unset = UNSET,
        application_id: str | Unset = UNSET,
        is_active: bool | Unset = UNSET,
        event_type_id: str | Unset = UNSET,
        external_id: str | Unset = UNSET,
        include: Literal["stats"] | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> Listing[models.EndpointRead]:
        """
        List endpoints

        Every endpoint of the workspace, application-owned included, oldest first. With `limit` or `cursor` only one
        page; the `Link` header leads to the next. `include=stats` adds the attempts of the last 24 hours.

        Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `rate_limited`, `internal_error`, `unavailable`.

        - `limit`: How many items are asked for at a time.
        - `cursor`: Where to begin: `nextCursor` of a page.
        """
        call = Call(
            "GET",
            "/endpoints",
            query={
                "limit": limit,
                "cursor": cursor,
                "environment_id": environment_id,
                "application_id": application_id,
                "is_active": is_active,
                "event_type_id": event_type_id,
                "external_id": external_id,
                "include": include,
            },
        )
        return self._transport.list(call, models.EndpointRead, Paging("link"), timeout, retries)

    def create(
        self,
        *,
        url: str | Unset = UNSET,
        description: str | Unset = UNSET,
        auth_username: str | Unset = UNSET,
        auth_password: str | Unset = UNSET,
        type: Literal["webhook", "playground", "pull", "rabbitmq", "kafka", "nats", "sqs", "sns", "kinesis", "eventbridge", "s3", "pubsub"] | Unset = UNSET,
        config: models.EndpointConfigDict | models.EndpointConfig | Unset = UNSET,
        secret_headers: Mapping[str, str | None] | Unset = UNSET,
        credentials: Mapping[str, str | None] | Unset = UNSET,
        metadata: Mapping[str, models.MetadataValue] | Unset = UNSET,
        environment_id: str | Unset = UNSET,
        external_id: str | Unset = UNSET,
        secret: str | Unset = UNSET,
        is_active: bool | Unset = UNSET,
        event_types: Sequence[models.ChosenEventType] | Unset = UNSET,
        application_id: str | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.CreatedEndpoint:
        """
        Create an endpoint

        In the default environment unless another is named. A signing secret is generated unless one is given.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `external_id_taken`, `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`,
        `rate_limited`, `internal_error`, `unavailable`.

        - `url`: Required where the type takes one. To others, the service gives a URL.
        - `event_types`: The event types to which it subscribes, by name or by pattern.
        - `application_id`: The application that owns it; none if absent.
        """
        call = Call(
            "POST",
            "/endpoints",
            content=json_body({
                "url": url,
                "description": description,
                "authUsername": auth_username,
                "authPassword": auth_password,
                "type": type,
                "config": config,
                "secretHeaders": secret_headers,
                "credentials": credentials,
                "metadata": metadata,
                "environmentId": environment_id,
                "externalId": external_id,
                "secret": secret,
                "isActive": is_active,
                "eventTypes": event_types,
                "applicationId": application_id,
            }),
            idempotency_key=idempotency_key,
            shown_once="pullKey",
        )
        return self._transport.request(call, models.CreatedEndpoint, timeout, retries)

    def get(
        self,
        id: str,
        /,
        *,
        include: Literal["stats"] | Unset = UNSET,
        environment_id: str | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.EndpointRead:
        """
        Get an endpoint

        The password is never returned. `include=stats` adds the attempts of the last 24 hours.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
        `internal_error`, `unavailable`.
        """
        call = Call(
            "GET",
            path("/endpoints/{}", id),
            query={
                "include": include,
                "environment_id": environment_id,
            },
        )
        return self._transport.request(call, models.EndpointRead, timeout, retries)

    def update(
        self,
        id: str,
        /,
        *,
        url: str | Unset = UNSET,
        description: str | Unset = UNSET,
        is_active: bool | Unset = UNSET,
        auth_username: str | None | Unset = UNSET,
        auth_password: str | None | Unset = UNSET,
        config: models.EndpointConfigDict | models.EndpointConfig | Unset = UNSET,
        secret_headers: Mapping[str, str | None] | Unset = UNSET,
        credentials: Mapping[str, str | None] | Unset = UNSET,
        metadata: Mapping[str, models.MetadataValue] | None | Unset = UNSET,
        external_id: str | None | Unset = UNSET,
        event_type_patterns: Sequence[models.ChosenEventTypePattern] | Unset = UNSET,
        environment_id: str | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.Endpoint:
        """
        Update an endpoint

        Applies to every attempt that starts after the answer. `config` is replaced completely. A `url` of another
        origin clears the credentials unless the body gives them again.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `external_id_taken`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
        `internal_error`, `unavailable`.

        - `event_type_patterns`: Replaces its patterns; every event type that fits one gets a subscription.
        """
        call = Call(
            "PATCH",
            path("/endpoints/{}", id),
            query={
                "environment_id": environment_id,
            },
            content=json_body({
                "url": url,
                "description": description,
                "isActive": is_active,
                "authUsername": auth_username,
                "authPassword": auth_password,
                "config": config,
                "secretHeaders": secret_headers,
                "credentials": credentials,
                "metadata": metadata,
                "externalId": external_id,
                "eventTypePatterns": event_type_patterns,
            }),
        )
        return self._transport.request(call, models.Endpoint, timeout, retries)

    def upsert(
        self,
        id: str,
        /,
        *,
        url: str | Unset = UNSET,
        description: str | Unset = UNSET,
        auth_username: str | Unset = UNSET,
        auth_password: str | Unset = UNSET,
        type: Literal["webhook", "playground", "pull", "rabbitmq", "kafka", "nats", "sqs", "sns", "kinesis", "eventbridge", "s3", "pubsub"] | Unset = UNSET,
        config: models.EndpointConfigDict | models.EndpointConfig | Unset = UNSET,
        secret_headers: Mapping[str, str | None] | Unset = UNSET,
        credentials: Mapping[str, str | None] | Unset = UNSET,
        metadata: Mapping[str, models.MetadataValue] | Unset = UNSET,
        environment_id: str | Unset = UNSET,
        external_id: str | Unset = UNSET,
        secret: str | Unset = UNSET,
        is_active: bool | Unset = UNSET,
        event_types: Sequence[models.ChosenEventType] | Unset = UNSET,
        application_id: str | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.CreatedEndpoint:
        """
        Create or replace an endpoint

        By `ext:` and an externalId, in the default environment unless the body names another. An optional field that is
        absent gets its default; the id, the secret, `isActive`, the health and the owner stay. The answer is 201 where
        the endpoint is new.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `external_id_taken`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
        `internal_error`, `unavailable`.

        - `url`: Required where the type takes one. To others, the service gives a URL.
        - `event_types`: The event types to which it subscribes, by name or by pattern.
        - `application_id`: The application that owns it; none if absent.
        """
        call = Call(
            "PUT",
            path("/endpoints/{}", id),
            content=json_body({
                "url": url,
                "description": description,
                "authUsername": auth_username,
                "authPassword": auth_password,
                "type": type,
                "config": config,
                "secretHeaders": secret_headers,
                "credentials": credentials,
                "metadata": metadata,
                "environmentId": environment_id,
                "externalId": external_id,
                "secret": secret,
                "isActive": is_active,
                "eventTypes": event_types,
                "applicationId": application_id,
            }),
        )
        return self._transport.request(call, models.CreatedEndpoint, timeout, retries)

    def delete(
        self,
        id: str,
        /,
        *,
        environment_id: str | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> None:
        """
        Delete an endpoint

        Also deletes its subscriptions and permanently stops deliveries to it. Its past deliveries stay readable.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
        `internal_error`, `unavailable`.
        """
        call = Call(
            "DELETE",
            path("/endpoints/{}", id),
            query={
                "environment_id": environment_id,
            },
        )
        return self._transport.request(call, nothing, timeout, retries)

    def rotate_secret(
        self,
        id: str,
        /,
        *,
        grace_period_seconds: int | Unset = UNSET,
        secret: str | Unset = UNSET,
        environment_id: str | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.Endpoint:
        """
        Rotate an endpoint's signing secret

        The old secret also signs until its grace period ends; at most 3 are valid at a time.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
        `internal_error`, `unavailable`.
        """
        call = Call(
            "POST",
            path("/endpoints/{}/secret/rotate", id),
            query={
                "environment_id": environment_id,
            },
            content=json_body({
                "gracePeriodSeconds": grace_period_seconds,
                "secret": secret,
            }),
            idempotency_key=idempotency_key,
            shown_once="secret",
        )
        return self._transport.request(call, models.Endpoint, timeout, retries)

    def test(
        self,
        id: str,
        /,
        *,
        event_type_id: str | Unset = UNSET,
        payload: Any | Unset = UNSET,
        environment_id: str | Unset = UNSET,
        timeout: float | None = None,
    ) -> models.Attempt:
        """
        Send a test

        Sends one signed request now and answers its attempt, also for an inactive endpoint. The body is `payload` as it
        is written here, else the example of the event type, else a payload of the service. It counts in no statistic,
        circuit breaker or health, and is never retried.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `endpoint_inactive`, `idempotency_conflict`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
        `internal_error`, `unavailable`.
        """
        call = Call(
            "POST",
            path("/endpoints/{}/test", id),
            query={
                "environment_id": environment_id,
            },
            content=json_body({
                "eventTypeId": event_type_id,
                "payload": payload,
            }),
            once=True,
        )
        return self._transport.request(call, models.Attempt, timeout)

    def diagnose(
        self,
        id: str,
        /,
        *,
        environment_id: str | Unset = UNSET,
        timeout: float | None = None,
    ) -> models.DoctorReport:
        """
        Examine an endpoint

        Checks the way to the endpoint and its answers, step by step, and says what to change. It sends at most three
        requests, stores no result, and takes at most 60 seconds; once in 10 seconds for an endpoint.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`, `unavailable`.
        """
        call = Call(
            "POST",
            path("/endpoints/{}/doctor", id),
            query={
                "environment_id": environment_id,
            },
            once=True,
        )
        return self._transport.request(call, models.DoctorReport, timeout)

    def test_transformation(
        self,
        *,
        language: Literal["javascript"],
        code: str,
        payload: Any | Unset = UNSET,
        event_type_id: str | Unset = UNSET,
        endpoint_id: str | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.TransformationResult:
        """
        Test a transformation

        Runs the code for a payload, and answers what would be sent. Nothing is stored or sent.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `idempotency_conflict`, `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`,
        `unavailable`.

        - `payload`: The payload of the event: as it is written here, else the example of the event type, else
          a payload of the service.
        - `endpoint_id`: The endpoint that the code learns about. It also decides whether headers and a path
          may be set.
        """
        call = Call(
            "POST",
            "/transformations/test",
            content=json_body({
                "language": language,
                "code": code,
                "payload": payload,
                "eventTypeId": event_type_id,
                "endpointId": endpoint_id,
            }),
            idempotency_key=idempotency_key,
        )
        return self._transport.request(call, models.TransformationResult, timeout, retries)

    def subscribe(
        self,
        id: str,
        /,
        *,
        event_type_ids: Sequence[str],
        filter: Mapping[str, Any] | Unset = UNSET,
        environment_id: str | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.SubscribeEndpointAnswer:
        """
        Subscribe an endpoint to event types

        Ids that are already subscribed are skipped and not counted. With an unknown id, nothing is subscribed. A
        `filter` applies to the new subscriptions.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `idempotency_conflict`, `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`,
        `unavailable`.

        - `filter`: Conditions on the payload: only events that match are delivered.
        """
        call = Call(
            "POST",
            path("/endpoints/{}/subscriptions", id),
            query={
                "environment_id": environment_id,
            },
            content=json_body({
                "eventTypeIds": event_type_ids,
                "filter": filter,
            }),
            idempotency_key=idempotency_key,
        )
        return self._transport.request(call, models.SubscribeEndpointAnswer, timeout, retries)

    def unsubscribe(
        self,
        id: str,
        event_type_id: str,
        /,
        *,
        environment_id: str | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> None:
        """
        Remove a subscription

        Events that were accepted before the removal may still be delivered.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
        `internal_error`, `unavailable`.
        """
        call = Call(
            "DELETE",
            path("/endpoints/{}/subscriptions/{}", id, event_type_id),
            query={
                "environment_id": environment_id,
            },
        )
        return self._transport.request(call, nothing, timeout, retries)

    def list_deliveries(
        self,
        endpoint_id: str,
        /,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
        status: models.DeliveryStatus | Unset = UNSET,
        environment_id: str | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> Listing[models.Delivery]:
        """
        List an endpoint's deliveries

        Newest first. Deliveries older than the retention (7 days) are not returned.

        Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `rate_limited`, `internal_error`, `unavailable`.

        - `limit`: How many items are asked for at a time.
        - `cursor`: Where to begin: `nextCursor` of a page.
        """
        call = Call(
            "GET",
            path("/endpoints/{}/deliveries", endpoint_id),
            query={
                "limit": limit,
                "cursor": cursor,
                "status": status,
                "environment_id": environment_id,
            },
        )
        return self._transport.list(call, models.Delivery, Paging("cursor", "deliveries"), timeout, retries)

    def get_delivery(
        self,
        endpoint_id: str,
        id: str,
        /,
        *,
        include: Sequence[Literal["payload", "attempts"]] | Unset = UNSET,
        environment_id: str | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.DeliveryDetail:
        """
        Get one of an endpoint's deliveries

        `include=payload,attempts` adds the body as ingested and the newest 100 attempts, as in their list. When the
        body is not shown, the envelope’s status gives the reason.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
        `internal_error`, `unavailable`.
        """
        call = Call(
            "GET",
            path("/endpoints/{}/deliveries/{}", endpoint_id, id),
            query={
                "include": include,
                "environment_id": environment_id,
            },
        )
        return self._transport.request(call, models.DeliveryDetail, timeout, retries)

    @overload
    def recover(
        self,
        id: str,
        /,
        *,
        dry_run: Literal[True],
        mode: Literal["failed", "missed", "all"],
        since: str | datetime | Unset = UNSET,
        until: str | datetime | Unset = UNSET,
        from_: str | datetime | Unset = UNSET,
        to: str | datetime | Unset = UNSET,
        event_types: Sequence[str] | Unset = UNSET,
        status_class: Sequence[Literal["2xx", "3xx", "4xx", "5xx", "other", "none"]] | Unset = UNSET,
        environment_id: str | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.DryRun: ...

    @overload
    def recover(
        self,
        id: str,
        /,
        *,
        mode: Literal["failed", "missed", "all"],
        since: str | datetime | Unset = UNSET,
        until: str | datetime | Unset = UNSET,
        from_: str | datetime | Unset = UNSET,
        to: str | datetime | Unset = UNSET,
        event_types: Sequence[str] | Unset = UNSET,
        status_class: Sequence[Literal["2xx", "3xx", "4xx", "5xx", "other", "none"]] | Unset = UNSET,
        dry_run: Literal[False] | Unset = UNSET,
        environment_id: str | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.Operation: ...

    @overload
    def recover(
        self,
        id: str,
        /,
        *,
        mode: Literal["failed", "missed", "all"],
        since: str | datetime | Unset = UNSET,
        until: str | datetime | Unset = UNSET,
        from_: str | datetime | Unset = UNSET,
        to: str | datetime | Unset = UNSET,
        event_types: Sequence[str] | Unset = UNSET,
        status_class: Sequence[Literal["2xx", "3xx", "4xx", "5xx", "other", "none"]] | Unset = UNSET,
        dry_run: bool | Unset = UNSET,
        environment_id: str | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.Operation | models.DryRun: ...

    def recover(
        self,
        id: str,
        /,
        *,
        mode: Literal["failed", "missed", "all"],
        since: str | datetime | Unset = UNSET,
        until: str | datetime | Unset = UNSET,
        from_: str | datetime | Unset = UNSET,
        to: str | datetime | Unset = UNSET,
        event_types: Sequence[str] | Unset = UNSET,
        status_class: Sequence[Literal["2xx", "3xx", "4xx", "5xx", "other", "none"]] | Unset = UNSET,
        dry_run: bool | Unset = UNSET,
        environment_id: str | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.Operation | models.DryRun:
        """
        Recover what an endpoint did not receive

        `failed` takes deliveries that are `failed` or `dead_letter`, `missed` events that the endpoint would get now
        and has no delivery of, `all` both and what was `delivered`. `since` is inclusive, `until` exclusive; both
        compare the time of the event. Paced, behind new events. With `dryRun` it only counts.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
        `internal_error`, `unavailable`.

        - `since`: Or `from`; one of them is required.
        - `from_`: The same as `since`.
        - `to`: The same as `until`.
        """
        call = Call(
            "POST",
            path("/endpoints/{}/recover", id),
            query={
                "environment_id": environment_id,
            },
            content=json_body({
                "mode": mode,
                "since": since,
                "until": until,
                "from": from_,
                "to": to,
                "eventTypes": event_types,
                "statusClass": status_class,
                "dryRun": dry_run,
            }),
            idempotency_key=idempotency_key,
        )
        return self._transport.request(call, models.DryRun if dry_run is True else models.Operation, timeout, retries)


class PullKeysResource(Resource):
    """Credentials of the consumers that fetch the deliveries of one endpoint."""

    def list(
        self,
        id: str,
        /,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
        environment_id: str | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> Listing[models.PullKey]:
        """
        List the pull keys of an endpoint

        Oldest first, at most 10. The keys themselves are not shown.

        Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `rate_limited`, `internal_error`, `unavailable`.

        - `limit`: How many items are asked for at a time.
        - `cursor`: Where to begin: `nextCursor` of a page.
        """
        call = Call(
            "GET",
            path("/endpoints/{}/pull-keys", id),
            query={
                "limit": limit,
                "cursor": cursor,
                "environment_id": environment_id,
            },
        )
        return self._transport.list(call, models.PullKey, Paging("link"), timeout, retries)

    def create(
        self,
        id: str,
        /,
        *,
        name: str | Unset = UNSET,
        expires_at: str | datetime | Unset = UNSET,
        environment_id: str | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.CreatedPullKey:
        """
        Create a pull key

        A pull endpoint has at most 10. The key is shown only in this answer. To rotate a key: create one, use it,
        delete the other.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
        `internal_error`, `unavailable`.
        """
        call = Call(
            "POST",
            path("/endpoints/{}/pull-keys", id),
            query={
                "environment_id": environment_id,
            },
            content=json_body({
                "name": name,
                "expiresAt": expires_at,
            }),
            idempotency_key=idempotency_key,
            shown_once="pullKey",
        )
        return self._transport.request(call, models.CreatedPullKey, timeout, retries)

    def delete(
        self,
        id: str,
        key_id: str,
        /,
        *,
        environment_id: str | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> None:
        """
        Delete a pull key

        The key is refused within a second. Messages that a consumer holds can be answered with another key.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
        `internal_error`, `unavailable`.
        """
        call = Call(
            "DELETE",
            path("/endpoints/{}/pull-keys/{}", id, key_id),
            query={
                "environment_id": environment_id,
            },
        )
        return self._transport.request(call, nothing, timeout, retries)


class SubscriptionsResource(Resource):
    """Which endpoint gets which event types."""

    def list(
        self,
        id: str,
        /,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
        environment_id: str | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> Listing[models.Subscription]:
        """
        List an endpoint's subscriptions

        Oldest first.

        Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `rate_limited`, `internal_error`, `unavailable`.

        - `limit`: How many items are asked for at a time.
        - `cursor`: Where to begin: `nextCursor` of a page.
        """
        call = Call(
            "GET",
            path("/endpoints/{}/subscriptions", id),
            query={
                "limit": limit,
                "cursor": cursor,
                "environment_id": environment_id,
            },
        )
        return self._transport.list(call, models.Subscription, Paging("link"), timeout, retries)

    def update(
        self,
        id: str,
        event_type_id: str,
        /,
        *,
        filter: Mapping[str, Any] | None,
        environment_id: str | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.Subscription:
        """
        Change the filter of a subscription

        Replaces the filter; null removes it. It applies to the events that are fanned out from then on.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`, `unavailable`.

        - `filter`: Null removes the filter.
        """
        call = Call(
            "PATCH",
            path("/endpoints/{}/subscriptions/{}", id, event_type_id),
            query={
                "environment_id": environment_id,
            },
            content=json_body({
                "filter": filter,
            }),
        )
        return self._transport.request(call, models.Subscription, timeout, retries)

    def test_filter(
        self,
        *,
        filter: Mapping[str, Any],
        payload: Any,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.TestFilterAnswer:
        """
        Test a filter

        Whether a payload matches a filter, and the result of each clause. Nothing is stored.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`, `unavailable`.

        - `filter`: Conditions on the payload: only events that match are delivered.
        - `payload`: A payload to match, as JSON.
        """
        call = Call(
            "POST",
            "/filters/test",
            content=json_body({
                "filter": filter,
                "payload": payload,
            }),
        )
        return self._transport.request(call, models.TestFilterAnswer, timeout, retries)


class SourcesResource(Resource):
    """Topics of Kafka whose records become events."""

    def list(
        self,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
        environment_id: str | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> Listing[models.Source]:
        """
        List the sources

        Oldest first. Credentials are not shown.

        Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `rate_limited`, `internal_error`, `unavailable`.

        - `limit`: How many items are asked for at a time.
        - `cursor`: Where to begin: `nextCursor` of a page.
        """
        call = Call(
            "GET",
            "/sources",
            query={
                "limit": limit,
                "cursor": cursor,
                "environment_id": environment_id,
            },
        )
        return self._transport.list(call, models.Source, Paging("cursor", "sources"), timeout, retries)

    def create(
        self,
        *,
        name: str,
        config: models.SourceConfigInput,
        external_id: str | Unset = UNSET,
        type: Literal["kafka"] | Unset = UNSET,
        environment_id: str | Unset = UNSET,
        is_active: bool | Unset = UNSET,
        credentials: Mapping[str, str | None] | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.Source:
        """
        Create a source

        Reads topics of Apache Kafka: each record becomes one event, exactly once. It begins within seconds; `health`
        says what it found.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `external_id_taken`, `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`,
        `rate_limited`, `internal_error`, `unavailable`.

        - `environment_id`: Absent: the default environment.
        """
        call = Call(
            "POST",
            "/sources",
            content=json_body({
                "name": name,
                "config": config,
                "externalId": external_id,
                "type": type,
                "environmentId": environment_id,
                "isActive": is_active,
                "credentials": credentials,
            }),
            idempotency_key=idempotency_key,
        )
        return self._transport.request(call, models.Source, timeout, retries)

    def get(
        self,
        id: str,
        /,
        *,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.Source:
        """
        Get a source

        With its health, as the reader has reported it.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
        `internal_error`, `unavailable`.
        """
        call = Call(
            "GET",
            path("/sources/{}", id),
        )
        return self._transport.request(call, models.Source, timeout, retries)

    def update(
        self,
        id: str,
        /,
        *,
        name: str | Unset = UNSET,
        external_id: str | None | Unset = UNSET,
        is_active: bool | Unset = UNSET,
        config: models.SourceConfigInput | Unset = UNSET,
        credentials: Mapping[str, str | None] | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.Source:
        """
        Change a source

        It reads on where it was, and a topic that is new to it from `start`. Stored credentials are dropped when the
        brokers change. A source that has stopped tries again.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `external_id_taken`, `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`,
        `unavailable`.

        - `config`: Replaces the whole config.
        """
        call = Call(
            "PATCH",
            path("/sources/{}", id),
            content=json_body({
                "name": name,
                "externalId": external_id,
                "isActive": is_active,
                "config": config,
                "credentials": credentials,
            }),
        )
        return self._transport.request(call, models.Source, timeout, retries)

    def delete(
        self,
        id: str,
        /,
        *,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> None:
        """
        Delete a source

        With its position and its rejections. Its events stay.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
        `internal_error`, `unavailable`.
        """
        call = Call(
            "DELETE",
            path("/sources/{}", id),
        )
        return self._transport.request(call, nothing, timeout, retries)

    def seek(
        self,
        id: str,
        /,
        *,
        topic: str,
        partition: int | Unset = UNSET,
        offset: int | Unset = UNSET,
        timestamp: str | datetime | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.Source:
        """
        Move a source in a topic

        To an offset or a time. What lies behind it is read again, and becomes new events. A source that has stopped
        tries again.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `idempotency_conflict`, `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`,
        `unavailable`.

        - `partition`: Absent: all.
        - `offset`: The record that is read next.
        - `timestamp`: The first record of this time, or after it.
        """
        call = Call(
            "POST",
            path("/sources/{}/seek", id),
            content=json_body({
                "topic": topic,
                "partition": partition,
                "offset": offset,
                "timestamp": timestamp,
            }),
            idempotency_key=idempotency_key,
        )
        return self._transport.request(call, models.Source, timeout, retries)

    def test(
        self,
        id: str,
        /,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.SourceTest:
        """
        Test a source

        Connects to the brokers, describes the topics and reads one record, without storing it. The answer says what the
        record means, or why it could not become an event. Once in 5 seconds for a source.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `idempotency_conflict`, `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`,
        `unavailable`.
        """
        call = Call(
            "POST",
            path("/sources/{}/test", id),
            idempotency_key=idempotency_key,
        )
        return self._transport.request(call, models.SourceTest, timeout, retries)

    def list_rejections(
        self,
        id: str,
        /,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> Listing[models.SourceRejection]:
        """
        List the rejected records of a source

        Newest first; the newest 10,000 are kept.

        Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `rate_limited`, `internal_error`, `unavailable`.

        - `limit`: How many items are asked for at a time.
        - `cursor`: Where to begin: `nextCursor` of a page.
        """
        call = Call(
            "GET",
            path("/sources/{}/rejections", id),
            query={
                "limit": limit,
                "cursor": cursor,
            },
        )
        return self._transport.list(call, models.SourceRejection, Paging("cursor", "rejections"), timeout, retries)


class DeliveriesResource(Resource):
    """Events on their way to endpoints, with every attempt."""

    def list(
        self,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
        status: models.DeliveryStatus | Unset = UNSET,
        endpoint_id: str | Unset = UNSET,
        environment_id: str | Unset = UNSET,
        application_id: str | Unset = UNSET,
        event_type: str | Unset = UNSET,
        from_: str | datetime | Unset = UNSET,
        to: str | datetime | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> Listing[models.Delivery]:
        """
        List the workspace's deliveries

        Newest first, including deliveries of deleted endpoints. `from` is inclusive, `to` exclusive; both compare the
        time of the event.

        Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `rate_limited`, `internal_error`, `unavailable`.

        - `limit`: How many items are asked for at a time.
        - `cursor`: Where to begin: `nextCursor` of a page.
        """
        call = Call(
            "GET",
            "/deliveries",
            query={
                "limit": limit,
                "cursor": cursor,
                "status": status,
                "endpoint_id": endpoint_id,
                "environment_id": environment_id,
                "application_id": application_id,
                "event_type": event_type,
                "from": from_,
                "to": to,
            },
        )
        return self._transport.list(call, models.Delivery, Paging("cursor", "deliveries"), timeout, retries)

    def search(
        self,
        *,
        search: Sequence[str],
        endpoint_id: str | Unset = UNSET,
        environment_id: str | Unset = UNSET,
        application_id: str | Unset = UNSET,
        event_type: str | Unset = UNSET,
        status: models.DeliveryStatus | Unset = UNSET,
        from_: str | datetime | Unset = UNSET,
        to: str | datetime | Unset = UNSET,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.DeliveriesPage:
        """
        Search deliveries

        The deliveries of events that have the values, by the search keys of their types, newest first. It takes what
        the list takes, in a body, so that no value stands in an address. It needs the right to read payloads.

        Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `plan_required`,
        `token_disabled`, `not_found`, `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`,
        `unavailable`.

        - `search`: Each is `name:value` of a search key, or a value that is looked for under every search
          key. An event must have all of them.
        """
        call = Call(
            "POST",
            "/deliveries/search",
            content=json_body({
                "search": search,
                "endpointId": endpoint_id,
                "environmentId": environment_id,
                "applicationId": application_id,
                "eventType": event_type,
                "status": status,
                "from": from_,
                "to": to,
                "limit": limit,
                "cursor": cursor,
            }),
        )
        return self._transport.request(call, models.DeliveriesPage, timeout, retries)

    def get(
        self,
        id: str,
        /,
        *,
        include: Sequence[Literal["payload", "attempts"]] | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.DeliveryDetail:
        """
        Get a delivery

        `include=payload,attempts` adds the body as ingested and the newest 100 attempts, as in their list. When the
        body is not shown, the envelope’s status gives the reason.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
        `internal_error`, `unavailable`.
        """
        call = Call(
            "GET",
            path("/deliveries/{}", id),
            query={
                "include": include,
            },
        )
        return self._transport.request(call, models.DeliveryDetail, timeout, retries)

    def list_attempts(
        self,
        id: str,
        /,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> Listing[models.Attempt]:
        """
        List a delivery's attempts

        The newest 100, oldest first; the `Link` header leads to older ones. Credentials in the request headers are
        redacted. Headers and bodies take at most 2 MiB together: an omitted body is null, with `responseTruncated`
        true.

        Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `rate_limited`, `internal_error`, `unavailable`.

        - `limit`: How many items are asked for at a time.
        - `cursor`: Where to begin: `nextCursor` of a page.
        """
        call = Call(
            "GET",
            path("/deliveries/{}/attempts", id),
            query={
                "limit": limit,
                "cursor": cursor,
            },
        )
        return self._transport.list(call, models.Attempt, Paging("link"), timeout, retries)

    def retry(
        self,
        id: str,
        /,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.Delivery:
        """
        Retry a delivery

        Makes the delivery due now, with a full new schedule; allowed 100 times for a delivery. Attempt numbers
        continue.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `delivery_in_progress`, `idempotency_conflict`, `limit_reached`, `payload_expired`, `payload_too_large`,
        `unsupported_media_type`, `rate_limited`, `internal_error`, `unavailable`.
        """
        call = Call(
            "POST",
            path("/deliveries/{}/retry", id),
            idempotency_key=idempotency_key,
        )
        return self._transport.request(call, models.Delivery, timeout, retries)

    def cancel(
        self,
        id: str,
        /,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.Delivery:
        """
        Cancel a delivery

        Ends a delivery that is `pending` or `scheduled_retry` as `failed` with the reason `cancelled`. While it is
        being delivered the answer is `delivery_in_progress`, and `not_cancellable` once it has ended.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `delivery_in_progress`, `idempotency_conflict`, `not_cancellable`, `payload_too_large`,
        `unsupported_media_type`, `rate_limited`, `internal_error`, `unavailable`.
        """
        call = Call(
            "POST",
            path("/deliveries/{}/cancel", id),
            idempotency_key=idempotency_key,
        )
        return self._transport.request(call, models.Delivery, timeout, retries)


class EventsResource(Ingestion):
    """What producers sent, and which endpoints got it or why not."""

    def create(
        self,
        *,
        data: Any,
        event_type: str | Unset = UNSET,
        endpoint_id: str | Unset = UNSET,
        idempotency_key: str | Unset = UNSET,
        application_id: str | Unset = UNSET,
        ordering_key: str | Unset = UNSET,
        deliver_at: str | datetime | Unset = UNSET,
        environment_id: str | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.CreatedEvent:
        """
        Send an event

        Sends an event without an API key, into the default environment unless `environmentId` names another. It is
        accepted as by ingestion, with the same checks, quotas and idempotency keys. `data` is the payload.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `idempotency_conflict`, `payload_too_large`, `unsupported_media_type`, `schema_violation`, `rate_limited`,
        `internal_error`, `unavailable`.
        """
        call = Call(
            "POST",
            "/events",
            content=json_body({
                "data": data,
                "eventType": event_type,
                "endpointId": endpoint_id,
                "idempotencyKey": idempotency_key,
                "applicationId": application_id,
                "orderingKey": ordering_key,
                "deliverAt": deliver_at,
                "environmentId": environment_id,
            }),
            idempotency_key=None,
        )
        return self._transport.request(call, models.CreatedEvent, timeout, retries)

    def list(
        self,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
        environment_id: str | Unset = UNSET,
        application_id: str | Unset = UNSET,
        event_type: str | Unset = UNSET,
        idempotency_key: str | Unset = UNSET,
        status: Literal["scheduled", "matching", "matched", "unmatched", "cancelled"] | Unset = UNSET,
        from_: str | datetime | Unset = UNSET,
        to: str | datetime | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> Listing[models.Event]:
        """
        List events

        Newest first, within the retention. `from` is inclusive, `to` exclusive. One request reads a bounded number of
        events: with a filter that few events match, a page may be short or empty while `nextCursor` leads on.

        Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `rate_limited`, `internal_error`, `unavailable`.

        - `limit`: How many items are asked for at a time.
        - `cursor`: Where to begin: `nextCursor` of a page.
        """
        call = Call(
            "GET",
            "/events",
            query={
                "limit": limit,
                "cursor": cursor,
                "environment_id": environment_id,
                "application_id": application_id,
                "event_type": event_type,
                "idempotency_key": idempotency_key,
                "status": status,
                "from": from_,
                "to": to,
            },
        )
        return self._transport.list(call, models.Event, Paging("cursor", "events"), timeout, retries)

    def search(
        self,
        *,
        search: Sequence[str],
        environment_id: str | Unset = UNSET,
        application_id: str | Unset = UNSET,
        event_type: str | Unset = UNSET,
        idempotency_key: str | Unset = UNSET,
        status: Literal["scheduled", "matching", "matched", "unmatched", "cancelled"] | Unset = UNSET,
        from_: str | datetime | Unset = UNSET,
        to: str | datetime | Unset = UNSET,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.FoundEventsPage:
        """
        Search events

        The events that have the values, by the search keys of their types, newest first. It takes what the list takes,
        in a body, so that no value stands in an address. It needs the right to read payloads.

        Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `plan_required`,
        `token_disabled`, `not_found`, `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`,
        `unavailable`.

        - `search`: Each is `name:value` of a search key, or a value that is looked for under every search
          key. An event must have all of them.
        """
        call = Call(
            "POST",
            "/events/search",
            content=json_body({
                "search": search,
                "environmentId": environment_id,
                "applicationId": application_id,
                "eventType": event_type,
                "idempotencyKey": idempotency_key,
                "status": status,
                "from": from_,
                "to": to,
                "limit": limit,
                "cursor": cursor,
            }),
        )
        return self._transport.request(call, models.FoundEventsPage, timeout, retries)

    def get(
        self,
        id: str,
        /,
        *,
        include: Literal["payload"] | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.EventDetail:
        """
        Get an event

        `include=payload` adds the body as ingested. When the body is not shown, the envelope’s status gives the reason.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
        `internal_error`, `unavailable`.
        """
        call = Call(
            "GET",
            path("/events/{}", id),
            query={
                "include": include,
            },
        )
        return self._transport.request(call, models.EventDetail, timeout, retries)

    def list_deliveries(
        self,
        id: str,
        /,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> Listing[models.Delivery]:
        """
        List an event's deliveries

        One for each endpoint that got the event, in the order of their ids.

        Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `rate_limited`, `internal_error`, `unavailable`.

        - `limit`: How many items are asked for at a time.
        - `cursor`: Where to begin: `nextCursor` of a page.
        """
        call = Call(
            "GET",
            path("/events/{}/deliveries", id),
            query={
                "limit": limit,
                "cursor": cursor,
            },
        )
        return self._transport.list(call, models.Delivery, Paging("cursor", "deliveries"), timeout, retries)

    def cancel(
        self,
        id: str,
        /,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.Event:
        """
        Cancel an event

        An event that waits for its fan-out is delivered to nobody, and its deliveries that are still to be delivered
        end as failed. A delivery that is being delivered goes on.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `idempotency_conflict`, `not_cancellable`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
        `internal_error`, `unavailable`.
        """
        call = Call(
            "POST",
            path("/events/{}/cancel", id),
            idempotency_key=idempotency_key,
        )
        return self._transport.request(call, models.Event, timeout, retries)

    def trace(
        self,
        id: str,
        /,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
        decision: Literal["matched", "skipped", "waiting"] | Unset = UNSET,
        endpoint_id: str | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.EventTrace:
        """
        Trace an event

        For every endpoint of the environment, whether it got the event, and why not: as the set-up was when the event
        was fanned out. Matched endpoints come first.

        Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `rate_limited`, `internal_error`, `unavailable`.
        """
        call = Call(
            "GET",
            path("/events/{}/trace", id),
            query={
                "limit": limit,
                "cursor": cursor,
                "decision": decision,
                "endpoint_id": endpoint_id,
            },
        )
        return self._transport.request(call, models.EventTrace, timeout, retries)

    def delete_payload(
        self,
        id: str,
        /,
        *,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> None:
        """
        Erase the payload of an event

        Erases the payload, and the headers and bodies of its attempts, at once, and cancels its open deliveries. The
        event and its deliveries stay in lists. A repetition answers the same.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
        `internal_error`, `unavailable`.
        """
        call = Call(
            "DELETE",
            path("/events/{}/payload", id),
        )
        return self._transport.request(call, nothing, timeout, retries)


class ErasuresResource(Resource):
    """Recoveries and bulk changes: work on many deliveries, which goes on after the answer."""

    @overload
    def start(
        self,
        *,
        dry_run: Literal[True],
        application_id: str,
        event_types: Sequence[str] | Unset = UNSET,
        from_: str | datetime | Unset = UNSET,
        to: str | datetime | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.DryRun: ...

    @overload
    def start(
        self,
        *,
        application_id: str,
        event_types: Sequence[str] | Unset = UNSET,
        from_: str | datetime | Unset = UNSET,
        to: str | datetime | Unset = UNSET,
        dry_run: Literal[False] | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.Operation: ...

    @overload
    def start(
        self,
        *,
        application_id: str,
        event_types: Sequence[str] | Unset = UNSET,
        from_: str | datetime | Unset = UNSET,
        to: str | datetime | Unset = UNSET,
        dry_run: bool | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.Operation | models.DryRun: ...

    def start(
        self,
        *,
        application_id: str,
        event_types: Sequence[str] | Unset = UNSET,
        from_: str | datetime | Unset = UNSET,
        to: str | datetime | Unset = UNSET,
        dry_run: bool | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.Operation | models.DryRun:
        """
        Erase the data of a customer

        Erases the payloads of the events that were sent to the application, and what attempts to its endpoints sent and
        got. Without `eventTypes`, `from` and `to` it erases the customer: it also deletes the application, its
        endpoints and portal sessions, with every name. It cannot be undone. With `dryRun` it only counts the events.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
        `internal_error`, `unavailable`.
        """
        call = Call(
            "POST",
            "/erasures",
            content=json_body({
                "applicationId": application_id,
                "eventTypes": event_types,
                "from": from_,
                "to": to,
                "dryRun": dry_run,
            }),
            idempotency_key=idempotency_key,
        )
        return self._transport.request(call, models.DryRun if dry_run is True else models.Operation, timeout, retries)


class OperationsResource(Resource):
    """Recoveries and bulk changes: work on many deliveries, which goes on after the answer."""

    @overload
    def retry_deliveries(
        self,
        *,
        dry_run: Literal[True],
        filter: models.RetryDeliveriesBodyFilter,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.DryRun: ...

    @overload
    def retry_deliveries(
        self,
        *,
        filter: models.RetryDeliveriesBodyFilter,
        dry_run: Literal[False] | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.Operation: ...

    @overload
    def retry_deliveries(
        self,
        *,
        filter: models.RetryDeliveriesBodyFilter,
        dry_run: bool | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.Operation | models.DryRun: ...

    def retry_deliveries(
        self,
        *,
        filter: models.RetryDeliveriesBodyFilter,
        dry_run: bool | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.Operation | models.DryRun:
        """
        Retry many deliveries

        Retries every delivery that the filter matches, as a manual retry does, at a pace that its endpoint keeps up
        with. At least one key. With `dryRun` it only counts.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
        `internal_error`, `unavailable`.
        """
        call = Call(
            "POST",
            "/deliveries/retry",
            content=json_body({
                "filter": filter,
                "dryRun": dry_run,
            }),
            idempotency_key=idempotency_key,
        )
        return self._transport.request(call, models.DryRun if dry_run is True else models.Operation, timeout, retries)

    @overload
    def cancel_deliveries(
        self,
        *,
        dry_run: Literal[True],
        filter: models.RetryDeliveriesBodyFilter,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.DryRun: ...

    @overload
    def cancel_deliveries(
        self,
        *,
        filter: models.RetryDeliveriesBodyFilter,
        dry_run: Literal[False] | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.Operation: ...

    @overload
    def cancel_deliveries(
        self,
        *,
        filter: models.RetryDeliveriesBodyFilter,
        dry_run: bool | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.Operation | models.DryRun: ...

    def cancel_deliveries(
        self,
        *,
        filter: models.RetryDeliveriesBodyFilter,
        dry_run: bool | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.Operation | models.DryRun:
        """
        Cancel many deliveries

        Cancels every delivery that the filter matches and that is `pending` or `scheduled_retry`. At least one key.
        With `dryRun` it only counts.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
        `internal_error`, `unavailable`.
        """
        call = Call(
            "POST",
            "/deliveries/cancel",
            content=json_body({
                "filter": filter,
                "dryRun": dry_run,
            }),
            idempotency_key=idempotency_key,
        )
        return self._transport.request(call, models.DryRun if dry_run is True else models.Operation, timeout, retries)

    def list(
        self,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
        endpoint_id: str | Unset = UNSET,
        environment_id: str | Unset = UNSET,
        status: Literal["counting", "running", "completed", "cancelled", "failed"] | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> Listing[models.Operation]:
        """
        List the operations

        Newest first. An operation is kept for the retention (7 days).

        Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `rate_limited`, `internal_error`, `unavailable`.

        - `limit`: How many items are asked for at a time.
        - `cursor`: Where to begin: `nextCursor` of a page.
        """
        call = Call(
            "GET",
            "/operations",
            query={
                "limit": limit,
                "cursor": cursor,
                "endpoint_id": endpoint_id,
                "environment_id": environment_id,
                "status": status,
            },
        )
        return self._transport.list(call, models.Operation, Paging("cursor", "operations"), timeout, retries)

    def get(
        self,
        id: str,
        /,
        *,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.Operation:
        """
        Get an operation

        `matched` is null while it counts. `delivered` and `failed` follow within seconds. It is `completed` once all
        that it enqueued has ended.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
        `internal_error`, `unavailable`.
        """
        call = Call(
            "GET",
            path("/operations/{}", id),
        )
        return self._transport.request(call, models.Operation, timeout, retries)

    def cancel(
        self,
        id: str,
        /,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.Operation:
        """
        Cancel an operation

        It enqueues nothing more. Deliveries that it has enqueued go on, and are counted.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `idempotency_conflict`, `not_cancellable`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
        `internal_error`, `unavailable`.
        """
        call = Call(
            "POST",
            path("/operations/{}/cancel", id),
            idempotency_key=idempotency_key,
        )
        return self._transport.request(call, models.Operation, timeout, retries)

    def pause(
        self,
        id: str,
        /,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.Operation:
        """
        Pause an operation

        It moves nothing on until it is resumed. Deliveries that it has enqueued go on, and are counted.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `idempotency_conflict`, `not_cancellable`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
        `internal_error`, `unavailable`.
        """
        call = Call(
            "POST",
            path("/operations/{}/pause", id),
            idempotency_key=idempotency_key,
        )
        return self._transport.request(call, models.Operation, timeout, retries)

    def resume(
        self,
        id: str,
        /,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.Operation:
        """
        Resume an operation

        A paused operation goes on where it was.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `idempotency_conflict`, `not_cancellable`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
        `internal_error`, `unavailable`.
        """
        call = Call(
            "POST",
            path("/operations/{}/resume", id),
            idempotency_key=idempotency_key,
        )
        return self._transport.request(call, models.Operation, timeout, retries)


class AlertRulesResource(Resource):
    """Whom to tell of operational events, by mail, in a chat or by PagerDuty."""

    def list(
        self,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
        application_id: str | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> Listing[models.AlertRule]:
        """
        List the alert rules

        Oldest first. Targets are shortened.

        Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `rate_limited`, `internal_error`, `unavailable`.

        - `limit`: How many items are asked for at a time.
        - `cursor`: Where to begin: `nextCursor` of a page.
        - `application_id`: Lists the rules about this application, also the rules that its portal made.
          Without it, lists the rules that no portal made.
        """
        call = Call(
            "GET",
            "/alert-rules",
            query={
                "limit": limit,
                "cursor": cursor,
                "application_id": application_id,
            },
        )
        return self._transport.list(call, models.AlertRule, Paging("link"), timeout, retries)

    def create(
        self,
        *,
        name: str,
        channel: models.AlertChannel,
        target: str,
        events: Sequence[Literal["posthorn.endpoint.disabled", "posthorn.endpoint.failing", "posthorn.endpoint.recovered", "posthorn.delivery.dead_letter", "posthorn.delivery.failed", "posthorn.operation.completed", "posthorn.api_key.expiring", "posthorn.source.failing", "posthorn.source.recovered"]],
        environment_id: str | Unset = UNSET,
        application_id: str | Unset = UNSET,
        quiet_minutes: int | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.AlertRule:
        """
        Create an alert rule

        Messages go to an address, a chat or PagerDuty when one of the `events` happens. No published event type is
        needed. An address that is not a member’s first gets a mail with a link to confirm.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
        `internal_error`, `unavailable`.

        - `target`: Of `email` an address, of `pagerduty` the integration key of a service (Events API v2),
          else the https URL of the incoming webhook.
        - `quiet_minutes`: At most one message of each event in this time. It names up to 10 endpoints
          concerned.
        """
        call = Call(
            "POST",
            "/alert-rules",
            content=json_body({
                "name": name,
                "channel": channel,
                "target": target,
                "events": events,
                "environmentId": environment_id,
                "applicationId": application_id,
                "quietMinutes": quiet_minutes,
            }),
            idempotency_key=idempotency_key,
        )
        return self._transport.request(call, models.AlertRule, timeout, retries)

    def get(
        self,
        id: str,
        /,
        *,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.AlertRule:
        """
        Get an alert rule

        Its target is shortened.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
        `internal_error`, `unavailable`.
        """
        call = Call(
            "GET",
            path("/alert-rules/{}", id),
        )
        return self._transport.request(call, models.AlertRule, timeout, retries)

    def update(
        self,
        id: str,
        /,
        *,
        name: str | Unset = UNSET,
        target: str | Unset = UNSET,
        events: Sequence[Literal["posthorn.endpoint.disabled", "posthorn.endpoint.failing", "posthorn.endpoint.recovered", "posthorn.delivery.dead_letter", "posthorn.delivery.failed", "posthorn.operation.completed", "posthorn.api_key.expiring", "posthorn.source.failing", "posthorn.source.recovered"]] | Unset = UNSET,
        environment_id: str | None | Unset = UNSET,
        application_id: str | None | Unset = UNSET,
        quiet_minutes: int | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.AlertRule:
        """
        Change an alert rule

        A new address that is not a member’s is confirmed again. The shortened target changes nothing.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `limit_reached`,
        `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`, `unavailable`.

        - `target`: Of `email` an address, of `pagerduty` the integration key of a service (Events API v2),
          else the https URL of the incoming webhook.
        - `quiet_minutes`: At most one message of each event in this time. It names up to 10 endpoints
          concerned.
        """
        call = Call(
            "PATCH",
            path("/alert-rules/{}", id),
            content=json_body({
                "name": name,
                "target": target,
                "events": events,
                "environmentId": environment_id,
                "applicationId": application_id,
                "quietMinutes": quiet_minutes,
            }),
        )
        return self._transport.request(call, models.AlertRule, timeout, retries)

    def delete(
        self,
        id: str,
        /,
        *,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> None:
        """
        Delete an alert rule

        Alerts that it has gathered are not sent.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
        `internal_error`, `unavailable`.
        """
        call = Call(
            "DELETE",
            path("/alert-rules/{}", id),
        )
        return self._transport.request(call, nothing, timeout, retries)

    def test(
        self,
        id: str,
        /,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.AlertRule:
        """
        Send a test message

        The message goes out within seconds, whatever the quiet time. `lastSentAt`, `lastError` and `lastErrorCode` of
        the rule then say what became of it. One test of a rule waits at a time.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
        `internal_error`, `unavailable`.
        """
        call = Call(
            "POST",
            path("/alert-rules/{}/test", id),
            idempotency_key=idempotency_key,
        )
        return self._transport.request(call, models.AlertRule, timeout, retries)


class StatsResource(Resource):
    """Counts, durations and delays, and changes as they happen."""

    def get(
        self,
        *,
        from_: str | datetime | Unset = UNSET,
        to: str | datetime | Unset = UNSET,
        step: Literal["minute", "hour", "day"] | Unset = UNSET,
        environment_id: str | Unset = UNSET,
        application_id: str | Unset = UNSET,
        endpoint_id: str | Unset = UNSET,
        event_type: str | Unset = UNSET,
        group_by: Literal["endpoint", "event_type", "status"] | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.Stats:
        """
        Get statistics

        Events, attempts and ended deliveries by `step`: a minute (at most 24 hours), an hour (at most 7 days) or a day.
        With `group_by` the totals of the 50 largest groups instead. Within 5 seconds of the truth; tests are not
        counted.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
        `internal_error`, `unavailable`.
        """
        call = Call(
            "GET",
            "/stats",
            query={
                "from": from_,
                "to": to,
                "step": step,
                "environment_id": environment_id,
                "application_id": application_id,
                "endpoint_id": endpoint_id,
                "event_type": event_type,
                "group_by": group_by,
            },
        )
        return self._transport.request(call, models.Stats, timeout, retries)

    def stream_changes(
        self,
        *,
        environment_id: str | Unset = UNSET,
        endpoint_id: str | Unset = UNSET,
        status: models.DeliveryStatus | Unset = UNSET,
        timeout: float | None = None,
    ) -> Iterator[Change[Literal["delivery"], models.Delivery] | Change[Literal["event"], models.AcceptedEvent] | Change[Literal["gap"], models.LiveGap]]:
        """
        Watch deliveries and events live

        A stream of server-sent events: `delivery` with the item of the deliveries list whenever one changes, `event`
        when an event is accepted (not with `status`), `gap` with the number of changes that were dropped. It is a view:
        nothing is repeated after a reconnection. At most 20 streams a workspace, of them 10 of portals, and 2 of the
        portal of one application.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `limit_reached`,
        `rate_limited`, `internal_error`, `unavailable`.
        """
        call = Call(
            "GET",
            "/live",
            query={
                "environment_id": environment_id,
                "endpoint_id": endpoint_id,
                "status": status,
            },
        )
        return self._transport.stream(call, {"delivery": models.Delivery, "event": models.AcceptedEvent, "gap": models.LiveGap}, timeout)


class UsageResource(Resource):
    """What each customer used, for billing."""

    def list(
        self,
        *,
        from_: str | datetime | Unset = UNSET,
        to: str | datetime | Unset = UNSET,
        step: Literal["day", "month"] | Unset = UNSET,
        group_by: Literal["application"] | Unset = UNSET,
        application_id: str | Unset = UNSET,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> Listing[models.UsageRow]:
        """
        List the usage of each application

        Events, deliveries, attempts and bytes of each application by day or month in UTC, for billing. Exact, and kept
        for 13 months. A day or month that is not over is `provisional`. `from` is rounded down and `to` up. With
        `Accept: text/csv` the page is a table.

        Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `rate_limited`, `internal_error`, `unavailable`.

        - `limit`: How many items are asked for at a time.
        - `cursor`: Where to begin: `nextCursor` of a page.
        """
        call = Call(
            "GET",
            "/usage",
            query={
                "from": from_,
                "to": to,
                "step": step,
                "group_by": group_by,
                "application_id": application_id,
                "limit": limit,
                "cursor": cursor,
            },
        )
        return self._transport.list(call, models.UsageRow, Paging("cursor", "usage"), timeout, retries)


class AuditLogsResource(Resource):
    """Every change, its actor and its origin."""

    def list(
        self,
        *,
        page: int | Unset = UNSET,
        from_: str | datetime | Unset = UNSET,
        to: str | datetime | Unset = UNSET,
        action: str | Unset = UNSET,
        resource_type: str | Unset = UNSET,
        actor_type: str | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> Listing[models.AuditLogEntry]:
        """
        List the audit log

        Newest first, 50 in a page, kept for 365 days. `from` is inclusive, `to` exclusive.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
        `internal_error`, `unavailable`.

        - `page`: Where to begin: `nextCursor` of a page, as a number.
        """
        call = Call(
            "GET",
            "/audit-logs",
            query={
                "page": page,
                "from": from_,
                "to": to,
                "action": action,
                "resource_type": resource_type,
                "actor_type": actor_type,
            },
        )
        return self._transport.list(call, models.AuditLogEntry, Paging("page", "data"), timeout, retries)


class PortalSessionsResource(Resource):
    """Access for a customer to the portal."""

    def list(
        self,
        application_id: str,
        /,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> Listing[models.PortalSession]:
        """
        List an application's portal sessions

        Sessions that have not expired, oldest first.

        Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `plan_required`,
        `token_disabled`, `not_found`, `rate_limited`, `internal_error`, `unavailable`.

        - `limit`: How many items are asked for at a time.
        - `cursor`: Where to begin: `nextCursor` of a page.
        """
        call = Call(
            "GET",
            path("/applications/{}/portal-sessions", application_id),
            query={
                "limit": limit,
                "cursor": cursor,
            },
        )
        return self._transport.list(call, models.PortalSession, Paging("link"), timeout, retries)

    def create(
        self,
        application_id: str,
        /,
        *,
        environment_id: str | Unset = UNSET,
        expires_in_seconds: int | Unset = UNSET,
        capabilities: Sequence[models.Capability] | Unset = UNSET,
        theme: models.PortalThemeDict | models.PortalTheme | Unset = UNSET,
        locale: models.PortalLocale | Unset = UNSET,
        return_url: str | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.CreatedPortalSession:
        """
        Create a portal session

        Give the customer the `url`, or open it in a frame. The session reaches one application in one environment. Its
        `capabilities` cannot exceed your own rights, which are the default.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `plan_required`, `token_disabled`, `not_found`,
        `idempotency_conflict`, `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`,
        `unavailable`.

        - `capabilities`: At most the caller’s own rights. By default all of them but `transformations:write`
          and `alerts:write`.
        - `locale`: The language of the pages. `en` by default.
        """
        call = Call(
            "POST",
            path("/applications/{}/portal-sessions", application_id),
            content=json_body({
                "environmentId": environment_id,
                "expiresInSeconds": expires_in_seconds,
                "capabilities": capabilities,
                "theme": theme,
                "locale": locale,
                "returnUrl": return_url,
            }),
            idempotency_key=idempotency_key,
            shown_once="token",
        )
        return self._transport.request(call, models.CreatedPortalSession, timeout, retries)

    def get(
        self,
        application_id: str,
        id: str,
        /,
        *,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.PortalSession:
        """
        Get a portal session

        The token is shown only at creation.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `plan_required`, `token_disabled`, `not_found`,
        `rate_limited`, `internal_error`, `unavailable`.
        """
        call = Call(
            "GET",
            path("/applications/{}/portal-sessions/{}", application_id, id),
        )
        return self._transport.request(call, models.PortalSession, timeout, retries)

    def delete(
        self,
        application_id: str,
        id: str,
        /,
        *,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> None:
        """
        End a portal session

        Its token is refused from the next request on.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `plan_required`, `token_disabled`, `not_found`,
        `rate_limited`, `internal_error`, `unavailable`.
        """
        call = Call(
            "DELETE",
            path("/applications/{}/portal-sessions/{}", application_id, id),
        )
        return self._transport.request(call, nothing, timeout, retries)


class Resources:
    """The resources of a client."""

    def __init__(self, transport: Transport) -> None:
        self.me = MeResource(transport)
        """Credentials of the management interface."""
        self.workspace = WorkspaceResource(transport)
        """The tenant: every other resource belongs to one."""
        self.environments = EnvironmentsResource(transport)
        """They separate API keys, endpoints and the visibility of event types."""
        self.agents = AgentsResource(transport)
        """Subscriptions of agents over the Model Context Protocol, and their keys."""
        self.api_keys = ApiKeysResource(transport)
        """Producers' credentials; each is bound to one environment."""
        self.event_types = EventTypesResource(transport)
        """The categories of events, their schemas, and in which environments each is published and checked."""
        self.catalog = CatalogResource(transport)
        """What receivers may get: the published event types with schema and example."""
        self.applications = ApplicationsResource(transport)
        """End customers, each with its own endpoints."""
        self.endpoints = EndpointsResource(transport)
        """The addresses that get signed deliveries."""
        self.pull_keys = PullKeysResource(transport)
        """Credentials of the consumers that fetch the deliveries of one endpoint."""
        self.subscriptions = SubscriptionsResource(transport)
        """Which endpoint gets which event types."""
        self.sources = SourcesResource(transport)
        """Topics of Kafka whose records become events."""
        self.deliveries = DeliveriesResource(transport)
        """Events on their way to endpoints, with every attempt."""
        self.events = EventsResource(transport)
        """What producers sent, and which endpoints got it or why not."""
        self.erasures = ErasuresResource(transport)
        """Recoveries and bulk changes: work on many deliveries, which goes on after the answer."""
        self.operations = OperationsResource(transport)
        """Recoveries and bulk changes: work on many deliveries, which goes on after the answer."""
        self.alert_rules = AlertRulesResource(transport)
        """Whom to tell of operational events, by mail, in a chat or by PagerDuty."""
        self.stats = StatsResource(transport)
        """Counts, durations and delays, and changes as they happen."""
        self.usage = UsageResource(transport)
        """What each customer used, for billing."""
        self.audit_logs = AuditLogsResource(transport)
        """Every change, its actor and its origin."""
        self.portal_sessions = PortalSessionsResource(transport)
        """Access for a customer to the portal."""
