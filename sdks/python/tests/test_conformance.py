"""Every case of sdks/conformance over a real socket, with both clients."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from caller import make_call, make_call_async, options_of, outcome_of
from conftest import CONFORMANCE, Cases

from posthorn_client import AsyncPosthorn, Posthorn

FILES = ["request", "retry", "paging", "errors", "limits", "pull"]
ALL = [
    pytest.param(f"{file}/{n}", case.get("needs", []), id=f"{file}/{n}: {case['name']}")
    for file in FILES
    for n, case in enumerate(json.loads((CONFORMANCE / f"{file}.json").read_text())["cases"])
]


@pytest.mark.parametrize(("case", "needs"), ALL)
def test_sync(case: str, needs: list[str], cases: Cases, monkeypatch: pytest.MonkeyPatch) -> None:
    if "abort" in needs:
        pytest.skip("a synchronous call cannot be given up")
    begun = begin(cases, case, monkeypatch)
    assert cases.end(case, outcome_of(lambda: run(begun))) == []


@pytest.mark.parametrize(("case", "needs"), ALL)
def test_async(case: str, needs: list[str], cases: Cases, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = begin(cases, case, monkeypatch)
    assert cases.end(case, outcome_of(lambda: asyncio.run(run_async(begun)))) == []


def begin(cases: Cases, case: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    begun = cases.begin(case)
    for name, value in begun["environment"].items():
        monkeypatch.setenv(name, value)
    return begun


def run(begun: dict[str, Any]) -> Any:
    with Posthorn(**options_of(begun["client"])) as posthorn:
        return None if begun["call"] is None else make_call(posthorn, begun["call"])


async def run_async(begun: dict[str, Any]) -> Any:
    async with AsyncPosthorn(**options_of(begun["client"])) as posthorn:
        return None if begun["call"] is None else await make_call_async(posthorn, begun["call"])
