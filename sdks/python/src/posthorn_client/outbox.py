"""
The outbox: events that are written in your own transaction, and sent by a relay. Copy the table from `outbox.sql`,
which stands beside this file, into a migration of your own.
"""

from ._async.outbox import AsyncOutbox, async_relay, async_relay_page
from ._payload import RefusedEvent
from ._sync.outbox import Outbox, relay, relay_page

__all__ = ["Outbox", "relay", "relay_page", "AsyncOutbox", "async_relay", "async_relay_page", "RefusedEvent"]
