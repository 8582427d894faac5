"""Dice by address (DICE-1 to DICE-3): the same address and number give the same face, whatever else is rolled."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Final, Protocol

_BLOCK: Final = 64
_MOST_SIDES: Final = 2**32
_INNER: Final = bytes(byte ^ 0x36 for byte in range(256))
_OUTER: Final = bytes(byte ^ 0x5C for byte in range(256))


class DiceError(Exception):
    """A scripted die that was asked for and is not there, is left over, or has a face that it cannot have."""


class Dice(Protocol):
    """What the rules ask of chance."""

    rolled: dict[str, list[int]]
    """Every face so far, by address, in the order of rolling."""

    def roll(self, address: str, count: int, sides: int = 6) -> tuple[int, ...]:
        """The next `count` faces at an address, each 1 .. sides."""
        ...

    def pick(self, address: str, alternatives: int) -> int:
        """One of 0 .. alternatives-1: one die with that many faces. A single alternative rolls nothing."""
        ...


class SeededDice:
    """Dice from a seed, reproducible by anyone with HMAC-SHA-256 (DICE-2). A die has 1 to 2^32 faces: of more than that no
    number would be below the limit."""

    def __init__(self, seed: bytes) -> None:
        # HMAC is two nested hashes; what both begin with is the same for every die, and is hashed once.
        key = (hashlib.sha256(seed).digest() if len(seed) > _BLOCK else seed).ljust(_BLOCK, b"\0")
        self._inner = hashlib.sha256(key.translate(_INNER))
        self._outer = hashlib.sha256(key.translate(_OUTER))
        self.rolled: dict[str, list[int]] = {}

    def roll(self, address: str, count: int, sides: int = 6) -> tuple[int, ...]:
        if count <= 0:
            return ()
        if not 1 <= sides <= _MOST_SIDES:
            raise ValueError(f"{address}: there is no die of {sides} faces")
        told = self.rolled.setdefault(address, [])
        first = len(told)
        limit = _MOST_SIDES - _MOST_SIDES % sides
        inner = self._inner.copy()
        inner.update(f"{address}#".encode("ascii"))
        faces = [self._number(inner, number, limit) % sides + 1 for number in range(first, first + count)]
        told += faces
        return tuple(faces)

    def pick(self, address: str, alternatives: int) -> int:
        if alternatives == 1:
            return 0
        return self.roll(address, 1, alternatives)[0] - 1

    def _number(self, address: hashlib._Hash, number: int, limit: int) -> int:
        """The first 32-bit number below the limit, block by block."""
        text, block = b"%d" % number, 0
        while True:
            inner, outer = address.copy(), self._outer.copy()
            inner.update(text)
            outer.update(inner.digest())
            digest = outer.digest()
            for start in range(0, 32, 4):
                value = int.from_bytes(digest[start : start + 4], "big")
                if value < limit:
                    return value
            block += 1
            text = b"%d/%d" % (number, block)


class SecondDice:
    """Seeded dice of which some were rolled again by a ruling. What is asked at an address that was rolled again k times
    shows the faces of the address with `~k` behind it, which no rule ever asks for: so they come from the same seed, and
    nobody chooses them. All other dice are as they were. `rolled` has the address that was asked."""

    def __init__(self, seed: bytes, again: Mapping[str, int]) -> None:
        self._seeded = SeededDice(seed)
        self._again = again
        self.rolled: dict[str, list[int]] = {}

    def roll(self, address: str, count: int, sides: int = 6) -> tuple[int, ...]:
        times = self._again.get(address, 0)
        faces = self._seeded.roll(f"{address}~{times}" if times else address, count, sides)
        if faces:
            self.rolled.setdefault(address, []).extend(faces)
        return faces

    def pick(self, address: str, alternatives: int) -> int:
        if alternatives == 1:
            return 0
        return self.roll(address, 1, alternatives)[0] - 1


class ScriptedDice:
    """Faces given beforehand, for cases and for a game master who rolls by hand (DICE-3)."""

    def __init__(self, faces: Mapping[str, Sequence[int]]) -> None:
        self._faces = {address: tuple(given) for address, given in faces.items()}
        self.rolled: dict[str, list[int]] = {}

    def roll(self, address: str, count: int, sides: int = 6) -> tuple[int, ...]:
        if count <= 0:
            return ()
        told = self.rolled.setdefault(address, [])
        given = self._faces.get(address, ())
        faces = given[len(told) : len(told) + count]
        if len(faces) < count:
            raise DiceError(f"{address}: die {len(told) + len(faces) + 1} is asked for and was not given")
        for face in faces:
            if not 1 <= face <= sides:
                raise DiceError(f"{address}: a die with {sides} faces cannot show {face}")
        told.extend(faces)
        return faces

    def pick(self, address: str, alternatives: int) -> int:
        if alternatives == 1:
            return 0
        return self.roll(address, 1, alternatives)[0] - 1

    def left_over(self) -> dict[str, tuple[int, ...]]:
        """Faces that nobody asked for, by address."""
        rest = {a: faces[len(self.rolled.get(a, ())) :] for a, faces in self._faces.items()}
        return {address: faces for address, faces in rest.items() if faces}
