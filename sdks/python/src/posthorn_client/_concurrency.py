"""What differs between threads and tasks. `_sync` uses the names without `Async`."""

from __future__ import annotations

import builtins
import threading
import time
from collections.abc import AsyncGenerator, Generator
from types import TracebackType
from typing import Any, TypeVar

import anyio
import httpx

Item = TypeVar("Item")
AsyncStream = AsyncGenerator[Item, None]
"""Ends with `aclose`."""
Stream = Generator[Item, None, None]
AsyncLock = anyio.Lock
Lock = threading.Lock
async_sleep = anyio.sleep
sleep = time.sleep
_LEAST = 0.001
"""Seconds. With 0, a socket would not wait at all, which is another error."""


class AsyncDeadline:
    """Ends what is inside with the builtin TimeoutError, wherever it waits."""

    operation_timeout = None
    """What httpx adds for each operation."""

    def __init__(self, seconds: float) -> None:
        self._scope = anyio.fail_after(seconds)

    def __enter__(self) -> AsyncDeadline:
        self._scope.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        return self._scope.__exit__(kind, error, trace)

    def limit(self, request: httpx.Request) -> None:
        """Not needed: the deadline itself ends the waiting."""

    def seconds_left(self) -> float | None:
        """For httpx to wait at most; None where the deadline itself ends the waiting."""
        return None


class Deadline:
    """Ends what is inside with the builtin TimeoutError where it asks for the seconds left."""

    def __init__(self, seconds: float) -> None:
        self.operation_timeout = seconds
        self._end = time.monotonic() + seconds
        self._is_over = False

    def __enter__(self) -> Deadline:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        self._is_over = True

    def limit(self, request: httpx.Request) -> None:
        """Gives each step of the request the seconds left. Otherwise each of them would have all of the seconds."""
        timeouts: dict[str, float] = request.extensions["timeout"]

        def begin(step: str, info: dict[str, Any]) -> None:
            if self._is_over or not step.endswith(".started"):
                return
            left = max(_LEAST, self._end - time.monotonic())
            timeouts.update(connect=left, write=left, read=left)
            # The steps of a new connection have taken their time from `timeouts` before.
            if "timeout" in info:
                info["timeout"] = left

        request.extensions["trace"] = begin

    def seconds_left(self) -> float | None:
        left = self._end - time.monotonic()
        if left <= 0:
            raise builtins.TimeoutError
        return left
