"""A tiny ruleset for the referee's tests: each seat guesses a number, a die decides, a side with `goal` points wins.

Its scenario says how it is played: `together` (sealed, deadline), `prompt` (sealed, resolved when all have answered),
`by-turns` (one seat after the other, prompt). Each seat has a pocket that only it may see.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

import msgspec

from app.drawing.scene import Scene
from app.engine.dice import Dice
from app.engine.events import Event
from app.engine.ruleset import Fault, Json, Outcome, Pick, Problem, Refused, Request, Ruleset, Ruling, RulingSwitch, Step


class State(msgspec.Struct, frozen=True):
    turn: int
    mode: Literal["together", "prompt", "by-turns"]
    goal: int
    seats: dict[str, str]
    points: dict[str, int]
    pockets: dict[str, int]
    winner: str | None = None
    idle: tuple[str, ...] = ()


class Guess(msgspec.Struct, frozen=True):
    number: int


class GuessingEvent(Event, frozen=True, kw_only=True, tag=str.lower, tag_field="event"):
    pass


class Guessed(GuessingEvent, frozen=True, kw_only=True):
    seat: str
    number: int | None
    face: int
    scorer: str | None


class Pocketed(GuessingEvent, frozen=True, kw_only=True):
    seat: str
    face: int


class Won(GuessingEvent, frozen=True, kw_only=True):
    winner: str


class Amended(GuessingEvent, frozen=True, kw_only=True):
    points: dict[str, int]
    winner: str | None = None


class Again(GuessingEvent, frozen=True, kw_only=True):
    address: str
    before: tuple[int, ...]
    after: tuple[int, ...]


class TurnEnded(GuessingEvent, frozen=True, kw_only=True):
    turn: int


ANY = Guessed | Pocketed | Won | Amended | Again | TurnEnded


def setup(scenario: Json) -> Step[State]:
    seats = {seat: told["side"] for seat, told in scenario["contingents"].items()}
    state = State(
        turn=1,
        mode=scenario.get("mode", "together"),
        goal=scenario["goal"],
        seats=seats,
        points=dict.fromkeys(scenario["sides"], 0),
        pockets=dict.fromkeys(seats, 0),
        idle=tuple(scenario.get("idle", ())),
    )
    return Step(state, (TurnEnded(turn=0),))


def requests(state: State) -> tuple[Request, ...]:
    if state.winner is not None:
        return ()
    asked = [seat for seat in state.seats if seat not in state.idle]
    if state.mode == "by-turns":
        seat = asked[(state.turn - 1) % len(asked)]
        return (Request(f"{state.turn}:{seat}", seat, "guess", sealed=False, pace="prompt"),)
    pace: Literal["deadline", "prompt"] = "prompt" if state.mode == "prompt" else "deadline"
    return tuple(Request(seat, seat, "guess", pace=pace) for seat in asked)


def read(state: State, request: Request, fields: Json) -> Guess:
    if not isinstance(fields, dict) or set(fields) - {"number"} or type(fields.get("number")) is not int:
        raise Refused([Problem("not-a-guess", ("number",))])
    return Guess(fields["number"])


def read_text(state: State, request: Request, text: str) -> Guess:
    if not text.isdecimal():
        raise Refused(faults=[Fault("not-a-number", 1, 1, text[:20])])
    return Guess(int(text))


def check(state: State, request: Request, guess: Guess) -> tuple[Problem, ...]:
    found = []
    if not 1 <= guess.number <= 6:
        found.append(Problem("out-of-range", ("number",), {"number": guess.number}))
        found.append(Problem("and-more", ("number",)))
    if guess.number == 6:
        found.append(Problem("too-easy", ("number",), warning=True))
    return tuple(found)


def advance(state: State, orders: Mapping[str, Guess], dice: Dice) -> Step[State]:
    events: list[Event] = []
    for request in requests(state):
        (face,) = dice.roll(f"{state.turn}/{request.seat}/guess", 1)
        guess = orders.get(request.id)
        scorer = state.seats[request.seat] if guess is not None and guess.number >= face else None
        events.append(Guessed(seat=request.seat, number=guess.number if guess else None, face=face, scorer=scorer))
        events.append(Pocketed(seat=request.seat, face=face))
    after = evolve(state, events)
    best = max(after.points.values())
    if best >= state.goal:
        leaders = [side for side, points in after.points.items() if points == best]
        events.append(Won(winner=leaders[0] if len(leaders) == 1 else "draw"))
    events.append(TurnEnded(turn=state.turn))
    return Step(evolve(state, events), tuple(events))


def evolve(state: State, events: Iterable[Event]) -> State:
    turn, winner, points, pockets = state.turn, state.winner, dict(state.points), dict(state.pockets)
    for event in events:
        match event:
            case Guessed(scorer=str(scorer)):
                points[scorer] += 1
            case Pocketed():
                pockets[event.seat] += event.face
            case Won():
                winner = event.winner
            case Amended():
                points.update(event.points)
                winner = event.winner
            case TurnEnded():
                turn = event.turn + 1
    return msgspec.structs.replace(state, turn=turn, winner=winner, points=points, pockets=pockets)


def amend(state: State, ruling: Ruling) -> Step[State]:
    events = []
    for change in ruling.changes:
        if not isinstance(change, dict) or set(change.get("points", {})) - set(state.points):
            raise Refused([Problem("bad-change"), Problem("and-more")])
        events.append(Amended(points=change.get("points", {}), winner=change.get("winner")))
    return Step(evolve(state, events), tuple(events))


def undo(before: State, event: Event, now: State) -> tuple[Json, ...]:
    if not isinstance(event, Guessed) or event.scorer is None:
        raise Refused([Problem("nothing-came-of-it")])
    return ({"points": {event.scorer: now.points[event.scorer] - 1}, "winner": now.winner},)


def view(state: State, seat: str | None) -> State:
    return msgspec.structs.replace(state, pockets={s: v for s, v in state.pockets.items() if s == seat})


def options(state: State, request: Request) -> tuple[int, ...]:
    return (1, 2, 3, 4, 5, 6)


def choose(state: State, request: Request, pick: Pick) -> Guess:
    return Guess(pick(6) + 1)


def scene(view: State, language: str, scenario: Json) -> Scene:
    raise NotImplementedError("nothing here draws guesses")


RULESET: Ruleset[State, Guess] = Ruleset(
    key="guessing",
    version="1",
    switches=(RulingSwitch("ties", ("draw", "on"), "draw", "G-1"), RulingSwitch("dice", ("fair", "kind"), "fair", "G-2")),
    setup=setup,
    requests=requests,
    options=options,
    options_json=lambda state, request: [{"id": "number", "options": list(options(state, request))}],
    read=read,
    read_text=read_text,
    write_text=lambda state, request, guess, language: str(guess.number),
    check=check,
    default=lambda state, request: Guess(1),
    choose=choose,
    doctrines=("low", "high"),
    doctrine=lambda state, request, name, given: given or Guess(1 if name == "low" else 6),
    advance=advance,
    evolve=evolve,
    amend=amend,
    undo=undo,
    reroll=lambda address, before, after, ruling: Again(address=address, before=tuple(before), after=tuple(after)),
    tally=lambda state, request, guess: (int(guess is not None), 1),
    outcome=lambda state: Outcome(state.winner, state.points, state.goal),
    view=view,
    audience=lambda event: frozenset({event.seat}) if isinstance(event, Pocketed) else None,
    scene=scene,
    dump_state=lambda state: msgspec.json.decode(msgspec.json.encode(state)),
    load_state=lambda stored: msgspec.convert(stored, State),
    dump_order=msgspec.to_builtins,
    load_order=lambda stored: msgspec.convert(stored, Guess),
    dump_event=msgspec.to_builtins,
    load_event=lambda stored: msgspec.convert(stored, ANY),
)


def scenario(mode: str = "together", *, goal: int = 100, seats: int = 3, **more: Any) -> Json:
    """A frozen scenario: seats A, B, C … of the sides red and blue, by turns."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[:seats]
    return {
        "format": 1,
        "ruleset": "guessing",
        "key": "guess",
        "title": {"en": "A guess", "ru": "Догадка"},
        "goal": goal,
        "mode": mode,
        "sides": {
            "red": {"name": {"en": "Red", "ru": "Красные"}, "home": "top", "colour": "#c00"},
            "blue": {"name": {"en": "Blue", "ru": "Синие"}, "home": "bottom", "colour": "#00c"},
        },
        "contingents": {
            seat: {"side": ("red", "blue")[place % 2], "name": {"en": f"Seat {seat}", "ru": f"Место {seat}"}}
            for place, seat in enumerate(letters)
        },
        "rulings": {"ties": "draw", "dice": "fair"},
        **more,
    }
