"""The helpers of the frameworks, through the frameworks' own test clients."""

from __future__ import annotations

from typing import Any, Callable

import pytest

from posthorn_client import Webhook, WebhookVerificationError, sign
from posthorn_client.receive import MAX_BYTES

SECRET = "whsec_YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWE="
Send = Callable[[bytes, dict[str, str]], int]


def flask_sender(handle: Callable[[Webhook], None], secret: str) -> Send:
    flask = pytest.importorskip("flask")
    from posthorn_client.flask import webhook_handler

    app = flask.Flask(__name__)
    app.testing = secret != SECRET
    app.post("/webhooks")(webhook_handler(secret)(handle))
    return lambda body, headers: app.test_client().post("/webhooks", data=body, headers=headers).status_code


def fastapi_sender(handle: Callable[[Webhook], None], secret: str) -> Send:
    pytest.importorskip("fastapi")
    import asyncio

    import httpx
    from fastapi import Depends, FastAPI

    from posthorn_client.fastapi import verified

    app = FastAPI()
    genuine = Depends(verified(secret))

    def receive(webhook: Any = genuine) -> None:
        handle(webhook)

    app.post("/webhooks", status_code=204)(receive)

    async def post(body: bytes, headers: dict[str, str]) -> int:
        transport = httpx.ASGITransport(app, raise_app_exceptions=secret != SECRET)
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as http:
            return (await http.post("/webhooks", content=body, headers=headers)).status_code

    return lambda body, headers: asyncio.run(post(body, headers))


def django_sender(handle: Callable[[Webhook], None], secret: str) -> Send:
    pytest.importorskip("django")
    import django
    from django.conf import settings
    from django.test import Client
    from django.urls import clear_url_caches, path

    from posthorn_client.django import webhook_handler

    if not settings.configured:
        settings.configure(ROOT_URLCONF=__name__, ALLOWED_HOSTS=["*"], SECRET_KEY="x")
        django.setup()
    globals()["urlpatterns"] = [path("webhooks", webhook_handler(secret)(handle))]
    clear_url_caches()
    client = Client(enforce_csrf_checks=True, raise_request_exception=secret != SECRET)

    def send(body: bytes, headers: dict[str, str]) -> int:
        meta = {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items()}
        return client.post("/webhooks", data=body, content_type="application/json", **meta).status_code

    return send


SENDERS = [flask_sender, fastapi_sender, django_sender]


@pytest.mark.parametrize("sender", SENDERS)
def test_a_genuine_webhook_reaches_the_handler_and_no_other_does(sender: Any) -> None:
    received: list[Webhook] = []

    def receive(webhook: Webhook) -> None:
        received.append(webhook)

    send = sender(receive, SECRET)
    body = '{"id":"zoë"}'.encode()
    headers = {**sign(body, SECRET, id="msg_1"), "webhook-event-type": "order.paid", "webhook-attempt": "3"}
    assert send(body, headers) == 204
    (webhook,) = received
    assert (webhook.id, webhook.type, webhook.attempt, webhook.delivery_id) == ("msg_1", "order.paid", 3, None)
    assert (webhook.payload, webhook.json(), webhook.text()) == (body, {"id": "zoë"}, body.decode())
    assert send(body + b" ", headers) == 400
    assert send(body, {}) == 400
    large = b"x" * (MAX_BYTES + 1)
    assert send(large, sign(large, SECRET)) == 413
    assert send(large[1:], sign(large[1:], SECRET)) == 204
    assert len(received) == 2


@pytest.mark.parametrize("sender", SENDERS)
def test_a_handler_that_raises_is_a_500_so_that_the_webhook_comes_again(sender: Any) -> None:
    def fail(_: Webhook) -> None:
        raise RuntimeError("the database is down")

    assert sender(fail, SECRET)(b"{}", sign(b"{}", SECRET)) == 500


@pytest.mark.parametrize("sender", [flask_sender, django_sender])
def test_an_asynchronous_handler_is_done_before_the_answer(sender: Any) -> None:
    received: list[str] = []

    async def receive(webhook: Webhook) -> None:
        if webhook.id == "msg_2":
            raise RuntimeError("the database is down")
        received.append(webhook.id)

    send = sender(receive, SECRET)
    assert send(b"{}", sign(b"{}", SECRET, id="msg_1")) == 204
    assert send(b"{}", sign(b"{}", SECRET, id="msg_2")) == 500
    assert received == ["msg_1"]


@pytest.mark.parametrize("sender", SENDERS)
def test_a_secret_that_is_none_is_the_receivers_own_error(sender: Any) -> None:
    def never(_: Webhook) -> None:
        raise AssertionError

    send = sender(never, "whsec_")
    with pytest.raises(WebhookVerificationError) as caught:
        send(b"{}", sign(b"{}", SECRET))
    assert caught.value.reason == "invalid_secret"
