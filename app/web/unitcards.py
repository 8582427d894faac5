"""The cards of a seat's units on the orders page: choices, what is ordered, what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import atan2, pi
from typing import Any

from markupsafe import Markup

from app.drawing.scene import Counter, Scene
from app.drawing.svg import emblem
from app.engine.ruleset import Json, Problem
from app.language import Translator
from app.referee.errors import RefereeError
from app.referee.views import BattleView
from app.web.orderform import FORMS, Filled

ARROWS = "→↘↓↙←↖↑↗"


@dataclass(frozen=True)
class Choice:
    """`says`: what the summary of the unit says when this is chosen."""

    value: str
    label: str
    says: str
    selected: bool


@dataclass(frozen=True)
class Group:
    label: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True)
class UnitCard:
    id: str
    emblem: Markup
    code: str
    name: str
    cell: str
    values: str
    is_controlled: bool
    facts: str
    filled: Filled
    says: str
    """What is ordered, in words; empty: nothing."""
    shoot: tuple[Choice, ...]
    fight: tuple[Choice, ...]
    moves: tuple[Group, ...]
    problems: Mapping[str, tuple[str, ...]]
    """By part: `unit`, `shoot`, `fight`, `move`, `hold`."""
    warnings: tuple[str, ...]
    shoots_on_the_move: bool
    """Whether the type can shoot on the move at all."""

    @property
    def is_wrong(self) -> bool:
        return any(self.problems.values())


PART_OF = {"melee": "fight", "withdraw": "fight"}
"""Where a part of an order stands in the form."""


def has_form(battle: BattleView) -> bool:
    return battle.ruleset.key in FORMS


@dataclass(frozen=True)
class Desk:
    """What the cards of one page share."""

    state: Any
    scene: Scene
    words: Translator

    @classmethod
    def of(cls, battle: BattleView, words: Translator) -> Desk:
        """Raises `RefereeError("no-page")`: the game has no such form."""
        if not has_form(battle):
            raise RefereeError("no-page")
        return cls(battle.state, battle.ruleset.scene(battle.state, words.language, battle.scenario), words)

    def counter(self, unit: str) -> Counter | None:
        return next((c for c in self.scene.counters if c.id == unit), None)

    def unit(self, unit: str) -> str:
        """`XS C3`; a unit that is not there any more is called by its id."""
        found = self.counter(unit)
        return f"{found.code} {found.cell}" if found else unit


def cards(
    desk: Desk,
    options: Json,
    filled: Callable[[str, tuple[str, ...]], Filled],
    problems: Mapping[tuple[str, str], list[str]],
    warnings: Mapping[str, list[str]],
) -> tuple[UnitCard, ...]:
    """`options` as other programs get them; `filled` gives a unit's fields, told the moves that are offered."""
    told = []
    for entry in options:
        unit, may = entry["id"], entry["options"]
        counter = desk.counter(unit)
        if counter is None:
            continue
        offered = tuple("-".join(way) for way in may["move"])
        form = filled(unit, offered)
        told.append(_card(desk, counter, may, form, problems, tuple(warnings.get(unit, ()))))
    return tuple(told)


def by_place(problems: tuple[Problem, ...], spoken: Callable[[Problem], str]) -> dict[tuple[str, str], list[str]]:
    """Problems in words, by unit and by the part of the form they stand at."""
    told: dict[tuple[str, str], list[str]] = {}
    for problem in problems:
        unit = problem.field[0] if problem.field else ""
        told.setdefault((unit, part_of(problem)), []).append(spoken(problem))
    return told


def part_of(problem: Problem) -> str:
    """The part of the form at which a problem stands."""
    part = problem.field[1] if len(problem.field) > 1 else "unit"
    return PART_OF.get(part, part)


def says(desk: Desk, form: Filled) -> str:
    """`shoots at XS C3, moves to C4`."""
    _ = desk.words.gettext
    parts = []
    if form.shoot:
        parts.append(_("shoots at %(unit)s", unit=desk.unit(form.shoot)))
    kind, _sep, target = form.fight.partition(":")
    if kind == "melee":
        parts.append(_("fights %(unit)s", unit=desk.unit(target)))
    elif kind == "withdraw":
        parts.append(_("withdraws to %(cell)s", cell=target))
    path = form.path or form.move
    if path:
        parts.append(_("moves to %(cell)s", cell=path.rpartition("-")[2].strip().upper()))
    if not parts and form.hold:
        return _("holds its ground")
    return ", ".join(parts)


