from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

CONFORMANCE = Path(__file__).parents[2] / "conformance"


class Cases:
    """The scripted server of sdks/conformance. The README.md there says how a case is run."""

    def __init__(self, url: str) -> None:
        self._http = httpx.Client(base_url=url, timeout=60)

    def begin(self, case: str) -> dict[str, Any]:
        return self.post(f"/cases/{case}/begin")

    def end(self, case: str, outcome: dict[str, Any]) -> list[str]:
        return self.post(f"/cases/{case}/end", outcome)["faults"]

    def post(self, path: str, body: object = None) -> Any:
        return self._http.post(path, content=None if body is None else json.dumps(body)).json()

    def close(self) -> None:
        self._http.close()


@pytest.fixture(scope="session")
def cases() -> Iterator[Cases]:
    server = subprocess.Popen(
        ["node", str(CONFORMANCE / "server.mjs")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert server.stdin is not None
    assert server.stdout is not None
    cases = Cases(json.loads(server.stdout.readline())["url"])
    yield cases
    cases.close()
    server.stdin.close()
    server.wait(timeout=20)
    server.stdout.close()
