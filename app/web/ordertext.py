"""Orders as text beside the form: two views of one sheet, taken together; and what is told of a text that was read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from app.engine.ruleset import Fault, Json, Problem
from app.language import LANGUAGES, NAMES, Translator, translator
from app.referee.turnviews import Understood
from app.reports import problems as spoken
from app.web import orderform
from app.web.deps import Fields
from app.web.orderform import Filled, filled_by, filled_from
from app.web.unitcards import Desk

TAKEN = "text-taken"
"""The field with the text that the rest of the form has already taken in: only another text is read."""
DROP = "text-drop"
"""The box that, ticked, leaves units without an order that the text does not name."""
AROUND = 40


@dataclass(frozen=True)
class Suggestion:
    words: str
    follows: bool
    """Whether it belongs behind the piece, not in its place."""


@dataclass(frozen=True)
class FaultLine:
    """A place in a text: where it is, the piece with what stands around it, what is wrong, what may have been meant."""

    line: int
    column: int
    before: str
    fragment: str
    after: str
    text: str
    suggestions: tuple[Suggestion, ...]


@dataclass(frozen=True)
class Reply:
    """What a game master sends back to the one who wrote: in a language of his."""

    language: str
    name: str
    text: str
    """Empty: nothing is wrong."""


@dataclass(frozen=True)
class Together:
    """A form and its text as one answer."""

    orders: Mapping[str, Json]
    troubles: Mapping[tuple[str, str], str]
    """What the form says of units that the text does not name, and cannot mean."""
    was_read: bool = False
    named: tuple[str, ...] = ()
    """The units that the text orders: it counts for them, whatever the form says."""
    faults: tuple[Fault, ...] = field(default=())
    asides: tuple[int, ...] = ()
    """With faults: the lines of the text that are certainly no orders."""


def filled_units(fields: Fields) -> dict[str, Filled]:
    """The fields of each unit that the form named."""
    units = dict.fromkeys(name.removeprefix("unit:") for name in fields if name.startswith("unit:"))
    return {unit: filled_by(fields, unit) for unit in units}


def together(fields: Fields, words: Translator, understood: Callable[[str], Understood], *, always: bool) -> Together:
    """The form's orders, and over them those of its text if it was not taken in before (`always`: in any case)."""
    form = orderform.read(filled_units(fields), words)
    text = fields["text"]
    if not always and ("text" not in fields or text.strip() == fields[TAKEN].strip()):
        return Together(form.orders, form.troubles)
    told = understood(text)
    if told.faults:
        return Together(form.orders, form.troubles, was_read=True, faults=told.faults, asides=told.asides)
    named = orders_by_unit(told.orders)
    kept = {} if fields.is_on(DROP) else form.orders
    return Together(
        orders={**kept, **named},
        troubles={place: said for place, said in form.troubles.items() if place[0] in kept and place[0] not in named},
        was_read=True,
        named=tuple(named),
    )


def with_text(fields: Fields, taken: Together, offered: Mapping[str, tuple[str, ...]]) -> Fields:
    """The form as it stands once its text is taken in. `offered`: the moves that the form offers, by unit."""
    if not taken.was_read or taken.faults:
        return fields
    told: dict[str, str] = {**fields, TAKEN: fields["text"]}
    for unit in offered:
        if unit in taken.named or (fields.is_on(DROP) and unit not in taken.orders):
            told |= fields_of(unit, filled_from(taken.orders.get(unit), offered[unit]))
    return Fields(told)


def fields_of(unit: str, filled: Filled) -> dict[str, str]:
    parts = {"shoot": filled.shoot, "fight": filled.fight, "move": filled.move, "path": filled.path}
    return {f"unit:{unit}": "1", f"hold:{unit}": "yes" if filled.hold else ""} | {
        f"{part}:{unit}": value for part, value in parts.items()
    }


def orders_by_unit(orders: Json) -> dict[str, Any]:
    """An answer in the ruleset's JSON -> each unit's order."""
    if isinstance(orders, Mapping) and isinstance(orders.get("orders"), Mapping):
        orders = orders["orders"]
    return dict(orders) if isinstance(orders, Mapping) else {}


