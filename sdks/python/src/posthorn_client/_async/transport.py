from __future__ import annotations

import builtins
import dataclasses
from collections.abc import AsyncIterator, Mapping
from typing import Any, TypeVar

import httpx

from .._calls import (
    STREAM_SILENCE,
    Answer,
    Call,
    Change,
    Decode,
    Page,
    Paging,
    anything,
    decode_answer,
    decode_value,
    headers_of,
    page_query,
    read_answer,
    read_page,
    to_api_error,
    url_of,
    workspace_base,
    workspace_path,
)
from .._concurrency import AsyncDeadline, AsyncLock, async_sleep
from .._errors import ApiError, ConnectionError, NotFoundError, PosthornError, TimeoutError
from .._options import MOST_RETRIES, Settings, require_integer, require_seconds
from .._retries import pause_before_retry
from .._server_sent_events import EventReader
from .connections import AsyncConnections
from .listing import AsyncListing

Value = TypeVar("Value")
Item = TypeVar("Item")


class AsyncTransport:
    """Sends the requests of every resource: it adds credentials, retries, raises errors and reads pages."""

    def __init__(self, settings: Settings, http_client: httpx.AsyncClient | None) -> None:
        self._settings = settings
        self._connections = AsyncConnections(http_client)
        self._workspace: str | None = None
        self._asking = AsyncLock()

    async def close(self) -> None:
        await self._connections.close()

    async def request(
        self, call: Call, decode: Decode[Value], timeout: float | None = None, retries: int | None = None
    ) -> Value:
        return decode_answer(call, await self._send(call, timeout, retries), decode)

    def list(
        self,
        call: Call,
        decode: Decode[Item],
        paging: Paging,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> AsyncListing[Item]:
        return AsyncListing(self, call, decode, paging, timeout, retries)

    async def page(
        self,
        call: Call,
        decode: Decode[Item],
        paging: Paging,
        cursor: str | None,
        timeout: float | None,
        retries: int | None,
    ) -> Page[Item]:
        part = dataclasses.replace(call, query=page_query(call, paging, cursor))
        return read_page(await self._send(part, timeout, retries), paging, cursor, decode)

    async def stream(
        self, call: Call, decodes: Mapping[str, Decode[Any]], timeout: float | None = None
    ) -> AsyncIterator[Change[Any, Any]]:
        seconds = self.seconds(timeout)
        headers = headers_of(self._settings, call)
        headers["accept"] = "text/event-stream"
        url = await self._url(call)
        response: httpx.Response | None = None
        try:
            with self._connections.lend() as http:
                try:
                    with AsyncDeadline(seconds) as deadline:
                        request = http.build_request(
                            call.method, url, headers=headers, timeout=deadline.operation_timeout
                        )
                        deadline.limit(request)
                        response = await http.send(request, stream=True, follow_redirects=False)
                        if not response.is_success:
                            raise to_api_error(response, await response.aread())
                        if not response.headers.get("content-type", "").lower().startswith("text/event-stream"):
                            # The page of a proxy must not look like a stream without changes.
                            raise to_api_error(response, b"")
                    request.extensions["timeout"]["read"] = STREAM_SILENCE
                    reader = EventReader()
                    async for text in response.aiter_text():
                        for event, data in reader.feed(text):
                            yield Change(event, decode_value(data, decodes.get(event, anything)))
                finally:
                    if response is not None:
                        await response.aclose()
        except (httpx.HTTPError, builtins.TimeoutError) as error:
            raise _explain(error, seconds if response is None else STREAM_SILENCE) from error

    async def _send(self, call: Call, timeout: float | None, retries: int | None) -> Answer:
        """Send a request, and send it again as _retries.py decides."""
        most = self._settings.retries if retries is None else require_integer("retries", retries, 0, MOST_RETRIES)
        if call.once:
            most = 0
        seconds = self.seconds(timeout)
        headers = headers_of(self._settings, call)
        url = await self._url(call)
        may_be_done = False
        tries = 0
        while True:
            result = await self._try(call, url, headers, seconds)
            if isinstance(result, Answer):
                return result
            # An earlier try, whose answer was lost, may have deleted it. A 404 with another code is that of a proxy,
            # which knows nothing of it.
            if call.method == "DELETE" and may_be_done and _is_not_found(result):
                return Answer(None, httpx.Headers())
            may_be_done = may_be_done or not isinstance(result, ApiError) or result.status >= 500
            tries += 1
            pause = pause_before_retry(result, tries, most)
            if pause is None:
                raise result
            await async_sleep(pause)

    async def _try(self, call: Call, url: str, headers: httpx.Headers, seconds: float) -> Answer | PosthornError:
        content = None if call.content is None else call.content.data
        try:
            with self._connections.lend() as http, AsyncDeadline(seconds) as deadline:
                request = http.build_request(
                    call.method, url, headers=headers, content=content, timeout=deadline.operation_timeout
                )
                deadline.limit(request)
                response = await http.send(request, stream=True, follow_redirects=False)
                try:
                    chunks: list[bytes] = []
                    request.extensions["timeout"]["read"] = deadline.seconds_left()
                    async for chunk in response.aiter_bytes():
                        chunks.append(chunk)
                        deadline.seconds_left()
                finally:
                    await response.aclose()
            return read_answer(response, b"".join(chunks))
        except (httpx.HTTPError, builtins.TimeoutError) as error:
            explained = _explain(error, seconds)
            explained.__cause__ = error
            return explained

    def seconds(self, timeout: float | None) -> float:
        """Return the time limit of each try."""
        return self._settings.timeout if timeout is None else require_seconds("timeout", timeout)

    async def _url(self, call: Call) -> str:
        if not call.in_workspace:
            return url_of(self._settings, "", call)
        base = workspace_path(self._settings)
        return url_of(self._settings, await self._own_workspace() if base is None else base, call)

    async def _own_workspace(self) -> str:
        """Look up the workspace once, even for concurrent calls. After a failure, the next call asks again."""
        if self._workspace is None:
            async with self._asking:
                if self._workspace is None:
                    me = await self.request(Call("GET", "/management/v1/me", in_workspace=False), anything)
                    self._workspace = workspace_base(_id_of_workspace(me))
        return self._workspace


def _id_of_workspace(me: Any) -> str:
    try:
        workspace_id = me["workspace"]["id"]
    except (KeyError, TypeError):
        workspace_id = None
    if isinstance(workspace_id, str) and workspace_id != "":
        return workspace_id
    raise ApiError(200, "unexpected_answer", "The answer names no workspace: check base_url")


def _is_not_found(error: PosthornError) -> bool:
    return isinstance(error, NotFoundError) and error.code == "not_found"


def _explain(error: Exception, seconds: float) -> PosthornError:
    """Turn an error of httpx into an error of this library."""
    if isinstance(error, (httpx.TimeoutException, builtins.TimeoutError)):
        return TimeoutError(f"No complete answer within {seconds:g} s")
    return ConnectionError(f"No complete answer: {str(error) or type(error).__name__}")
