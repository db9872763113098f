"""Tests of the helpers for frameworks, with the test clients of the frameworks."""

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
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
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
    client = Client(enforce_csrf_checks=True, raise_request_exception=False)

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


@pytest.mark.parametrize("secret", [None, "", [], "whsec_"])
@pytest.mark.parametrize("sender", SENDERS)
def test_a_receiver_without_a_usable_secret_does_not_start(sender: Any, secret: Any) -> None:
    def never(_: Webhook) -> None:
        raise AssertionError

    with pytest.raises(WebhookVerificationError) as caught:
        sender(never, secret)
    assert caught.value.reason == "invalid_secret"


def test_a_body_that_flask_has_read_before_verifies() -> None:
    flask = pytest.importorskip("flask")
    from posthorn_client.flask import webhook_handler

    received: list[bytes] = []
    app = flask.Flask(__name__)
    app.testing = True
    readers: dict[str, Callable[[], Any]] = {
        "bytes": lambda: flask.request.get_data(),
        "json": lambda: flask.request.get_json(silent=True),
        "nothing": lambda: None,
    }

    def read() -> None:
        readers[flask.request.args["read"]]()

    app.before_request(read)
    app.post("/webhooks")(webhook_handler(SECRET)(lambda webhook: received.append(webhook.payload)))
    for name in readers:
        body = f'{{"read": "{name}"}}'.encode()
        headers = {**sign(body, SECRET), "content-type": "application/json"}
        answer = app.test_client().post(f"/webhooks?read={name}", data=body, headers=headers)
        assert (name, answer.status_code, received.pop()) == (name, 204, body)


def test_a_body_that_flask_has_lost_is_an_error_that_says_so_and_no_400() -> None:
    flask = pytest.importorskip("flask")
    from posthorn_client.flask import webhook_handler

    app = flask.Flask(__name__)
    app.testing = True

    def read() -> None:
        if flask.request.args["read"] == "form":
            len(flask.request.form)
        else:
            flask.request.get_data(cache=False)

    app.before_request(read)
    app.post("/webhooks")(webhook_handler(SECRET)(lambda _: None))
    headers = {**sign(b"a=1", SECRET), "content-type": "application/x-www-form-urlencoded"}
    for name in ["form", "stream"]:
        with pytest.raises(RuntimeError, match="Something read the body of this webhook before"):
            app.test_client().post(f"/webhooks?read={name}", data=b"a=1", headers=headers)


def test_a_body_that_django_has_read_before_verifies_or_is_an_error_that_says_so() -> None:
    pytest.importorskip("django")
    from django.http import HttpRequest
    from django.test import RequestFactory

    from posthorn_client.django import webhook_handler

    django_sender(lambda _: None, SECRET)  # This call sets Django up.
    received: list[bytes] = []
    view = webhook_handler(SECRET)(lambda webhook: received.append(webhook.payload))

    def request() -> HttpRequest:
        meta = {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in sign(b"{}", SECRET).items()}
        return RequestFactory().post("/webhooks", data=b"{}", content_type="application/json", **meta)

    kept, twice, lost = request(), request(), request()
    assert kept.body == b"{}"
    assert (twice.body, twice.read()) == (b"{}", b"{}")
    assert [view(kept).status_code, view(twice).status_code, received] == [204, 204, [b"{}", b"{}"]]
    lost.read()
    with pytest.raises(RuntimeError, match="Something read the body of this webhook before"):
        view(lost)


def test_a_body_that_fastapi_has_read_before_verifies_or_is_an_error_that_says_so() -> None:
    pytest.importorskip("fastapi")
    import asyncio

    import httpx
    from fastapi import Depends, FastAPI, Request

    from posthorn_client.fastapi import verified

    app = FastAPI()
    received: list[bytes] = []

    async def read(request: Request) -> None:
        if request.query_params["read"] == "body":
            await request.body()
        else:
            async for _ in request.stream():
                pass

    # FastAPI reads the annotations, which are strings here because of `from __future__ import annotations`.
    read.__annotations__["request"] = Request
    genuine = Depends(verified(SECRET))

    def receive(webhook: Any = genuine) -> None:
        received.append(webhook.payload)

    app.post("/webhooks", status_code=204, dependencies=[Depends(read)])(receive)

    async def post(how: str) -> int:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as http:
            return (await http.post(f"/webhooks?read={how}", content=b"{}", headers=sign(b"{}", SECRET))).status_code

    assert (asyncio.run(post("body")), received) == (204, [b"{}"])
    with pytest.raises(RuntimeError, match="Something read the body of this webhook before"):
        asyncio.run(post("stream"))
