"""Ten tests of e2e/contract, written with this library alone: without casts and without requests of their own."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from typing import Callable

import pytest
from running import API_KEY, BASE_URL, CREDENTIALS, ENVIRONMENT, needs_posthorn

from posthorn_client import ApiError, ConflictError, NotFoundError, Posthorn, UnauthorizedError, ValidationError, models

pytestmark = needs_posthorn
HOOK = "https://127.0.0.1/"
numbers = itertools.count(1)


@pytest.fixture(scope="module")
def posthorn() -> Iterator[Posthorn]:
    with Posthorn(**CREDENTIALS) as posthorn:
        yield posthorn


def unique(prefix: str) -> str:
    return f"{prefix}_python_{next(numbers)}"


def make_route(posthorn: Posthorn) -> tuple[str, str]:
    """Return the name of a new event type, and the id of an endpoint that subscribes to it."""
    event_type = posthorn.event_types.create(name=unique("order"), publish_in=[ENVIRONMENT])
    endpoint = posthorn.endpoints.create(url=HOOK)
    posthorn.endpoints.subscribe(endpoint.id, event_type_ids=[event_type.id])
    return event_type.name, endpoint.id


def wait_for(condition: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end, f"waited 20 s for {what}"
        time.sleep(0.05)


def test_an_endpoint_has_its_fields_and_the_password_is_in_no_answer(posthorn: Posthorn) -> None:
    metadata = {"a": "x", "b": 1, "c": True, "d": None}
    created = posthorn.endpoints.create(
        url=HOOK,
        description="D",
        auth_username="ada",
        auth_password="pass-canary",
        config={"timeoutSeconds": 5},
        metadata=metadata,
    )
    assert (created.environment_id, created.application_id, created.description) == (ENVIRONMENT, None, "D")
    assert (created.auth_username, created.has_auth, created.is_active) == ("ada", True, True)
    assert created.config.timeout_seconds == 5
    assert created.metadata == metadata
    assert str(created.secret).startswith("whsec_")
    got = posthorn.endpoints.get(created.id)
    assert (got.id, got.url) == (created.id, HOOK)
    assert "pass-canary" not in repr(created.to_dict()) + repr(got.to_dict())


def test_an_endpoint_without_https_is_refused_and_the_error_says_what_is_wrong(posthorn: Posthorn) -> None:
    with pytest.raises(ValidationError, match="URL") as refused:
        posthorn.endpoints.create(url="http://127.0.0.1/")
    assert (refused.value.status, refused.value.code) == (400, "validation_error")


def test_an_update_keeps_what_is_absent_and_none_clears(posthorn: Posthorn) -> None:
    endpoint = posthorn.endpoints.create(url=HOOK, description="kept", metadata={"a": "x"})
    updated = posthorn.endpoints.update(endpoint.id, is_active=False)
    assert (updated.is_active, updated.description, updated.metadata) == (False, "kept", {"a": "x"})
    cleared = posthorn.endpoints.update(endpoint.id, metadata=None)
    assert (cleared.is_active, cleared.description, cleared.metadata) == (False, "kept", {})


def test_a_deleted_endpoint_is_not_found(posthorn: Posthorn) -> None:
    endpoint = posthorn.endpoints.create(url=HOOK)
    posthorn.endpoints.delete(endpoint.id)
    with pytest.raises(NotFoundError):
        posthorn.endpoints.get(endpoint.id)


def test_the_name_of_an_event_type_is_used_once(posthorn: Posthorn) -> None:
    name = unique("order")
    posthorn.event_types.create(name=name)
    with pytest.raises(ConflictError) as refused:
        posthorn.event_types.create(name=name)
    assert refused.value.code == "event_type_exists"


def test_an_application_is_found_by_its_external_id_and_lists_only_its_own_endpoints(posthorn: Posthorn) -> None:
    external_id = unique("customer")
    application = posthorn.applications.create(name="Customer", external_id=external_id)
    assert posthorn.applications.get(f"ext:{external_id}") == application
    owned = posthorn.applications.create_endpoint(application.id, url=HOOK)
    assert [one.id for one in posthorn.endpoints.list(application_id=application.id)] == [owned.id]


def test_the_same_key_creates_one_event_and_another_payload_under_it_is_a_conflict(posthorn: Posthorn) -> None:
    event_type, _ = make_route(posthorn)
    key = unique("key")
    first = posthorn.events.send(event_type, {"total": 1900}, idempotency_key=key, application="*")
    again = posthorn.events.send(event_type, {"total": 1900}, idempotency_key=key, application="*")
    assert (first.duplicate, again.duplicate, again.id) == (False, True, first.id)
    with pytest.raises(ApiError) as refused:
        posthorn.events.send(event_type, {"total": 1}, idempotency_key=key, application="*")
    assert refused.value.code == "idempotency_conflict"


def test_an_event_reaches_the_endpoint_that_subscribes_and_its_trace_says_why(posthorn: Posthorn) -> None:
    event_type, endpoint_id = make_route(posthorn)
    sent = posthorn.events.send(event_type, {"total": 1900}, application="*")
    wait_for(lambda: posthorn.events.get(sent.id).status == "matched", "the event to be fanned out")
    deliveries = posthorn.events.list_deliveries(sent.id).to_list(limit=10)
    found = [(one.event_id, one.endpoint_id, one.event_type) for one in deliveries]
    assert found == [(sent.id, endpoint_id, event_type)]
    trace = posthorn.events.trace(sent.id, decision="matched")
    assert [one.endpoint_id for one in trace.endpoints] == [endpoint_id]


def test_a_list_leads_through_all_of_its_pages_without_a_gap_or_a_repeat(posthorn: Posthorn) -> None:
    event_type, _ = make_route(posthorn)
    batch: list[models.BatchEvent] = [{"eventType": event_type, "data": {"n": n}} for n in range(7)]
    results = posthorn.events.send_batch(batch, application="*")
    read = [event.id for event in posthorn.events.list(event_type=event_type, limit=3)]
    assert sorted(read) == sorted(str(result.id) for result in results)
    page = posthorn.events.list(event_type=event_type, limit=3).page()
    assert [event.id for event in page.items] == read[:3]
    assert page.next_cursor is not None
    rest = posthorn.events.list(event_type=event_type, limit=3, cursor=page.next_cursor)
    assert [event.id for event in rest] == read[3:]


def test_a_rotated_api_key_works_under_its_new_value_and_a_deleted_one_no_longer(posthorn: Posthorn) -> None:
    event_type, _ = make_route(posthorn)
    created = posthorn.api_keys.create(ENVIRONMENT, name="checkout")
    rotated = posthorn.api_keys.rotate(ENVIRONMENT, created.id, grace_period_seconds=0)
    assert rotated.key not in (None, created.key, API_KEY)

    with Posthorn(BASE_URL, api_key=rotated.key) as sender:
        sent = sender.events.send(event_type, "as it is", application="*")
        assert (sent.event_type, sent.published) == (event_type, True)
        posthorn.api_keys.delete(ENVIRONMENT, rotated.id)

        def is_refused() -> bool:
            try:
                sender.events.send(event_type, "as it is", application="*")
            except UnauthorizedError:
                return True
            return False

        wait_for(is_refused, "the deleted key to be refused")
