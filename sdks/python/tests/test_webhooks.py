"""Tests with the vectors of sdks/conformance/signature.json, and tests of what only Python has."""

from __future__ import annotations

import json
import sys
from datetime import datetime, timezone
from email.message import Message
from typing import Any

import pytest
from caller import payload_of
from conftest import CONFORMANCE

from posthorn_client import WebhookVerificationError, sign, verify

VECTORS = json.loads((CONFORMANCE / "signature.json").read_text())
SECRET = "whsec_YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWE="


def at(seconds: int) -> datetime:
    return datetime.fromtimestamp(seconds, timezone.utc)


@pytest.mark.parametrize("vector", VECTORS["cases"], ids=lambda vector: vector["name"])
def test_verify(vector: dict[str, Any]) -> None:
    payload = payload_of(vector["payload"])
    tolerance = vector.get("toleranceSeconds", 300)
    expected = vector["expect"]

    def check() -> Any:
        return verify(payload, vector["headers"], vector["secrets"], tolerance_seconds=tolerance, now=at(vector["now"]))

    if "reason" in expected:
        with pytest.raises(WebhookVerificationError) as caught:
            check()
        assert caught.value.reason == expected["reason"]
        assert not any(len(secret) > 6 and secret in str(caught.value) for secret in vector["secrets"])
    else:
        verified = check()
        assert (verified.id, verified.timestamp) == (expected["id"], at(expected["timestamp"]))
        assert verified.payload == (payload.encode() if isinstance(payload, str) else payload)


@pytest.mark.parametrize("vector", VECTORS["signs"], ids=lambda vector: vector["name"])
def test_sign(vector: dict[str, Any]) -> None:
    signed = sign(payload_of(vector["payload"]), vector["secret"], id=vector["id"], timestamp=at(vector["timestamp"]))
    assert signed == vector["headers"]


def test_one_secret_as_a_text_and_the_clock() -> None:
    assert verify(b"{}", sign(b"{}", SECRET), SECRET).payload == b"{}"


def test_the_tolerance_under_both_of_its_names() -> None:
    headers = sign(b"{}", SECRET, timestamp=at(1_000))
    verify(b"{}", headers, SECRET, tolerance_seconds=10, now=at(1_010))
    verify(b"{}", headers, SECRET, tolerance=10, now=at(1_010))
    for tolerance in ({"tolerance_seconds": 9}, {"tolerance": 9}):
        with pytest.raises(WebhookVerificationError, match="too old"):
            verify(b"{}", headers, SECRET, now=at(1_010), **tolerance)


def test_a_tolerance_that_is_not_a_number_accepts_nothing() -> None:
    with pytest.raises(WebhookVerificationError, match="too old"):
        verify(b"{}", sign(b"{}", SECRET, timestamp=at(1_000)), SECRET, tolerance_seconds=float("nan"))


@pytest.mark.parametrize("name", ["webhook-id", "webhook-timestamp", "webhook-signature"])
def test_a_header_that_is_not_text_is_not_genuine(name: str) -> None:
    headers = {**sign("{}", SECRET), name: "1\ud800"}
    with pytest.raises(WebhookVerificationError):
        verify("{}", headers, SECRET)


def test_headers_of_every_shape() -> None:
    headers = sign(b"{}", SECRET)
    message = Message()
    for name, value in headers.items():
        message[name] = value
    shapes: list[Any] = [
        message,
        list(headers.items()),
        [(name.encode(), value.encode()) for name, value in headers.items()],
        {name: [value] for name, value in headers.items()},
    ]
    for shape in shapes:
        assert verify(b"{}", shape, SECRET).id == headers["webhook-id"]


def test_without_cryptography_a_public_key_is_an_error_that_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cryptography.exceptions", None)
    vector = next(case for case in VECTORS["cases"] if case["name"] == "an Ed25519 signature")
    with pytest.raises(WebhookVerificationError, match="pip install cryptography") as caught:
        verify(payload_of(vector["payload"]), vector["headers"], vector["secrets"], now=at(vector["now"]))
    assert caught.value.reason == "invalid_secret"
    both = next(case for case in VECTORS["cases"] if case["name"] == "an HMAC beside an Ed25519 signature")
    secrets = [*vector["secrets"], *both["secrets"]]
    verify(payload_of(both["payload"]), both["headers"], secrets, now=at(both["now"]))
