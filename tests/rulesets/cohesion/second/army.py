"""Section 3 of the rules: the table of the ten types as the document prints it, and dice by address (section 14)."""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from typing import Any, NamedTuple

from tests.rulesets.cohesion.second.board import Cell


class Kind(NamedTuple):
    strength: int
    cohesion: int
    start: int
    special: bool
    first: int
    second: int
    value: int


KINDS = {
    "LM": Kind(6, 3, 3, False, 3, 5, 1),
    "HM": Kind(6, 6, 6, False, 4, 6, 1),
    "XS": Kind(3, 6, 6, False, 3, 6, 1),
    "PH": Kind(3, 12, 12, False, 4, 6, 2),
    "ET": Kind(3, 6, 6, True, 3, 5, 2),
    "WS": Kind(12, 6, 6, True, 3, 5, 3),
    "LR": Kind(3, 3, 3, False, 4, 6, 1),
    "UR": Kind(3, 6, 6, False, 5, 6, 1),
    "PR": Kind(6, 6, 3, False, 4, 6, 1),
    "CC": Kind(3, 6, 6, True, 3, 5, 2),
}
RANGES = {"LM": 2, "XS": 3, "ET": 3, "WS": 3, "LR": 2, "UR": 3, "PR": 2, "CC": 5}


def half(number: int) -> int:
    return -(-number // 2)


@dataclass
class Troop:
    id: str
    type: str
    side: str
    at: Cell
    one_strength: int
    upper: int
    lower: int
    cohesion: int

    @property
    def strength(self) -> int:
        return self.upper + self.lower if self.type == "WS" else self.one_strength

    @property
    def speed(self) -> int:
        return {"HM": 1, "LR": 4, "PR": 1, "WS": half(self.lower)}.get(self.type, 2)

    @property
    def kind(self) -> Kind:
        return KINDS[self.type]

    def shot(self, *, moving: bool) -> int:
        if self.type in ("XS", "ET"):
            return half(self.strength) if moving else self.strength
        if self.type == "WS":
            return half(self.upper) - moving
        if self.type == "PR":
            return min(half(self.strength), half(self.cohesion))
        return half(self.strength) - moving

    def blow(self) -> int:
        if self.type in ("PH", "LR", "UR"):
            return self.strength
        if self.type == "ET":
            return 2 * self.strength
        if self.type == "WS":
            return half(self.lower)
        return min(self.strength, self.cohesion) if self.type == "PR" else half(self.strength)

    def may_pass(self, holder: Troop) -> bool:
        """UNIT-5, PH."""
        return holder.cohesion == 0 or self.type == "PH" or (holder.type == "PH" and holder.side == self.side)


class Dice:
    """By a seed (DICE-2), or by a script that must suffice (DICE-3)."""

    def __init__(self, seed: bytes, turn: int, script: dict[str, list[int]] | None) -> None:
        self.seed = seed
        self.turn = turn
        self.script = script
        self.rolled: dict[str, list[int]] = {}

    def roll(self, phase: str, subject: str, purpose: str, faces: int = 6) -> int:
        address = f"{self.turn}/{phase}/{subject}/{purpose}"
        before = self.rolled.setdefault(address, [])
        if self.script is not None:
            before.append(self.script[address][len(before)])
            return before[-1]
        block = 0
        while True:
            text = f"{address}#{len(before)}" + (f"/{block}" if block else "")
            digest = hmac.digest(self.seed, text.encode(), "sha256")
            for at in range(0, 32, 4):
                number = int.from_bytes(digest[at : at + 4], "big")
                if number < 2**32 - 2**32 % faces:
                    before.append(number % faces + 1)
                    return before[-1]
            block += 1

    def pick(self, phase: str, subject: str, purpose: str, among: list[Any]) -> Any:
        return among[0] if len(among) == 1 else among[self.roll(phase, subject, purpose, len(among)) - 1]
