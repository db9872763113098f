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
    """The credentials of the management interface."""

    def get(
        self,
        *,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.OwnManagementToken:
        """
        Get your management token

        Returns the workspace of the token, its scopes and expiry, and the environments.

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
    """A workspace contains every other resource."""

    def get(
        self,
        *,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.WorkspaceWithQuotas:
        """
        Get the workspace

        The plan is fixed at creation. The quotas show how much the workspace may send in a UTC day and store, and how
        much of that is used.

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

        Updates the name, settings and portal origins. `portalOrigins` takes at most 20 https origins without a path,
        and `http://localhost:*` and `http://127.0.0.1:*` while `BASE_URL` is local. `portalTerms` is the name of an
        event in the portal. `payloadRetentionHours` and `retentionHours` cannot exceed the retention of the
        installation. With `requireSecondFactor`, members without a second factor can only set one up; an owner must
        have one to require it. The slug cannot be changed. A token may update the workspace while its creator is an
        owner, or if it was created by posthorn-admin or the bootstrap.

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

        Creates and updates the resources that the document names, in one transaction, and returns the differences.
        Without `prune`, nothing is removed. With `dryRun`, returns the same result and stores nothing. If any part is
        refused, nothing changes, and `details` lists the problems.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `plan_required`, `token_disabled`, `not_found`,
        `agents_subscribed`, `default_environment`, `environment_limit_reached`, `event_type_exists`,
        `event_type_in_use`, `external_id_taken`, `idempotency_conflict`, `limit_reached`, `slug_taken`,
        `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`, `unavailable`.

        - `dry_run`: Whether to return the changes without applying them.
        - `prune`: Whether to remove the items that the lists of the document do not contain.
        - `part`: With `prune`, whether the document is a part of a larger file. Removes only what the named
          resources have in addition to the document, and no resources.
        - `keep`: With `prune`, the resources that other parts of the file name. They are not removed.
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
    """Separate sets of API keys and endpoints, each with its own visibility of event types."""

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

        Returns all environments of the workspace: the default first, then the others, oldest first.

        Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `rate_limited`, `internal_error`, `unavailable`.

        - `limit`: The maximum number of items in each page.
        - `cursor`: The page to begin with: `nextCursor` of the page before it.
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

        A workspace has at most 10 environments. A new environment has no published event types.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `environment_limit_reached`, `idempotency_conflict`, `slug_taken`, `payload_too_large`,
        `unsupported_media_type`, `rate_limited`, `internal_error`, `unavailable`.

        - `require_application`: Whether an event with an event type must name an application, or `*` for all,
          in `X-Application-Id`. Defaults to false.
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

        Exactly one environment of a workspace is the default. `include=events_without_application` adds the number of
        events in the last 7 days that named an event type and no application.

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

        Setting `isDefault` to `true` makes this environment the default in place of the current one.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `slug_taken`,
        `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`, `unavailable`.

        - `is_default`: Whether this is the default environment. `true` makes it the default; the default
          environment cannot be set to `false`.
        - `require_application`: Whether an event with an event type must name an application, or `*` for all,
          in `X-Application-Id`.
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

        Also deletes its API keys, endpoints and portal sessions. The default environment cannot be deleted.

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

        Returns the changes that would make the target match this environment: its settings, the visibility of event
        types, and the workspace's own endpoints with their subscriptions. In a change, `from` is the value in the
        target. Secrets, URLs, credentials and whether an endpoint is active are never compared.

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
        Promote an environment

        Makes the selected parts of the target match this environment, in one transaction. `url` is required for an
        endpoint that is created, and is used only then. Without `prune`, nothing is deleted, unsubscribed or
        unpublished. With `dryRun`, returns the changes without applying them.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
        `internal_error`, `unavailable`.

        - `settings`: Whether to also apply the settings of the environment (`requireApplication`).
        - `event_types`: `all`, or a list of event type ids.
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
    """Agent subscriptions over the Model Context Protocol, and agent keys."""

    def get_settings(
        self,
        environment_id: str,
        /,
        *,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.AgentSettings:
        """
        Get agent settings

        Returns whether agents may subscribe to events of this environment, and with which limits.

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
        Set agent settings

        Omitted fields are set to their defaults. `enabled: false` ends every agent subscription of the environment.
        Existing subscriptions keep their rate limit.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `plan_required`, `token_disabled`, `not_found`,
        `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`, `unavailable`.

        - `callback_hosts`: The allowed hosts of callbacks. If omitted or null, any public host is allowed.
        - `rate_limit`: The rate limit of each new subscription. Defaults to 600 requests in 60 seconds.
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
        Check the access token issuer

        Fetches the metadata and the keys of the issuer now, as when a token is verified.

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

        Returns agent keys oldest first. Key values are not included.

        Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `rate_limited`, `internal_error`, `unavailable`.

        - `limit`: The maximum number of items in each page.
        - `cursor`: The page to begin with: `nextCursor` of the page before it.
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
        application_id: str | None | Unset = UNSET,
        expires_at: str | datetime | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.CreatedAgentKey:
        """
        Create an agent key

        Creates a key with which an agent subscribes to events of the environment over the Model Context Protocol. An
        application has at most 20 keys, and the workspace itself at most 100. The key is shown only in this response.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `plan_required`, `token_disabled`, `not_found`,
        `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
        `internal_error`, `unavailable`.

        - `environment_id`: The environment. Defaults to the default environment of the workspace.
        - `application_id`: The application whose events the agent receives. The agent sees the event types
          that the portal of this application shows.
        - `expires_at`: When the key expires, at most 365 days from now. Defaults to 365 days from now.
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

        Also ends every subscription that was created with the key.

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
        List agent subscriptions

        Returns agent subscriptions newest first, including those that ended in the last 7 days.

        Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `rate_limited`, `internal_error`, `unavailable`.

        - `limit`: The maximum number of items in each page.
        - `cursor`: The page to begin with: `nextCursor` of the page before it.
        - `status`: The status to filter by. `ended` returns those that ended in the last 7 days.
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
        Get an agent subscription

        Returns the live subscription with this id, or the one that ended most recently.

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
        End an agent subscription

        No attempt starts after the response. The agent may subscribe again; to prevent that, delete its key.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
        `internal_error`, `unavailable`.
        """
        call = Call(
            "DELETE",
            path("/agent-subscriptions/{}", subscription_id),
        )
        return self._transport.request(call, nothing, timeout, retries)


class ApiKeysResource(Resource):
    """The credentials of producers. Each is bound to one environment."""

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

        Returns keys oldest first. A revoked key is listed for 7 days after it ends. Key values are not included.

        Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `rate_limited`, `internal_error`, `unavailable`.

        - `limit`: The maximum number of items in each page.
        - `cursor`: The page to begin with: `nextCursor` of the page before it.
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
        expires_at: str | datetime | None | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.CreatedApiKey:
        """
        Create an API key

        An environment has at most 20 active keys. The key is shown only in this response.

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

        Returns a new key. The old key works until its grace period ends. Rotation is also allowed at the key limit.

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

        The key stops working within a second and is no longer listed.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
        `internal_error`, `unavailable`.
        """
        call = Call(
            "DELETE",
            path("/environments/{}/api-keys/{}", environment_id, id),
        )
        return self._transport.request(call, nothing, timeout, retries)


class EventTypesResource(Resource):
    """Categories of events, with their schemas and their publication and schema checks in each environment."""

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

        Returns all event types of the workspace, oldest first.

        Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `rate_limited`, `internal_error`, `unavailable`.

        - `limit`: The maximum number of items in each page.
        - `cursor`: The page to begin with: `nextCursor` of the page before it.
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

        Names are dot-separated, in lower case, and cannot be changed. A new event type is published only in the
        environments listed in `publishIn`.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `event_type_exists`, `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`,
        `rate_limited`, `internal_error`, `unavailable`.

        - `schema`: A JSON Schema (draft 2020-12). Every reference must point to a place within it.
        - `example`: Any JSON value.
        - `payload_retention`: How long payloads are kept. `workspace`: for the retention period of the
          workspace. `until_ended`: while a delivery is open or a dead letter. `none`: until each delivery has
          had its only attempt.
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

        Returns an event type. Event types are shared by all environments of the workspace.

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

        The name cannot be changed. If the body has a schema, the response describes how it differs for receivers. With
        `dryRun=true`, nothing changes, and read access is sufficient.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `agents_subscribed`, `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`,
        `unavailable`.

        - `schema`: A JSON Schema (draft 2020-12). Every reference must point to a place within it.
        - `example`: Any JSON value.
        - `payload_retention`: How long payloads are kept. `workspace`: for the retention period of the
          workspace. `until_ended`: while a delivery is open or a dead letter. `none`: until each delivery has
          had its only attempt.
        - `end_agents`: Whether to end the agent subscriptions that the change breaks.
        - `dry_run`: Whether to return the changes without applying them.
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

        Fails while any endpoint, active or not, subscribes to the event type by name. Subscriptions made by patterns
        are deleted with it.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `agents_subscribed`, `event_type_in_use`, `rate_limited`, `internal_error`, `unavailable`.

        - `end_agents`: Whether to end the agent subscriptions that the change breaks.
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
        List the visibility of event types

        Returns every event type of the workspace, with whether it is published in this environment and how its payloads
        are checked. `include=endpoints` adds the number of endpoints that subscribe to it.

        Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `rate_limited`, `internal_error`, `unavailable`.

        - `limit`: The maximum number of items in each page.
        - `cursor`: The page to begin with: `nextCursor` of the page before it.
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
        Publish or unpublish an event type

        Takes effect within a second. The request is idempotent. `schemaMode` sets how ingested payloads are checked
        against the schema of the event type, whether or not the type is published.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`, `unavailable`.

        - `schema_mode`: How payloads are checked against the schema of the event type. Unchanged if omitted.
        - `applications`: The applications whose portals show the event type and that may subscribe to it.
          Null for all applications. Unchanged if omitted.
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

        Starts an operation that reads the payloads of older events of the event type, so that they can be found by its
        current search keys. Repeating it is safe. With `dryRun`, only counts the events.

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
        Rotate the search key

        New events are stored with tokens of a new key. Searches use both keys until the last event with the old key is
        past the retention period; until then, the key cannot be rotated again. A token may rotate the key while its
        creator is an owner, or if it was created by posthorn-admin or the bootstrap.

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

        Returns which endpoints would receive an event of this type now, and why the others would not. Nothing is stored
        or sent. At most 5,000 endpoints are returned, active subscribers first.

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
        List operational events

        Returns the events about deliveries that Posthorn can send. To receive one, create an event type with its name,
        publish it, and subscribe an endpoint of the workspace to it.

        Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `rate_limited`, `internal_error`, `unavailable`.

        - `limit`: The maximum number of items in each page.
        - `cursor`: The page to begin with: `nextCursor` of the page before it.
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
    """The published event types that receivers can subscribe to, with schema and example."""

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
        List the event types of a catalogue

        Returns the event types that are published in the environment, with schema and example, oldest first.

        Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `rate_limited`, `internal_error`, `unavailable`.

        - `limit`: The maximum number of items in each page.
        - `cursor`: The page to begin with: `nextCursor` of the page before it.
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

        Returns an event type that is published in the environment. Any other event type is `not_found`.

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
        Get a catalogue as an OpenAPI document

        Returns an OpenAPI 3.1 document for the engineers who receive the events. It has a webhook for each published
        event type, with its schema, example, headers and signature.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `limit_reached`,
        `rate_limited`, `internal_error`, `unavailable`.
        """
        call = Call(
            "GET",
            path("/environments/{}/catalog/openapi.json", environment_id),
        )
        return self._transport.request(call, anything, timeout, retries)


class ApplicationsResource(Resource):
    """Your customers. Each has its own endpoints."""

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

        Returns applications newest first. With `sort=trouble`, applications with the most failing endpoints come first.
        `include=health` adds the health of the endpoints of each application.

        Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `plan_required`,
        `token_disabled`, `not_found`, `rate_limited`, `internal_error`, `unavailable`.

        - `limit`: The maximum number of items in each page.
        - `cursor`: The page to begin with: `nextCursor` of the page before it.
        - `search`: A text that the name or the externalId contains, case-insensitive.
        - `environment_id`: With `include` or `sort`, limits the endpoints and events that are counted to this
          environment.
        - `sort`: Sorts by the most failing endpoints, then by the most degraded ones. An application whose
          health changes between two pages may be listed twice or not at all. The default is newest first.
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
        external_id: str | None | Unset = UNSET,
        metadata: Mapping[str, str] | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.Application:
        """
        Create an application

        An `externalId` is unique in the workspace. `ext:<externalId>` is accepted wherever the id of an application is.

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

        Returns an application by its id, or by `ext:` and its externalId.

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
        external_id: str | None | Unset = UNSET,
        metadata: Mapping[str, str] | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.Application:
        """
        Create or replace an application

        Creates or replaces the application with this externalId, given as `ext:<externalId>`. Omitted optional fields
        are set to their defaults. The status is 201 if the application is new.

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

        Updates the given fields. `metadata` is replaced as a whole.

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

        Also deletes its endpoints and portal sessions.

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

        Returns endpoints oldest first. With `limit` or `cursor`, returns one page; the `Link` header points to the
        next.

        Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `plan_required`,
        `token_disabled`, `not_found`, `rate_limited`, `internal_error`, `unavailable`.

        - `limit`: The maximum number of items in each page.
        - `cursor`: The page to begin with: `nextCursor` of the page before it.
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
        auth_username: str | None | Unset = UNSET,
        auth_password: str | None | Unset = UNSET,
        type: Literal["webhook", "playground", "pull", "rabbitmq", "kafka", "nats", "sqs", "sns", "kinesis", "eventbridge", "s3", "pubsub"] | Unset = UNSET,
        config: models.EndpointConfigDict | models.EndpointConfig | Unset = UNSET,
        secret_headers: Mapping[str, str | None] | Unset = UNSET,
        credentials: Mapping[str, str | None] | Unset = UNSET,
        metadata: Mapping[str, models.MetadataValue] | Unset = UNSET,
        environment_id: str | Unset = UNSET,
        external_id: str | None | Unset = UNSET,
        secret: str | None | Unset = UNSET,
        is_active: bool | Unset = UNSET,
        event_types: Sequence[models.ChosenEventType] | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.CreatedEndpoint:
        """
        Create an endpoint of an application

        The endpoint is created in the default environment unless `environmentId` is set. An application has at most 500
        endpoints.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `plan_required`, `token_disabled`, `not_found`,
        `external_id_taken`, `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`,
        `rate_limited`, `internal_error`, `unavailable`.

        - `url`: The URL of the endpoint. Required if the endpoint type has one; for other types, Posthorn
          sets it.
        - `event_types`: The event types to subscribe to, by name or by pattern.
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
        auth_username: str | None | Unset = UNSET,
        auth_password: str | None | Unset = UNSET,
        type: Literal["webhook", "playground", "pull", "rabbitmq", "kafka", "nats", "sqs", "sns", "kinesis", "eventbridge", "s3", "pubsub"] | Unset = UNSET,
        config: models.EndpointConfigDict | models.EndpointConfig | Unset = UNSET,
        secret_headers: Mapping[str, str | None] | Unset = UNSET,
        credentials: Mapping[str, str | None] | Unset = UNSET,
        metadata: Mapping[str, models.MetadataValue] | Unset = UNSET,
        environment_id: str | Unset = UNSET,
        external_id: str | None | Unset = UNSET,
        secret: str | None | Unset = UNSET,
        is_active: bool | Unset = UNSET,
        event_types: Sequence[models.ChosenEventType] | Unset = UNSET,
        event_type_patterns: Sequence[models.ChosenEventTypePattern] | Unset = UNSET,
        secret_header_names: Sequence[str] | Unset = UNSET,
        credential_names: Sequence[str] | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.CreatedEndpoint:
        """
        Create or replace an endpoint of an application

        Creates or replaces the endpoint with this externalId, given as `ext:<externalId>`, in the default environment
        unless the body names another. Omitted optional fields are set to their defaults; the id, the secret,
        `isActive`, the health and the owner are kept. An answer that is sent back changes nothing. The status is 201 if
        the endpoint is new.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `plan_required`, `token_disabled`, `not_found`,
        `external_id_taken`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
        `internal_error`, `unavailable`.

        - `url`: The URL of the endpoint. Required if the endpoint type has one; for other types, Posthorn
          sets it.
        - `event_types`: The event types to subscribe to, by name or by pattern.
        - `event_type_patterns`: The patterns, as an endpoint shows them. They replace the stored patterns,
          and other subscriptions are kept. Ignored with `eventTypes`.
        - `secret_header_names`: The names of the stored secret headers to keep, as an endpoint shows them.
        - `credential_names`: The names of the stored credentials to keep, as an endpoint shows them.
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
                "eventTypePatterns": event_type_patterns,
                "secretHeaderNames": secret_header_names,
                "credentialNames": credential_names,
            }),
        )
        return self._transport.request(call, models.CreatedEndpoint, timeout, retries)


class EndpointsResource(Resource):
    """The destinations that receive signed deliveries."""

    def list_types(
        self,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> Listing[models.EndpointType]:
        """
        List endpoint types

        Returns the possible values of `type` for a new endpoint. Each has the setup instructions, the schemas of its
        `config` and credentials, and the meaning of `delivered`. Use this list to build forms.

        Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `rate_limited`, `internal_error`, `unavailable`.

        - `limit`: The maximum number of items in each page.
        - `cursor`: The page to begin with: `nextCursor` of the page before it.
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

        Returns every endpoint of the workspace, including those of applications, oldest first. With `limit` or
        `cursor`, returns one page; the `Link` header points to the next. `include=stats` adds the attempts of the last
        24 hours.

        Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `rate_limited`, `internal_error`, `unavailable`.

        - `limit`: The maximum number of items in each page.
        - `cursor`: The page to begin with: `nextCursor` of the page before it.
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
        auth_username: str | None | Unset = UNSET,
        auth_password: str | None | Unset = UNSET,
        type: Literal["webhook", "playground", "pull", "rabbitmq", "kafka", "nats", "sqs", "sns", "kinesis", "eventbridge", "s3", "pubsub"] | Unset = UNSET,
        config: models.EndpointConfigDict | models.EndpointConfig | Unset = UNSET,
        secret_headers: Mapping[str, str | None] | Unset = UNSET,
        credentials: Mapping[str, str | None] | Unset = UNSET,
        metadata: Mapping[str, models.MetadataValue] | Unset = UNSET,
        environment_id: str | Unset = UNSET,
        external_id: str | None | Unset = UNSET,
        secret: str | None | Unset = UNSET,
        is_active: bool | Unset = UNSET,
        event_types: Sequence[models.ChosenEventType] | Unset = UNSET,
        application_id: str | None | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.CreatedEndpoint:
        """
        Create an endpoint

        The endpoint is created in the default environment unless `environmentId` is set. A signing secret is generated
        unless one is given.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `external_id_taken`, `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`,
        `rate_limited`, `internal_error`, `unavailable`.

        - `url`: The URL of the endpoint. Required if the endpoint type has one; for other types, Posthorn
          sets it.
        - `event_types`: The event types to subscribe to, by name or by pattern.
        - `application_id`: The application that owns the endpoint. If omitted, the endpoint belongs to the
          workspace itself.
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

        Returns an endpoint. The password is never returned. `include=stats` adds the attempts of the last 24 hours.

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

        Applies to every attempt that starts after the response. `config` is replaced as a whole. A `url` with another
        origin removes the stored credentials unless the body includes them again.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `external_id_taken`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
        `internal_error`, `unavailable`.

        - `event_type_patterns`: The patterns of event types, which replace the current ones. Every matching
          event type gets a subscription.
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
        auth_username: str | None | Unset = UNSET,
        auth_password: str | None | Unset = UNSET,
        type: Literal["webhook", "playground", "pull", "rabbitmq", "kafka", "nats", "sqs", "sns", "kinesis", "eventbridge", "s3", "pubsub"] | Unset = UNSET,
        config: models.EndpointConfigDict | models.EndpointConfig | Unset = UNSET,
        secret_headers: Mapping[str, str | None] | Unset = UNSET,
        credentials: Mapping[str, str | None] | Unset = UNSET,
        metadata: Mapping[str, models.MetadataValue] | Unset = UNSET,
        environment_id: str | Unset = UNSET,
        external_id: str | None | Unset = UNSET,
        secret: str | None | Unset = UNSET,
        is_active: bool | Unset = UNSET,
        event_types: Sequence[models.ChosenEventType] | Unset = UNSET,
        event_type_patterns: Sequence[models.ChosenEventTypePattern] | Unset = UNSET,
        secret_header_names: Sequence[str] | Unset = UNSET,
        credential_names: Sequence[str] | Unset = UNSET,
        application_id: str | None | Unset = UNSET,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.CreatedEndpoint:
        """
        Create or replace an endpoint

        Creates or replaces the endpoint with this externalId, given as `ext:<externalId>`, in the default environment
        unless the body names another. Omitted optional fields are set to their defaults; the id, the secret,
        `isActive`, the health and the owner are kept. An answer that is sent back changes nothing. The status is 201 if
        the endpoint is new.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `external_id_taken`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
        `internal_error`, `unavailable`.

        - `url`: The URL of the endpoint. Required if the endpoint type has one; for other types, Posthorn
          sets it.
        - `event_types`: The event types to subscribe to, by name or by pattern.
        - `event_type_patterns`: The patterns, as an endpoint shows them. They replace the stored patterns,
          and other subscriptions are kept. Ignored with `eventTypes`.
        - `secret_header_names`: The names of the stored secret headers to keep, as an endpoint shows them.
        - `credential_names`: The names of the stored credentials to keep, as an endpoint shows them.
        - `application_id`: The application that owns the endpoint. If omitted, the endpoint belongs to the
          workspace itself.
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
                "eventTypePatterns": event_type_patterns,
                "secretHeaderNames": secret_header_names,
                "credentialNames": credential_names,
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

        Also deletes its subscriptions and permanently stops deliveries to it. Past deliveries remain readable.

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

        Creates a new signing secret. Requests are also signed with the old secret until its grace period ends. At most
        3 secrets are valid at a time.

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
        Send a test event

        Sends one signed request now, even to an inactive endpoint, and returns the attempt. The body is `payload`, byte
        for byte, or the example of the event type, or a default payload. A test does not count in statistics, the
        circuit breaker or the health, and is never retried.

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

        Checks the connection to the endpoint and its responses step by step, and advises what to change. It sends at
        most three requests, stores no result, and takes at most 60 seconds. It can be run once every 10 seconds for an
        endpoint.

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

        Runs the code on a payload, and returns the result that would be sent. Nothing is stored or sent.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `idempotency_conflict`, `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`,
        `unavailable`.

        - `payload`: The payload of the event, used as it is written here. Defaults to the example of the
          event type, or a default payload.
        - `endpoint_id`: The endpoint that the code receives. It also determines whether headers and a path
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

        Event types that are already subscribed are skipped and not counted. If an id is unknown, nothing is subscribed.
        The `filter` applies to the new subscriptions.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `idempotency_conflict`, `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`,
        `unavailable`.

        - `filter`: Conditions on the payload. Only events that match are delivered.
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
        Delete a subscription

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

        Returns deliveries newest first. Deliveries older than the retention period (7 days) are not returned.

        Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `rate_limited`, `internal_error`, `unavailable`.

        - `limit`: The maximum number of items in each page.
        - `cursor`: The page to begin with: `nextCursor` of the page before it.
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
        Get an endpoint's delivery

        `include=payload,attempts` adds the payload as ingested and the newest 100 attempts. If the payload is not
        available, the `status` of its envelope gives the reason.

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
        Recover missed deliveries

        `failed` retries deliveries that are `failed` or `dead_letter`. `missed` delivers events that the endpoint would
        receive now and has no delivery of. `all` does both, and also resends deliveries that were `delivered`. `since`
        is inclusive, `until` exclusive; both apply to the time of the event. The recovery is paced and yields to new
        events. With `dryRun`, only counts.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
        `internal_error`, `unavailable`.

        - `since`: The start of the time range. Either `since` or `from` is required.
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
    """The credentials with which consumers fetch the deliveries of one endpoint."""

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
        List an endpoint's pull keys

        Returns pull keys oldest first, at most 10. Key values are not included.

        Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `rate_limited`, `internal_error`, `unavailable`.

        - `limit`: The maximum number of items in each page.
        - `cursor`: The page to begin with: `nextCursor` of the page before it.
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
        expires_at: str | datetime | None | Unset = UNSET,
        environment_id: str | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.CreatedPullKey:
        """
        Create a pull key

        A pull endpoint has at most 10 pull keys. The key is shown only in this response. To rotate a key, create a new
        one, use it, and delete the old one.

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

        The key stops working within a second. Messages that a consumer has leased can be settled with another key.

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
    """The event types that each endpoint receives."""

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

        Returns subscriptions oldest first.

        Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `rate_limited`, `internal_error`, `unavailable`.

        - `limit`: The maximum number of items in each page.
        - `cursor`: The page to begin with: `nextCursor` of the page before it.
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
        Update the filter of a subscription

        Replaces the filter. Null removes it. The new filter applies to events that are fanned out from then on.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`, `unavailable`.

        - `filter`: The new filter. Null removes the filter.
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

        Returns whether a payload matches a filter, and the result of each clause. Nothing is stored.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`, `unavailable`.

        - `filter`: Conditions on the payload. Only events that match are delivered.
        - `payload`: The payload to test the filter with, as JSON.
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
    """Kafka topics whose records become events."""

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
        List sources

        Returns sources oldest first. Credentials are not included.

        Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `rate_limited`, `internal_error`, `unavailable`.

        - `limit`: The maximum number of items in each page.
        - `cursor`: The page to begin with: `nextCursor` of the page before it.
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
        external_id: str | None | Unset = UNSET,
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

        A source reads topics of Apache Kafka. Each record becomes one event, exactly once. Reading starts within
        seconds; `health` shows the result.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `external_id_taken`, `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`,
        `rate_limited`, `internal_error`, `unavailable`.

        - `environment_id`: The environment. Defaults to the default environment of the workspace.
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

        Returns a source, with its health as last reported by the reader.

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
        Update a source

        Reading continues from the current position, and from `start` in a topic that is new to the source. Stored
        credentials are removed when the brokers change. A stopped source tries again.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `external_id_taken`, `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`,
        `unavailable`.

        - `config`: The new config, which replaces the current one as a whole.
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

        Also deletes its position and its rejections. Its events are kept.

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
        Seek in a topic

        Moves the source to an offset or a time in a topic. Records from there on are read, and those that were read
        before become new events. A stopped source tries again.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `idempotency_conflict`, `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`,
        `unavailable`.

        - `partition`: The partition. If omitted, all partitions.
        - `offset`: The offset of the next record to read.
        - `timestamp`: The time of the next record to read: the first record at or after this time.
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

        Connects to the brokers, describes the topics and reads one record, without storing it. The response shows the
        event that the record would become, or why it cannot become one. A source can be tested once every 5 seconds.

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
        List a source's rejected records

        Returns rejected records newest first. The newest 10,000 are kept.

        Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `rate_limited`, `internal_error`, `unavailable`.

        - `limit`: The maximum number of items in each page.
        - `cursor`: The page to begin with: `nextCursor` of the page before it.
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
    """The deliveries of events to endpoints, with every attempt."""

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
        List deliveries

        Returns deliveries newest first, including those of deleted endpoints. `from` is inclusive, `to` exclusive; both
        apply to the time of the event.

        Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `rate_limited`, `internal_error`, `unavailable`.

        - `limit`: The maximum number of items in each page.
        - `cursor`: The page to begin with: `nextCursor` of the page before it.
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

        Returns the deliveries of events that match the search values, newest first. Values are looked up by the search
        keys of each event type. The filters are those of the list, sent in the body to keep values out of URLs.
        Requires the right to read payloads.

        Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `plan_required`,
        `token_disabled`, `not_found`, `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`,
        `unavailable`.

        - `search`: The values to search for. Each is `name:value` for one search key, or a value that is
          looked up in every search key. An event must match all of them.
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

        `include=payload,attempts` adds the payload as ingested and the newest 100 attempts. If the payload is not
        available, the `status` of its envelope gives the reason.

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

        Returns the newest 100 attempts, oldest first; the `Link` header points to older ones. Credentials in request
        headers are redacted. Headers and bodies are limited to 2 MiB in total: an omitted body is null, with
        `responseTruncated` true.

        Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `rate_limited`, `internal_error`, `unavailable`.

        - `limit`: The maximum number of items in each page.
        - `cursor`: The page to begin with: `nextCursor` of the page before it.
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

        Makes the delivery due now and restarts its retry schedule. A delivery can be retried 100 times. Attempt numbers
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

        Ends a delivery that is `pending` or `scheduled_retry` as `failed`, with the reason `cancelled`. Returns
        `delivery_in_progress` while an attempt is running, and `not_cancellable` after the delivery has ended.

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
    """The events that producers sent, and why each endpoint did or did not receive them."""

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

        Sends an event without an API key, to the default environment unless `environmentId` is set. The checks, quotas
        and idempotency keys are those of ingestion. `data` is the payload.

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

        Returns events newest first, within the retention period. `from` is inclusive, `to` exclusive. Each request
        reads a limited number of events: if few events match the filter, a page may be short or empty and still have a
        `nextCursor`.

        Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `rate_limited`, `internal_error`, `unavailable`.

        - `limit`: The maximum number of items in each page.
        - `cursor`: The page to begin with: `nextCursor` of the page before it.
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

        Returns the events that match the search values, newest first. Values are looked up by the search keys of each
        event type. The filters are those of the list, sent in the body to keep values out of URLs. Requires the right
        to read payloads.

        Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `plan_required`,
        `token_disabled`, `not_found`, `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`,
        `unavailable`.

        - `search`: The values to search for. Each is `name:value` for one search key, or a value that is
          looked up in every search key. An event must match all of them.
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

        `include=payload` adds the payload as ingested. If the payload is not available, the `status` of its envelope
        gives the reason.

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

        Returns one delivery for each endpoint that received the event, ordered by delivery id.

        Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `rate_limited`, `internal_error`, `unavailable`.

        - `limit`: The maximum number of items in each page.
        - `cursor`: The page to begin with: `nextCursor` of the page before it.
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

        An event that waits for its fan-out gets no deliveries. Deliveries that have not ended are ended as failed,
        except those with a running attempt.

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

        Returns for every endpoint of the environment whether it received the event, and if not, why, based on the
        configuration at fan-out. Matched endpoints come first.

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

        Erases the payload and the headers and bodies of its attempts at once, and cancels its open deliveries. The
        event and its deliveries remain in lists. Repeating the request has the same response.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
        `internal_error`, `unavailable`.
        """
        call = Call(
            "DELETE",
            path("/events/{}/payload", id),
        )
        return self._transport.request(call, nothing, timeout, retries)


class ErasuresResource(Resource):
    """Recoveries and bulk changes of many deliveries, which run in the background."""

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
        Erase customer data

        Erases the payloads of the events that were sent to the application, and the requests and responses of the
        attempts to its endpoints. Without `eventTypes`, `from` and `to`, erases the customer: also deletes the
        application, its endpoints and its portal sessions, with all names. This cannot be undone. With `dryRun`, only
        counts the events.

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
    """Recoveries and bulk changes of many deliveries, which run in the background."""

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
        Retry deliveries in bulk

        Retries every delivery that matches the filter, like a manual retry, at a rate that its endpoint can handle. The
        filter needs at least one key. With `dryRun`, only counts.

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
        Cancel deliveries in bulk

        Cancels every delivery that matches the filter and is `pending` or `scheduled_retry`. The filter needs at least
        one key. With `dryRun`, only counts.

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
        List operations

        Returns operations newest first. An operation is kept for the retention period (7 days).

        Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `rate_limited`, `internal_error`, `unavailable`.

        - `limit`: The maximum number of items in each page.
        - `cursor`: The page to begin with: `nextCursor` of the page before it.
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

        Returns an operation. `matched` is null while it counts. `delivered` and `failed` are updated within seconds.
        The operation is `completed` once all its enqueued deliveries have ended.

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

        The operation enqueues nothing more. Deliveries that it has already enqueued continue, and are counted. An
        erasure needs the role `admin`.

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

        The operation does nothing more until it is resumed. Deliveries that it has already enqueued continue, and are
        counted. An erasure needs the role `admin`.

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

        A paused operation continues where it stopped. An erasure needs the role `admin`.

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
    """Notifications about operational events by email, in a chat or through PagerDuty."""

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
        List alert rules

        Returns alert rules oldest first. Targets are shortened.

        Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `rate_limited`, `internal_error`, `unavailable`.

        - `limit`: The maximum number of items in each page.
        - `cursor`: The page to begin with: `nextCursor` of the page before it.
        - `application_id`: The application whose rules are returned, including those created in its portal.
          If omitted, returns the rules that were not created in a portal.
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
        environment_id: str | None | Unset = UNSET,
        application_id: str | None | Unset = UNSET,
        quiet_minutes: int | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.AlertRule:
        """
        Create an alert rule

        Sends messages by email, to a chat or to PagerDuty when one of the `events` occurs. No published event type is
        needed. If the address does not belong to a member, it first receives an email with a confirmation link.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `idempotency_conflict`, `limit_reached`, `payload_too_large`, `unsupported_media_type`, `rate_limited`,
        `internal_error`, `unavailable`.

        - `target`: The email address for `email`, the integration key of a service (Events API v2) for
          `pagerduty`, and the https URL of the incoming webhook for the other channels.
        - `quiet_minutes`: The minimum time in minutes between two messages about the same event. A message
          names up to 10 affected endpoints.
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

        Returns an alert rule. The target is shortened.

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
        Update an alert rule

        A new address that does not belong to a member must be confirmed again. Sending back the shortened target leaves
        the target unchanged.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `limit_reached`,
        `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`, `unavailable`.

        - `target`: The email address for `email`, the integration key of a service (Events API v2) for
          `pagerduty`, and the https URL of the incoming webhook for the other channels.
        - `quiet_minutes`: The minimum time in minutes between two messages about the same event. A message
          names up to 10 affected endpoints.
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

        Alerts that are waiting to be sent are discarded.

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

        The message is sent within seconds, regardless of the quiet time. The result is then in `lastSentAt`,
        `lastError` and `lastErrorCode` of the rule. A rule can have one pending test at a time.

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
    """Counts, durations and delays, and a live stream of changes."""

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

        Returns events, attempts and ended deliveries by `step`: a minute (at most 24 hours), an hour (at most 7 days)
        or a day. With `group_by`, returns the totals of the 50 largest groups instead. Data is at most 5 seconds old;
        tests are not counted.

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
        Stream deliveries and events

        Streams server-sent events: `delivery`, with the delivery as in the list, whenever one changes; `event` when an
        event is accepted (not with `status`); `gap` with the number of dropped changes. Nothing is repeated after a
        reconnection. A workspace can have at most 20 streams, of which at most 10 are from portals and 2 from the
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
    """The usage of each customer, for billing."""

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
        List usage by application

        Returns the events, deliveries, attempts and bytes of each application by day or month in UTC, for billing.
        Counts are exact and kept for 13 months. A day or month that is not over is `provisional`. `from` is rounded
        down and `to` up. With `Accept: text/csv`, returns the page as CSV.

        Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`,
        `rate_limited`, `internal_error`, `unavailable`.

        - `limit`: The maximum number of items in each page.
        - `cursor`: The page to begin with: `nextCursor` of the page before it.
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
    """A record of every change, with its actor and origin."""

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
        List audit log entries

        Returns entries newest first, 50 per page. Entries are kept for 365 days. `from` is inclusive, `to` exclusive.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `token_disabled`, `not_found`, `rate_limited`,
        `internal_error`, `unavailable`.

        - `page`: The page to begin with, as a number: `nextCursor` of the page before it.
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
    """Sessions that give a customer access to the portal."""

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

        Returns sessions that have not expired, oldest first.

        Refused with `invalid_cursor`, `validation_error`, `unauthorized`, `forbidden`, `plan_required`,
        `token_disabled`, `not_found`, `rate_limited`, `internal_error`, `unavailable`.

        - `limit`: The maximum number of items in each page.
        - `cursor`: The page to begin with: `nextCursor` of the page before it.
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
        theme: models.PortalThemeDict | models.PortalTheme | None | Unset = UNSET,
        locale: models.PortalLocale | Unset = UNSET,
        return_url: str | None | Unset = UNSET,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.CreatedPortalSession:
        """
        Create a portal session

        Redirect the customer to the `url`, or open it in a frame. The session gives access to one application in one
        environment. Its `capabilities` cannot exceed your own rights.

        Refused with `validation_error`, `unauthorized`, `forbidden`, `plan_required`, `token_disabled`, `not_found`,
        `idempotency_conflict`, `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error`,
        `unavailable`.

        - `capabilities`: The capabilities of the session, within the caller's own rights. Defaults to all of
          these except `transformations:write` and `alerts:write`.
        - `locale`: The language of the portal. Defaults to `en`.
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

        Returns a portal session. The token is shown only at creation.

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

        The token is refused from the next request on.

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
        """The credentials of the management interface."""
        self.workspace = WorkspaceResource(transport)
        """A workspace contains every other resource."""
        self.environments = EnvironmentsResource(transport)
        """Separate sets of API keys and endpoints, each with its own visibility of event types."""
        self.agents = AgentsResource(transport)
        """Agent subscriptions over the Model Context Protocol, and agent keys."""
        self.api_keys = ApiKeysResource(transport)
        """The credentials of producers. Each is bound to one environment."""
        self.event_types = EventTypesResource(transport)
        """Categories of events, with their schemas and their publication and schema checks in each environment."""
        self.catalog = CatalogResource(transport)
        """The published event types that receivers can subscribe to, with schema and example."""
        self.applications = ApplicationsResource(transport)
        """Your customers. Each has its own endpoints."""
        self.endpoints = EndpointsResource(transport)
        """The destinations that receive signed deliveries."""
        self.pull_keys = PullKeysResource(transport)
        """The credentials with which consumers fetch the deliveries of one endpoint."""
        self.subscriptions = SubscriptionsResource(transport)
        """The event types that each endpoint receives."""
        self.sources = SourcesResource(transport)
        """Kafka topics whose records become events."""
        self.deliveries = DeliveriesResource(transport)
        """The deliveries of events to endpoints, with every attempt."""
        self.events = EventsResource(transport)
        """The events that producers sent, and why each endpoint did or did not receive them."""
        self.erasures = ErasuresResource(transport)
        """Recoveries and bulk changes of many deliveries, which run in the background."""
        self.operations = OperationsResource(transport)
        """Recoveries and bulk changes of many deliveries, which run in the background."""
        self.alert_rules = AlertRulesResource(transport)
        """Notifications about operational events by email, in a chat or through PagerDuty."""
        self.stats = StatsResource(transport)
        """Counts, durations and delays, and a live stream of changes."""
        self.usage = UsageResource(transport)
        """The usage of each customer, for billing."""
        self.audit_logs = AuditLogsResource(transport)
        """A record of every change, with its actor and origin."""
        self.portal_sessions = PortalSessionsResource(transport)
        """Sessions that give a customer access to the portal."""
