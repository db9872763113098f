# Made from _async/resource.py by `npm run sdks:generate`. Change that file, not this one.
from __future__ import annotations

from .transport import Transport


class Resource:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport
