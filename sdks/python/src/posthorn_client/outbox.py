"""
The outbox: you write events in your own transaction, and a relay sends them. Copy the table from `outbox.sql`, next to
this file, into one of your migrations.
"""

from ._async.outbox import AsyncOutbox, async_relay, async_relay_page
from ._payload import RefusedEvent
from ._sync.outbox import Outbox, relay, relay_page

__all__ = ["Outbox", "relay", "relay_page", "AsyncOutbox", "async_relay", "async_relay_page", "RefusedEvent"]
