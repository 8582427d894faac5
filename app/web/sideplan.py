"""A side's plan as the orders page shows it: warnings, the order of movement, what friends have entered, what is drawn."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import quote

from markupsafe import Markup

from app.drawing.scene import Route
from app.engine.glance import Finding, Going
from app.engine.ruleset import Json
from app.language import Translator
from app.referee import plans
from app.referee.plans import LONGEST_NOTE, Ally, DrawingView, PlanView
from app.referee.views import BattleView, SeatView, Viewer
from app.reports import glance
from app.reports.rules import book
from app.web.context import environment
from app.web.deps import Fields, House
from app.web.orderform import filled_from
from app.web.ordertext import orders_by_unit
from app.web.parts import capital
from app.web.unitcards import Desk, says

LOOK_ALIKE = str.maketrans("АВСЕНКМОРТХУ", "ABCEHKMOPTXY")
"""Letters of a Russian keyboard that look like a column's."""
CELL = re.compile(r"[A-Z]{1,3}[0-9]{1,4}")
BETWEEN = re.compile(r"[\s,;>→–—-]*")
SILENT = "no-order"
PARTS = {"glance": "orders/glance.html", "side": "orders/allies.html"}
"""The parts that a page's script puts in place again."""


@dataclass(frozen=True)
class Warned:
    code: str
    unit: str
    """Of the seat's own units the one whose card is meant; empty: another's."""
    about: str
    """The unit, whosesoever, at which it is shown on the field."""
    text: str
    rule: str
    rule_words: Markup


@dataclass(frozen=True)
class Group:
    label: str
    units: tuple[str, ...]


@dataclass(frozen=True)
class Ghost:
    """A friend's unit: what it is ordered, in words and as lines of cells with their kind."""

    name: str
    says: str
    lines: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True)
class AllyCard:
    name: str
    holder: str
    revision: int
    entered_at: datetime | None
    ghosts: tuple[Ghost, ...]


@dataclass(frozen=True)
class Drawn:
    id: str
    kind: str
    cells: tuple[str, ...]
    text: str
    by: str
    is_own: bool


@dataclass(frozen=True)
class Typed:
    """The form for a drawing as it was sent and refused."""

    kind: str = "arrow"
    cells: str = ""
    text: str = ""
    error: str = ""


@dataclass(frozen=True)
class SidePlan:
    url: str
    turn: int
    zone: str
    is_shared: bool
    mark: str
    is_checked: bool
    """Whether the ruleset looks at sheets at all."""
    silent: tuple[tuple[str, str], ...]
    """The seat's own units without an order: id and name."""
    silent_allies: tuple[str, ...]
    findings: tuple[Warned, ...]
    """All but the lack of orders."""
    going: tuple[Group, ...]
    awaited: tuple[Group, ...]
    allies: tuple[AllyCard, ...]
    drawings: tuple[Drawn, ...]
    typed: Typed
    longest: int

    @property
    def drawn(self) -> Json:
        """What a script draws on the field."""
        return {
            "mark": self.mark,
            "ghosts": [
                {"kind": kind, "cells": list(cells)}
                for ally in self.allies
                for ghost in ally.ghosts
                for kind, cells in ghost.lines
            ],
            "drawings": [
                {"kind": one.kind, "cells": list(one.cells), "text": one.text, "by": one.by, "own": one.is_own}
                for one in self.drawings
            ],
            "warned": [{"unit": found.about, "words": found.text} for found in self.findings],
            "silent": [unit for unit, _ in self.silent],
        }


def look(
    house: House,
    words: Translator,
    battle: BattleView,
    viewer: Viewer,
    *,
    fields: Json | None = None,
    typed: Typed | None = None,
) -> SidePlan | None:
    """As the holder of a seat may see it; `fields`: his orders as they stand on his page. None for anybody else, and where
    no orders are awaited. Raises `RefereeError("no-page")` where the game has no form."""
    if viewer.kind != "seat" or viewer.seat is None:
        return None
    view = plans.plan(house.db, battle.id, viewer.seat, viewer, fields=fields)
    if not view.is_open:
        return None
    return side_plan(Desk.of(battle, words), battle, viewer.seat, view, typed or Typed())


def side_plan(desk: Desk, battle: BattleView, seat: str, view: PlanView, typed: Typed) -> SidePlan:
    seats = {one.seat: one for one in battle.seats}
    units, found = battle.state.units, view.glance.findings
    silent = [one.unit for one in found if one.code == SILENT]
    return SidePlan(
        url=f"/b/{battle.id}/seat/{quote(seat, safe='')}/plan",
        turn=view.turn,
        zone=battle.zone,
        is_shared=view.is_shared and bool(view.allies),
        mark=view.mark,
        is_checked=battle.ruleset.glance is not None,
        silent=tuple((unit, desk.unit(unit)) for unit in silent if units[unit].seat == seat),
        silent_allies=tuple(desk.unit(unit) for unit in silent if units[unit].seat != seat),
        findings=tuple(_warned(desk, battle, seat, one) for one in found if one.code != SILENT),
        going=tuple(_going(desk, group) for group in view.glance.going),
        awaited=tuple(
            Group(desk.words.gettext("Speed %(speed)s", speed=speed), tuple(map(desk.unit, units)))
            for speed, units in view.glance.awaited
        ),
        allies=tuple(_ally(desk, seats[ally.seat], ally) for ally in view.allies if ally.seat in seats),
        drawings=tuple(_drawn(desk, seats, seat, drawing) for drawing in view.drawings),
        typed=typed,
        longest=LONGEST_NOTE,
    )


