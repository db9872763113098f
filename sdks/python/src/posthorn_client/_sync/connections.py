# Made from _async/connections.py by `npm run sdks:generate`. Change that file, not this one.
from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import httpx

_PER_CLIENT = 8
_MOST_CLIENTS = 13
# Posthorn keeps an idle connection open for a few seconds longer than this.
_LIMITS = httpx.Limits(max_connections=_PER_CLIENT, max_keepalive_connections=_PER_CLIENT, keepalive_expiry=4.0)


class Connections:
    """
    Lends a client of httpx for each request. For each request, httpx compares all connections of a client with each
    other. With 64 connections, that costs more than everything else, so several clients have 8 connections each.
    """

    def __init__(self, given: httpx.Client | None) -> None:
        self._given = given
        self._tls = httpx.create_ssl_context() if given is None else None
        self._clients: list[httpx.Client] = []
        self._in_flight: list[int] = []
        self._lock = threading.Lock()

    @contextmanager
    def lend(self) -> Iterator[httpx.Client]:
        if self._given is not None:
            yield self._given
            return
        with self._lock:
            place = self._choose()
            self._in_flight[place] += 1
        try:
            yield self._clients[place]
        finally:
            with self._lock:
                self._in_flight[place] -= 1

    def _choose(self) -> int:
        """Return the index of the first client with a free connection, so that few requests use few connections."""
        for place, in_flight in enumerate(self._in_flight):
            if in_flight < _PER_CLIENT:
                return place
        if len(self._clients) == _MOST_CLIENTS:
            return self._in_flight.index(min(self._in_flight))
        self._clients.append(httpx.Client(limits=_LIMITS, verify=True if self._tls is None else self._tls))
        self._in_flight.append(0)
        return len(self._clients) - 1

    def close(self) -> None:
        for client in self._clients:
            client.close()
