"""Verify the webhooks of Posthorn, and sign webhooks for the tests of a receiver."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import time
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any, Literal, Protocol, Union, cast

from ._errors import PosthornError

_MOST_SIGNATURES = 100
"""How many signatures of a header are read. The rest are ignored: anybody can send a request with very many."""


class _HasItems(Protocol):
    def items(self) -> Iterable[tuple[Any, Any]]: ...


Headers = Union[Mapping[str, Any], _HasItems, Iterable[tuple[Any, Any]]]
"""The headers of a request, in the form of any framework. Their names are case-insensitive."""

VerificationFailure = Literal[
    "missing_header", "invalid_timestamp", "too_old", "too_new", "no_matching_signature", "invalid_secret"
]


class WebhookVerificationError(PosthornError):
    """The webhook is not genuine. With the reason `invalid_secret`, the secret of the receiver cannot be used."""

    reason: VerificationFailure

    def __init__(self, reason: VerificationFailure, message: str) -> None:
        super().__init__(reason, message)
        self.reason = reason

    def __str__(self) -> str:
        return str(self.args[1])


@dataclass(frozen=True)
class VerifiedWebhook:
    payload: bytes
    """The signed bytes."""
    id: str
    """The event's id, the same in every attempt: a webhook with an id that you have seen is a repetition."""
    timestamp: datetime
    """The time of this attempt."""


def verify(
    payload: bytes | str,
    headers: Headers,
    secrets: str | Sequence[str],
    *,
    tolerance_seconds: float = 300,
    tolerance: float | None = None,
    now: datetime | None = None,
) -> VerifiedWebhook:
    """
    Return the webhook if a signature matches one of the secrets (`whsec_…`) or public keys (`whpk_…`), and the
    timestamp is within the tolerance. Otherwise raises a WebhookVerificationError. `payload` is the body as it arrived,
    before any parsing. `tolerance` is a deprecated alias of `tolerance_seconds`. `now` replaces the clock.

    Public keys need `pip install cryptography`.
    """
    most = tolerance_seconds if tolerance is None else tolerance
    read = read_headers(headers)
    webhook_id, timestamp, signatures = (
        _required(read, f"webhook-{name}") for name in ("id", "timestamp", "signature")
    )
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12):
        raise WebhookVerificationError("invalid_timestamp", "webhook-timestamp is not a number of seconds")
    age = (time.time() if now is None else now.timestamp()) - int(timestamp)
    # `not … <=` instead of `>`: with a tolerance of NaN, every webhook is refused.
    if not age <= most:
        raise WebhookVerificationError("too_old", "webhook-timestamp is too old")
    if not -age <= most:
        raise WebhookVerificationError("too_new", "webhook-timestamp is in the future")
    body = _to_bytes(payload)
    content = _signed_content(webhook_id, timestamp, body)
    keys = read_secrets(secrets)
    given = [_read_signature(entry) for entry in signatures.split(" ", _MOST_SIGNATURES)[:_MOST_SIGNATURES]]
    # Check `v1` first: `v1a` needs the package cryptography, which may be missing.
    for version, check in (("v1", _is_hmac), ("v1a", _is_ed25519)):
        of_version = [signature for kind, signature in given if kind == version and signature is not None]
        for key in [key for kind, key in keys if kind == version]:
            if check(key, content, of_version):
                at = datetime.fromtimestamp(int(timestamp), timezone.utc)
                return VerifiedWebhook(body, webhook_id, at)
    message = "no signature matches: the body was changed, or the secret is another"
    raise WebhookVerificationError("no_matching_signature", message)


def sign(
    payload: bytes | str,
    secret: str,
    *,
    id: str | None = None,
    timestamp: datetime | None = None,
) -> dict[str, str]:
    """Return the headers that Posthorn would send with these bytes, for unit tests of a receiver."""
    version, key = _read_secret(secret)
    if version != "v1":
        raise WebhookVerificationError("invalid_secret", "a public key cannot sign")
    webhook_id = f"msg_{uuid.uuid4()}" if id is None else id
    seconds = str(int(time.time() if timestamp is None else timestamp.timestamp()))
    digest = _hmac(key, _signed_content(webhook_id, seconds, _to_bytes(payload)))
    return {
        "webhook-id": webhook_id,
        "webhook-timestamp": seconds,
        "webhook-signature": f"v1,{base64.b64encode(digest).decode()}",
    }


def read_headers(headers: Headers) -> dict[str, str]:
    """Return the headers by lower-case name. If a header has several values, the first one counts."""
    pairs = cast("_HasItems", headers).items() if hasattr(headers, "items") else cast("Iterable[Any]", headers)
    read: dict[str, str] = {}
    for name, value in pairs:
        several = cast("Sequence[object]", value) if isinstance(value, (list, tuple)) else ()
        read.setdefault(_to_text(name).lower(), _to_text(several[0] if several else cast("object", value)))
    return read


def _to_text(value: object) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def _required(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(name)
    if not value:
        raise WebhookVerificationError("missing_header", f"{name} is missing")
    return value


def read_secrets(secrets: str | Sequence[str]) -> list[tuple[Literal["v1", "v1a"], bytes]]:
    # An environment variable or a setting that is missing is None, whatever the annotation says.
    if not secrets:
        raise WebhookVerificationError("invalid_secret", "no secret is given")
    return [_read_secret(secret) for secret in ([secrets] if isinstance(secrets, str) else secrets)]


def _read_secret(given: str) -> tuple[Literal["v1", "v1a"], bytes]:
    # A secret that was read from a file or pasted often has a line break at its end.
    secret = given.strip()
    is_public = secret.startswith("whpk_")
    text = secret[5:] if is_public else secret[6:] if secret.startswith("whsec_") else secret
    key = _from_base64(text)
    if not key or (is_public and len(key) != 32):
        # The secret itself does not belong in an error.
        raise WebhookVerificationError("invalid_secret", "a secret is not whsec_ or whpk_ and base64")
    return ("v1a" if is_public else "v1", key)


def _read_signature(entry: str) -> tuple[str, bytes | None]:
    version, comma, text = entry.partition(",")
    return (version if comma else "", _from_base64(text))


def _from_base64(text: str) -> bytes | None:
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        return None


def _signed_content(webhook_id: str, timestamp: str, body: bytes) -> bytes:
    return _to_bytes(f"{webhook_id}.{timestamp}.") + body


def _to_bytes(payload: bytes | str) -> bytes:
    # Anybody can send a text that UTF-8 does not have: then no signature matches.
    return payload.encode(errors="surrogatepass") if isinstance(payload, str) else bytes(payload)


def _hmac(key: bytes, content: bytes) -> bytes:
    return hmac.new(key, content, hashlib.sha256).digest()


def _is_hmac(key: bytes, content: bytes, signatures: Sequence[bytes]) -> bool:
    digest = _hmac(key, content)
    return any(hmac.compare_digest(digest, signature) for signature in signatures)


def _is_ed25519(key: bytes, content: bytes, signatures: Sequence[bytes]) -> bool:
    return any(_is_ed25519_signature(key, content, signature) for signature in signatures)


def _is_ed25519_signature(key: bytes, content: bytes, signature: bytes) -> bool:
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError:
        message = "a public key (whpk_…) needs `pip install cryptography`"
        raise WebhookVerificationError("invalid_secret", message) from None
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, content)
    except (InvalidSignature, ValueError):
        return False
    return True
