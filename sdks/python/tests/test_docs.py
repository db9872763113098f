"""The programs of docs/producing.md and docs/receiving.md that use this library."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from running import API_KEY, BASE_URL, CREDENTIALS, ENVIRONMENT, needs_posthorn

from posthorn_client import Posthorn, sign

DOCS = Path(__file__).parents[3] / "docs"
SECRET = "whsec_YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWE="


@needs_posthorn
def test_the_producer_sends_its_event() -> None:
    with Posthorn(**CREDENTIALS) as posthorn:
        if not [one for one in posthorn.event_types.list() if one.name == "order.paid"]:
            posthorn.event_types.create(name="order.paid", publish_in=[ENVIRONMENT])
        posthorn.applications.upsert("ext:customer-42", name="Customer 42")
        variables = {**os.environ, "BASE_URL": BASE_URL, "API_KEY": API_KEY}
        subprocess.run([sys.executable, DOCS / "producers" / "library.py"], env=variables, check=True, timeout=60)
        (event,) = posthorn.events.list(idempotency_key="order-1011-paid").to_list(limit=2)
    assert event.event_type_name == "order.paid"


def test_the_receiver_keeps_a_genuine_webhook_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("WEBHOOK_SECRET", SECRET)
    client = runpy.run_path(str(DOCS / "receivers" / "library.py"))["app"].test_client()
    bodies = [b'{"id":1}', b"text", b"\x00\xff", b"x" * 256 * 1024, '\ufeff{"id":1}'.encode()]
    for n, body in enumerate(bodies):
        headers = sign(body, SECRET, id=f"msg_{n}")
        assert [client.post("/webhooks", data=body, headers=headers).status_code for _ in range(2)] == [204, 204]
        assert client.post("/webhooks", data=body + b"!", headers=headers).status_code == 400
    assert capsys.readouterr().out.splitlines() == [
        f"received msg_{n} None {len(body)}" for n, body in enumerate(bodies)
    ]
