"""Receives webhooks with Flask."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, Callable

from flask import Response, current_app, request

from .receive import BODY_IS_LOST, MAX_BYTES, Refusal, Webhook, receive

__all__ = ["Webhook", "webhook_handler"]


def webhook_handler(
    secrets: str | Sequence[str], *, tolerance_seconds: float = 300, max_bytes: int = MAX_BYTES
) -> Callable[[Callable[[Webhook], Any]], Callable[..., Response]]:
    """
    Makes a view of a function that takes a genuine webhook. When it is done, the answer is 204. When it raises, the
    answer is 500 and Posthorn sends the webhook again. An `async def` needs `flask[async]`, as a view of Flask does.

        @app.post("/webhooks")
        @webhook_handler(os.environ["WEBHOOK_SECRET"])
        def receive(webhook): ...
    """

    def decorate(handler: Callable[[Webhook], Any]) -> Callable[..., Response]:
        @functools.wraps(handler)
        def view() -> Response:
            body = _read_body(max_bytes)
            received = receive(body, request.headers, secrets, tolerance_seconds=tolerance_seconds, max_bytes=max_bytes)
            if isinstance(received, Refusal):
                return Response(received.message, received.status, content_type="text/plain")
            # Else the coroutine of an `async def` would never run.
            current_app.ensure_sync(handler)(received)
            return Response(status=204)

        return view

    return decorate


def _read_body(max_bytes: int) -> bytes:
    length = request.content_length or 0
    # One byte more than the most tells a body that is too large, even without a Content-Length.
    if length > max_bytes:
        return b"\0" * (max_bytes + 1)
    # What has read the body before, such as `get_json()` of a `before_request`, has left it in the cache.
    body = request.stream.read(max_bytes + 1) or request.get_data(cache=True)
    if len(body) < length:
        raise RuntimeError(BODY_IS_LOST)
    return body
