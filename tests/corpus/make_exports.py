"""Writes the corpus of archives anew, for a new format: `python -m tests.corpus.make_exports`. Folders of older formats are
never written again: they are what must still load."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable
from pathlib import Path

from app.engine.ruleset import Ruling
from app.referee import archive, battles, moderation, orders
from app.referee.exporting import export
from app.referee.views import PUBLIC
from app.store.db import Database
from tests.referee.test_cohesion import made, play_a_turn
from tests.times import NOW

HERE = Path(__file__).resolve().parent / "exports"
LARGEST = 200_000


def finished(db: Database) -> tuple[str, bool]:
    """A battle to its end, as everybody may have it."""
    new, _, seats = made(db, title="Played out")
    chance = random.Random(1)
    for _ in range(60):
        if battles.battle(db, new.id, PUBLIC, NOW).status == "over":
            break
        play_a_turn(db, new, seats, chance)
    return new.id, False


def ended_by_ruling(db: Database) -> tuple[str, bool]:
    """Rulings in two turns; the last one gives the field to a side."""
    new, master, seats = made(db, seed="0badcafe", zone="Europe/Moscow")
    play_a_turn(db, new, seats, random.Random(2))
    units = battles.battle(db, new.id, PUBLIC, NOW).state.units
    own = [unit.id for unit in units.values() if unit.side == "north"]
    moderation.rule(db, new.id, master, Ruling(({"unit": own[0], "cohesion": 1},), "It rained.", "COH-1"), NOW)
    play_a_turn(db, new, seats, random.Random(3))
    gone = {"points": {"south": 99}}, {"winner": "south"}
    moderation.rule(db, new.id, master, Ruling(gone, "The north went home."), NOW)
    return new.id, False


def under_way(db: Database) -> tuple[str, bool]:
    """A battle with orders entered for its open turn, whole."""
    new, _, seats = made(db, turn_hours=48, zone="Europe/Moscow")
    for turn in range(2):
        play_a_turn(db, new, seats, random.Random(turn))
    battles.name_holder(db, new.id, "north", seats["north"], "Анна «Лис» <b>", NOW)
    orders.enter(db, new.id, "north", seats["north"], turn=3, revision=0, fields={}, now=NOW)
    return new.id, True


def under_review(db: Database) -> tuple[str, bool]:
    """A battle of six seats with a draft, and a ruling upon it; whole."""
    new, master, seats = made(db, "visage-and-throne", review=True)
    play_a_turn(db, new, seats, random.Random(5))
    moderation.rule(db, new.id, master, Ruling(({"unit": _units(db, new.id)[0], "cohesion": 1},), "Read by two."), NOW)
    return new.id, True


MADE: tuple[Callable[[Database], tuple[str, bool]], ...] = (finished, ended_by_ruling, under_way, under_review)


def main() -> None:
    folder = HERE / str(archive.FORMAT)
    folder.mkdir(parents=True, exist_ok=True)
    for make in MADE:
        with tempfile.TemporaryDirectory() as room:
            db = Database(f"sqlite:///{room}/corpus.db")
            db.upgrade()
            battle_id, whole = make(db)
            body = archive.packed(export(db, battle_id, whole=whole, now=NOW))
            db.close()
        file = folder / f"{make.__name__.replace('_', '-')}.json"
        if len(body) > LARGEST:
            raise SystemExit(f"{file.name} would have {len(body)} bytes")
        file.write_bytes(body)
        print(file.name, len(body))


def _units(db: Database, battle_id: str) -> list[str]:
    return list(battles.battle(db, battle_id, PUBLIC, NOW).state.units)


if __name__ == "__main__":
    main()
