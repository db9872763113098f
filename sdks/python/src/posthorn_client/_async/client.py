from __future__ import annotations

from types import TracebackType

import httpx

from .._concurrency import AsyncStream
from .._options import read_options
from .pull import AsyncConsumer, AsyncPulledMessage
from .resources import AsyncResources
from .transport import AsyncTransport


class AsyncPosthorn(AsyncResources):
    """
    A client of one Posthorn. An API key sends events; a pull key fetches messages; a management token does everything
    else. Use one client for the whole program: it keeps its connections open. Raises an OptionError for an invalid
    option.

    Options that you leave out are read from the environment variables `POSTHORN_BASE_URL`, `POSTHORN_TOKEN`,
    `POSTHORN_API_KEY`, `POSTHORN_PULL_KEY` and `POSTHORN_WORKSPACE_ID`.

    - `token`: a management token (`phm_…`), or a portal session's token (`php_…`).
    - `api_key`: an API key (`phk_…`), which sends events.
    - `pull_key`: a pull key (`phpl_…`), which fetches the messages of one endpoint.
    - `workspace_id`: the workspace to work in; by default the workspace of the token.
    - `timeout`: seconds for each try, until its answer is complete.
    - `retries`: how many times a request is tried again; 0 means never.
    - `http_client`: replaces the client of httpx, for a proxy or a test. You close it yourself.
    """

    def __init__(
        self,
        base_url: str | None = None,
        *,
        token: str | None = None,
        api_key: str | None = None,
        pull_key: str | None = None,
        workspace_id: str | None = None,
        timeout: float = 15.0,
        retries: int = 2,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        settings = read_options(base_url, token, api_key, pull_key, workspace_id, timeout, retries)
        self._transport = AsyncTransport(settings, http_client)
        super().__init__(self._transport)

    def pull(
        self,
        endpoint_id: str,
        *,
        pull_key: str | None = None,
        max_messages: int = 1,
        wait_seconds: int = 20,
        lease_seconds: int = 30,
        timeout: float | None = None,
    ) -> AsyncStream[AsyncPulledMessage]:
        """
        Fetch the messages of a pull endpoint, one after the other, until you leave the loop. When the loop body ends,
        the message is acknowledged. When you leave the loop from its body, or an error does, the message is given back.
        A message that you have answered yourself stays as it is.

        - `max_messages`: how many messages are leased at a time. All of their leases begin at once.
        - `wait_seconds`: how long a request waits for a message. Then the loop sends the next request, after a pause
          of a second if it is 0.
        - `lease_seconds`: how long a message is yours. Without an answer by then, it goes to the next consumer.
        - `timeout`: seconds for each try, in addition to `wait_seconds`.
        """
        consumer = AsyncConsumer(self._transport, endpoint_id, pull_key, timeout)
        return consumer.messages(max_messages, wait_seconds, lease_seconds)

    async def aclose(self) -> None:
        """Close the connections. `async with` does this at its end."""
        await self._transport.close()

    async def __aenter__(self) -> AsyncPosthorn:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()
