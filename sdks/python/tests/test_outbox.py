"""The outbox on a real Postgres, with a running Posthorn."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Any, Callable

import httpx
import pytest
from running import API_KEY, BASE_URL, CREDENTIALS, DATABASE_URL, ENVIRONMENT, needs_posthorn

from posthorn_client import ApiError, AsyncPosthorn, NotFoundError, OptionError, Posthorn, UnavailableError
from posthorn_client.outbox import AsyncOutbox, Outbox, RefusedEvent, async_relay_page, relay, relay_page

pytestmark = needs_posthorn
TYPE = "outbox.python"
Begin = Callable[[], AbstractContextManager[Any]]


def psycopg_begin() -> AbstractContextManager[Any]:
    psycopg = pytest.importorskip("psycopg")
    return psycopg.connect(DATABASE_URL)


@pytest.fixture(scope="module")
def engine() -> Iterator[Any]:
    sqlalchemy = pytest.importorskip("sqlalchemy")
    engine = sqlalchemy.create_engine(DATABASE_URL.replace("postgresql://", "postgresql+psycopg://"))
    yield engine
    engine.dispose()


@pytest.fixture(params=["psycopg", "sqlalchemy"])
def begin(request: pytest.FixtureRequest) -> Begin:
    return psycopg_begin if request.param == "psycopg" else request.getfixturevalue("engine").begin


@pytest.fixture(scope="module")
def posthorn() -> Iterator[Posthorn]:
    with Posthorn(**CREDENTIALS) as posthorn:
        posthorn.event_types.create(name=TYPE, publish_in=[ENVIRONMENT])
        yield posthorn


@pytest.fixture(scope="module", autouse=True)
def table() -> None:
    from importlib.resources import files

    with psycopg_begin() as connection:
        connection.execute(files("posthorn_client").joinpath("outbox.sql").read_text(encoding="utf-8"))


@pytest.fixture(autouse=True)
def _empty(table: None) -> None:
    with psycopg_begin() as connection:
        connection.execute("TRUNCATE posthorn_outbox")


def waiting() -> list[Any]:
    with psycopg_begin() as connection:
        return connection.execute("SELECT id, refused FROM posthorn_outbox ORDER BY position").fetchall()


def accepted(posthorn: Posthorn, keys: list[str]) -> list[str]:
    """Return those of the keys whose events Posthorn has, oldest first."""
    events = posthorn.events.list(event_type=TYPE).to_list(limit=500)
    return [event.idempotency_key for event in reversed(events) if event.idempotency_key in keys]


def test_an_event_is_sent_if_and_only_if_its_transaction_is_committed(begin: Begin, posthorn: Posthorn) -> None:
    with pytest.raises(ZeroDivisionError), begin() as connection:  # noqa: PT012
        Outbox(connection).send(TYPE, {"n": 1}, key="rolled-back", application="*")
        raise ZeroDivisionError
    assert waiting() == []
    with begin() as connection:
        key = Outbox(connection).send(TYPE, {"n": 2}, application="*")
        assert Outbox(connection).send(TYPE, {"n": 2}, key=key, application="*") == key
    assert waiting() == [(key, None)]
    assert relay_page(begin, posthorn) == 1
    assert waiting() == []
    assert accepted(posthorn, [key, "rolled-back"]) == [key]


def test_every_form_of_payload_arrives_as_it_was(begin: Begin) -> None:
    seen: list[httpx.Request] = []

    def handle(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(202, json={"id": "msg_1"})

    with begin() as connection:
        outbox = Outbox(connection)
        outbox.send(TYPE, {"a": "zoë :x %s {y}"}, key="k1", application="ext:c", ordering_key="o")
        outbox.send(TYPE, "text", key="k2", deliver_at="2026-01-01T00:00:00Z", application="*")
        outbox.send(TYPE, b"\x00\xff", key="k3", content_type="application/x-protobuf", application="*")
    http = httpx.Client(transport=httpx.MockTransport(handle))
    assert relay_page(begin, Posthorn(BASE_URL, api_key=API_KEY, http_client=http)) == 3
    assert [request.content for request in seen] == ['{"a":"zoë :x %s {y}"}'.encode(), b"text", b"\x00\xff"]
    names = ["idempotency-key", "content-type", "x-application-id", "x-ordering-key", "x-deliver-at"]
    assert [[request.headers.get(name) for name in names] for request in seen] == [
        ["k1", "application/json", "ext:c", "o", None],
        ["k2", "text/plain; charset=utf-8", "*", None, "2026-01-01T00:00:00Z"],
        ["k3", "application/x-protobuf", "*", None, None],
    ]


def test_events_are_sent_in_order_and_again_after_a_lost_answer(begin: Begin, posthorn: Posthorn) -> None:
    kind = "a" if begin is psycopg_begin else "b"
    keys = [f"{kind}-{n}" for n in range(5)]
    with begin() as connection:
        for n, key in enumerate(keys):
            Outbox(connection).send(TYPE, {"n": n}, key=key, application="*")

    def lose(request: httpx.Request) -> httpx.Response:
        if request.headers["idempotency-key"] in keys[:3]:
            answer = httpx.post(str(request.url), content=request.content, headers=dict(request.headers))
            if request.headers["idempotency-key"] in keys[:2]:
                return httpx.Response(answer.status_code, content=answer.content)
        return httpx.Response(503)

    # The third event is accepted, but its answer is lost.
    http = httpx.Client(transport=httpx.MockTransport(lose))
    with pytest.raises(UnavailableError):
        relay_page(begin, Posthorn(BASE_URL, api_key=API_KEY, retries=0, http_client=http))
    assert [row[0] for row in waiting()] == keys[2:]
    assert relay_page(begin, posthorn) == 3
    assert accepted(posthorn, keys) == keys


def test_an_event_that_is_refused_for_good_stays_and_stops_no_other(begin: Begin, posthorn: Posthorn) -> None:
    key = f"behind-{'a' if begin is psycopg_begin else 'b'}"
    with begin() as connection:
        Outbox(connection).send("order.unknown", {}, key="unknown", application="*")
        Outbox(connection).send(TYPE, {}, key=key, application="*")
    refused: list[tuple[RefusedEvent, ApiError]] = []
    assert relay_page(begin, posthorn, on_refused=lambda *event: refused.append(event)) == 2
    assert refused[0][0] == RefusedEvent("unknown", "order.unknown")
    assert isinstance(refused[0][1], NotFoundError)
    ((row_id, reason),) = waiting()
    assert (row_id, reason.split(":")[0]) == ("unknown", "not_found")
    assert relay_page(begin, posthorn) == 0
    assert accepted(posthorn, [key]) == [key]


def test_an_event_that_no_request_can_carry_is_refused_and_holds_up_no_other(begin: Begin, posthorn: Posthorn) -> None:
    key = f"carried-{'a' if begin is psycopg_begin else 'b'}"
    with begin() as connection:
        for event_type, deliver_at in (("", None), (TYPE, "to morrow")):
            with pytest.raises(OptionError):
                Outbox(connection).send(event_type, {}, deliver_at=deliver_at, application="*")
        Outbox(connection).send(TYPE, {}, key="first", application="*")
        Outbox(connection).send(TYPE, {}, key=key, application="*")
    with psycopg_begin() as connection:
        connection.execute("UPDATE posthorn_outbox SET id = 'with a space' WHERE id = 'first'")
    refused: list[tuple[RefusedEvent, ApiError]] = []
    assert relay_page(begin, posthorn, on_refused=lambda *event: refused.append(event)) == 2
    assert [(event.id, error.code) for event, error in refused] == [("with a space", "validation_error")]
    ((row_id, reason),) = waiting()
    assert (row_id, reason) == ("with a space", "validation_error: idempotency_key must be visible ASCII characters")
    assert accepted(posthorn, [key]) == [key]


def test_a_connection_that_answers_with_dictionaries_is_one_like_another(posthorn: Posthorn) -> None:
    psycopg = pytest.importorskip("psycopg")
    from psycopg.rows import dict_row

    def begin() -> AbstractContextManager[Any]:
        return psycopg.connect(DATABASE_URL, row_factory=dict_row)

    with begin() as connection:
        Outbox(connection).send(TYPE, {}, key="with-dictionaries", application="*")
    assert relay_page(begin, posthorn) == 1
    assert accepted(posthorn, ["with-dictionaries"]) == ["with-dictionaries"]


def test_one_relay_works_at_a_time(begin: Begin, posthorn: Posthorn) -> None:
    from posthorn_client._sync.outbox import LOCK

    with psycopg_begin() as holder:
        holder.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
        with begin() as connection:
            Outbox(connection).send(TYPE, {}, key="waits", application="*")
        assert relay_page(begin, posthorn) == 0
        assert len(waiting()) == 1


def test_a_relay_survives_errors_and_ends_when_it_is_told(begin: Begin, posthorn: Posthorn) -> None:
    key = f"relayed-{'a' if begin is psycopg_begin else 'b'}"
    with begin() as connection:
        Outbox(connection).send(TYPE, {}, key=key, application="*")
    errors: list[Exception] = []
    times: list[int] = []

    def begin_at_the_second_time() -> AbstractContextManager[Any]:
        times.append(1)
        if len(times) == 1:
            raise OSError("the database is down")
        return begin()

    relay(begin_at_the_second_time, posthorn, poll=0, stop=lambda: len(times) == 2, on_error=errors.append)
    assert [str(error) for error in errors] == ["the database is down"]
    assert accepted(posthorn, [key]) == [key]


@pytest.mark.parametrize("driver", ["psycopg", "sqlalchemy"])
def test_the_asynchronous_outbox_does_the_same(driver: str, posthorn: Posthorn) -> None:
    psycopg = pytest.importorskip("psycopg")
    key = f"async-{driver}"

    async def run() -> int:
        if driver == "sqlalchemy":
            from sqlalchemy.ext.asyncio import create_async_engine

            engine = create_async_engine(DATABASE_URL.replace("postgresql://", "postgresql+psycopg://"))
            begin = engine.begin
        else:
            engine = None

            def begin() -> Any:
                return Connecting(psycopg)

        async with begin() as connection:
            await AsyncOutbox(connection).send(TYPE, {}, key=key, application="*")
        async with AsyncPosthorn(**CREDENTIALS) as client:
            done = await async_relay_page(begin, client)
        if engine is not None:
            await engine.dispose()
        return done

    assert asyncio.run(run()) == 1
    assert accepted(posthorn, [key]) == [key]


class Connecting:
    """A context manager for `psycopg.AsyncConnection.connect`, which must be awaited first."""

    def __init__(self, psycopg: Any) -> None:
        self._psycopg = psycopg

    async def __aenter__(self) -> Any:
        self._connection = await self._psycopg.AsyncConnection.connect(DATABASE_URL)
        return await self._connection.__aenter__()

    async def __aexit__(self, *error: Any) -> None:
        await self._connection.__aexit__(*error)
