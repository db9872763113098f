"""The common part of the helpers for frameworks. Use it with a framework that has no helper."""

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

# Large enough for an event of 1 MiB as base64 in an envelope.
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
    """The content type that the producer sent."""
    attempt: int
    """Counts the attempts of this delivery from 1."""

    def text(self) -> str:
        return self.payload.decode()

    def json(self) -> Any:
        """Parse the payload as JSON. Raises a ValueError if it is not JSON."""
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
    """Return the webhook, or the response to one that is not genuine. Raises an error for a malformed secret."""
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
