"""The calls of sdks/conformance/calls.json to a running Posthorn, with both clients."""

from __future__ import annotations

import asyncio
from typing import Any, Callable

from caller import make_call, make_call_async, outcome_of
from conftest import Cases
from running import CREDENTIALS, ENVIRONMENT, needs_posthorn

from posthorn_client import AsyncPosthorn, Posthorn


def make_all(cases: Cases, make: Callable[[dict[str, Any]], Any]) -> None:
    step = cases.post("/calls/begin", {"environment": ENVIRONMENT})
    while "call" in step:
        call = step["call"]
        step = cases.post("/calls/next", outcome_of(lambda call=call: make(call)))
    assert step["faults"] == []
    assert step["calls"] >= 40


@needs_posthorn
def test_sync(cases: Cases) -> None:
    with Posthorn(**CREDENTIALS) as posthorn:
        make_all(cases, lambda call: make_call(posthorn, call))


@needs_posthorn
def test_async(cases: Cases) -> None:
    loop = asyncio.new_event_loop()
    try:
        posthorn = AsyncPosthorn(**CREDENTIALS)
        make_all(cases, lambda call: loop.run_until_complete(make_call_async(posthorn, call)))
        loop.run_until_complete(posthorn.aclose())
        loop.run_until_complete(loop.shutdown_asyncgens())
    finally:
        loop.close()
