from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import Any


class PosthornError(Exception):
    """The base class of the errors of this library."""


class OptionError(PosthornError, ValueError):
    """An option or an argument is invalid. Nothing was sent."""

    option: str
    """The name of the option, such as `base_url`, `token` or `idempotency_key`."""

    def __init__(self, option: str, rule: str) -> None:
        super().__init__(option, rule)
        self.option = option

    def __str__(self) -> str:
        return " ".join(self.args)


class ConnectionError(PosthornError, builtins.ConnectionError):
    """No complete answer arrived: the server was not reached, or the connection ended early."""


class TimeoutError(PosthornError, builtins.TimeoutError):
    """No complete answer arrived within `timeout`."""


class SecretNotShownError(PosthornError):
    """The answer to a repeated request no longer shows the secret that the first answer showed."""


class BatchError(PosthornError):
    """A later part of a batch failed. You can send `unsent` again as it is: each event has its idempotency key."""

    results: Sequence[Any]
    """The results of the first events of the batch, in order."""
    unsent: Sequence[Any]
    """The remaining events, each with its idempotency key."""

    def __init__(self, results: Sequence[Any], unsent: Sequence[Any], reason: str) -> None:
        super().__init__(results, unsent, reason)
        self.results = results
        self.unsent = unsent

    def __str__(self) -> str:
        return f"{len(self.results)} events were sent, {len(self.unsent)} were not: {self.args[2]}"

    def __repr__(self) -> str:
        # The events are the caller's data, which does not belong in a log.
        return f"BatchError({str(self)!r})"


class ApiError(PosthornError):
    """The server refused the request."""

    status: int
    code: str
    """One of `models.ErrorCode`, or `unexpected_answer` if the answer does not come from Posthorn, but from a proxy."""
    message: str
    request_id: str | None
    """The `X-Request-Id` of the answer. With it, the operator of the service finds the request."""
    retry_after: int | None
    """How many seconds the server asks you to wait before the next try."""
    details: Any
    """With the code `validation_error`: which fields are wrong, and why."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        request_id: str | None = None,
        retry_after: int | None = None,
        details: Any = None,
    ) -> None:
        # Pass every argument, in order: pickle makes the exception from them.
        super().__init__(status, code, message, request_id, retry_after, details)
        self.status = status
        self.code = code
        self.message = message
        self.request_id = request_id
        self.retry_after = retry_after
        self.details = details

    def __str__(self) -> str:
        of_request = "" if self.request_id is None else f", request {self.request_id}"
        return f"{self.message} ({self.status} {self.code}{of_request})"


class ValidationError(ApiError):
    """400, 413, 415 or 422: the request itself is wrong."""


class UnauthorizedError(ApiError):
    """401: the credential is missing, wrong or expired."""


class ForbiddenError(ApiError):
    """403: the credential may not do this."""


class NotFoundError(ApiError):
    """404: there is no such object, or the credential may not see it."""


class ConflictError(ApiError):
    """409: the current state does not allow it, or another request has the same idempotency key."""


class RateLimitedError(ApiError):
    """429: too many requests, or a quota is used up."""


class UnavailableError(ApiError):
    """502, 503 or 504: the service cannot answer right now."""


_BY_STATUS: dict[int, type[ApiError]] = {
    400: ValidationError,
    401: UnauthorizedError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    413: ValidationError,
    415: ValidationError,
    422: ValidationError,
    429: RateLimitedError,
    502: UnavailableError,
    503: UnavailableError,
    504: UnavailableError,
}


def create_api_error(
    status: int,
    code: str,
    message: str,
    request_id: str | None = None,
    retry_after: int | None = None,
    details: Any = None,
) -> ApiError:
    return _BY_STATUS.get(status, ApiError)(status, code, message, request_id, retry_after, details)
