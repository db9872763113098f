"""Makes the calls of sdks/conformance with this library, and describes their outcomes."""

from __future__ import annotations

import asyncio
import base64
import inspect
import re
import traceback
from typing import Any, Callable

from posthorn_client import (
    AsyncPosthorn,
    AsyncPulledMessage,
    BatchError,
    Change,
    Model,
    OptionError,
    Page,
    Posthorn,
    PosthornError,
    PulledMessage,
)


def make_call(posthorn: Posthorn, call: dict[str, Any]) -> Any:
    method, arguments, keywords = method_of(posthorn, call)

    def make() -> Any:
        answer = method(*arguments, **keywords)
        if "take" in call:
            changes = iter(answer)
            taken = [next(changes) for _ in range(call["take"])]
            changes.close()
            return taken
        if call.get("read") == "page":
            return answer.page()
        if call.get("read") == "all":
            return list(answer)
        return answer.to_list(**call["read"]) if "read" in call else answer

    if "repeat" not in call:
        return make()
    results: list[Any] = []
    for _ in range(call["repeat"]):
        try:
            results.append(make())
        except PosthornError:
            if not call.get("ignoreErrors"):
                raise
            results.append(None)
    return results


async def make_call_async(posthorn: AsyncPosthorn, call: dict[str, Any]) -> Any:
    method, arguments, keywords = method_of(posthorn, call)

    async def make() -> Any:
        answer = method(*arguments, **keywords)
        if "take" in call:
            changes = [await answer.__anext__() for _ in range(call["take"])]
            await answer.aclose()
            return changes
        if call.get("read") == "page":
            return await answer.page()
        if call.get("read") == "all":
            return [item async for item in answer]
        if "read" in call:
            return await answer.to_list(**call["read"])
        return await answer

    abort_after = (call.get("options") or {}).get("abortAfterMs")
    if abort_after is not None:
        task = asyncio.ensure_future(make())
        asyncio.get_running_loop().call_later(abort_after / 1_000, task.cancel)
        return await task
    if "repeat" not in call:
        return await make()
    results: list[Any] = []
    for _ in range(call["repeat"]):
        try:
            results.append(await make())
        except PosthornError:
            if not call.get("ignoreErrors"):
                raise
            results.append(None)
    return results


def method_of(posthorn: Any, call: dict[str, Any]) -> tuple[Callable[..., Any], list[Any], dict[str, Any]]:
    owner = getattr(posthorn, snake_case(call["resource"])) if "resource" in call else posthorn
    method = getattr(owner, snake_case(call["method"]))
    arguments = list(call.get("path", []))
    if "payload" in call:
        arguments.append(payload_of(call["payload"]))
    if "events" in call:
        arguments.append(call["events"])
    body = {snake_case(name): value for name, value in (call.get("body") or {}).items()}
    options = {name: value for name, value in (call.get("options") or {}).items() if name != "abortAfterMs"}
    if "max" in options:
        options["maxMessages"] = options.pop("max")
    keywords = {**body, **call.get("query", {}), **options_of(options)}
    takes = inspect.signature(method).parameters
    return method, arguments, {f"{name}_" if f"{name}_" in takes else name: value for name, value in keywords.items()}


def options_of(options: dict[str, Any]) -> dict[str, Any]:
    """Convert options from the names and milliseconds of TypeScript."""
    return {
        "timeout" if name == "timeoutMs" else snake_case(name): value / 1_000 if name == "timeoutMs" else value
        for name, value in options.items()
    }


def outcome_of(make: Callable[[], Any]) -> dict[str, Any]:
    try:
        return {"result": to_json(make())}
    except asyncio.CancelledError:
        return {"error": {"type": "Aborted"}}
    except PosthornError as error:
        return {"error": describe(error)}
    except TypeError as error:
        # Python itself refuses a call with a missing or an unknown argument.
        named = re.search(r"keyword(?:-only)? argument:? '(\w+)'", str(error))
        if named is None:
            raise
        return {"error": describe(OptionError(named[1], str(error)))}


def describe(error: PosthornError) -> dict[str, Any]:
    fields = {
        "type": type(error).__name__,
        "status": getattr(error, "status", None),
        "code": getattr(error, "code", None),
        "message": getattr(error, "message", str(error)),
        "requestId": getattr(error, "request_id", None),
        "retryAfter": getattr(error, "retry_after", None),
        "details": getattr(error, "details", None),
        "option": camel_case(error.option) if isinstance(error, OptionError) else None,
        "results": len(error.results) if isinstance(error, BatchError) else None,
        "unsent": len(error.unsent) if isinstance(error, BatchError) else None,
        "text": "".join(traceback.TracebackException.from_exception(error, capture_locals=False).format())
        + repr(error),
    }
    if fields["option"] == "timeout":
        fields["option"] = "timeoutMs"
    return {name: value for name, value in fields.items() if value is not None}


def to_json(value: Any) -> Any:
    if isinstance(value, Model):
        return value.to_dict()
    if isinstance(value, Page):
        return {"items": to_json(value.items), "nextCursor": value.next_cursor}
    if isinstance(value, (PulledMessage, AsyncPulledMessage)):
        return {name: getattr(value, snake_case(name)) for name in ("deliveryId", "attemptNumber", "eventType")}
    if isinstance(value, Change):
        return {"event": value.event, "data": to_json(value.data)}
    return [to_json(one) for one in value] if isinstance(value, list) else value


def payload_of(payload: dict[str, Any]) -> Any:
    if "base64" in payload:
        return base64.b64decode(payload["base64"])
    return payload["text"] * payload.get("repeat", 1) if "text" in payload else payload["json"]


def snake_case(name: str) -> str:
    return re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name).lower()


def camel_case(name: str) -> str:
    return re.sub(r"_(\w)", lambda match: match[1].upper(), name)
