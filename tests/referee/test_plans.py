"""A side's plan: who sees what of it, and what can be drawn on it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import update

from app.referee import battles, deadlines, keys, orders, plans, scenarios, turns
from app.referee.errors import RefereeError
from app.referee.exporting import export
from app.referee.rows import battle_row
from app.referee.sheets import Allies, sealed
from app.referee.views import PUBLIC, Viewer
from app.store.db import Database
from app.store.models import Battle
from tests.referee.table import Table, everything, lay
from tests.times import DAY, HOUR, NOW

FIELD = """\
format: 1
ruleset: cohesion
key: plans
title: {en: Plans, ru: Планы}
goal: 3
board: {layout: pointy, map: ". . . . .\\n . . . . .\\n. . . . .\\n . . . . .\\n. . . . .", legend: {".": open}}
sides:
  north: {name: {en: North, ru: Север}, home: top, colour: "#d8d8d8"}
  south: {name: {en: South, ru: Юг}, home: bottom, colour: "#77aa88"}
contingents:
  north: {side: north, name: {en: North, ru: Север}}
  left: {side: south, name: {en: Left, ru: Левые}}
  right: {side: south, name: {en: Right, ru: Правые}}
units:
  N1: {type: HM, contingent: north, at: A1}
  S1: {type: HM, contingent: left, at: B4}
  S2: {type: HM, contingent: right, at: D4}
