"""A turn as a film: phase by phase, who strikes whom, what it costs, who goes where."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from app.drawing.scene import Route
from app.engine.events import Event
from app.engine.ruleset import Beat
from app.rulesets.cohesion.events import (
    Amended,
    AttackDropped,
    Attacked,
    BattleEnded,
    Broke,
    Caught,
    Contested,
    Destroyed,
    Encouraged,
    Lost,
    Moved,
    MoveDropped,
    PhaseBegan,
    Recovered,
    Retreated,
    WithdrawalDropped,
    Withdrew,
)
from app.rulesets.cohesion.evolve import evolve
from app.rulesets.cohesion.state import State

_WORDS = {
    "en": {
        "begin": "turn {turn}",
        "shooting": "turn {turn}: shooting",
        "melee": "turn {turn}: melee",
        "withdrawal": "turn {turn}: withdrawals",
        "movement": "turn {turn}: movement",
        "group": "turn {turn}: movement, speed {speed}",
        "recovery": "turn {turn}: recovery",
        "ruling": "turn {turn}: a ruling of the game master",
        "end": "after turn {turn}",
        "over": "the battle is over",
    },
    "ru": {
        "begin": "ход {turn}",
        "shooting": "ход {turn}: стрельба",
        "melee": "ход {turn}: ближний бой",
        "withdrawal": "ход {turn}: отходы",
        "movement": "ход {turn}: движение",
        "group": "ход {turn}: движение, скорость {speed}",
        "recovery": "ход {turn}: восстановление собранности",
        "ruling": "ход {turn}: решение мастера",
        "end": "после хода {turn}",
        "over": "битва окончена",
    },
}
_WAYS: dict[type[Event], str] = {Moved: "move", Withdrew: "withdraw", Retreated: "retreat"}
_STRIKES = (Attacked, AttackDropped)
_GOING = (Moved, MoveDropped, Withdrew, WithdrawalDropped, Retreated, Contested, Caught)
_SET_OUT, _STRIKE, _COST, _LAST = 1.2, 1.5, 1.5, 2.5
"""Seconds that a beat stands: the turn's beginning, lines of attacks, losses and gains, the end."""


def beats(before: State, events: Sequence[Event], language: str) -> tuple[Beat[State], ...]:
    """The film of one turn, or of what is there of it. Each part begins with `PhaseBegan`."""
    words = _WORDS.get(language, _WORDS["en"])
    turn, state, is_over, place = before.turn, before, False, 0
    shown = [Beat(state=before, caption=words["begin"].format(turn=turn), seconds=_SET_OUT)]
    for part in _parts(events):
        caption = words[_subject(part[0])].format(turn=turn, speed=getattr(part[0], "speed", None))
        shown.extend(_part(state, part, caption, place))
        state, place = evolve(state, part), place + len(part)
        is_over = is_over or any(isinstance(event, BattleEnded) for event in part)
    end = words["over" if is_over else "end"].format(turn=turn)
    return (*shown, Beat(state=state, caption=end, seconds=_LAST))


def _parts(events: Sequence[Event]) -> Iterator[list[Event]]:
    """Phases, groups of movement and rulings, one after the other."""
    part: list[Event] = []
    for event in events:
        begins = isinstance(event, PhaseBegan) or (
            isinstance(event, Amended) and not (part and isinstance(part[0], Amended))
        )
        if begins and part:
            yield part
            part = []
        part.append(event)
    if part:
        yield part


def _subject(first: Event) -> str:
    if isinstance(first, Amended):
        return "ruling"
    if not isinstance(first, PhaseBegan):
        return "begin"
    return "group" if first.phase == "movement" and first.speed is not None else first.phase


def _part(state: State, part: list[Event], caption: str, first: int) -> Iterator[Beat[State]]:
    """`first`: the place of the part's first event in the turn."""
    lines = _lines(state, part)
    strikes, going = _places(part, first, _STRIKES), _places(part, first, _GOING)
    rest = tuple(place for place in range(first, first + len(part)) if place not in {*strikes, *going})
    if lines:
        yield Beat(state=state, caption=caption, routes=lines, seconds=_STRIKE, told=strikes)
    yield from _under_way(state, part, caption, going)
    if isinstance(part[0], Amended):
        yield Beat(state=evolve(state, part), caption=caption, seconds=_COST, told=rest)
        return
    marks = _marks(part)
    if marks:
        before_they_go = evolve(state, [event for event in part if not isinstance(event, Destroyed)])
        yield Beat(state=before_they_go, caption=caption, routes=lines, marks=marks, seconds=_COST, told=rest)


def _places(part: list[Event], first: int, kinds: tuple[type[Event], ...]) -> tuple[int, ...]:
    return tuple(place for place, event in enumerate(part, first) if isinstance(event, kinds))


def _lines(state: State, part: list[Event]) -> tuple[Route, ...]:
    """From each attacker to its target, as they stand when the phase begins."""
    pairs = {
        (event.attacker, event.target, "shot" if event.phase == "shooting" else "melee"): None
        for event in part
        if isinstance(event, Attacked)
    }
    centre = state.board.grid.centre
    return tuple(
        Route(points=(centre(state.units[attacker].at), centre(state.units[target].at)), classes=(kind,))
        for attacker, target, kind in pairs
        if attacker in state.units and target in state.units
    )


def _under_way(state: State, part: list[Event], caption: str, told: tuple[int, ...]) -> Iterator[Beat[State]]:
    """All who go in this part, together; who was caught is marked."""
    caught = {event.unit: ("caught",) for event in part if isinstance(event, Caught)}
    routes, paths = [], {}
    grid = state.board.grid
    for event in part:
        if not isinstance(event, Moved | Withdrew | Retreated) or not event.path:
            continue
        cells = [cell for cell in map(grid.cell, (event.start, *event.path)) if cell is not None]
        routes.append(Route(points=tuple(map(grid.centre, cells)), classes=(_WAYS[type(event)],)))
        paths[event.unit] = event.path
    if paths or caught:
        yield Beat(state=state, caption=caption, routes=tuple(routes), marks=caught, paths=paths, seconds=0.8, told=told)


def _marks(part: list[Event]) -> dict[str, tuple[str, ...]]:
    """What has become of units: struck, fallen, heartened."""
    marks: dict[str, tuple[str, ...]] = {}
    for event in part:
        if isinstance(event, Destroyed):
            marks[event.unit] = (*marks.get(event.unit, ()), "fallen")
        elif isinstance(event, Lost | Broke):
            marks[event.unit] = tuple(dict.fromkeys((*marks.get(event.unit, ()), "struck")))
        elif isinstance(event, Encouraged | Recovered) and event.gain:
            marks[event.unit] = tuple(dict.fromkeys((*marks.get(event.unit, ()), "heartened")))
    return marks


def owners(state: State) -> dict[str, str]:
    """Each unit's seat."""
    return {unit.id: unit.seat for unit in state.units.values()}
