from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit, urlunsplit

from ._errors import OptionError

# In place of an application, this sends an event to the subscribed endpoints of every customer.
ALL_APPLICATIONS = "*"
LONGEST_TIMEOUT = 2_147_483.0
MOST_RETRIES = 10


@dataclass(frozen=True)
class Settings:
    base_url: str
    # `repr=False` hides the credentials when the settings are printed.
    token: str | None = field(repr=False)
    api_key: str | None = field(repr=False)
    pull_key: str | None = field(repr=False)
    workspace_id: str | None
    timeout: float
    retries: int


def read_options(
    base_url: str | None,
    token: str | None,
    api_key: str | None,
    pull_key: str | None,
    workspace_id: str | None,
    timeout: float,
    retries: int,
    environment: Mapping[str, str] | None = None,
) -> Settings:
    """Read and check the options. Raises an OptionError, which names the option and never shows a credential."""
    variables = os.environ if environment is None else environment

    def given(option: str, value: str | None) -> str | None:
        return variables.get(f"POSTHORN_{option.upper()}") or None if value is None else value

    token = given("token", token)
    api_key = given("api_key", api_key)
    pull_key = given("pull_key", pull_key)
    if token is None and api_key is None and pull_key is None:
        names = "POSTHORN_TOKEN, POSTHORN_API_KEY or POSTHORN_PULL_KEY"
        rule = f"or api_key or pull_key is required (or the variable {names})"
        raise OptionError("token", rule)
    return Settings(
        base_url=_read_base_url(given("base_url", base_url)),
        token=require_visible("token", token),
        api_key=require_visible("api_key", api_key),
        pull_key=require_visible("pull_key", pull_key),
        workspace_id=require_visible("workspace_id", given("workspace_id", workspace_id)),
        timeout=require_seconds("timeout", timeout),
        retries=require_integer("retries", retries, 0, MOST_RETRIES),
    )


def require_visible(option: str, value: str | None) -> str | None:
    """Require visible ASCII characters. For others, httpx would raise an error that shows the value of the header."""
    if value is not None and not _is_ascii(value, "\x21", "\x7e"):
        raise OptionError(option, "must be visible ASCII characters")
    return value


def require_application(application: str | None) -> str:
    """Require an application. Without this check, a forgotten one would send the event to every customer."""
    if application is None:
        rule = 'is required: the id of an application, "ext:" and your own id of it, or ALL_APPLICATIONS'
        raise OptionError("application", rule)
    require_visible("application", application)
    return application


def require_printable(option: str, value: str) -> str:
    if not _is_ascii(value, "\x20", "\x7e"):
        raise OptionError(option, "must be printable ASCII characters")
    return value


def require_integer(option: str, value: object, least: int, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise OptionError(option, f"must be a whole number from {least} to {most}")
    return value


def require_seconds(option: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value <= LONGEST_TIMEOUT:
        raise OptionError(option, f"must be a number of seconds above 0, at most {math.floor(LONGEST_TIMEOUT)}")
    return float(value)


def _is_ascii(value: object, least: str, most: str) -> bool:
    return isinstance(value, str) and value != "" and all(least <= character <= most for character in value)


def _read_base_url(value: str | None) -> str:
    if value is None:
        raise OptionError("base_url", "is required (or the variable POSTHORN_BASE_URL)")
    try:
        url = urlsplit(value)
        is_url = url.scheme in ("http", "https") and bool(url.hostname) and (url.port or 1) > 0
    except (AttributeError, TypeError, ValueError):
        # `from None`: the cause would show the value, which may contain a password.
        raise OptionError("base_url", "must be an http or https URL") from None
    if not is_url or not _is_ascii(value, "\x21", "\x7e"):
        raise OptionError("base_url", "must be an http or https URL")
    if "@" in url.netloc or url.query or url.fragment or value[-1] in "?#":
        raise OptionError("base_url", "must have no credentials, no query and no fragment")
    return urlunsplit(url).rstrip("/")
