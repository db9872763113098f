"""The part of both clients that needs no connection: it makes requests and reads answers."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any, Callable, Generic, Literal, Optional, TypeVar, cast
from urllib.parse import parse_qs, quote, urlencode

import httpx

from ._errors import ApiError, OptionError, SecretNotShownError, create_api_error
from ._model import Model
from ._options import Settings, require_visible
from ._retries import read_retry_after
from ._unset import UNSET, Unset
from ._version import VERSION

Value = TypeVar("Value")
Item = TypeVar("Item")
Event = TypeVar("Event")
Data = TypeVar("Data")
Decode = Callable[[Any], Value]
"""Turns the JSON of an answer into its value."""

PAGE_SIZE = 100
STREAM_SILENCE = 45.0
"""Seconds without any data after which a stream has failed. The server sends a comment every 15 seconds."""


@dataclass(frozen=True)
class Content:
    data: bytes = field(repr=False)
    content_type: str


@dataclass(frozen=True)
class Call:
    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
    path: str
    in_workspace: bool = True
    """Whether the path of the workspace comes before `path`."""
    credential: Literal["token", "api_key", "pull_key"] = "token"
    bearer: str | None = field(default=None, repr=False)
    """The credential itself, if it is not one of the client's."""
    query: Mapping[str, object] = field(default_factory=dict[str, object])
    content: Content | None = None
    headers: Mapping[str, str | None] = field(default_factory=dict[str, Optional[str]])
    idempotency_key: str | Unset | None = UNSET
    """The idempotency key of a POST. For None the library makes one, for UNSET it sends none."""
    shown_once: str | None = None
    """The field with a secret that only the first answer shows."""
    once: bool = False
    """Whether retries are off."""


@dataclass(frozen=True)
class Page(Generic[Item]):
    items: list[Item]
    next_cursor: str | None
    """The cursor of the next page; None on the last page."""


@dataclass(frozen=True)
class Change(Generic[Event, Data]):
    """One event of a stream of changes."""

    event: Event
    data: Data


@dataclass(frozen=True)
class Paging:
    by: Literal["cursor", "page", "link"]
    items: str | None = None
    """The field with the items; None if the answer itself is the array of items."""


@dataclass(frozen=True)
class Answer:
    value: Any
    headers: httpx.Headers


def new_key() -> str:
    """Make an idempotency key for a call without one."""
    return f"auto_{uuid.uuid4()}"


def path(template: str, *values: str) -> str:
    """Put the encoded arguments into the path. Refuse an argument such as `..`, which would change the path."""
    for value in values:
        if not isinstance(value, str) or value in ("", ".", ".."):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise OptionError("id", "must be a text that is not empty")
    try:
        return template.format(*(quote(value, safe="~") for value in values))
    except UnicodeEncodeError:
        raise OptionError("id", "must not contain half of a surrogate pair") from None


def json_body(fields: Mapping[str, object]) -> Content:
    """Make a body of the fields that are not UNSET. `None` is sent as null."""
    return to_json("body", {name: value for name, value in fields.items() if value is not UNSET})


def to_json(option: str, value: object, content_type: str = "application/json") -> Content:
    return Content(to_json_bytes(option, value), content_type)


def to_json_bytes(option: str, value: object) -> bytes:
    def default(part: object) -> object:
        if isinstance(part, Model):
            return part.to_dict()
        if isinstance(part, datetime):
            return to_time(option, part)
        raise TypeError(f"{type(part).__name__} is not a JSON value")

    def text(ensure_ascii: bool) -> str:
        return json.dumps(value, default=default, ensure_ascii=ensure_ascii, allow_nan=False, separators=(",", ":"))

    try:
        return text(ensure_ascii=False).encode()
    except UnicodeEncodeError:
        # The text has half of a surrogate pair, which JSON can only write as an escape.
        return text(ensure_ascii=True).encode()
    except (TypeError, ValueError, RecursionError) as error:
        if isinstance(error, OptionError):
            raise
        raise OptionError(option, f"must be a JSON value: {error}") from None


def to_time(option: str, value: datetime | str) -> str:
    if isinstance(value, str):
        return value
    if value.tzinfo is None:
        raise OptionError(option, "must be a time with a time zone")
    return value.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def url_of(settings: Settings, base: str, call: Call) -> str:
    given = {
        name: _query_text(name, value) for name, value in call.query.items() if value is not UNSET and value is not None
    }
    query = urlencode(given)
    return f"{settings.base_url}{base}{call.path}{'?' if query else ''}{query}"


