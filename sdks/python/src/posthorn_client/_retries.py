from __future__ import annotations

import math
import random
import time
from email.utils import parsedate_to_datetime

from ._errors import ApiError, PosthornError

_RETRIED = frozenset({408, 429, 500, 502, 503, 504})
_LONGEST_RETRY_AFTER = 60
_FIRST_PAUSE = 0.2
_LONGEST_PAUSE = 5.0


def pause_before_retry(failure: PosthornError, tries: int, retries: int) -> float | None:
    """Return the seconds until the next try, or None if there is none. `tries` counts the tries so far."""
    if tries > retries:
        return None
    if isinstance(failure, ApiError):
        if failure.status not in _RETRIED:
            return None
        if failure.retry_after is not None:
            return float(failure.retry_after) if failure.retry_after <= _LONGEST_RETRY_AFTER else None
    return random.random() * min(_LONGEST_PAUSE, _FIRST_PAUSE * 2.0 ** (tries - 1))


def read_retry_after(value: str | None, now: float | None = None) -> int | None:
    """Return the seconds of a `Retry-After`, which is a number or a date, or None for anything else."""
    if value is None:
        return None
    text = value.strip()
    if text.isascii() and text.isdigit() and len(text) <= 9:
        return int(text)
    # A date without a zone would be read in the time zone of this machine, so only GMT is accepted.
    if not text.endswith(" GMT"):
        return None
    try:
        at = parsedate_to_datetime(text).timestamp()
    except (TypeError, ValueError, OverflowError):
        return None
    return max(0, math.ceil(at - (time.time() if now is None else now)))
