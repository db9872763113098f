# Made from _async/client.py by `npm run sdks:generate`. Change that file, not this one.
from __future__ import annotations

from types import TracebackType

import httpx

from .._options import read_options
from .resources import Resources
from .transport import Transport


class Posthorn(Resources):
    """
    A client of one Posthorn. An API key sends events; a management token does everything else. Use one client for the
    whole program: it keeps its connections open. Raises an OptionError for an option that cannot be used.

    What is missing is read from the variables `POSTHORN_BASE_URL`, `POSTHORN_TOKEN`, `POSTHORN_API_KEY` and
    `POSTHORN_WORKSPACE_ID`.

    - `token`: a management token (`phm_…`), or a portal session's token (`php_…`).
    - `api_key`: an API key (`phk_…`), which sends events.
    - `workspace_id`: the token's own workspace unless one is named.
    - `timeout`: seconds for each try, until its answer is complete.
    - `retries`: how often a request is tried again; 0 means never.
    - `http_client`: another client of httpx, for a proxy or a test. You close it yourself.
    """

    def __init__(
        self,
        base_url: str | None = None,
        *,
        token: str | None = None,
        api_key: str | None = None,
        workspace_id: str | None = None,
        timeout: float = 15.0,
        retries: int = 2,
        http_client: httpx.Client | None = None,
    ) -> None:
        settings = read_options(base_url, token, api_key, workspace_id, timeout, retries)
        self._transport = Transport(settings, http_client)
        super().__init__(self._transport)

    def close(self) -> None:
        """Closes the connections. `with` does it at the end."""
        self._transport.close()

    def __enter__(self) -> Posthorn:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
