"""Receives webhooks with Django."""

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

__all__ = ["Webhook", "webhook_handler"]


def webhook_handler(
    secrets: str | Sequence[str], *, tolerance_seconds: float = 300, max_bytes: int = MAX_BYTES
) -> Callable[[Callable[[Webhook], Any]], Callable[[HttpRequest], HttpResponse]]:
    """
    Makes a view of a function that takes a genuine webhook. When it is done, the answer is 204. When it raises, the
    answer is 500 and Posthorn sends the webhook again.

        @webhook_handler(settings.WEBHOOK_SECRET)
        def receive(webhook): ...

        urlpatterns = [path("webhooks", receive)]
    """

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
            # Else the coroutine of an `async def` would never run.
            if inspect.isawaitable(work):

                async def finish() -> None:
                    await work

                async_to_sync(finish)()
            return HttpResponse(status=204)

        return view

    return decorate


def _read_body(request: HttpRequest, max_bytes: int) -> bytes:
    # `request.body` ends at DATA_UPLOAD_MAX_MEMORY_SIZE, which is 2.5 MB unless it is set.
    body = request.read(max_bytes + 1)
    length = request.META.get("CONTENT_LENGTH") or "0"
    if len(body) >= min(int(length), max_bytes + 1):
        return body
    try:
        # A middleware has read it, and Django has kept it.
        return request.body
    except RawPostDataException:
        raise RuntimeError(BODY_IS_LOST) from None
