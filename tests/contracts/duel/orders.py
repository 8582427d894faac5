"""What may be answered: options, forms, text, checks."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from app.engine.ruleset import Fault, Json, Pick, Problem, Refused, Request
from tests.contracts.duel.state import Action, State, Way

CHARGE_CELLS = 3
CHARGE_DICE = 3


class Activation(msgspec.Struct, frozen=True, tag="activation", omit_defaults=True, forbid_unknown_fields=True):
    """`to`: a cell to move to, or an enemy to charge."""

    do: Action = "pass"
    fighter: str = ""
    to: str = ""
    dice: int = 0


class Answer(msgspec.Struct, frozen=True, tag="answer", forbid_unknown_fields=True):
    way: Way


Order = Activation | Answer


class Choices(msgspec.Struct, frozen=True):
    """For an activation: fighter -> cells, fighter -> enemies, the most dice. For a reaction: the ways."""

    moves: dict[str, tuple[str, ...]] = {}
    charges: dict[str, tuple[str, ...]] = {}
    dice: int = 0
    ways: tuple[Way, ...] = ()


def beside(state: State, cell: str) -> list[str]:
    """Free cells beside a cell, in canonical order."""
    board = state.grid
    held = {fighter.at for fighter in state.fighters.values()}
    number = board.cell(cell)
    return [] if number is None else [board.labels[n] for n in board.neighbours[number] if board.labels[n] not in held]


def landing(state: State, fighter: str, target: str) -> str | None:
    """Where a charge ends: where the fighter stands, if that is beside the target, else the nearest free cell beside it."""
    board, me, foe = state.grid, state.fighters[fighter], state.fighters[target]
    here, there = board.cell(me.at), board.cell(foe.at)
    assert here is not None
    assert there is not None
    far = board.distance(here, there)
    if far == 1:
        return me.at
    free = beside(state, foe.at) if far <= CHARGE_CELLS else []
    return min(free, key=lambda label: (board.distance(here, board.cell(label) or 0), label), default=None)


def options(state: State, request: Request) -> Choices:
    if request.kind == "reaction":
        return Choices(ways=("stand", "flee", "counter"))
    mine = [fighter.id for fighter in state.fighters.values() if fighter.seat == request.seat]
    foes = [fighter.id for fighter in state.fighters.values() if fighter.side != state.seats[request.seat]]
    return Choices(
        moves={one: tuple(beside(state, state.fighters[one].at)) for one in mine},
        charges={one: tuple(foe for foe in foes if landing(state, one, foe)) for one in mine},
        dice=min(CHARGE_DICE, state.pool),
    )


def read(state: State, request: Request, fields: Json) -> Order:
    kind = Answer if request.kind == "reaction" else Activation
    try:
        return msgspec.convert(fields, kind, strict=True)
    except (msgspec.ValidationError, ValueError, RecursionError) as bad:  # ValueError: half of a surrogate pair
        raise Refused([Problem("not-an-answer", (), {"why": str(bad)[:200]})]) from None


def read_text(state: State, request: Request, text: str) -> Order:
    """`R1 charge B2 with 3`, `R1 move C4`, `pass`; `stand`, `flee`, `counter`; the same in Russian."""
    line = text.strip()
    if request.kind == "reaction":
        if line.casefold() not in WAYS:
            raise Refused(faults=[Fault("unknown-word", 1, 1, line[:40], tuple(WAYS))])
        return Answer(WAYS[line.casefold()])
    if line.casefold() in ("pass", "пас"):
        return Activation()
    if found := re.fullmatch(r"(\S{1,40}) (?:moves?|идёт) (\S{1,40})", line):
        return Activation("move", found[1], found[2])
    if found := re.fullmatch(r"(\S{1,40}) (?:charges?|атакует) (\S{1,40}) (?:with|кубов) ([0-9]{1,2})", line):
        return Activation("charge", found[1], found[2], int(found[3]))
    raise Refused(faults=[Fault("unknown-word", 1, 1, line[:40])])


WAYS: dict[str, Way] = {
    "stand": "stand",
    "flee": "flee",
    "counter": "counter",
    "стоит": "stand",
    "бежит": "flee",
    "отвечает": "counter",
}


def write_text(state: State, request: Request, order: Order, language: str) -> str:
    if isinstance(order, Answer):
        return next(word for word, way in WAYS.items() if way == order.way and (word.isascii() == (language == "en")))
    if order.do == "pass":
        return "pass" if language == "en" else "пас"
    if order.do == "move":
        return f"{order.fighter} {'move' if language == 'en' else 'идёт'} {order.to}"
    charge, dice = ("charge", "with") if language == "en" else ("атакует", "кубов")
    return f"{order.fighter} {charge} {order.to} {dice} {order.dice}"


def check(state: State, request: Request, order: Order) -> tuple[Problem, ...]:
    may = options(state, request)
    if isinstance(order, Answer) != (request.kind == "reaction"):
        return (Problem("not-what-was-asked"),)
    if isinstance(order, Answer):
        return () if state.pool or order.way != "counter" else (Problem("pool-empty", ("way",), warning=True),)
    found: list[Problem] = []
    if order.do == "pass":
        return (Problem("needless", ("do",)),) if order.fighter or order.to or order.dice else ()
    if order.fighter not in may.moves:
        found.append(Problem("not-yours", ("fighter",), {"fighter": order.fighter[:40]}))
    elif order.do == "move" and order.to not in may.moves[order.fighter]:
        found.append(Problem("not-free-or-not-beside", ("to",), {"to": order.to[:40]}))
    elif order.do == "charge" and order.to not in may.charges[order.fighter]:
        found.append(Problem("cannot-charge", ("to",), {"to": order.to[:40]}))
    least, most = (1, may.dice) if order.do == "charge" else (0, 0)
    if not least <= order.dice <= most:
        found.append(Problem("dice", ("dice",), {"least": least, "most": most}))
    return tuple(found)


def default(state: State, request: Request) -> Order:
    return Answer("stand") if request.kind == "reaction" else Activation()


def choose(state: State, request: Request, pick: Pick) -> Order:
    may = options(state, request)
    if may.ways:
        return Answer(may.ways[pick(len(may.ways))])
    charges = [(one, foe) for one, foes in may.charges.items() for foe in foes]
    if charges and pick(4):
        one, foe = charges[pick(len(charges))]
        return Activation("charge", one, foe, pick(may.dice) + 1)
    moves = [(one, cell) for one, cells in may.moves.items() for cell in cells]
    if moves and pick(5):
        return Activation("move", *moves[pick(len(moves))])
    return Activation()


def as_json(order: Order) -> Any:
    return msgspec.to_builtins(order)
