"""Wrong keys are counted by address, for a time, in bounded memory."""

from __future__ import annotations

from app.web import tries
from app.web.tries import Tries


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_an_address_may_be_wrong_so_often_within_a_time() -> None:
    clock = Clock()
    counted = Tries(most=2, seconds=60, clock=clock)
    counted.failed("a", "1")
    assert counted.wait("a") == 0
    clock.now = 30
    counted.failed("a", "2")
    assert counted.wait("a") == 31
    assert counted.wait("b") == 0
    clock.now = 60.5
    assert counted.wait("a") == 0, "the first one is forgotten"
    counted.failed("a", "3")
    assert counted.wait("a") == 30


def test_memory_is_bounded_however_many_addresses_call() -> None:
    counted = Tries(most=1, seconds=60, clock=Clock())
    for number in range(tries.ADDRESSES + 10):
        counted.failed(str(number), "1")
    assert counted.wait("0") == 0
    assert counted.wait("10") > 0


def test_the_same_wrong_key_again_is_no_guess() -> None:
    counted = Tries(most=2, seconds=60, clock=Clock())
    for _ in range(50):
        counted.failed("a", "old")
    assert counted.wait("a") == 0
    counted.failed("a", "guessed")
    assert counted.wait("a") > 0