def _card(
    desk: Desk,
    counter: Counter,
    may: Json,
    form: Filled,
    problems: Mapping[tuple[str, str], list[str]],
    warnings: tuple[str, ...],
) -> UnitCard:
    standing = desk.state.units[counter.id]
    kind = desk.state.types[standing.type]
    shooting = kind.shooting
    return UnitCard(
        id=counter.id,
        emblem=Markup(emblem(counter)),  # noqa: S704  (the only SVG writer escapes every text)
        code=counter.code,
        name=desk.words.text(kind.name),
        cell=counter.cell,
        values=counter.values,
        is_controlled=standing.cohesion > 0,
        facts=_facts(desk.words, kind),
        filled=form,
        says=says(desk, form),
        shoot=_shots(desk, counter, may["shoot"], form.shoot),
        fight=_fights(desk, may, form.fight),
        moves=_moves(desk, counter, may["move"], form.move),
        problems={part: tuple(problems.get((counter.id, part), ())) for part in ("unit", "shoot", "fight", "move", "hold")},
        warnings=warnings,
        shoots_on_the_move=shooting is not None and shooting.moving is not None,
    )


def _facts(words: Translator, kind: Any) -> str:
    _ = words.gettext
    toughness = f"{kind.toughness.first}+/{kind.toughness.second}+"
    parts = [
        _("special toughness %(value)s", value=toughness)
        if kind.toughness.special
        else _("toughness %(value)s", value=toughness)
    ]
    if kind.speed.isdigit():
        parts.append(_("speed %(num)s", num=kind.speed))
    if kind.shooting is not None:
        parts.append(_("shoots as far as %(num)s", num=kind.shooting.range))
        if kind.shooting.moving is None:
            parts.append(_("not on the move"))
    return "; ".join(parts)


def _shots(desk: Desk, counter: Counter, targets: list[str], typed: str) -> tuple[Choice, ...]:
    grid = desk.state.board.grid
    told = []
    for target in _with(targets, typed):
        foe = desk.state.units.get(target)
        says = desk.words.gettext("shoots at %(unit)s", unit=desk.unit(target))
        label = _gone(desk, target)
        if foe is not None and target in targets:
            far = grid.distance(desk.state.units[counter.id].at, foe.at)
            found = desk.counter(target)
            assert found is not None
            away = desk.words.ngettext("%(num)s cell away", "%(num)s cells away", far)
            label = f"{_arrow(counter, found.centre)} {found.code} {found.cell} · {found.values} · {away}"
        told.append(Choice(target, label, says, target == typed))
    return tuple(told)


def _fights(desk: Desk, may: Json, typed: str) -> tuple[Choice, ...]:
    _ = desk.words.gettext
    values = [f"melee:{target}" for target in may["melee"]] + [f"withdraw:{cell}" for cell in may["withdraw"]]
    told = []
    for value in _with(values, typed):
        kind, _sep, target = value.partition(":")
        if kind == "withdraw":
            label = says = _("withdraws to %(cell)s", cell=target)
        else:
            says = _("fights %(unit)s", unit=desk.unit(target))
            found = desk.counter(target)
            label = f"{says} · {found.values}" if found else says
        if value not in values:
            label = _gone(desk, label)
        told.append(Choice(value, label, says, value == typed))
    return tuple(told)


def _moves(desk: Desk, counter: Counter, ways: list[list[str]], typed: str) -> tuple[Group, ...]:
    """By the number of steps, nearest first."""
    centres = {cell.label: cell.centre for cell in desk.scene.cells}
    holders = {c.cell: c.code for c in desk.scene.counters}
    groups: dict[int, list[Choice]] = {}
    seen = False
    for way in ways:
        value, end = "-".join(way), way[-1]
        label = f"{_arrow(counter, centres[end])} {end}"
        if len(way) > 1:
            label += f" ({'-'.join(way)})"
        if end in holders:
            label += " · " + desk.words.gettext("%(code)s stands there now", code=holders[end])
        seen = seen or value == typed
        groups.setdefault(len(way), []).append(
            Choice(value, label, desk.words.gettext("moves to %(cell)s", cell=end), value == typed)
        )
    told = [
        Group(desk.words.ngettext("%(num)s step", "%(num)s steps", steps), tuple(choices))
        for steps, choices in groups.items()
    ]
    if typed and not seen:
        told.append(Group(desk.words.gettext("no longer offered"), (Choice(typed, typed, typed, selected=True),)))
    return tuple(told)


def _with(offered: list[str], typed: str) -> list[str]:
    """What is offered, and what was typed even if it is not offered any more: nothing typed is lost."""
    return offered if not typed or typed in offered else [*offered, typed]


def _gone(desk: Desk, what: str) -> str:
    return desk.words.gettext("%(what)s (no longer possible)", what=desk.unit(what))


def _arrow(counter: Counter, to: tuple[float, float]) -> str:
    """The direction on the board, so that a list of cells can be read without counting."""
    angle = atan2(to[1] - counter.centre[1], to[0] - counter.centre[0])
    return ARROWS[round(angle / (pi / 4)) % 8]