"""


class Field:
    """Two commanders of the south, one of the north."""

    def __init__(self, db: Database, *, shared: bool = True, **options: Any) -> None:
        self.db = db
        made = battles.create(db, scenario=scenarios.read_file(FIELD), now=NOW, **options)
        self.id = made.id
        self.master = keys.viewer_by_key(db, made.master_key)
        self.seats = {seat: keys.viewer_by_key(db, key) for seat, key in made.seat_keys.items()}
        if not shared:
            with db.write() as session:
                session.execute(update(Battle).where(Battle.id == self.id).values(options='{"shared_plan":false}'))

    def enter(self, seat: str, fields: Any, revision: int = 0) -> None:
        orders.enter(self.db, self.id, seat, self.seats[seat], turn=1, revision=revision, fields=fields, now=NOW)

    def plan(self, seat: str, **given: Any) -> plans.PlanView:
        return plans.plan(self.db, self.id, seat, self.seats[seat], **given)

    def draw(self, seat: str, kind: str = "mark", cells: tuple[str, ...] = ("C3",), text: str = "", turn: int = 1) -> str:
        given = {"turn": turn, "kind": kind, "cells": cells, "text": text}
        return plans.draw(self.db, self.id, seat, self.seats[seat], **given, now=NOW)  # type: ignore[arg-type]

    def read(self, reader: Any) -> list[str]:
        with self.db.read() as session:
            return list(sealed(session, battle_row(session, self.id), 1, reader))


def test_commanders_of_one_side_see_what_the_others_have_entered(db: Database) -> None:
    field = Field(db)
    field.enter("right", {"S2": {"move": ["C4"]}})
    [ally] = field.plan("left").allies
    assert (ally.seat, ally.revision, ally.entered_at) == ("right", 1, NOW)
    assert ally.orders["S2"]["move"] == ["C4"]
    assert [(ally.seat, ally.orders) for ally in field.plan("right").allies] == [("left", {})]
    assert field.plan("north").allies == ()


def test_nobody_but_the_seat_itself_is_told_its_plan(db: Database) -> None:
    field = Field(db)
    other = Field(db)
    viewers = (
        field.seats["right"],
        field.seats["north"],
        field.master,
        PUBLIC,
        other.seats["left"],
        Viewer("account", account_id=1),
    )
    for viewer in viewers:
        for act in (
            lambda v: plans.plan(db, field.id, "left", v),
            lambda v: plans.mark(db, field.id, "left", v),
            lambda v: plans.draw(db, field.id, "left", v, turn=1, kind="mark", cells=("C3",), now=NOW),
            lambda v: plans.erase(db, field.id, "left", v, turn=1, drawing="x", now=NOW),
        ):
            with pytest.raises(RefereeError, match="not-yours"):
                act(viewer)


def test_sealed_gives_allies_their_side_while_the_turn_is_open(db: Database) -> None:
    field = Field(db, review=True)
    for seat, unit in (("left", "S1"), ("right", "S2"), ("north", "N1")):
        field.enter(seat, {unit: {}})
    assert field.read(Allies(field.seats["left"])) == ["left", "right"]
    assert field.read(field.seats["left"]) == ["left"]
    assert field.read(Allies(field.seats["north"])) == ["north"]
    assert field.read(Allies(field.master)) == []
    assert field.read(Allies(PUBLIC)) == []
    turns.resolve_now(db, field.id, field.master, turn=1, now=NOW)
    assert field.read(Allies(field.seats["left"])) == ["left"]


def test_where_plans_are_not_shared_each_sees_his_own_alone(db: Database) -> None:
    field = Field(db, shared=False)
    field.enter("right", {"S2": {"move": ["C4"]}})
    field.draw("right")
    seen = field.plan("left", fields={"S1": {"move": ["C4"]}})
    assert (seen.is_shared, seen.allies, seen.drawings) == (False, (), ())
    assert [one.code for one in seen.glance.findings] == []
    assert len(field.plan("right").drawings) == 1


def test_what_is_on_the_page_is_looked_at_in_place_of_what_is_saved(db: Database) -> None:
    field = Field(db)
    assert [one.code for one in field.plan("left").glance.findings] == ["no-order", "no-order"]
    field.enter("right", {"S2": {"move": ["C4"]}})
    field.enter("left", {"S1": {}})
    assert field.plan("left").glance.findings == ()
    clash = field.plan("left", fields={"S1": {"move": ["C4"]}}).glance.findings
    assert [(one.code, one.unit, one.others, one.cell) for one in clash] == [("same-cell", "S1", ("S2",), "C4")]
    assert field.plan("left").glance.findings == ()
    assert [one.unit for one in field.plan("left", fields={"S1": {"move": ["E1"]}}).glance.findings] == ["S1"]


@pytest.mark.parametrize(
    "junk", [None, [], "x", 3, {"S1": 3}, {"S2": {}}, {"S1": {"move": 7}}, {"?": {"what": {}}}, {"": None}]
)
def test_junk_on_a_page_is_no_order(db: Database, junk: Any) -> None:
    found = Field(db).plan("left", fields=junk).glance.findings
    assert {one.code for one in found} == {"no-order"}


def test_what_one_draws_the_other_sees_and_the_enemy_does_not(db: Database) -> None:
    field = Field(db)
    arrow = field.draw("left", "arrow", ("B4", "B3", "C3"), "here")
    note = field.draw("right", "note", ("C3",), "<b>wait</b>")
    for seat in ("left", "right"):
        told = {one.id: (one.seat, one.kind, one.cells, one.text) for one in field.plan(seat).drawings}
        assert told == {
            arrow: ("left", "arrow", ("B4", "B3", "C3"), "here"),
            note: ("right", "note", ("C3",), "<b>wait</b>"),
        }
    assert field.plan("north").drawings == ()
    plans.erase(db, field.id, "left", field.seats["left"], turn=1, drawing=note, now=NOW)
    assert len(field.plan("left").drawings) == 2, "another's stays"
    for _ in range(2):
        plans.erase(db, field.id, "right", field.seats["right"], turn=1, drawing=note, now=NOW)
    assert [one.id for one in field.plan("left").drawings] == [arrow]


@pytest.mark.parametrize(
    ("kind", "cells", "text"),
    [
        ("arrow", ("C3",), ""),
        ("arrow", ("C3", "C3"), ""),
        ("arrow", ("C3", "D3") * 7, ""),
        ("mark", (), ""),
        ("mark", ("C3", "D3"), ""),
        ("mark", ("Z99",), ""),
        ("mark", ("\x00",), ""),
        ("note", ("C3",), ""),
        ("note", ("C3",), "  "),
        ("note", ("C3",), "a\nb"),
        ("note", ("C3",), "x" * (plans.LONGEST_NOTE + 1)),
        ("circle", ("C3",), ""),
    ],
)
def test_what_cannot_be_drawn_is_refused_and_nothing_is_kept(
    db: Database, kind: str, cells: tuple[str, ...], text: str
) -> None:
    field = Field(db)
    before = everything(db)
    with pytest.raises(RefereeError, match="bad-drawing"):
        field.draw("left", kind, cells, text)
    assert everything(db) == before


def test_a_seat_draws_so_much_and_no_more(db: Database) -> None:
    field = Field(db)
    for _ in range(plans.MOST_DRAWINGS):
        field.draw("left")
    with pytest.raises(RefereeError, match="many-drawings"):
        field.draw("left")
    field.draw("right")


def test_a_plan_is_of_its_turn(db: Database) -> None:
    field = Field(db)
    field.draw("left")
    with pytest.raises(RefereeError, match="stale"):
        field.draw("left", turn=2)
    turns.resolve_now(db, field.id, field.master, turn=1, now=NOW)
    assert field.plan("left").drawings == ()
    field.draw("left", turn=2)
    assert len(field.plan("left").drawings) == 1


def test_a_turn_that_is_played_again_begins_with_an_empty_plan(db: Database) -> None:
    field = Field(db)
    field.draw("left")
    with db.write() as session:
        session.execute(update(Battle).where(Battle.id == field.id).values(line=2))
    assert field.plan("left").drawings == ()


def test_nothing_is_drawn_and_nothing_shown_while_a_turn_is_under_review(db: Database) -> None:
    field = Field(db, review=True)
    field.enter("right", {"S2": {}})
    field.draw("right")
    turns.resolve_now(db, field.id, field.master, turn=1, now=NOW)
    seen = field.plan("left")
    assert (seen.is_open, seen.allies, seen.drawings, seen.glance.findings) == (False, (), (), ())
    with pytest.raises(RefereeError, match="not-open"):
        field.draw("left")


def test_after_an_outage_plans_are_seen_as_before(db: Database) -> None:
    field = Field(db, deadline=NOW + HOUR)
    field.enter("right", {"S2": {}})
    deadlines.sweep(db, NOW, outage=HOUR / 2)
    deadlines.sweep(db, NOW + DAY, outage=HOUR / 2)
    assert [ally.revision for ally in field.plan("left").allies] == [1]


def test_the_mark_changes_with_the_plan_and_only_then(db: Database) -> None:
    field = Field(db)

    def marks() -> dict[str, str]:
        found = {seat: plans.mark(db, field.id, seat, viewer) for seat, viewer in field.seats.items()}
        assert found == {seat: field.plan(seat).mark for seat in field.seats}
        return found

    before = marks()
    for act in (
        lambda: field.enter("right", {"S2": {}}),
        lambda: field.enter("right", {"S2": {"move": ["C4"]}}, revision=1),
        lambda: field.draw("left"),
    ):
        act()
        after = marks()
        assert after["north"] == before["north"], "the enemy is told nothing"
        assert (after["left"] != before["left"], after["right"] != before["right"]) == (True, True)
        before = after


def test_a_ruleset_that_says_nothing_has_a_plan_all_the_same(db: Database) -> None:
    table: Table = lay(db)
    table.enter("A", 3)
    seen = plans.plan(db, table.id, "C", table.seats["C"])
    assert [ally.seat for ally in seen.allies] == ["A"]
    assert seen.glance.findings == ()
    assert plans.plan(db, table.id, "B", table.seats["B"]).allies == ()


def test_no_archive_holds_what_is_drawn(db: Database) -> None:
    field = Field(db)
    field.draw("left", "note", ("C3",), "zxwhisper")
    for whole in (False, True):
        assert "zxwhisper" not in repr(export(db, field.id, whole=whole, now=NOW))


def test_a_moment_is_kept_as_it_was(db: Database) -> None:
    field = Field(db)
    field.draw("left")
    assert field.plan("left").drawings[0].drawn_at == NOW.astimezone(UTC)
    assert isinstance(field.plan("left").drawings[0].drawn_at, datetime)
