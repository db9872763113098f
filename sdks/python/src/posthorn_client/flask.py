"""Receive webhooks with Flask."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, Callable

from flask import Response, current_app, request

from .receive import BODY_IS_LOST, MAX_BYTES, Refusal, Webhook, receive
from .webhooks import read_secrets

__all__ = ["Webhook", "webhook_handler"]


def webhook_handler(
    secrets: str | Sequence[str], *, tolerance_seconds: float = 300, max_bytes: int = MAX_BYTES
) -> Callable[[Callable[[Webhook], Any]], Callable[..., Response]]:
    """
    Turn a function that handles a genuine webhook into a view. When the function returns, the response is 204. When it
    raises, the response is 500 and Posthorn sends the webhook again. An `async def` needs `flask[async]`.

        @app.post("/webhooks")
        @webhook_handler(os.environ["WEBHOOK_SECRET"])
        def receive(webhook): ...
    """

    # A receiver without a usable secret does not start.
    read_secrets(secrets)

    def decorate(handler: Callable[[Webhook], Any]) -> Callable[..., Response]:
        @functools.wraps(handler)
        def view() -> Response:
            body = _read_body(max_bytes)
            received = receive(body, request.headers, secrets, tolerance_seconds=tolerance_seconds, max_bytes=max_bytes)
            if isinstance(received, Refusal):
                return Response(received.message, received.status, content_type="text/plain")
            # `ensure_sync` runs the coroutine of an `async def`.
            current_app.ensure_sync(handler)(received)
            return Response(status=204)

        return view

    return decorate


def _read_body(max_bytes: int) -> bytes:
    length = request.content_length or 0
    # One byte above the limit means a body that is too large. The same holds below, without a Content-Length.
    if length > max_bytes:
        return b"\0" * (max_bytes + 1)
    # If something has read the body before, such as `get_json()` in a `before_request`, it is in the cache.
    body = request.stream.read(max_bytes + 1) or request.get_data(cache=True)
    if len(body) < length:
        raise RuntimeError(BODY_IS_LOST)
    return body
