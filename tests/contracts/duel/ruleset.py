"""`duel` as the interface has it, and two scenarios."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from app.drawing.scene import Cell, Counter, Scene, SideMark
from app.engine.events import Event
from app.engine.fields import Fields
from app.engine.ruleset import Carried, Fallen, Json, Problem, Refused, Rest, Ruleset, Ruling, RulingSwitch, Step, Unreadable
from app.scenario.forms import Form
from tests.contracts.duel import orders, play
from tests.contracts.duel.orders import Order
from tests.contracts.duel.state import ANY, Amended, Fell, State, audience, evolve, view

VERSION = "1"
COLOURS = ("#dfe3e6", "#6fae6a", "#dba547")


def amend(state: State, ruling: Ruling) -> Step[State]:
    """Changes: `{fighter, hits}` or `{winner}`."""
    events: list[Event] = []
    for change in ruling.changes:
        match change:
            case {"fighter": str(fighter), "hits": int(hits)} if fighter in state.fighters and 1 <= hits <= 9:
                events.append(Amended(fighter=fighter, hits=hits, reason=ruling.reason))
            case {"winner": winner} if winner in (None, "draw", *state.points):
                events.append(Amended(winner=winner, reason=ruling.reason))
            case _:
                raise Refused([Problem("bad-change")])
    if not events:
        raise Refused([Problem("no-change")])
    return Step(evolve(state, events), tuple(events))


def fallen(before: State, events: Sequence[Event], after: State) -> tuple[Fallen, ...]:
    """Who struck is not told by the events."""
    return tuple(
        Fallen(event.fighter, before.fighters[event.fighter].seat, (), event.scorer, 1)
        for event in events
        if isinstance(event, Fell) and event.fighter not in after.fighters
    )


def carry(state: State, scenario: Json, carried: Sequence[Carried], rest: Rest) -> dict[str, Json | None]:
    """Hits are carried over; nerve, which only its side knows, is the new scenario's."""
    brought: dict[str, Json | None] = {}
    for one in carried:
        form, fighter = scenario["units"][one.place], state.fighters.get(one.unit)
        if fighter is None:
            brought[one.place] = None if one.back is None else {**form, "hits": one.back}
        elif one.back is not None:
            raise Refused([Problem("carry-stands", (one.place,), {"unit": one.unit})])
        else:
            back = max(0, form["hits"] - fighter.hits) // 2 if rest == "half" else 0
            brought[one.place] = {**form, "hits": fighter.hits + back}
    return brought


def scene(seen: State, language: str, scenario: Json) -> Scene:
    board, sides = seen.grid, list(seen.points)
    width, height = board.size
    word = {"en": "nerve", "ru": "выдержка"}[language]
    return Scene(
        title=scenario["title"][language],
        width=width,
        height=height,
        cells=tuple(
            Cell(label=label, centre=board.centre(cell), corners=board.corners(cell), title=label)
            for cell, label in enumerate(board.labels)
        ),
        counters=tuple(
            Counter(
                id=fighter.id,
                cell=fighter.at,
                centre=board.centre(board.cell(fighter.at) or 0),
                code=fighter.id,
                values=str(fighter.hits),
                side_index=sides.index(fighter.side),
                colour=COLOURS[sides.index(fighter.side)],
                title=f"{fighter.id}, {word}: {'?' if fighter.nerve is None else fighter.nerve}",
            )
            for fighter in seen.fighters.values()
        ),
        sides=tuple(
            SideMark(side_index=i, colour=COLOURS[i], text=scenario["sides"][side]["name"][language])
            for i, side in enumerate(sides)
        ),
    )


def dump_state(state: State) -> Json:
    return {"format": VERSION, **msgspec.to_builtins(state)}


def load_state(stored: Json) -> State:
    if not isinstance(stored, dict) or stored.get("format") != VERSION:
        raise Unreadable(f"not a duel of version {VERSION}")
    return _load({key: value for key, value in stored.items() if key != "format"}, State)


def _load(stored: Json, kind: Any) -> Any:
    try:
        return msgspec.json.decode(msgspec.json.encode(stored), type=kind)
    except (msgspec.MsgspecError, ValueError, OverflowError, RecursionError) as bad:
        raise Unreadable(str(bad)) from None


RULESET: Ruleset[State, Order] = Ruleset(
    key="duel",
    version=VERSION,
    switches=(
        RulingSwitch("reserve", ("lost", "kept"), "lost", "ROUND-1"),
        RulingSwitch("counter", ("free", "paid"), "free", "REACT-3"),
    ),
    setup=play.setup,
    requests=play.requests,
    options=orders.options,
    options_json=lambda state, request: msgspec.json.decode(msgspec.json.encode(orders.options(state, request))),
    read=orders.read,
    read_text=orders.read_text,
    write_text=orders.write_text,
    check=orders.check,
    default=orders.default,
    choose=orders.choose,
    advance=play.advance,
    evolve=evolve,
    amend=amend,
    outcome=play.outcome,
    view=view,
    audience=audience,
    scene=scene,
    fallen=fallen,
    carry=carry,
    dump_state=dump_state,
    load_state=load_state,
    dump_order=orders.as_json,
    load_order=lambda stored: _load(stored, Order),
    dump_event=msgspec.to_builtins,
    load_event=lambda stored: _load(stored, ANY),
)


def scenario(*, seats: dict[str, str] | None = None, goal: int = 3, rounds: int = 12) -> Json:
    """A frozen scenario: three sides of a seat each, or `seats` (seat -> side), two fighters a seat."""
    seats = seats or {"ash": "red", "birch": "green", "cedar": "gold"}
    starts = (("C1", "D2"), ("C7", "D7"), ("G4", "G5"), ("A4", "A5"))
    sides = tuple(dict.fromkeys(seats.values()))
    return {
        "format": 1,
        "ruleset": "duel",
        "key": "meadow",
        "title": {"en": "The meadow", "ru": "Луг"},
        "notes": {},
        "goal": goal,
        "rounds": rounds,
        "pool": 6,
        "board": {"size": "7x7", "layout": "flat"},
        "sides": {
            side: {"name": {"en": side.title(), "ru": side.upper()}, "home": "top", "colour": COLOURS[i]}
            for i, side in enumerate(sides)
        },
        "contingents": {seat: {"side": side, "name": {"en": seat, "ru": seat}} for seat, side in seats.items()},
        "units": {
            f"{seat[0].upper()}{number}": {"contingent": seat, "at": cell, "hits": 3, "nerve": number}
            for seat, cells in zip(seats, starts, strict=False)
            for number, cell in enumerate(cells, start=1)
        },
        "rulings": {"reserve": "lost", "counter": "free"},
    }


def checked(_: Fields, read: Mapping[str, Any]) -> tuple[dict[str, Any], dict[int, Any]]:
    """A scenario file of a duel, taken as it is written."""
    return {key: read[key] for key in FILE.keys if key in read}, {}


FILE = Form(
    keys=("goal", "rounds", "pool", "board", "sides", "contingents", "units", "rulings"),
    needed=("rounds", "pool", "board", "sides", "contingents", "units"),
    check=checked,
)
