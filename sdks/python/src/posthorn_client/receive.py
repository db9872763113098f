"""What the helpers of the frameworks have in common. Use it for a framework that has no helper."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .webhooks import (
    Headers,
    VerifiedWebhook,
    WebhookVerificationError,
    read_headers,
    verify,
)

# An event of 1 MiB in an envelope, with base64.
MAX_BYTES = 3 * 2**19

BODY_IS_LOST = (
    "Something read the body of this webhook before, and its bytes are lost: let nothing in front of the handler read "
    "forms, files or the stream of this route"
)


@dataclass(frozen=True)
class Webhook(VerifiedWebhook):
    """A genuine webhook."""

    type: str | None
    """The event type; None for an event that was sent to this endpoint alone."""
    delivery_id: str | None
    content_type: str | None
    """As the producer sent it."""
    attempt: int
    """Counts the attempts of this delivery from 1."""

    def text(self) -> str:
        return self.payload.decode()

    def json(self) -> Any:
        """The payload as JSON. Raises a ValueError when it is not JSON."""
        return json.loads(self.payload)


@dataclass(frozen=True)
class Refusal:
    status: int
    message: str


def receive(
    body: bytes,
    headers: Headers,
    secrets: str | Sequence[str],
    *,
    tolerance_seconds: float = 300,
    max_bytes: int = MAX_BYTES,
) -> Webhook | Refusal:
    """The webhook, or the answer to one that is not genuine. Raises for a malformed secret."""
    if len(body) > max_bytes:
        return Refusal(413, f"The body is larger than {max_bytes} bytes")
    try:
        verified = verify(body, headers, secrets, tolerance_seconds=tolerance_seconds)
    except WebhookVerificationError as error:
        if error.reason == "invalid_secret":
            raise
        return Refusal(400, str(error))
    read = read_headers(headers)
    attempt = read.get("webhook-attempt", "1")
    return Webhook(
        payload=verified.payload,
        id=verified.id,
        timestamp=verified.timestamp,
        type=read.get("webhook-event-type"),
        delivery_id=read.get("webhook-delivery-id"),
        content_type=read.get("content-type"),
        attempt=int(attempt) if attempt.isascii() and attempt.isdigit() else 1,
    )
