"""How often an address may be wrong: wrong keys are counted for each caller, in memory, for pages and the API alike."""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from collections.abc import Callable
from threading import Lock

ADDRESSES = 10_000
"""So many callers are remembered; beyond them the longest silent are forgotten, so that memory stays bounded."""


class Tries:
    """At most `most` failures of one address within `seconds`; after that it waits until the oldest is forgotten."""

    def __init__(self, most: int = 20, seconds: float = 60, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._seconds = seconds
        self._clock = clock
        self._failed: OrderedDict[str, deque[float]] = OrderedDict()
        self._lock = Lock()

    def wait(self, address: str) -> int:
        """Whole seconds until this address may try again; 0: it may."""
        with self._lock:
            failed = self._failed.get(address)
            if failed is None or len(failed) < self._most:
                return 0
            left = failed[0] + self._seconds - self._clock()
            return max(0, int(left) + 1) if left > 0 else 0

    def failed(self, address: str) -> None:
        """One more wrong key from this address."""
        with self._lock:
            self._failed.setdefault(address, deque(maxlen=self._most)).append(self._clock())
            self._failed.move_to_end(address)
            if len(self._failed) > ADDRESSES:
                self._failed.popitem(last=False)