@dataclass(frozen=True)
class Asides:
    """Lines that are no orders, to be left out all at once."""

    lines: tuple[int, ...]
    texts: tuple[str, ...]
    press: str
    """What the button says."""


def asides_of(taken: Together | None, text: str, words: Translator) -> Asides | None:
    if taken is None or not taken.asides:
        return None
    lines, count = text.split("\n"), len(taken.asides)
    press = words.ngettext("Leave out %(num)s line that is no order", "Leave out %(num)s lines that are no orders", count)
    return Asides(taken.asides, tuple(lines[line - 1].strip() for line in taken.asides if line <= len(lines)), press)


def left_out(text: str, asides: Iterable[int]) -> str:
    """The text with these lines as quotations, which are passed over."""
    lines = text.split("\n")
    for line in asides:
        if line <= len(lines):
            lines[line - 1] = f"> {lines[line - 1]}"
    return "\n".join(lines)


def fault_lines(faults: Iterable[Fault], text: str, desk: Desk, asides: tuple[int, ...] = ()) -> tuple[FaultLine, ...]:
    """Units that may have been meant are named as players name them: by code and cell."""
    lines, language = text.split("\n"), desk.words.language
    told = []
    for fault in spoken.by_line(faults, asides, text):
        line = lines[fault.line - 1] if 0 < fault.line <= len(lines) else ""
        start = max(0, fault.column - 1)
        end = start + len(fault.fragment)
        told.append(
            FaultLine(
                line=fault.line,
                column=fault.column,
                before=line[max(0, start - AROUND) : start],
                fragment=line[start:end] or fault.fragment,
                after=line[end : end + AROUND],
                text=spoken.fault_words(fault, language, alone=True),
                suggestions=tuple(Suggestion(words, fault.follows) for words in _named(fault, desk)),
            )
        )
    return tuple(told)


def _named(fault: Fault, desk: Desk) -> tuple[str, ...]:
    if fault.code not in {"unknown-unit", "ambiguous", "mismatch"}:
        return fault.candidates
    return tuple(dict.fromkeys(desk.unit(candidate) for candidate in fault.candidates))


def replies(
    text: str, faults: tuple[Fault, ...], problems: Iterable[Problem], turn: int, asides: tuple[int, ...] = ()
) -> tuple[Reply, ...]:
    """What is wrong, to be sent back; first in the language in which most of the text is written."""
    faults = spoken.by_line(faults, asides, text)
    refused = tuple(problem for problem in problems if not problem.warning)
    is_wrong = bool(faults or refused)
    return tuple(
        Reply(one, NAMES[one], _reply(text, faults, refused, turn, one) if is_wrong else "") for one in _spoken_first(text)
    )


def _spoken_first(text: str) -> list[str]:
    """The languages; the one in which most of the text is written comes first."""
    signs = text.lower()
    cyrillic, latin = (sum(first <= sign <= last for sign in signs) for first, last in (("а", "я"), ("a", "z")))
    likely = "ru" if cyrillic > latin else "en"
    return sorted(LANGUAGES, key=lambda one: one != likely)


def _reply(text: str, faults: tuple[Fault, ...], problems: tuple[Problem, ...], turn: int, language: str) -> str:
    words, lines = translator(language), text.split("\n")
    told = [
        words.gettext("Your orders for turn %(turn)s are not entered yet. Please mend this and send them again:", turn=turn)
    ]
    quoted = 0
    for fault in faults:
        if fault.line != quoted and 0 < fault.line <= len(lines):
            told += ["", f"> {lines[fault.line - 1]}"]
            quoted = fault.line
        column = words.gettext("(Column %(column)s.)", column=fault.column)
        told.append(f"- {spoken.fault_words(fault, language)} {column}")
    if problems:
        told.append("")
    for problem in problems:
        unit = f"{problem.field[0]}: " if problem.field else ""
        told.append(f"- {unit}{spoken.words(problem, language)}")
    return "\n".join(told)
