"""Dice by address (DICE-1 to DICE-3): the same address and number give the same face, whatever else is rolled."""

from __future__ import annotations

import hmac
from collections.abc import Mapping, Sequence
from typing import Protocol


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
    """Dice from a seed, reproducible by anyone with HMAC-SHA-256 (DICE-2)."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self.rolled: dict[str, list[int]] = {}

    def roll(self, address: str, count: int, sides: int = 6) -> tuple[int, ...]:
        if count <= 0:
            return ()
        told = self.rolled.setdefault(address, [])
        first = len(told)
        faces = tuple(_face(self._seed, address, first + i, sides) for i in range(count))
        told.extend(faces)
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


def _face(seed: bytes, address: str, number: int, sides: int) -> int:
    limit = 2**32 - 2**32 % sides
    block = 0
    while True:
        text = f"{address}#{number}" if block == 0 else f"{address}#{number}/{block}"
        digest = hmac.digest(seed, text.encode("ascii"), "sha256")
        for start in range(0, 32, 4):
            value = int.from_bytes(digest[start : start + 4], "big")
            if value < limit:
                return value % sides + 1
        block += 1
