"""The loop over the messages of a pull endpoint, against a running Posthorn."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from running import API_KEY, BASE_URL, CREDENTIALS, needs_posthorn

from posthorn_client import AsyncPosthorn, Posthorn

pytestmark = needs_posthorn


@pytest.fixture(scope="module")
def posthorn() -> Iterator[Posthorn]:
    with Posthorn(**CREDENTIALS) as posthorn:
        yield posthorn


def make_endpoint(posthorn: Posthorn) -> tuple[str, str]:
    created = posthorn.endpoints.create(type="pull")
    return created.id, str(created.pull_key)


def test_a_loop_acknowledges_each_message_at_the_end_of_its_body(posthorn: Posthorn) -> None:
    endpoint_id, pull_key = make_endpoint(posthorn)
    sent = [posthorn.events.send_direct(endpoint_id, {"n": n}).delivery_id for n in (1, 2, 3)]
    seen: list[str] = []
    with Posthorn(BASE_URL, pull_key=pull_key) as consumer:
        for message in consumer.pull(endpoint_id, max_messages=2):
            assert message.json()["n"] in (1, 2, 3)
            seen.append(message.delivery_id)
            if len(seen) == 3:
                assert message.ack()
                break
    assert sorted(seen) == sorted(sent)
    assert [posthorn.deliveries.get(one).status for one in seen] == ["delivered"] * 3


def test_a_body_that_raises_gives_the_message_back(posthorn: Posthorn) -> None:
    endpoint_id, pull_key = make_endpoint(posthorn)
    delivery_id = posthorn.events.send_direct(endpoint_id, "a").delivery_id

    def work() -> None:
        for _message in posthorn.pull(endpoint_id, pull_key=pull_key):
            raise RuntimeError("no room")

    with pytest.raises(RuntimeError, match="no room"):
        work()
    assert posthorn.deliveries.get(delivery_id).status == "scheduled_retry"
    for message in posthorn.pull(endpoint_id, pull_key=pull_key):
        assert (message.delivery_id, message.attempt_number) == (delivery_id, 2)
        assert message.nack(delay_seconds=3_600, reason="full", response_status=507)
        break
    attempt = posthorn.deliveries.list_attempts(delivery_id).to_list(limit=10)[-1]
    assert (attempt.error_code, attempt.response_status) == ("http_status", 507)


def test_a_message_is_held_for_longer_until_it_is_answered(posthorn: Posthorn) -> None:
    endpoint_id, pull_key = make_endpoint(posthorn)
    posthorn.events.send_direct(endpoint_id, "a")
    for message in posthorn.pull(endpoint_id, pull_key=pull_key, lease_seconds=5):
        assert message.extend(900)
        assert message.ack()
        assert not message.extend(900)
        break


def test_the_asynchronous_loop_does_the_same(posthorn: Posthorn) -> None:
    endpoint_id, pull_key = make_endpoint(posthorn)

    async def consume() -> list[str]:
        seen: list[str] = []
        async with AsyncPosthorn(BASE_URL, api_key=API_KEY, pull_key=pull_key) as consumer:
            for n in (1, 2):
                await consumer.events.send_direct(endpoint_id, {"n": n})
            messages = consumer.pull(endpoint_id)
            async for message in messages:
                seen.append(message.delivery_id)
                if len(seen) == 2:
                    break
            await messages.aclose()
        return seen

    first, second = asyncio.run(consume())
    assert posthorn.deliveries.get(first).status == "delivered"
    assert posthorn.deliveries.get(second).status == "scheduled_retry"