def parts(plan: SidePlan, language: str) -> dict[str, Json]:
    """What a page's script is told: things to draw, warnings by unit, and the lists as HTML."""
    env = environment(language)
    return {
        **plan.drawn,
        "findings": [{"code": found.code, "unit": found.unit, "words": found.text} for found in plan.findings],
        "html": {name: env.get_template(template).render(side_plan=plan) for name, template in PARTS.items()},
    }


def ghosts(desk: Desk, plan: SidePlan | None) -> tuple[Route, ...]:
    """What friends have entered as lines over the field, for a page without scripts."""
    centres = {cell.label: cell.centre for cell in desk.scene.cells}
    found = []
    for ally in plan.allies if plan is not None else ():
        for ghost in ally.ghosts:
            for kind, cells in ghost.lines:
                points = tuple(centres[cell] for cell in cells if cell in centres)
                found.append(Route(points=points, classes=(kind, "ghost"), title=f"{ghost.name}: {ghost.says}"))
    return tuple(found)


def cells_of(text: str) -> tuple[str, ...]:
    """`c3 → C4`, `С3, С4` in Russian letters -> labels; what is no cell is kept as it is, to be refused."""
    text = text.upper().translate(LOOK_ALIKE)
    if BETWEEN.fullmatch(CELL.sub("", text)) is None:
        return (text[:80],)
    return tuple(CELL.findall(text))


def typed_drawing(fields: Fields, error: str, prefix: str = "") -> Typed:
    return Typed(fields[f"{prefix}kind"] or "arrow", fields.line(f"{prefix}cells"), fields.line(f"{prefix}text"), error)


def _warned(desk: Desk, battle: BattleView, seat: str, found: Finding) -> Warned:
    unit = battle.state.units.get(found.unit)
    language = desk.words.language
    return Warned(
        code=found.code,
        unit=found.unit if unit is not None and unit.seat == seat else "",
        about=found.unit,
        text=glance.words(found, desk.unit, language),
        rule=found.rule,
        rule_words=Markup(book(language, battle.ruleset.key).html(found.rule, f"/b/{battle.id}/rules")),  # noqa: S704
    )


def _going(desk: Desk, group: Going) -> Group:
    words, count = desk.words, group.length
    if group.phase == "withdrawal":
        label = words.ngettext(
            "Withdrawal, speed %(speed)s, %(num)s step",
            "Withdrawal, speed %(speed)s, %(num)s steps",
            count,
            speed=group.speed,
        )
    else:
        label = words.ngettext("Speed %(speed)s, %(num)s step", "Speed %(speed)s, %(num)s steps", count, speed=group.speed)
    retreats = words.gettext("%(unit)s (retreats)")
    return Group(
        label,
        tuple(retreats % {"unit": desk.unit(unit)} if unit in group.retreats else desk.unit(unit) for unit in group.units),
    )


def _ally(desk: Desk, seat: SeatView, ally: Ally) -> AllyCard:
    ordered = orders_by_unit(ally.orders)
    return AllyCard(
        name=capital(desk.words.text(seat.name)),
        holder=seat.holder or "",
        revision=ally.revision,
        entered_at=ally.entered_at,
        ghosts=tuple(
            Ghost(desk.unit(unit), says(desk, filled_from(order, ())), tuple(_lines(desk, unit, order)))
            for unit, order in ordered.items()
        ),
    )


def _lines(desk: Desk, unit: str, order: Mapping[str, Any]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """As `Ruleset.plan` draws them, in labels of cells."""
    cells = {counter.id: counter.cell for counter in desk.scene.counters}
    if unit not in cells:
        return
    start = cells[unit]
    for kind, part in (("shot", "shoot"), ("melee", "melee")):
        if order.get(part) in cells:
            yield kind, (start, cells[order[part]])
    back, path = order.get("withdraw"), tuple(order.get("move") or ())
    if back:
        yield "withdraw", (start, back)
    if path:
        yield "move", (back or start, *path)


def _drawn(desk: Desk, seats: Mapping[str, SeatView], own: str, drawing: DrawingView) -> Drawn:
    seat = seats.get(drawing.seat)
    name = capital(desk.words.text(seat.name)) if seat else drawing.seat
    by = f"{seat.holder} ({name})" if seat and seat.holder else name
    return Drawn(drawing.id, drawing.kind, drawing.cells, drawing.text, by, drawing.seat == own)
