from __future__ import annotations

import base64
import contextlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from .. import models
from .._calls import Call, Decode, Value, json_body, path, with_list
from .._concurrency import AsyncStream, async_sleep
from .._errors import ApiError, PosthornError
from .._options import require_integer, require_visible
from .transport import AsyncTransport

_POLL_SECONDS = 1
"""The pause between two requests that do not wait and find nothing."""


class AsyncPulledMessage:
    """A message that this consumer holds until its lease ends."""

    def __init__(self, leased: models.LeasedMessage, consumer: AsyncConsumer) -> None:
        self.delivery_id = leased.delivery_id
        self.lease_token = leased.lease_token
        self.leased_until = leased.leased_until
        self.attempt_number = leased.attempt_number
        self.event_id = leased.event_id
        self.event_type = leased.event_type
        self.created_at = leased.created_at
        self.ordering_key = leased.ordering_key
        self.headers = leased.headers
        self.body = base64.b64decode(leased.body)
        """The signed bytes. Verify them with `headers`, like the body of a webhook."""
        self._consumer = consumer
        self._settled: bool | None = None

    def json(self) -> Any:
        """Parse the body as JSON."""
        return json.loads(self.body)

    async def ack(self, *, response_status: int | None = None, response_body: str | None = None) -> bool:
        """
        Acknowledge the message now. If another program processed it, you can give its response. Returns False if the
        lease was lost to another consumer.
        """
        return await self._end("ack", {"responseStatus": response_status, "responseBody": response_body})

    async def nack(
        self,
        *,
        delay_seconds: int | None = None,
        reason: str | None = None,
        response_status: int | None = None,
        response_body: str | None = None,
    ) -> bool:
        """
        Give the message back now. It is due again after `delay_seconds`; without it, the retry schedule decides.
        `reason` is a text for people. Returns False if the lease was lost to another consumer.
        """
        answer = {"responseStatus": response_status, "responseBody": response_body}
        return await self._end("nack", {"delaySeconds": delay_seconds, "reason": reason, **answer})

    async def extend(self, lease_seconds: int) -> bool:
        """
        Renew the lease, which then ends `lease_seconds` from now, 5 to 900 seconds. Returns False if the lease was lost
        to another consumer.
        """
        message = {"deliveryId": self.delivery_id, "leaseToken": self.lease_token, "leaseSeconds": lease_seconds}
        answer = await self._consumer.ask("extend", {"messages": [message]}, models.ExtendResults, 0)
        return _is_settled(answer.results)

    async def _end(self, name: str, fields: Mapping[str, object]) -> bool:
        """Send an answer. After the first successful one, return its result: further answers change nothing."""
        if self._settled is None:
            given = {field: value for field, value in fields.items() if value is not None}
            message = {"deliveryId": self.delivery_id, "leaseToken": self.lease_token, **given}
            answer = await self._consumer.ask(name, {"messages": [message]}, models.LeaseResults, 0)
            self._settled = _is_settled(answer.results)
        return self._settled

    def __repr__(self) -> str:
        return f"PulledMessage({self.delivery_id!r})"


def _is_settled(results: Sequence[models.LeaseResult | models.ExtendResult]) -> bool:
    if not results:
        # An answer of another server must not look like a lost lease.
        raise ApiError(200, "unexpected_answer", "The answer has no result: check base_url")
    return results[0].result == "settled"


class AsyncConsumer:
    """Sends the pull requests of one endpoint, with its pull key."""

    def __init__(
        self, transport: AsyncTransport, endpoint_id: str, pull_key: str | None, timeout: float | None
    ) -> None:
        self._transport = transport
        self._path = path("/api/pull/{}", endpoint_id)
        self._pull_key = require_visible("pull_key", pull_key)
        self._seconds = transport.seconds(timeout)

    async def ask(self, name: str, body: Mapping[str, object], decode: Decode[Value], wait: int) -> Value:
        call = Call(
            "POST",
            f"{self._path}/{name}",
            in_workspace=False,
            credential="pull_key",
            bearer=self._pull_key,
            content=json_body(body),
        )
        listed = with_list("messages" if name == "lease" else "results", decode)
        return await self._transport.request(call, listed, self._seconds + wait)

    async def messages(
        self, max_messages: int, wait_seconds: int, lease_seconds: int
    ) -> AsyncStream[AsyncPulledMessage]:
        require_integer("wait_seconds", wait_seconds, 0, 30)
        # The first request does not wait, so that a loop with a wrong key or option fails at once.
        wait = 0
        while True:
            body = {"max": max_messages, "waitSeconds": wait, "leaseSeconds": lease_seconds}
            answer = await self.ask("lease", body, models.LeaseAnswer, wait)
            left = [AsyncPulledMessage(message, self) for message in answer.messages]
            if not left and wait_seconds == 0:
                await async_sleep(_POLL_SECONDS)
            try:
                while left:
                    yield left[0]
                    await left[0].ack()
                    left.pop(0)
            finally:
                # The loop was left: give unfinished messages back to the next consumer. After a failure, the leases
                # end by themselves: the caller must not wait once more for each, and meets no other error than its own.
                with contextlib.suppress(PosthornError):
                    for message in left:
                        await message.nack(delay_seconds=0)
            wait = wait_seconds
