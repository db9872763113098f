# Made from _async/listing.py by `npm run sdks:generate`. Change that file, not this one.
from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Generic, TypeVar

from .._calls import Call, Decode, Page, Paging
from .._options import require_integer

if TYPE_CHECKING:
    from .transport import Transport

Item = TypeVar("Item")


class Listing(Generic[Item]):
    """The items of all pages. A page is requested only when you read its items."""

    def __init__(
        self,
        transport: Transport,
        call: Call,
        decode: Decode[Item],
        paging: Paging,
        timeout: float | None,
        retries: int | None,
    ) -> None:
        self._transport = transport
        self._call = call
        self._decode = decode
        self._paging = paging
        self._timeout = timeout
        self._retries = retries

    def page(self) -> Page[Item]:
        """Read one page: the first, or the page that the argument `cursor` names."""
        return self._read(None)

    def pages(self) -> Iterator[Page[Item]]:
        cursor: str | None = None
        while True:
            page = self._read(cursor)
            yield page
            cursor = page.next_cursor
            if cursor is None:
                return

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            for item in page.items:
                yield item

    def to_list(self, *, limit: int) -> list[Item]:
        """Read at most `limit` items. The limit is required because a list can have any number of items."""
        require_integer("limit", limit, 0, 2**53)
        items: list[Item] = []
        if limit == 0:
            return items
        for page in self.pages():
            items.extend(page.items)
            if len(items) >= limit:
                break
        return items[:limit]

    def _read(self, cursor: str | None) -> Page[Item]:
        return self._transport.page(self._call, self._decode, self._paging, cursor, self._timeout, self._retries)
