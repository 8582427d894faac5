"""Mistakes in orders in words: what is wrong, and what to do. Codes and parameters are those of the rulesets."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping

from app.engine.ruleset import Fault, Problem
from app.language import Translator, translator
from app.language import marked as _
from app.reports.scenariowords import SCENARIO, WHERE, WHERE_KEY, WHERE_LINE
from app.reports.tree import clean

UNIT = {
    "unknown-unit": (_("There is no unit %(unit)s. Take an id from the list of your units."),),
    "not-yours": (_("%(unit)s is not under your command. Leave it out."),),
    "uncontrolled": (_("%(unit)s is uncontrolled (cohesion 0) and takes no orders. Leave it out: it will retreat."),),
}  # fmt: skip
SHOOT = {
    "target-gone": (_("There is no unit %(target)s on the field. Choose another target."),),
    "own-target": (_("%(target)s is of your own side. Choose an enemy."),),
    "cannot-shoot": (_("This unit does not shoot. Leave the shooting out."),),
    "shooting-on-the-move": (
        _("It cannot shoot with such a move: steps %(steps)s, at most %(most)s. Cut the move or the shooting."),
    ),
    "enemies-adjacent": (
        _("It cannot shoot: enemies beside it %(count)s, at most %(most)s. Fight or move instead."),
    ),
    "out-of-range": (
        _("%(target)s is too far: distance %(distance)s, range %(range)s. Choose a nearer target; the move comes later."),
    ),
    "no-line-of-sight": (
        _("No line of sight to %(target)s: obstacles %(obstacles)s, at most %(ignores)s. Choose another target."),
    ),
}  # fmt: skip
MELEE = {
    "not-adjacent": (
        _("%(target)s is not adjacent (distance %(distance)s), and melee comes before movement. Choose an enemy beside it."),
    ),
    "cannot-fight": (_("This unit does not attack in melee. Leave the melee out."),),
}  # fmt: skip
WITHDRAW = {
    "withdraw-and-melee": (_("It either withdraws or fights. Leave one of the two out."),),
    "cannot-withdraw": (_("This unit cannot withdraw. Leave the withdrawal out; it may move."),),
    "withdraw-blocked": (_("It cannot withdraw: no cell behind it is free. Leave the withdrawal out."),),
    "withdraw-not-back": (_("It cannot withdraw to %(cell)s. It may withdraw to: %(cells)s."),),
}  # fmt: skip
MOVE = {
    "off-board": (_("%(cell)s is not on the board. Name cells of the board."),),
    "path-broken": (
        _("The path breaks between %(before)s and %(cell)s: each step leads to an adjacent cell, none twice."),
    ),
    "path-too-long": (_("The path is too long: steps %(steps)s, speed %(speed)s. Shorten it."),),
    "path-impassable": (_("%(cell)s is impassable. Go around it."),),
    "path-must-stop": (_("A move that enters %(cell)s must end there. End the path in it, or go around it."),),
}  # fmt: skip
WARNINGS = {
    "cell-held-now": (
        _("%(cell)s is held by %(holder)s now. If it is not free by then, the unit stops before it."),
    ),
    "same-cell": (_("%(other)s is ordered to %(cell)s too. Only one of them can stand there."),),
    "no-enemy-to-charge": (
        _("The second step is made only if an enemy is beside %(cell)s by then; now there is none."),
    ),
    "no-dice": (_("As it stands, this attack has no dice."),),
}  # fmt: skip
FORM = {
    "not-a-mapping": (
        _("Orders are an object of units, and a unit's order an object of parts; here stands %(value)s."),
    ),
    "too-many-units": (_("Too many units: %(count)s; at most %(most)s are read."),),
    "unknown-part": (_("An order has no such part. It knows: %(known)s."),),
    "not-a-unit": (_("A target is the id of a unit, as text; here stands %(value)s."),),
    "not-a-cell": (_("%(value)s is not a cell. A cell is letters and a number, as C4."),),
    "not-a-path": (_("A path is a list of cells, or a text such as C4-C5; here stands %(value)s."),),
}  # fmt: skip
PROBLEMS: Mapping[str, tuple[str, ...]] = {**UNIT, **SHOOT, **MELEE, **WITHDRAW, **MOVE, **WARNINGS, **FORM}
"""Code -> sentences; the first one whose holes the parameters fill is said."""
BARE = {
    "unknown-unit": _("There is no such unit."),
    "not-yours": _("This unit is not under your command."),
    "uncontrolled": _("The unit is uncontrolled (cohesion 0) and takes no orders."),
    "target-gone": _("There is no such target on the field."),
    "own-target": _("The target is of your own side."),
    "shooting-on-the-move": _("It cannot shoot with such a move."),
    "enemies-adjacent": _("It cannot shoot with so many enemies beside it."),
    "out-of-range": _("The target is out of range."),
    "no-line-of-sight": _("There is no line of sight to the target."),
    "not-adjacent": _("The target is not adjacent."),
    "withdraw-not-back": _("It cannot withdraw there: a withdrawal leads towards its home edge."),
    "off-board": _("A cell of the path is not on the board."),
    "path-broken": _("Each step of a path leads to an adjacent cell, and none is entered twice."),
    "path-too-long": _("The path is longer than the speed allows."),
    "path-impassable": _("The path enters an impassable cell."),
    "path-must-stop": _("The path enters ground in which a move must end."),
    "cell-held-now": _("The cell is held by another unit now."),
    "same-cell": _("Another unit of yours is ordered to the same cell."),
    "no-enemy-to-charge": _("The second step is made only if it ends beside an enemy."),
    "not-a-mapping": _("Orders are an object of units, and a unit's order an object of parts."),
    "too-many-units": _("Orders for too many units."),
    "unknown-part": _("An order has no such part."),
    "not-a-unit": _("A target is the id of a unit, as text."),
    "not-a-cell": _("This is not a cell. A cell is letters and a number, as C4."),
    "not-a-path": _("A path is a list of cells, or a text such as C4-C5."),
}  # fmt: skip
"""The same without parameters, for programs that give none."""
FAULTS: Mapping[str, str] = {
    "unknown-word": _(
        "Line %(line)s: “%(fragment)s” is not understood. Put what is no order into a quote, or below a line of ---."
    ),
    "unknown-unit": _("Line %(line)s: “%(fragment)s” is no unit here. Name it by its id, or by code and cell."),
    "ambiguous": _("Line %(line)s: “%(fragment)s” may be any of several units. Add the cell."),
    "mismatch": _("Line %(line)s: in “%(fragment)s” the code and the cell do not agree. Mend one of the two."),
    "not-a-cell": _("Line %(line)s: “%(fragment)s” is no cell of this board."),
    "unit-twice": _("Line %(line)s: “%(fragment)s” has an order already. Keep one of the two."),
    "part-twice": _("Line %(line)s: “%(fragment)s” says the same part of the order a second time. Keep one."),
    "no-unit": _("Line %(line)s: “%(fragment)s”: the unit is missing. Begin the line with the unit."),
}  # fmt: skip
BOUNDS: Mapping[str, str] = {
    "except": _("Line %(line)s: “%(fragment)s”: “all” has no exceptions. Order these units by themselves, then “the rest”."),
    "condition": _("Line %(line)s: “%(fragment)s”: an order has no conditions. Say what the unit does in any case."),
    "each": _("Line %(line)s: “%(fragment)s”: who goes where? Order each unit by itself; a way for all has dashes in it."),
    "last": _("Line %(line)s: “%(fragment)s”: which cell is the last? Write the way with dashes, as C4-C5-D6."),
    "aside": _("Line %(line)s: “%(fragment)s” is no order. Leave the line out, or put > before it."),
}  # fmt: skip
SLIP = _("Line %(line)s: “%(fragment)s” is not understood.")
"""Of a word that has suggestions."""
IDLE = _("Line %(line)s: “%(fragment)s” is told nothing. Say what it does.")
CANDIDATES = _("Perhaps: %(candidates)s.")
UNKNOWN = _("This cannot be accepted (%(code)s).")
MAX_FRAGMENT = 60

_HOLE = re.compile(r"%\((\w+)\)s")


def words(problem: Problem, language: str) -> str:
    """A refusal or a warning as a sentence or two, with its numbers. Plain text: each format escapes it.

    Problems of a scenario file name their `key` in the parameters; `located` says where they are."""
    say = translator(language)
    given = {name: clean(str(value)) for name, value in problem.params.items()}
    orders = (*PROBLEMS.get(problem.code, ()), BARE.get(problem.code, ""))
    scenario = (SCENARIO.get(problem.code, ""),)
    for template in (*scenario, *orders) if "key" in given else (*orders, *scenario):
        if template and set(_HOLE.findall(template)) <= set(given):
            return _filled(say, template, given)
    return _filled(say, UNKNOWN, {"code": problem.code})


def located(problem: Problem, language: str) -> str:
    """A mistake in a scenario file with its place before it: `line 31, column 9, units.N-LM1.at: C14 is not …`."""
    given = {name: clean(str(value)) for name, value in problem.params.items()} | {"words": words(problem, language)}
    key = bool(given.get("key"))
    template = (WHERE if key else WHERE_LINE) if "line" in given else WHERE_KEY if key else ""
    return _filled(translator(language), template, given) if template else given["words"]


def fault_words(fault: Fault, language: str, *, alone: bool = False) -> str:
    """A fault in a text of orders as a sentence, with its line, the piece and the candidates; `alone`: the sentence without
    line and candidates, which stand beside it."""
    say = translator(language)
    fragment = clean(fault.fragment)
    if len(fragment) > MAX_FRAGMENT:
        fragment = fragment[:MAX_FRAGMENT] + "…"
    usual = SLIP if fault.code == "unknown-word" and fault.candidates else FAULTS.get(fault.code, FAULTS["unknown-word"])
    template = BOUNDS.get(fault.why) or (IDLE if fault.follows else usual)
    told = _filled(say, template, {"line": str(fault.line), "fragment": fragment})
    if alone:
        return told.partition(f" {fault.line}: ")[2]
    if fault.candidates:
        listed = ", ".join(clean(candidate) for candidate in fault.candidates)
        told += " " + _filled(say, CANDIDATES, {"candidates": listed})
    return told


def by_line(faults: Iterable[Fault], asides: Collection[int], text: str) -> tuple[Fault, ...]:
    """The faults as they are shown: of a line that is certainly no order one alone, the whole line."""
    lines = text.split("\n")
    told: dict[tuple[int, int], Fault] = {}
    for fault in faults:
        if fault.line in asides and fault.line <= len(lines):
            fault = Fault(fault.code, fault.line, 1, lines[fault.line - 1].rstrip("\r"), why="aside")
        told.setdefault((fault.line, len(told) if fault.why != "aside" else -1), fault)
    return tuple(told.values())


def _filled(say: Translator, template: str, given: Mapping[str, str]) -> str:
    """Holes filled one by one, so that a percent sign in a player's words does no harm."""
    return _HOLE.sub(lambda hole: given[hole[1]], say.gettext(template))
