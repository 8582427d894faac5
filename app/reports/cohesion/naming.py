"""How units, values, ways and dice of `cohesion` are named."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from app.language import pick
from app.reports.telling import Tale
from app.reports.tree import FIXED, CellName, Die, Fragment, Roll, Sentence, Text, UnitName, clean
from app.rulesets.cohesion.state import State, Unit, UnitType

MINUS = "−"


def standing(tale: Tale, unit_id: str) -> Unit | None:
    """A unit as it stands before the event in hand, else after it, else as it began the turn."""
    states: tuple[State, ...] = (tale.state, tale.following, tale.before)
    return next((state.units[unit_id] for state in states if unit_id in state.units), None)


def type_of(tale: Tale, unit: Unit) -> UnitType:
    kind: UnitType = tale.state.types[unit.type]
    return kind


def label(tale: Tale, cell: int) -> str:
    name: str = tale.state.board.grid.labels[cell]
    return name


def unit(tale: Tale, unit_id: str, *, at: str | None = None) -> UnitName:
    """A unit by the code of its type, its id and its cell (`at`: another than the one it stands in now)."""
    found = tale.state.units.get(unit_id)
    if found is None and unit_id in tale.remembered:
        return tale.remembered[unit_id]
    found = found or standing(tale, unit_id)
    if found is None:
        return UnitName(clean(unit_id), "", "", 0, "")
    kind = type_of(tale, found)
    language = tale.voice.language
    side = tale.sides.index(found.side) if found.side in tale.sides else 0
    cell = label(tale, found.at) if at is None else at
    return UnitName(unit_id, clean(pick(kind.code, language)), cell, side, clean(pick(kind.name, language)))


def remember(tale: Tale, unit_id: str) -> None:
    """Keep the name of a unit that leaves the board."""
    tale.remembered[unit_id] = unit(tale, unit_id)


def gender(tale: Tale, unit_id: str) -> str:
    found = standing(tale, unit_id)
    return type_of(tale, found).gender if found is not None else "m"


def something(tale: Tale, name: str) -> Fragment:
    """What stands in the way: a unit by its name, or a cell."""
    return unit(tale, name) if standing(tale, name) is not None else CellName(clean(name))


def units(tale: Tale, ids: Iterable[str]) -> Sentence:
    return tale.voice.listed([unit(tale, unit_id) for unit_id in ids])


def way(start: str, path: Sequence[str]) -> Sentence:
    """`C5 → C6 → C7`."""
    pieces: list[Fragment] = []
    for cell in (start, *path) if start else path:
        if pieces:
            pieces.append(Text(" → "))
        pieces.append(CellName(cell))
    return tuple(pieces)


def glued(sentence: Sentence) -> Sentence:
    """A few words that stay on one line."""
    return tuple(Text(piece.text.replace(" ", FIXED)) if isinstance(piece, Text) else piece for piece in sentence)


def losses(tale: Tale, cohesion: int, strength: int) -> Sentence:
    """`cohesion −2, strength −1`; what is nothing is left out."""
    parts = []
    if cohesion:
        parts.append(glued(tale.voice.say("cohesion %(change)s", change=f"{MINUS}{cohesion}")))
    if strength:
        parts.append(glued(tale.voice.say("strength %(change)s", change=f"{MINUS}{strength}")))
    return tale.voice.chained(parts)


def values(tale: Tale, unit_id: str) -> Sentence:
    """`4/3` as it stands after the event; a type with parts tells them too."""
    found = tale.following.units.get(unit_id) or standing(tale, unit_id)
    if found is None:
        return (Text("0"),)
    whole = f"{found.strength}/{found.cohesion}"
    if not type_of(tale, found).sections:
        return (Text(whole),)
    return tale.voice.say(
        "%(values)s (upper %(upper)s, lower %(lower)s)", values=whole, upper=found.upper, lower=found.lower
    )


def plain_roll(address: str, caption: str, faces: Iterable[int], sides: int) -> Roll:
    return Roll(address, caption, tuple(Die(face) for face in faces), sides)
