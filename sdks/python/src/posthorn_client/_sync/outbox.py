# Made from _async/outbox.py by `npm run sdks:generate`. Change that file, not this one.
from __future__ import annotations

import json
import logging
import uuid
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any, cast

from .._calls import path, to_time
from .._concurrency import sleep
from .._errors import ApiError, OptionError, PosthornError, create_api_error
from .._options import ALL_APPLICATIONS, require_application, require_visible
from .._payload import RefusedEvent, to_content
from .client import Posthorn

PAGE_ROWS = 50
LOCK = 5_703_104_267_129_001
"""The advisory lock of the relays of a database: only its holder sends. Every library uses this number."""
FOR_GOOD = frozenset({400, 404, 409, 413, 415, 422})
"""The statuses that mean that the event itself is wrong: Posthorn would refuse it each time."""

_INSERT = """
INSERT INTO posthorn_outbox (id, event_type, payload, content_type, options)
VALUES ({id}, {event_type}, {payload}, {content_type}, CAST({options} AS jsonb))
ON CONFLICT (id) DO NOTHING"""
_HOLD = "SELECT pg_try_advisory_xact_lock({lock})"
_PAGE = """
SELECT id, event_type, payload, content_type, CAST(options AS text)
FROM posthorn_outbox WHERE refused IS NULL ORDER BY position LIMIT {rows}"""
_REFUSE = "UPDATE posthorn_outbox SET refused = {refused} WHERE id = {id}"
_DELETE = "DELETE FROM posthorn_outbox WHERE id = {id}"

_log = logging.getLogger("posthorn")


class Outbox:
    """
    The outbox in your own transaction: an event is sent if, and only if, the transaction is committed. `connection` is
    a connection of psycopg, or a connection or session of SQLAlchemy. `outbox.sql` of this package creates the table.
    """

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    def send(
        self,
        event_type: str,
        payload: object,
        /,
        *,
        application: str,
        key: str | None = None,
        ordering_key: str | None = None,
        deliver_at: datetime | str | None = None,
        content_type: str | None = None,
    ) -> str:
        """
        Write the event into the outbox and return its id. `key` is the idempotency key, 1 to 255 visible ASCII
        characters; by default it is random. A key that is already in the outbox is not written again. `application` is
        the application that the event belongs to: its id, `ext:` and your own id for it, or `ALL_APPLICATIONS`.
        """
        # Refuse values that no request can carry here, where the caller sees the error.
        path("{}", event_type)
        row_id = f"outbox_{uuid.uuid4()}" if key is None else key
        require_visible("key", row_id)
        options = {
            "application": require_application(application),
            "orderingKey": require_visible("ordering_key", ordering_key),
            "deliverAt": require_visible(
                "deliver_at", None if deliver_at is None else to_time("deliver_at", deliver_at)
            ),
        }
        content = to_content(payload, content_type)
        row = {
            "id": row_id,
            "event_type": event_type,
            "payload": content.data,
            "content_type": content.content_type,
            "options": json.dumps({name: value for name, value in options.items() if value is not None}),
        }
        _execute(self._connection, _INSERT, row)
        return row_id


def relay(
    begin: Callable[[], AbstractContextManager[Any]],
    posthorn: Posthorn,
    *,
    poll: float = 1.0,
    stop: Callable[[], bool] | None = None,
    on_refused: Callable[[RefusedEvent, ApiError], None] | None = None,
    on_error: Callable[[Exception], None] | None = None,
) -> None:
    """
    Send the events of the outbox in the order of their positions, until `stop` returns True. Any number of relays may
    run: one of them works at a time. After a crash, the events whose rows are still there are sent again with the same
    keys, so Posthorn accepts each event once.

    - `begin`: opens a transaction that is committed at its end, such as `engine.begin` of SQLAlchemy, or
      `lambda: psycopg.connect(…)`.
    - `poll`: seconds to wait when the outbox is empty, or after a failure.
    - `on_refused`: called with an event that Posthorn refuses for good. Its row stays, with the reason in `refused`.
    - `on_error`: called when the database or Posthorn cannot be reached, or the API key is refused. The relay tries
      again. Without `on_error`, the logger `posthorn` warns.
    """
    while stop is None or not stop():
        try:
            sent = relay_page(begin, posthorn, on_refused=on_refused)
        except Exception as error:
            sent = 0
            if on_error is None:
                _log.warning("The relay of the outbox tries again: %s", error)
            else:
                on_error(error)
        if sent == 0:
            sleep(poll)


def relay_page(
    begin: Callable[[], AbstractContextManager[Any]],
    posthorn: Posthorn,
    *,
    on_refused: Callable[[RefusedEvent, ApiError], None] | None = None,
) -> int:
    """Send one page, and return how many rows are done. Rows that are done stay done if a later row fails."""
    done = 0
    failure: PosthornError | None = None
    with begin() as connection:
        if (_execute(connection, _HOLD, {"lock": LOCK}))[0][0] is not True:
            return 0
        for row_id, event_type, payload, content_type, options in _execute(
            connection, _PAGE, {"rows": PAGE_ROWS}
        ):
            given = json.loads(options)
            try:
                posthorn.events.send(
                    event_type,
                    bytes(payload),
                    idempotency_key=row_id,
                    # A row that an earlier version wrote may name no application.
                    application=given.get("application", ALL_APPLICATIONS),
                    ordering_key=given.get("orderingKey"),
                    deliver_at=given.get("deliverAt"),
                    content_type=content_type,
                )
            except PosthornError as error:
                refusal = _refusal_of(error)
                if refusal is None:
                    failure = error
                    break
                reason = f"{refusal.code}: {refusal.message}"
                _execute(connection, _REFUSE, {"id": row_id, "refused": reason})
                if on_refused is not None:
                    on_refused(RefusedEvent(row_id, event_type), refusal)
            else:
                _execute(connection, _DELETE, {"id": row_id})
            done += 1
    if failure is not None:
        raise failure
    return done


def _refusal_of(error: PosthornError) -> ApiError | None:
    """Return the error with which Posthorn would refuse an event each time, or None if a later try may succeed."""
    if isinstance(error, ApiError):
        return error if error.status in FOR_GOOD and error.code != "unexpected_answer" else None
    # The row has a value that no request can carry, such as a key with a space: it must not block the other rows.
    if not isinstance(error, OptionError) or error.option == "api_key":
        return None
    return create_api_error(400, "validation_error", str(error))


def _execute(connection: Any, statement: str, parameters: dict[str, Any]) -> list[Any]:
    """Run a statement that has its parameters in braces, and return its rows."""
    if hasattr(connection, "cursor"):
        cursor = connection.cursor()
        cursor.execute(statement.format(**{name: f"%({name})s" for name in parameters}), parameters)
        rows: list[Any] = list(cursor.fetchall()) if cursor.description else []
        # A connection of psycopg may return rows as dictionaries.
        return [tuple(cast("dict[str, Any]", row).values()) if isinstance(row, dict) else row for row in rows]
    from sqlalchemy import text

    result = connection.execute(text(statement.format(**{name: f":{name}" for name in parameters})), parameters)
    return list(result.fetchall()) if result.returns_rows else []
