"""A battle whose first turn has a retreat, a contest, a caught unit and a destroyed strider, whatever the dice would say."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import pytest

from app.engine.dice import SeededDice
from app.referee import battles, orders, scenarios, turns
from app.referee.keys import viewer_by_key
from app.referee.views import NewBattle
from app.store.db import Database

SCENARIO = """\
format: 1
ruleset: cohesion
key: eventful
title: {en: An eventful morning, ru: Беспокойное утро}
goal: 4
board:
  layout: pointy
  map: |
    . . . . . . . . . . . . .
     . . . . . . . . . . . . .
    . . . . . . . . . . . . .
     . . . . . . . . r . . . .
    . . . . . . . . . . . . .
     . . . . . . . . . . . . .
    . . . . . . . . . . . . .
     . . . . . . . . . . . . .
    . . . . . . . . . . . . .
  legend: {".": open, r: rough}
sides:
  north: {name: {en: North, ru: Север}, home: top, colour: "#dfe3e6"}
  south: {name: {en: South, ru: Юг}, home: bottom, colour: "#6fae6a"}
contingents:
  north: {side: north, name: {en: North, ru: Север}}
  south: {side: south, name: {en: South, ru: Юг}}
units:
  S1: {type: WS, contingent: south, at: C5}
  N1: {type: HM, contingent: north, at: C4}
  N2: {type: HM, contingent: north, at: B5}
  N3: {type: ET, contingent: north, at: D5}
  S2: {type: LM, contingent: south, at: G7}
  N4: {type: LM, contingent: north, at: G3}
  S3: {type: LR, contingent: south, at: L8}
  N5: {type: LM, contingent: north, at: L4}
  S4: {type: XS, contingent: south, at: J6}
  N6: {type: LM, contingent: north, at: J4, cohesion: 2}
"""
ORDERS = {
    "south": {
        "S2": {"move": ["G6", "G5"]},
        "S3": {"move": ["L7", "L6", "L5"]},
        "S4": {"shoot": "N6"},
    },
    "north": {
        "N1": {"melee": "S1"},
        "N2": {"melee": "S1"},
        "N3": {"melee": "S1"},
        "N4": {"move": ["G4", "G5"]},
        "N5": {"move": ["L3"]},
    },
}


class Loaded(SeededDice):
    """Every die shows its highest face."""

    def roll(self, address: str, count: int, sides: int = 6) -> tuple[int, ...]:
        if count > 0:
            self.rolled.setdefault(address, []).extend([sides] * count)
        return (sides,) * count


@contextmanager
def loaded_dice() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(turns, "SeededDice", Loaded)
        yield


def made(db: Database, *, goal: int = 4, **options: object) -> NewBattle:
    """With a goal of 3 the eventful turn ends it."""
    scenario = scenarios.read_file(SCENARIO.replace("goal: 4", f"goal: {goal}"))
    return battles.create(db, scenario=scenario, now=datetime.now(UTC), **options)  # type: ignore[arg-type]


def enter(db: Database, battle: NewBattle, seat: str, *, ready: bool = False, turn: int = 1) -> None:
    viewer = viewer_by_key(db, battle.seat_keys[seat])
    fields = ORDERS[seat] if turn == 1 else {}
    orders.enter(db, battle.id, seat, viewer, turn=turn, revision=0, fields=fields, ready=ready, now=datetime.now(UTC))


def played(db: Database, **options: object) -> NewBattle:
    """The battle after that turn."""
    battle = made(db, **options)  # type: ignore[arg-type]
    for seat in ORDERS:
        enter(db, battle, seat)
    with loaded_dice():
        turns.resolve_now(db, battle.id, viewer_by_key(db, battle.master_key), turn=1, now=datetime.now(UTC))
    return battle
