"""A turn under review as its game master reads it, with what may still be done to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.engine.ruleset import Refused, Ruling
from app.referee import drafts
from app.referee.access import judge_only
from app.referee.errors import RefereeError
from app.referee.rows import battle_row
from app.referee.views import Viewer
from app.store.db import Database


@dataclass(frozen=True)
class DraftView:
    """A draft for its game master: all events, the dice by address, which events can be set aside (their places from 0)."""

    turn: int
    events: tuple[Any, ...]
    dice: Mapping[str, Sequence[int]]
    undoable: tuple[int, ...]
    may_reroll: bool


def draft(db: Database, battle_id: str, viewer: Viewer) -> DraftView:
    """What can be ruled on under review. Raises `RefereeError`: no-battle, not-yours, not-under-review."""
    with db.read() as session:
        battle = battle_row(session, battle_id)
        judge_only(battle, viewer)
        if battle.status != "review":
            raise RefereeError("not-under-review", current={"turn": battle.turn})
        found = drafts.read(session, battle)
    return DraftView(
        turn=battle.turn,
        events=found.worked.events,
        dice=found.worked.dice,
        undoable=tuple(place for place in range(len(found.worked.events)) if _is_undoable(found, place)),
        may_reroll=battle.ruleset.reroll is not None and all(made.kind == "reroll" for made in found.made),
    )


def _is_undoable(found: drafts.Draft, place: int) -> bool:
    try:
        changes = found.undone(place)
        found.ruleset.amend(found.worked.state, Ruling(changes, ""))
    except Refused:
        return False
    return True
