from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from ._calls import Content, Decode, Value, to_json
from ._errors import OptionError
from ._options import require_printable

_BATCH_EVENTS = 100
_BATCH_BYTES = 1024 * 1024
_AROUND = len(b'{"events":[]}')


@dataclass(frozen=True)
class RefusedEvent:
    """An event of the outbox that Posthorn refuses for good."""

    id: str
    event_type: str


def to_content(payload: object, content_type: str | None) -> Content:
    """
    Return strings and bytes as they are, and every other value as JSON. The default content type is
    `text/plain; charset=utf-8` for a string, `application/octet-stream` for bytes and `application/json` for JSON.
    """
    given = None if content_type is None else require_printable("content_type", content_type)
    if isinstance(payload, str):
        try:
            return Content(payload.encode(), given or "text/plain; charset=utf-8")
        except UnicodeEncodeError:
            raise OptionError("payload", "must be a text that UTF-8 can write") from None
    if isinstance(payload, (bytes, bytearray)) or type(payload) is memoryview:
        # Copy the bytes: the caller may change them during retries.
        return Content(bytes(payload), given or "application/octet-stream")
    return to_json("payload", payload, given or "application/json")


def of_event(decode: Decode[Value]) -> Decode[Value]:
    """Require an id. An answer to an event without it comes from another server: the event was not accepted."""

    def decode_event(value: Any) -> Value:
        fields: Mapping[str, Any] = cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}
        if not isinstance(fields.get("id"), str):
            raise TypeError
        return decode(value)

    return decode_event


def split_batch(texts: Sequence[bytes]) -> list[list[bytes]]:
    """Make parts of at most 100 events and 1 MiB. A larger event is a part of its own: the server refuses it."""
    parts: list[list[bytes]] = []
    size = 0
    for text in texts:
        length = len(text) + 1
        if parts and len(parts[-1]) < _BATCH_EVENTS and size + length <= _BATCH_BYTES:
            parts[-1].append(text)
            size += length
        else:
            parts.append([text])
            size = _AROUND + length
    return parts