def _query_text(name: str, value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return to_time(name, value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ",".join(str(one) for one in cast("Sequence[object]", value))
    return str(value)


def headers_of(settings: Settings, call: Call) -> httpx.Headers:
    """Make the headers of a request. `httpx.Headers` hides the credential when it is printed."""
    own = {"token": settings.token, "api_key": settings.api_key, "pull_key": settings.pull_key}
    credential = own[call.credential] if call.bearer is None else call.bearer
    if credential is None:
        raise OptionError(call.credential, "is required for this call")
    headers = httpx.Headers(
        {
            "authorization": f"Bearer {credential}",
            "accept": "application/json",
            "user-agent": f"posthorn-sdk/python/{VERSION}",
        }
    )
    if call.method == "POST" and not isinstance(call.idempotency_key, Unset):
        key = new_key() if call.idempotency_key is None else call.idempotency_key
        headers["idempotency-key"] = require_visible("idempotency_key", key) or ""
    for name, value in call.headers.items():
        if value is not None:
            headers[name] = value
    if call.content is not None:
        headers["content-type"] = call.content.content_type
    return headers


def workspace_path(settings: Settings) -> str | None:
    """Return the path of the workspace, or None if the client must ask the service for the workspace."""
    if settings.token is not None and settings.token.startswith("php_"):
        return "/api/portal"
    return None if settings.workspace_id is None else workspace_base(settings.workspace_id)


def workspace_base(workspace_id: str) -> str:
    return path("/management/v1/workspaces/{}", workspace_id)


def read_answer(response: httpx.Response, content: bytes) -> Answer | ApiError:
    if response.is_success:
        # Only a deletion is answered without a body. An empty answer from a proxy must not look like an accepted event.
        if content == b"" and response.request.method == "DELETE":
            return Answer(None, response.headers)
        try:
            return Answer(json.loads(content), response.headers)
        except ValueError:
            pass
    return to_api_error(response, content)


def to_api_error(response: httpx.Response, content: bytes) -> ApiError:
    status, headers = response.status_code, response.headers
    try:
        body: Any = json.loads(content)
    except ValueError:
        body = None
    error = cast("dict[str, Any]", body).get("error") if isinstance(body, dict) else None
    fields: dict[str, Any] = cast("dict[str, Any]", error) if isinstance(error, dict) else {}
    code: Any = fields.get("code")
    is_ours = isinstance(code, str)
    return create_api_error(
        status=status,
        code=code if is_ours else "unexpected_answer",
        message=str(fields.get("message") or code) if is_ours else _unexpected(status, headers),
        request_id=headers.get("x-request-id"),
        retry_after=read_retry_after(headers.get("retry-after")),
        details=fields.get("details"),
    )


def _unexpected(status: int, headers: httpx.Headers) -> str:
    if 300 <= status < 400:
        return "The server answered with a redirect, which is not followed: check base_url"
    content_type = headers.get("content-type", "no content type")
    return f"The answer {status} ({content_type}) does not come from Posthorn: check base_url and the proxies before it"


def decode_answer(call: Call, answer: Answer, decode: Decode[Value]) -> Value:
    value = answer.value
    if (
        call.shown_once is not None
        and answer.headers.get("idempotent-replayed") == "true"
        and isinstance(value, dict)
        and call.shown_once in value
        and value[call.shown_once] is None
    ):
        message = f"The {call.shown_once} was shown in the first answer only: rotate it to get another"
        raise SecretNotShownError(message)
    return decode_value(cast("Any", value), decode)


def decode_value(value: Any, decode: Decode[Value]) -> Value:
    try:
        return decode(value)
    except TypeError:
        raise ApiError(200, "unexpected_answer", "The answer has another form than Posthorn's") from None


def with_list(name: str, decode: Decode[Value]) -> Decode[Value]:
    """Require a list under this name. An answer without it comes from another server, and must not look empty."""

    def decode_listed(value: Any) -> Value:
        fields: Mapping[str, Any] = cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}
        if not isinstance(fields.get(name), list):
            raise TypeError
        return decode(value)

    return decode_listed


def page_query(call: Call, paging: Paging, cursor: str | None) -> dict[str, object]:
    query = dict(call.query)
    if paging.by == "link" and query.get("limit", UNSET) is UNSET:
        query["limit"] = PAGE_SIZE
    if cursor is not None:
        query["page" if paging.by == "page" else "cursor"] = cursor
    return query


def read_page(answer: Answer, paging: Paging, cursor: str | None, decode: Decode[Item]) -> Page[Item]:
    """Read a page from its answer. `cursor` is the cursor of the request."""
    value: Any = answer.value
    fields: dict[str, Any] = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
    items: Any = answer.value if paging.items is None else fields.get(paging.items)
    if not isinstance(items, list):
        raise ApiError(200, "unexpected_answer", "The answer has no list of items")
    if paging.by == "link":
        following = _cursor_of_link(answer.headers.get("link"))
    elif paging.by == "cursor":
        following = fields.get("nextCursor")
    else:
        following = _next_number(fields)
    if following is not None and following == cursor:
        # Such a cursor would make the list endless.
        raise ApiError(200, "unexpected_answer", "The answer leads to its own page again")
    return Page([decode_value(item, decode) for item in cast("list[Any]", items)], following)


def _cursor_of_link(link: str | None) -> str | None:
    """Read the cursor from a header such as `Link: <…?cursor=…>; rel="next"`."""
    for one in (link or "").split(","):
        if 'rel="next"' in one:
            query = one[one.find("?") + 1 : one.find(">")]
            return parse_qs(query).get("cursor", [None])[0]
    return None


def _next_number(fields: Mapping[str, Any]) -> str | None:
    page, size, total = (fields.get(name) for name in ("page", "pageSize", "total"))
    if not isinstance(page, int) or not isinstance(size, int) or not isinstance(total, int):
        return None
    return str(page + 1) if page * size < total else None


def nothing(_: object) -> None:
    return None


def anything(value: Any) -> Any:
    return value


def list_of(decode: Decode[Item]) -> Decode[list[Item]]:
    return lambda values: [decode(value) for value in values]
