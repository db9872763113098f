"""Tests of features that only the Python library has."""

from __future__ import annotations

import json
import logging
import pickle
import socket
import threading
from contextlib import ExitStack, suppress
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Callable

import httpx
import pytest

import posthorn_client as library
from posthorn_client import UNSET, ApiError, BatchError, NotFoundError, OptionError, Posthorn, models
from posthorn_client._sync.connections import Connections

ROOT = Path(__file__).parents[1]
Handle = Callable[[httpx.Request], httpx.Response]


def client(handle: Handle, **options: Any) -> Posthorn:
    given = {"token": "phm_secret_token", "api_key": "phk_secret_key", "workspace_id": "ws_1", **options}
    return Posthorn("https://posthorn.test", http_client=httpx.Client(transport=httpx.MockTransport(handle)), **given)


def answering(value: object, seen: list[httpx.Request]) -> Handle:
    def handle(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200, json=value)

    return handle


def test_the_version_is_the_one_of_the_other_libraries() -> None:
    package = json.loads((ROOT.parent / "typescript" / "package.json").read_text())
    assert library.__version__ == package["version"]


def test_the_table_of_the_outbox_is_the_one_of_the_other_libraries() -> None:
    ours = ROOT / "src" / "posthorn_client" / "outbox.sql"
    assert ours.read_text() == (ROOT.parent / "typescript" / "outbox.sql").read_text()


def test_an_update_sends_none_as_null_and_leaves_out_what_is_unset() -> None:
    seen: list[httpx.Request] = []
    with client(answering({"id": "ep_1"}, seen)) as posthorn:
        posthorn.endpoints.update("ep_1", metadata=None, url=UNSET, is_active=False)
    assert json.loads(seen[0].content) == {"metadata": None, "isActive": False}


def test_what_was_read_can_be_sent_back() -> None:
    seen: list[httpx.Request] = []
    stored = {"id": "ep_1", "config": {"timeoutSeconds": 5, "rateLimit": {"limit": 1, "periodSeconds": 2}, "new": [1]}}
    with client(answering(stored, seen)) as posthorn:
        endpoint = posthorn.endpoints.get("ep_1")
        posthorn.endpoints.update("ep_1", config=endpoint.config)
    assert json.loads(seen[1].content) == {"config": stored["config"]}


def test_an_answer_has_nested_objects_unknown_fields_and_none_for_what_is_missing() -> None:
    delivery = models.DeliveriesPage({"deliveries": [{"id": "dlv_1", "status": "eaten", "colour": "red"}]}).deliveries[
        0
    ]
    assert (delivery.id, delivery.status, delivery.endpoint_id) == ("dlv_1", "eaten", None)
    assert getattr(delivery, "colour") == "red"  # noqa: B009
    with pytest.raises(AttributeError, match="Delivery has no field planet"):
        getattr(delivery, "planet")  # noqa: B009
    with pytest.raises(AttributeError):
        delivery.id = "dlv_2"
    again = pickle.loads(pickle.dumps(delivery))
    assert again == delivery
    assert again.to_dict() == {"id": "dlv_1", "status": "eaten", "colour": "red"}


def test_an_answer_that_is_printed_shows_no_secret() -> None:
    printed = repr(models.Endpoint({"id": "ep_1", "secret": "whsec_hidden"}))
    assert "ep_1" in printed
    assert "whsec_hidden" not in printed
    assert "phpl_hidden" not in repr(models.CreatedPullKey({"id": "plk_1", "pullKey": "phpl_hidden"}))


def test_errors_survive_pickle_which_worker_queues_use() -> None:
    error = NotFoundError(404, "not_found", "Endpoint not found", "req_1", None, None)
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.request_id) == (NotFoundError, str(error), "req_1")
    assert pickle.loads(pickle.dumps(OptionError("retries", "must be 1"))).option == "retries"
    assert len(pickle.loads(pickle.dumps(BatchError([1], [2, 3], "why"))).unsent) == 2


def test_the_errors_of_a_connection_are_also_those_of_python() -> None:
    with pytest.raises(ConnectionError), Posthorn("http://127.0.0.1:1", api_key="phk_x", retries=0) as posthorn:
        posthorn.events.send("order.paid", {}, application="*")


