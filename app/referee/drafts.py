"""The draft of a turn under review: what was resolved, and all rulings upon it, worked out from what is kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from app.engine.ruleset import AnyRuleset, Json, Ruling
from app.referee import doctrines, working
from app.referee.rows import BattleRow, loads, position, run
from app.referee.sheets import sealed
from app.referee.working import Made, Worked
from app.store import models
from app.store.models import EVENTS, TURNS, core

_RULINGS_OF = core(models.Ruling)
_R = _RULINGS_OF.c
_KEPT = select(EVENTS.c.body, EVENTS.c.dice).where(
    EVENTS.c.battle_id == bindparam("battle"), EVENTS.c.turn == bindparam("turn")
)
_SEED = select(TURNS.c.seed, TURNS.c.counted, TURNS.c.doctrines).where(
    TURNS.c.battle_id == bindparam("battle"), TURNS.c.turn == bindparam("turn")
)
_MADE = (
    select(_R.kind, _R.changes, _R.reason, _R.rule, _R.facts, _R.events)
    .where(_R.battle_id == bindparam("battle"), _R.turn == bindparam("turn"), _R.stage == "review")
    .order_by(_R.id)
)


@dataclass(frozen=True)
class Draft:
    """`orders`: by request, those that counted; nobody is shown them here."""

    ruleset: AnyRuleset
    before: Any
    worked: Worked
    made: tuple[Made, ...]
    orders: dict[str, Any]
    seed: bytes

    def undone(self, event: int) -> tuple[Json, ...]:
        """The changes that take back what an event did. Raises `Refused`."""
        return working.undone(self.ruleset, self.before, self.worked, event)

    def with_ruling(self, made: Made) -> Worked:
        """The draft with one ruling more. Raises `Refused`."""
        return working.work(self.ruleset, self.before, self.orders, self.seed, (*self.made, made))


def read(session: Session, battle: BattleRow) -> Draft:
    """The draft of a battle that is under review."""
    ruleset, turn = battle.ruleset, battle.turn
    kept = run(session, _KEPT, battle=battle.id, turn=turn).one()
    row = run(session, _SEED, battle=battle.id, turn=turn).one()
    counted = {(seat, request, revision) for seat, request, revision in loads(row.counted)}
    orders = {
        sheet.request: ruleset.load_order(loads(sheet.orders))
        for sheet in sealed(session, battle, turn, "resolution").values()
        if (sheet.seat, sheet.request, sheet.revision) in counted
    }
    before = position(session, battle, turn)
    followed = {one["seat"]: one["doctrine"] for one in doctrines.read(row.doctrines)}
    orders = working.follow(ruleset, before, orders, followed)
    made, told = [], []
    for kind, changes, reason, rule, facts, events in run(session, _MADE, battle=battle.id, turn=turn):
        ruling = Ruling(tuple(loads(changes)), reason, rule, None if kind == "reroll" else turn + 1)
        made.append(Made(kind, ruling, loads(facts).get("event")))
        told.append(tuple(ruleset.load_event(event) for event in loads(events)))
    events_told = tuple(ruleset.load_event(event) for event in loads(kept.body))
    state = position(session, battle, turn + 1)
    worked = Worked(state, events_told, loads(kept.dice), tuple(told))
    return Draft(ruleset, before, worked, tuple(made), orders, bytes.fromhex(row.seed))
