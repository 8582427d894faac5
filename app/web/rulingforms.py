"""The form in which a position is amended: everything that can be, filled with how it stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app.referee.views import BattleView
from app.web.context import Frame
from app.web.parts import capital


@dataclass(frozen=True)
class Number:
    name: str
    label: str
    value: str
    least: int
    most: int


@dataclass(frozen=True)
class UnitForm:
    """One unit, as it stands or as was typed."""

    id: str
    name: str
    at: str
    numbers: tuple[Number, ...]
    is_removed: bool


@dataclass(frozen=True)
class Choice:
    key: str
    text: str
    is_chosen: bool = False


@dataclass(frozen=True)
class Points:
    side: str
    name: str
    value: str


@dataclass(frozen=True)
class Forms:
    """Everything that can be amended, filled with how it stands."""

    units: tuple[Choice, ...]
    unit: UnitForm | None
    types: tuple[Choice, ...]
    seats: tuple[Choice, ...]
    kinds: tuple[Choice, ...]
    points: tuple[Points, ...]
    is_scored: bool
    """Points or a result were typed."""
    winners: tuple[Choice, ...]
    typed: Mapping[str, str]
    last_cell: str


def forms(view: BattleView, state: Any, frame: Frame, *, typed: Mapping[str, str], chosen: str) -> Forms | None:
    """`typed`: the fields as they were sent, if they were; `chosen`: the unit whose form is open. None: a game without such
    a form."""
    if view.ruleset.amend_form is None:
        return None
    words, form = frame.words, view.ruleset.amend_form(state)
    labels = {
        "strength": words.gettext("Strength"),
        "upper": words.gettext("Upper part"),
        "lower": words.gettext("Lower part"),
        "cohesion": words.gettext("Cohesion"),
    }
    opened = next((unit for unit in form.units if unit.id == chosen), None)
    names = {side.side: capital(words.text(side.name)) for side in view.sides}
    seats = {seat.seat: capital(words.text(seat.name)) for seat in view.seats}
    is_typed = opened is not None and typed.get("unit") == opened.id
    unit = opened and UnitForm(
        opened.id,
        f"{words.text(form.types[opened.type])} {opened.id}",
        typed.get("at", opened.at) if is_typed else opened.at,
        tuple(
            Number(n.name, labels[n.name], typed.get(n.name, "") if is_typed else str(n.value), n.least, n.most)
            for n in opened.numbers
        ),
        is_typed and bool(typed.get("remove")),
    )
    points = tuple(
        Points(side, names.get(side, side), typed.get(f"points-{side}", "") or str(score))
        for side, score in form.points.items()
    )
    is_scored = bool(typed.get("winner")) or any(one.value != str(form.points[one.side]) for one in points)
    winners = [("", words.gettext("as it is")), *names.items(), ("draw", words.gettext("a draw"))]
    if form.winner is not None:
        winners.append(("none", words.gettext("nobody: the battle goes on")))
    return Forms(
        units=tuple(Choice(u.id, f"{u.id} · {words.text(form.types[u.type])} · {u.at}", u.id == chosen) for u in form.units),
        unit=unit,
        types=_choices({key: words.text(name) for key, name in form.types.items()}, typed.get("add-type", "")),
        seats=_choices(seats, typed.get("add-seat", "")),
        kinds=_choices({key: words.text(name) for key, name in form.kinds.items()}, typed.get("kind", "")),
        points=points,
        is_scored=is_scored,
        winners=_choices(dict(winners), typed.get("winner", "")),
        typed={name: typed.get(name, "") for name in ("add-id", "add-at", "cell")},
        last_cell=form.last_cell,
    )


def _choices(texts: Mapping[str, str], chosen: str) -> tuple[Choice, ...]:
    return tuple(Choice(key, text, key == chosen) for key, text in texts.items())
