"""How much may be asked in a while: counted in memory for each caller, with some room for bursts."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from math import ceil
from threading import Lock

CALLERS = 10_000
"""So many are remembered; beyond them the longest silent are forgotten, so that memory stays bounded."""


class Pace:
    """At most `most` at once, and `each_second` more with every second that passes."""

    def __init__(self, most: float, each_second: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._each_second = each_second
        self._clock = clock
        self._spent: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = Lock()

    def spend(self, who: str, cost: float) -> int:
        """0: spent. Else whole seconds until this would be allowed, and nothing is spent."""
        now = self._clock()
        with self._lock:
            spent, at = self._spent.get(who, (0.0, now))
            spent = max(0.0, spent - (now - at) * self._each_second)
            over = spent + cost - self._most
            if over > 0:
                return ceil(over / self._each_second)
            self._spent[who] = (spent + cost, now)
            self._spent.move_to_end(who)
            if len(self._spent) > CALLERS:
                self._spent.popitem(last=False)
            return 0
