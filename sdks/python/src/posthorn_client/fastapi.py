"""Receive webhooks with FastAPI and Starlette."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from typing import Callable

from fastapi import HTTPException, Request

from .receive import BODY_IS_LOST, MAX_BYTES, Refusal, Webhook, receive
from .webhooks import read_secrets

__all__ = ["Webhook", "verified"]


def verified(
    secrets: str | Sequence[str], *, tolerance_seconds: float = 300, max_bytes: int = MAX_BYTES
) -> Callable[[Request], Awaitable[Webhook]]:
    """
    Return a dependency that verifies a webhook and responds with 400 if it is not genuine. When your function raises,
    the response is 500 and Posthorn sends the webhook again.

        @app.post("/webhooks", status_code=204)
        async def receive(webhook: Annotated[Webhook, Depends(verified(SECRET))]) -> None: ...
    """

    # A receiver without a usable secret does not start.
    read_secrets(secrets)

    async def dependency(request: Request) -> Webhook:
        body = bytearray()
        try:
            # If something has read `request.body()` before, the stream returns that body again.
            async for chunk in request.stream():
                body += chunk
                if len(body) > max_bytes:
                    break
        except RuntimeError:
            raise RuntimeError(BODY_IS_LOST) from None
        received = receive(
            bytes(body), request.headers, secrets, tolerance_seconds=tolerance_seconds, max_bytes=max_bytes
        )
        if isinstance(received, Refusal):
            raise HTTPException(received.status, received.message)
        return received

    # FastAPI reads the annotations, which are strings here because of `from __future__ import annotations`.
    dependency.__annotations__ = {"request": Request, "return": Webhook}
    return dependency