def test_the_steps_of_a_try_share_its_time() -> None:
    """An answer after 4.5 seconds is too late for a limit of 3, even if sending the request took 2.5 of them."""
    answered = threading.Event()

    def serve() -> None:
        connection, _ = listener.accept()
        with connection:
            # The request does not fit into the buffers of the sockets, so sending it blocks.
            answered.wait(2.5)
            reading = threading.Thread(target=read_all, args=(connection,))
            reading.start()
            answered.wait(2)
            with suppress(OSError):
                connection.sendall(b"HTTP/1.1 202 Accepted\r\ncontent-length: 14\r\n\r\n" + b'{"id":"msg_1"}')
            reading.join()

    def read_all(connection: socket.socket) -> None:
        with suppress(OSError):
            while connection.recv(65_536):
                pass

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve)
        thread.start()
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        with pytest.raises(TimeoutError), Posthorn(url, api_key="phk_x", timeout=3, retries=0) as posthorn:
            posthorn.events.send("order.paid", bytes(12_000_000), application="*")
        answered.set()
        thread.join()


@pytest.mark.parametrize(
    ("options", "option"),
    [
        ({"timeout": float("nan")}, "timeout"),
        ({"timeout": True}, "timeout"),
        ({"timeout": "15"}, "timeout"),
        ({"retries": 1.5}, "retries"),
        ({"base_url": "http://"}, "base_url"),
        ({"base_url": "http://host:port"}, "base_url"),
        ({"base_url": 1}, "base_url"),
        ({"workspace_id": "a b"}, "workspace_id"),
    ],
)
def test_an_option_that_cannot_be_used_is_named(options: dict[str, Any], option: str) -> None:
    with pytest.raises(OptionError) as caught:
        Posthorn(**{"base_url": "https://posthorn.test", "api_key": "phk_x", **options})
    assert caught.value.option == option


@pytest.mark.parametrize("payload", [{1, 2}, object(), float("inf"), "\ud800"])
def test_a_payload_that_cannot_be_sent_is_named(payload: object) -> None:
    seen: list[httpx.Request] = []
    with client(answering({}, seen)) as posthorn, pytest.raises(OptionError, match="payload"):
        posthorn.events.send("order.paid", payload, application="*")
    assert seen == []


def test_times_are_sent_in_utc_and_only_with_a_zone() -> None:
    seen: list[httpx.Request] = []
    with client(answering({"id": "msg_1"}, seen)) as posthorn:
        at = datetime(2026, 1, 1, 12, tzinfo=timezone(timedelta(hours=2)))
        posthorn.events.send("order.paid", {}, deliver_at=at, application="*")
        with pytest.raises(OptionError, match="deliver_at"):
            posthorn.events.send("order.paid", {}, deliver_at=datetime(2026, 1, 1), application="*")
        posthorn.stats.get(from_=at)
    assert seen[1].url.params["from"] == "2026-01-01T10:00:00.000Z"
    assert seen[0].headers["x-deliver-at"] == "2026-01-01T10:00:00.000Z"


def test_an_answer_of_another_form_is_an_error_of_this_library() -> None:
    with client(answering([1], [])) as posthorn:
        with pytest.raises(ApiError, match="another form"):
            posthorn.endpoints.get("ep_1")
        with pytest.raises(ApiError, match="no list"):
            posthorn.deliveries.list().page()
        with pytest.raises(ApiError, match="another form"):
            posthorn.endpoints.list().page()


def test_a_list_needs_a_limit_and_can_be_read_twice() -> None:
    seen: list[httpx.Request] = []
    with client(answering({"deliveries": [{"id": "a"}, {"id": "b"}], "nextCursor": None}, seen)) as posthorn:
        deliveries = posthorn.deliveries.list()
        assert seen == []
        assert [one.id for one in deliveries] == [one.id for one in deliveries] == ["a", "b"]
        assert [one.id for one in deliveries.to_list(limit=1)] == ["a"]
        with pytest.raises(OptionError, match="limit"):
            deliveries.to_list(limit=-1)


def test_nothing_is_logged_that_shows_a_credential(caplog: pytest.LogCaptureFixture) -> None:
    class Refuse(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            self.send_response(401)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Refuse)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    caplog.set_level(logging.DEBUG)
    try:
        with Posthorn(f"http://127.0.0.1:{server.server_port}", api_key="phk_secret_key") as posthorn:
            with pytest.raises(ApiError):
                posthorn.events.send("order.paid", {}, application="*")
            assert "phk_secret_key" not in repr(vars(posthorn.events._transport)["_settings"])
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
    assert caplog.text != ""
    assert "phk_secret_key" not in caplog.text


def test_few_requests_at_once_share_a_client_of_httpx_and_many_have_several() -> None:
    connections = Connections(None)
    with ExitStack() as stack:
        lent = [stack.enter_context(connections.lend()) for _ in range(20)]
        assert [lent.count(client) for client in dict.fromkeys(lent)] == [8, 8, 4]
    with connections.lend() as again:
        assert again is lent[0]
    connections.close()
    assert all(client.is_closed for client in lent)
