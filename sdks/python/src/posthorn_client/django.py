"""Receive webhooks with Django."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Sequence
from typing import Any, Callable

from asgiref.sync import async_to_sync
from django.http import HttpRequest, HttpResponse, RawPostDataException
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from .receive import BODY_IS_LOST, MAX_BYTES, Refusal, Webhook, receive
from .webhooks import read_secrets

__all__ = ["Webhook", "webhook_handler"]


def webhook_handler(
    secrets: str | Sequence[str], *, tolerance_seconds: float = 300, max_bytes: int = MAX_BYTES
) -> Callable[[Callable[[Webhook], Any]], Callable[[HttpRequest], HttpResponse]]:
    """
    Turn a function that handles a genuine webhook into a view. When the function returns, the response is 204. When it
    raises, the response is 500 and Posthorn sends the webhook again.

        @webhook_handler(settings.WEBHOOK_SECRET)
        def receive(webhook): ...

        urlpatterns = [path("webhooks", receive)]
    """

    # A receiver without a usable secret does not start.
    read_secrets(secrets)

    def decorate(handler: Callable[[Webhook], Any]) -> Callable[[HttpRequest], HttpResponse]:
        @csrf_exempt
        @require_POST
        @functools.wraps(handler)
        def view(request: HttpRequest) -> HttpResponse:
            body = _read_body(request, max_bytes)
            received = receive(body, request.headers, secrets, tolerance_seconds=tolerance_seconds, max_bytes=max_bytes)
            if isinstance(received, Refusal):
                return HttpResponse(received.message, status=received.status, content_type="text/plain")
            work = handler(received)
            # Without this, the coroutine of an `async def` would never run.
            if inspect.isawaitable(work):

                async def finish() -> None:
                    await work

                async_to_sync(finish)()
            return HttpResponse(status=204)

        return view

    return decorate


def _read_body(request: HttpRequest, max_bytes: int) -> bytes:
    # Read the stream: Django limits `request.body` to DATA_UPLOAD_MAX_MEMORY_SIZE, by default 2.5 MB.
    body = request.read(max_bytes + 1)
    length = request.META.get("CONTENT_LENGTH") or "0"
    if len(body) >= min(int(length), max_bytes + 1):
        return body
    try:
        # If a middleware has read `request.body`, Django has kept it.
        return request.body
    except RawPostDataException:
        raise RuntimeError(BODY_IS_LOST) from None
