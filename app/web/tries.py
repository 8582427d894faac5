"""How often an address may be wrong: wrong keys are counted for each caller, in memory, for pages and the API alike."""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from collections.abc import Callable
from hashlib import sha256
from threading import Lock

ADDRESSES = 10_000
"""So many callers are remembered; beyond them the longest silent are forgotten, so that memory stays bounded."""


class Tries:
    """At most `most` wrong keys of one address within `seconds`; after that it waits until the oldest is forgotten. The same
    wrong key again is no guess: a browser that holds a renewed seat's old key sends it with every page."""

    def __init__(self, most: int = 20, seconds: float = 60, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._seconds = seconds
        self._clock = clock
        self._failed: OrderedDict[str, deque[tuple[float, bytes]]] = OrderedDict()
        self._lock = Lock()

    def wait(self, address: str) -> int:
        """Whole seconds until this address may try again; 0: it may."""
        with self._lock:
            failed = self._failed.get(address)
            if failed is None or len(failed) < self._most:
                return 0
            left = failed[0][0] + self._seconds - self._clock()
            return max(0, int(left) + 1) if left > 0 else 0

    def failed(self, address: str, key: str) -> None:
        """A wrong key from this address. Of it no more than a digest is kept."""
        digest = sha256(key.encode("utf-8", "surrogatepass")).digest()
        with self._lock:
            known = self._failed.setdefault(address, deque(maxlen=self._most))
            if not any(digest == other for _, other in known):
                known.append((self._clock(), digest))
            self._failed.move_to_end(address)
            if len(self._failed) > ADDRESSES:
                self._failed.popitem(last=False)
