# Made from _async/ingestion.py by `npm run sdks:generate`. Change that file, not this one.
from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, cast

from .. import models
from .._calls import Call, Content, Decode, Value, new_key, path, to_json_bytes, to_time
from .._errors import ApiError, BatchError, PosthornError
from .._options import require_application, require_visible
from .._payload import of_event, split_batch, to_content
from .resource import Resource


class Ingestion(Resource):
    """Sends events, with an API key."""

    def send(
        self,
        event_type: str,
        payload: object,
        /,
        *,
        application: str,
        idempotency_key: str | None = None,
        ordering_key: str | None = None,
        deliver_at: datetime | str | None = None,
        content_type: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.IngestAnswer:
        """
        Send an event to every endpoint that subscribes to its type. Strings and bytes are sent as they are, every other
        value as JSON. When `send` returns, the service has stored the event.

        `idempotency_key`: within 24 hours, an event with the same key is accepted once. Take it from your own data.
        `application`: the application that the event belongs to: its id, `ext:` and your own id for it, or
        `ALL_APPLICATIONS`.
        `ordering_key`: endpoints with `ordering: "fifo"` receive the events of one key one after the other.
        `deliver_at`: the event is not delivered before this time, which is at most 24 hours ahead.
        """
        to = path("/api/ingest/event/{}", event_type)
        headers = _headers(require_application(application), ordering_key, deliver_at)
        content = to_content(payload, content_type)
        return self._send(to, content, headers, idempotency_key, models.IngestAnswer, timeout, retries)

    def send_direct(
        self,
        endpoint_id: str,
        payload: object,
        /,
        *,
        idempotency_key: str | None = None,
        application: str | None = None,
        ordering_key: str | None = None,
        deliver_at: datetime | str | None = None,
        content_type: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> models.DirectIngestAnswer:
        """
        Send an event to one endpoint, without an event type. The arguments are those of `send`, but `application` is
        optional: if you give one, the endpoint must belong to it.
        """
        to = path("/api/ingest/{}", endpoint_id)
        headers = _headers(application, ordering_key, deliver_at)
        content = to_content(payload, content_type)
        return self._send(to, content, headers, idempotency_key, models.DirectIngestAnswer, timeout, retries)

    def send_batch(
        self,
        events: Sequence[models.BatchEvent],
        /,
        *,
        application: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> list[models.BatchResult]:
        """
        Send any number of events, in requests of at most 100 events and 1 MiB, one after the other. The results are in
        the order of the events. A refused event has an `error` in its result and does not stop the others. If a request
        fails after an earlier one succeeded, the BatchError has the results so far and the remaining events.

        `application`: for events with neither an `endpointId` nor an `applicationId`, which need it.
        """
        keyed: list[dict[str, Any]] = [dict(event) for event in events]
        for event in keyed:
            if event.get("endpointId") is None:
                own = event.get("applicationId")
                event["applicationId"] = require_application(application if own is None else own)
            if event.get("idempotencyKey") is None:
                event["idempotencyKey"] = new_key()
        results: list[models.BatchResult] = []
        for part in split_batch([to_json_bytes("events", event) for event in keyed]):
            try:
                results.extend(self._send_part(part, timeout, retries))
            except PosthornError as error:
                # A single event that is too large for a request does not stop the others.
                if len(part) == 1 and isinstance(error, ApiError) and error.code == "payload_too_large":
                    results.append(models.BatchResult({"error": {"code": error.code, "message": error.message}}))
                    continue
                if not results:
                    raise
                raise BatchError(results, keyed[len(results) :], str(error)) from error
        return results

    def _send_part(
        self, texts: Sequence[bytes], timeout: float | None, retries: int | None
    ) -> list[models.BatchResult]:
        content = Content(b'{"events":[' + b",".join(texts) + b"]}", "application/json")
        # The request needs no idempotency key: each event has its own.
        call = Call("POST", "/api/ingest/batch", in_workspace=False, credential="api_key", content=content)
        answer = self._transport.request(call, models.BatchAnswer, timeout, retries)
        results = cast("list[models.BatchResult] | None", answer.results)
        if results is None or len(results) != len(texts):
            message = f"The answer to a batch of {len(texts)} events has not as many results"
            raise ApiError(202, "unexpected_answer", message)
        return results

    def _send(
        self,
        to: str,
        content: Content,
        headers: dict[str, str | None],
        idempotency_key: str | None,
        decode: Decode[Value],
        timeout: float | None,
        retries: int | None,
    ) -> Value:
        call = Call(
            "POST",
            to,
            in_workspace=False,
            credential="api_key",
            content=content,
            headers=headers,
            idempotency_key=idempotency_key,
        )
        return self._transport.request(call, of_event(decode), timeout, retries)


def _headers(
    application: str | None, ordering_key: str | None, deliver_at: datetime | str | None
) -> dict[str, str | None]:
    at = None if deliver_at is None else to_time("deliver_at", deliver_at)
    return {
        "x-application-id": require_visible("application", application),
        "x-ordering-key": require_visible("ordering_key", ordering_key),
        "x-deliver-at": require_visible("deliver_at", at),
    }
