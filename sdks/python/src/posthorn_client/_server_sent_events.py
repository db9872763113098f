from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ._errors import ApiError


class EventReader:
    """Reads the events of a `text/event-stream` from pieces of its text, and parses their JSON."""

    def __init__(self) -> None:
        self._rest = ""

    def feed(self, text: str) -> Iterator[tuple[str, Any]]:
        # A line may end with CR LF. If a piece ends between the two, the CR stays in the rest until the LF arrives.
        self._rest += text
        blocks = self._rest.replace("\r\n", "\n").split("\n\n")
        self._rest = blocks.pop()
        for block in blocks:
            event = _read_event(block)
            if event is not None:
                yield event


def _read_event(block: str) -> tuple[str, Any] | None:
    """Parse a block. Return None for a block without data, such as a comment."""
    event = "message"
    data: list[str] = []
    for line in block.split("\n"):
        name, _, value = line.partition(":")
        if name == "event":
            event = value.strip()
        if name == "data":
            data.append(value.lstrip())
    if not data:
        return None
    try:
        return event, json.loads("\n".join(data))
    except ValueError:
        raise ApiError(200, "unexpected_answer", "A change has another form than Posthorn's") from None
