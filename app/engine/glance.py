"""What a side should see of its own orders before the turn."""

from __future__ import annotations

import msgspec


class Finding(msgspec.Struct, frozen=True):
    """Something about orders that are known which their side should see before the turn: `rule` says why.

    `sure`: it comes to that however the lots fall; else it may. What hangs on the enemy the code says itself.
    """

    code: str
    unit: str
    others: tuple[str, ...] = ()
    cell: str | None = None
    rule: str = ""
    sure: bool = True


class Going(msgspec.Struct, frozen=True):
    """Units that go together. `retreats`: those of them that nobody orders to."""

    phase: str
    speed: int
    length: int
    units: tuple[str, ...]
    retreats: tuple[str, ...] = ()


class Glance(msgspec.Struct, frozen=True):
    """The sheets of a side at a glance: findings, who goes when (`going`, the first of them first), and enemies by their
    speed (`awaited`, the fastest first), who may go among these. `is_whole`: every way that lots may fall was followed."""

    findings: tuple[Finding, ...] = ()
    going: tuple[Going, ...] = ()
    awaited: tuple[tuple[int, tuple[str, ...]], ...] = ()
    is_whole: bool = True
