"""A group that moves step by step, all at once (MOVE-3 to MOVE-6): for moves, retreats and withdrawals alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from app.rulesets.cohesion.events import Contested
from app.rulesets.cohesion.position import is_passable
from app.rulesets.cohesion.state import Unit
from app.rulesets.cohesion.turn import Turn

Stopped = Literal["blocked", "contest", "room"]


class Mover(msgspec.Struct, gc=False, eq=False):
    """A unit on its way. `at`: the cell that it holds, `made`: the steps of its path up to that cell. While it passes over
    another unit it keeps hold of the cell behind (MOVE-3). `stopped` and `by`: what ended its way before its end."""

    unit: Unit
    path: tuple[int, ...]
    at: int
    made: int = 0
    goal: int = -1
    enters: bool = False
    stopped: Stopped | None = None
    by: str | None = None


def march(turn: Turn, movers: Sequence[Mover], phase: Literal["withdrawal", "movement"]) -> None:
    """Move a group along its paths; `turn.held` follows, the units do not: that is for the events to tell."""
    step = 0
    active = [mover for mover in movers if mover.path]
    while active:
        _step(turn, active, step, phase)
        step += 1
        active = [mover for mover in active if mover.stopped is None and step < len(mover.path)]


def _step(turn: Turn, active: list[Mover], step: int, phase: Literal["withdrawal", "movement"]) -> None:
    held, shut = turn.held, turn.ground.shut
    coming: dict[int, list[Mover]] = {}
    for mover in active:
        mover.goal = goal = mover.path[step]
        if goal in shut:  # the board was corrected after the orders were sealed
            mover.enters = False
            mover.stopped, mover.by = "blocked", turn.labels[goal]
            continue
        mover.enters = True
        if goal in coming:
            coming[goal].append(mover)
        else:
            coming[goal] = [mover]
    if not held.keys().isdisjoint(coming):
        _drop_barred(turn, active, coming, step)
    if len(coming) < len(active):
        for mover in _settle(turn, coming, phase):
            _bar_followers(turn, mover, coming, step)
    leaving = [mover for mover in active if mover.enters]
    for mover in leaving:
        del held[mover.at]
    for mover in leaving:
        held[mover.goal] = mover.unit.id
        mover.at = mover.goal
        mover.made = step + 1


def _drop_barred(turn: Turn, active: list[Mover], coming: dict[int, list[Mover]], step: int) -> None:
    """Those who cannot enter stop or pass over, until nothing changes (MOVE-4, MOVE-5)."""
    held = turn.held
    holders = {mover.at: mover for mover in active}
    for goal, movers in coming.items():
        if goal not in held:
            continue
        holder = holders.get(goal)
        for mover in movers:
            if not mover.enters or mover is holder:
                continue
            if holder is None or not holder.enters or holder.goal in (mover.at, goal):
                _bar(turn, mover, step)
                _bar_followers(turn, mover, coming, step)


def _bar_followers(turn: Turn, mover: Mover, coming: dict[int, list[Mover]], step: int) -> None:
    """A unit keeps hold of its cell: who counted on its leaving cannot enter, nor can who counted on those."""
    staying = [mover]
    while staying:
        for follower in coming.get(staying.pop().at, ()):
            if follower.enters:
                _bar(turn, follower, step)
                staying.append(follower)


def _bar(turn: Turn, mover: Mover, step: int) -> None:
    """The holder of its goal stays: the mover passes over it where it may (MOVE-4), else it stops (MOVE-3)."""
    mover.enters = False
    holder = turn.units[turn.held[mover.goal]]
    if step + 1 < len(mover.path) and is_passable(turn.types, mover.unit, holder):
        return
    mover.stopped, mover.by = "blocked" if mover.made == step else "room", holder.id


def _settle(turn: Turn, coming: dict[int, list[Mover]], phase: Literal["withdrawal", "movement"]) -> list[Mover]:
    """MOVE-5: where several would come to stand in one cell, one of them gets in by lot. The others, who stop."""
    losers: list[Mover] = []
    for goal in sorted(goal for goal, movers in coming.items() if len(movers) > 1):
        rivals = sorted([mover for mover in coming[goal] if mover.enters], key=_id)
        if len(rivals) < 2:
            continue
        label = turn.labels[goal]
        winner = rivals[turn.pick(phase, "contest", label, len(rivals))]
        turn.tell(Contested(cell=label, units=tuple([mover.unit.id for mover in rivals]), winner=winner.unit.id))
        for mover in rivals:
            if mover is not winner:
                mover.enters = False
                mover.stopped, mover.by = "contest", label
                losers.append(mover)
    return losers


def _id(mover: Mover) -> str:
    return mover.unit.id
