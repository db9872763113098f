"""The parts that differ between threads and asynchronous tasks. `_sync` uses the names without `Async`."""

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
"""A stream of values. End it with `aclose`."""
Stream = Generator[Item, None, None]
AsyncLock = anyio.Lock
Lock = threading.Lock
async_sleep = anyio.sleep
sleep = time.sleep
_LEAST = 0.001
"""The shortest timeout of a step, in seconds. With 0, a socket does not block, and fails with a different error."""


class AsyncDeadline:
    """Stops the code inside at the deadline, wherever it waits, with the builtin TimeoutError."""

    operation_timeout = None
    """The timeout of each operation of httpx: none."""

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
        """Do nothing: the deadline itself stops the request."""

    def seconds_left(self) -> float | None:
        """Return None, which is no timeout for httpx: the deadline itself stops the request."""
        return None


class Deadline:
    """Raises the builtin TimeoutError when the code inside asks for the seconds left after the deadline."""

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
        """Limit each step of the request to the seconds left. Otherwise each step could take the whole time."""
        timeouts: dict[str, float] = request.extensions["timeout"]

        def begin(step: str, info: dict[str, Any]) -> None:
            if self._is_over or not step.endswith(".started"):
                return
            left = max(_LEAST, self._end - time.monotonic())
            timeouts.update(connect=left, write=left, read=left)
            # The steps of a new connection have already read `timeouts`: they keep their limit in `info`.
            if "timeout" in info:
                info["timeout"] = left

        request.extensions["trace"] = begin

    def seconds_left(self) -> float | None:
        left = self._end - time.monotonic()
        if left <= 0:
            raise builtins.TimeoutError
        return left
