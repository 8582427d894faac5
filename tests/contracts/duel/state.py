"""The state of a duel, its events, and how the one follows from the other."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import msgspec

from app.engine.events import Event
from app.geometry.hex import Grid, grid

Action = Literal["pass", "move", "charge"]
Way = Literal["stand", "flee", "counter"]


class Fighter(msgspec.Struct, frozen=True):
    """`nerve`: so many hits of one blow it shrugs off when it stands; None: not known to this viewer."""

    id: str
    side: str
    seat: str
    at: str
    hits: int
    nerve: int | None


class Reaction(msgspec.Struct, frozen=True):
    """A frame of the agenda: a charge that waits for the defender's answer."""

    attacker: str
    target: str
    dice: int


class State(msgspec.Struct, frozen=True):
    """`turn` counts steps. `acting`: the seat whose activation it is, behind whatever is on the agenda."""

    turn: int
    round: int
    rounds: int
    size: tuple[int, int]
    seats: dict[str, str]
    acting: str
    fighters: dict[str, Fighter]
    pool: int
    pool_size: int
    passes: int
    agenda: tuple[Reaction, ...]
    omens: dict[str, int]
    points: dict[str, int]
    goal: int
    rulings: dict[str, str]
    winner: str | None = None

    @property
    def grid(self) -> Grid:
        return grid(*self.size, "flat")


class DuelEvent(Event, frozen=True, kw_only=True, tag=str.lower, tag_field="event"):
    pass


class Began(DuelEvent, frozen=True, kw_only=True):
    fighters: tuple[str, ...]


class Passed(DuelEvent, frozen=True, kw_only=True):
    seat: str


class Moved(DuelEvent, frozen=True, kw_only=True):
    fighter: str
    to: str


class Charged(DuelEvent, frozen=True, kw_only=True):
    fighter: str
    target: str
    to: str
    dice: int


class Reacted(DuelEvent, frozen=True, kw_only=True):
    fighter: str
    way: Way


class Rolled(DuelEvent, frozen=True, kw_only=True):
    """`seats`: told to these alone; empty: to everybody."""

    address: str
    sides: int
    faces: tuple[int, ...]
    seats: tuple[str, ...] = ()


class Paid(DuelEvent, frozen=True, kw_only=True):
    """Dice taken out of the pool."""

    seat: str
    dice: int


class Hurt(DuelEvent, frozen=True, kw_only=True):
    fighter: str
    hits: int


class Fled(DuelEvent, frozen=True, kw_only=True):
    fighter: str
    to: str


class Fell(DuelEvent, frozen=True, kw_only=True):
    fighter: str
    scorer: str


class Omen(DuelEvent, frozen=True, kw_only=True):
    """Drawn by a side and told to its seats."""

    side: str
    face: int
    seats: tuple[str, ...]


class OmenSpent(DuelEvent, frozen=True, kw_only=True):
    side: str


class RoundEnded(DuelEvent, frozen=True, kw_only=True):
    round: int
    pool: int


class StepEnded(DuelEvent, frozen=True, kw_only=True):
    turn: int
    acting: str


class Won(DuelEvent, frozen=True, kw_only=True):
    winner: str


class Amended(DuelEvent, frozen=True, kw_only=True):
    """The game master's correction: a fighter's hits, or the winner (None: the duel goes on)."""

    fighter: str | None = None
    hits: int = 0
    winner: str | None = None
    reason: str = ""


ANY = (
    Began
    | Passed
    | Moved
    | Charged
    | Reacted
    | Rolled
    | Paid
    | Hurt
    | Fled
    | Fell
    | Omen
    | OmenSpent
    | RoundEnded
    | StepEnded
    | Won
    | Amended
)


def evolve(state: State, events: Iterable[Event]) -> State:
    """The state after the events; a view after the events that its seat is told."""
    draft: dict[str, Any] = {name: getattr(state, name) for name in state.__struct_fields__}
    fighters = draft["fighters"] = dict(state.fighters)
    points = draft["points"] = dict(state.points)
    omens = draft["omens"] = dict(state.omens)

    def change(fighter: str, **values: Any) -> None:
        fighters[fighter] = msgspec.structs.replace(fighters[fighter], **values)

    for event in events:
        match event:
            case Passed():
                draft["passes"] += 1
            case Moved():
                change(event.fighter, at=event.to)
                draft["passes"] = 0
            case Charged():
                change(event.fighter, at=event.to)
                draft["passes"] = 0
                draft["agenda"] = (*draft["agenda"], Reaction(event.fighter, event.target, event.dice))
            case Reacted():
                draft["agenda"] = draft["agenda"][:-1]
            case Paid():
                draft["pool"] -= event.dice
            case Hurt():
                change(event.fighter, hits=fighters[event.fighter].hits - event.hits)
            case Fled():
                change(event.fighter, at=event.to)
            case Fell():
                del fighters[event.fighter]
                points[event.scorer] += 1
            case Omen():
                omens[event.side] = event.face
            case OmenSpent():
                omens.pop(event.side, None)
            case RoundEnded():
                draft.update(round=event.round + 1, pool=event.pool, passes=0)
                omens.clear()
            case StepEnded():
                draft.update(turn=event.turn + 1, acting=event.acting)
            case Won():
                draft["winner"] = event.winner
            case Amended(fighter=str(fighter)):
                change(fighter, hits=event.hits)
            case Amended():
                draft["winner"] = event.winner
    return State(**draft)


def view(state: State, seat: str | None) -> State:
    """Other sides' nerve and omens left out; for the public, everybody's."""
    side = state.seats.get(seat or "")
    return msgspec.structs.replace(
        state,
        fighters={
            key: fighter if fighter.side == side else msgspec.structs.replace(fighter, nerve=None)
            for key, fighter in state.fighters.items()
        },
        omens={key: face for key, face in state.omens.items() if key == side},
    )


def audience(event: Event) -> frozenset[str] | None:
    return frozenset(event.seats) if isinstance(event, (Omen, Rolled)) and event.seats else None
