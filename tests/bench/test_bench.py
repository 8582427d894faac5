"""The measures themselves, without the packages that they measure against."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

from app.engine.ruleset import Json
from bench import field, storing, table
from bench.measure import Figure, Side, figure, in_turns

RULES = field.RULES


def test_sides_run_in_turns_and_the_first_round_is_not_counted() -> None:
    order: list[str] = []
    sides = [Side(lambda _, name=name: order.append(name), repeats=repeats) for name, repeats in (("a", 1), ("b", 2))]
    ticks = count()
    times = in_turns(*sides, rounds=3, clock=lambda: next(ticks))
    assert order == ["a", "b", "b"] * 4
    assert times == [[1.0] * 3, [0.5] * 3]


def test_what_a_run_uses_up_is_made_outside_the_measure() -> None:
    made: list[int] = []
    used: list[object] = []
    given = count()

    def prepare() -> int:
        made.append(len(used))
        return next(given)

    in_turns(Side(used.append, prepare, repeats=3), rounds=1, clock=lambda: 0)
    assert used == [0, 1, 2, 3, 4, 5]
    assert made == [0, 0, 0, 3, 3, 3]


def test_a_ratio_is_the_median_of_the_rounds() -> None:
    told = figure("x", [1, 2, 9], "y", [2, 2, 3], 1)
    assert (told.ours, told.theirs, told.ratio) == (2, 2, 1)
    assert told.holds


@pytest.mark.parametrize(
    ("ratio", "at_most", "holds"), [(0.2, True, True), (0.21, True, False), (0.2, False, True), (0.1, False, False)]
)
def test_a_bar_holds_at_most_or_at_least(ratio: float, at_most: bool, holds: bool) -> None:
    assert Figure("x", 1, "y", 1, ratio, 0.2, at_most).holds is holds


def test_the_table_takes_the_place_of_the_last_one(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"before\n{table.BEGIN}\nold\n{table.END}\nafter\n", encoding="utf-8")
    table.write([Figure("a turn", 0.0005, "theirs", 0.003, 1 / 6, 1 / 5), Figure("more", 2, "theirs", 1, 2, 1.5)], page)
    text = page.read_text(encoding="utf-8")
    assert text.startswith("before\n")
    assert text.endswith("\nafter\n")
    assert "old" not in text
    assert "| a turn | 500 µs     | theirs  | 3.00 ms    | 0.167 | ≤ 1/5 | ok     |" in text
    assert "MISSED" in text


def test_the_machine_is_told_by_its_kind_alone() -> None:
    import socket

    assert "cores" in table.machine()
    assert socket.gethostname() not in table.machine()


def test_the_usual_turn_has_all_units_ordered_and_fights() -> None:
    given = field.usual().given()
    assert len(given.state.units) == 28
    ordered = {unit for sheet in given.fields.values() for unit in sheet}
    assert ordered == {unit.id for unit in given.state.units.values() if unit.cohesion > 0}
    assert any(type(event).__name__ == "Attacked" for event in field.resolve(given).events)


def test_a_tiled_battle_is_the_same_battle_many_times() -> None:
    """The same orders are legal in each tile, and the same shots are fired."""
    small, great = field.usual(), field.tiled(field.usual(), 3, 2)
    assert great.units == 6 * small.units
    one, many = field.resolve(small.given()), field.resolve(great.given())
    assert len(_shots(many.events)) == 6 * len(_shots(one.events))
    assert {(attacker.partition(".")[2], target.partition(".")[2]) for attacker, target in _shots(many.events)} == set(
        _shots(one.events)
    )


def test_what_is_given_is_new_each_time() -> None:
    one, other = field.usual().given(), field.usual().given()
    assert one == other
    assert one.state is not other.state
    assert one.state.board is not other.state.board
    assert next(iter(one.state.units.values())) is not next(iter(other.state.units.values()))


def test_the_raw_rows_are_those_that_the_referee_wrote() -> None:
    with storing.database() as db, storing.database() as other:
        raw = storing._raw(str(other.url.database))
        new, master = storing._battle(db)
        storing._copy(str(db.url.database), raw, new.id)
        for _ in range(2):
            turn = storing.ordered(db, new)
            storing.turns.resolve_now(db, new.id, master, turn=turn, now=storing.NOW)
            storing._write(raw, storing._written(str(db.url.database), new.id, turn))
        raw.close()
        for name in ("battles", "turns", "states"):
            assert _rows(other, name) == _rows(db, name)
        assert len(_rows(other, "events")) == 2


def _shots(events: object) -> list[tuple[str, str]]:
    return [(e.attacker, e.target) for e in events if type(e).__name__ == "Attacked" and e.phase == "shooting"]


def _rows(db: storing.Database, name: str) -> list[Json]:
    with db.read() as session:
        return sorted(map(repr, session.connection().exec_driver_sql(f"SELECT * FROM {name}")))
