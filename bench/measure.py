"""Measuring two things in turns, and what comes of it."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import Any

_LINE = 64
_OTHER_THINGS = bytearray(64 << 20)
"""Larger than the caches of most machines."""


@dataclass(frozen=True)
class Side:
    """One thing to be measured. `prepare` makes what a run uses up, outside the measure; `repeats` runs make a round."""

    run: Callable[[Any], object]
    prepare: Callable[[], Any] = lambda: None
    repeats: int = 1
    is_cold: bool = False
    """Before each round the processor's caches are filled with other things."""


@dataclass(frozen=True)
class Figure:
    """A row of the table. Times are seconds for one run; `ratio` is the median of the rounds' ratios, which is not that
    of the medians. `at_most`: the bar is the highest ratio allowed, else the lowest; no bar: told for interest."""

    name: str
    ours: float
    against: str
    theirs: float
    ratio: float
    bar: float | None = None
    at_most: bool = True

    @property
    def holds(self) -> bool:
        if self.bar is None:
            return True
        return self.ratio <= self.bar if self.at_most else self.ratio >= self.bar


def in_turns(*sides: Side, rounds: int = 15, clock: Callable[[], float] = time.process_time) -> list[list[float]]:
    """Seconds for one run, by side and round. A first round is run for nothing. Processor time, unless the clock on the wall
    is asked for; garbage is collected between rounds, not in them."""
    found: list[list[float]] = [[] for _ in sides]
    for number in range(rounds + 1):
        for side, times in zip(sides, found, strict=True):
            given = [side.prepare() for _ in range(side.repeats)]
            gc.collect()
            gc.disable()
            if side.is_cold:
                _OTHER_THINGS[::_LINE]
            began = clock()
            for one in given:
                side.run(one)
            passed = clock() - began
            gc.enable()
            if number:
                times.append(passed / side.repeats)
    return found


def ratio(ours: list[float], theirs: list[float]) -> float:
    return median(one / other for one, other in zip(ours, theirs, strict=True))


def figure(name: str, ours: list[float], against: str, theirs: list[float], bar: float | None = None) -> Figure:
    return Figure(name, median(ours), against, median(theirs), ratio(ours, theirs), bar)


def loop() -> Side:
    """A fixed piece of plain Python, by which machines can be told apart: dicts, tuples, whole numbers."""
    return Side(_loop, repeats=5)


def _loop(_: object) -> int:
    kept: dict[int, tuple[int, int]] = {}
    total = 0
    for number in range(20_000):
        key = number * 7919 % 1024
        before = kept.get(key, (0, 0))
        kept[key] = (number, before[0] + 1)
        total += before[1] if number & 1 else -before[1]
    return total
