"""Published pages as bytes in memory, so that a page read often costs no template and no database."""

from __future__ import annotations

import hashlib
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from threading import Lock

LARGEST = 64 * 1024 * 1024
FRESH_SECONDS = 1.0
"""A kept page is served so long before its battle's version is looked at again."""


@dataclass(slots=True)
class Kept:
    """A page, the version of its battle that it shows, and when that was last found to be so."""

    body: bytes
    etag: str
    version: int
    checked: float


class PageCache:
    """Least recently used pages go first when the sum of their bytes is over the limit. Safe between threads."""

    def __init__(self, largest: int = LARGEST, clock: Callable[[], float] = time.monotonic) -> None:
        self._largest = largest
        self._clock = clock
        self._pages: OrderedDict[Hashable, Kept] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def fresh(self, key: Hashable) -> Kept | None:
        """A page that may be served as it is; None: not kept, or to be looked at again."""
        kept = self._pages.get(key)
        if kept is None or self._clock() - kept.checked > FRESH_SECONDS:
            return None
        return kept

    def confirmed(self, key: Hashable, version: int) -> Kept | None:
        """A page whose battle still has the version that it shows."""
        with self._lock:
            kept = self._pages.get(key)
            if kept is None or kept.version != version:
                return None
            kept.checked = self._clock()
            self._pages.move_to_end(key)
            return kept

    def keep(self, key: Hashable, body: bytes, version: int) -> Kept:
        """A page larger than a quarter of the whole room is served, but not kept."""
        kept = Kept(body, f'"{hashlib.sha256(body).hexdigest()[:32]}"', version, self._clock())
        if len(body) * 4 > self._largest:
            return kept
        with self._lock:
            old = self._pages.pop(key, None)
            if old is not None:
                self._size -= len(old.body)
            self._pages[key] = kept
            self._size += len(body)
            while self._size > self._largest:
                _, gone = self._pages.popitem(last=False)
                self._size -= len(gone.body)
        return kept

    def __len__(self) -> int:
        return len(self._pages)
