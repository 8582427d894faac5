"""A step of a duel: an activation, or the reaction that a charge waits for."""

from __future__ import annotations

from collections.abc import Mapping

from app.engine.dice import Dice
from app.engine.events import Event
from app.engine.ruleset import Json, Outcome, Request, Step
from tests.contracts.duel.orders import Activation, Answer, Order, beside, default, landing
from tests.contracts.duel.state import (
    Began,
    Charged,
    Fell,
    Fighter,
    Fled,
    Hurt,
    Moved,
    Omen,
    OmenSpent,
    Paid,
    Passed,
    Reacted,
    Reaction,
    Rolled,
    RoundEnded,
    State,
    StepEnded,
    Won,
    evolve,
)

FACES, HIT = 10, 6
OMEN_FACES, GOOD_OMEN = 8, 7


def setup(scenario: Json) -> Step[State]:
    seats = {seat: told["side"] for seat, told in scenario["contingents"].items()}
    columns, rows = scenario["board"]["size"].split("x")
    fighters = {
        key: Fighter(key, seats[told["contingent"]], told["contingent"], told["at"], told["hits"], told["nerve"])
        for key, told in scenario["units"].items()
    }
    state = State(
        turn=1,
        round=1,
        rounds=scenario["rounds"],
        size=(int(columns), int(rows)),
        seats=seats,
        acting=next(iter(seats)),
        fighters=fighters,
        pool=scenario["pool"],
        pool_size=scenario["pool"],
        passes=0,
        agenda=(),
        omens={},
        points=dict.fromkeys(scenario["sides"], 0),
        goal=scenario["goal"],
        rulings={"reserve": "lost", "counter": "free", **scenario.get("rulings", {})},
    )
    return Step(state, (Began(fighters=tuple(fighters)),))


def requests(state: State) -> tuple[Request, ...]:
    if state.winner is not None:
        return ()
    if state.agenda:
        seat = state.fighters[state.agenda[-1].target].seat
        return (Request(f"{state.turn}:reaction", seat, "reaction", sealed=False, pace="prompt"),)
    return (Request(f"{state.turn}:activation", state.acting, "activation", sealed=False, pace="prompt"),)


class _Telling:
    """The step so far: what was told, and the state that follows from it."""

    def __init__(self, state: State, dice: Dice) -> None:
        self.state = state
        self.dice = dice
        self.events: list[Event] = []

    def tell(self, *events: Event) -> None:
        self.events += events
        self.state = evolve(self.state, events)

    def roll(self, what: str, count: int, sides: int = FACES, seats: tuple[str, ...] = ()) -> tuple[int, ...]:
        address = f"{self.state.turn}/{what}"
        faces = self.dice.roll(address, count, sides)
        if faces:
            self.tell(Rolled(address=address, sides=sides, faces=faces, seats=seats))
        return faces


def advance(state: State, orders: Mapping[str, Order], dice: Dice) -> Step[State]:
    asked = requests(state)
    if not asked:
        return Step(state)
    (request,) = asked
    order = orders.get(request.id) or default(state, request)
    step = _Telling(state, dice)
    if isinstance(order, Answer):
        _react(step, state.agenda[-1], order)
    else:
        _activate(step, request.seat, order)
    _go_on(step)
    return Step(step.state, tuple(step.events))


def outcome(state: State) -> Outcome:
    return Outcome(state.winner, state.points, state.goal)


def _activate(step: _Telling, seat: str, order: Activation) -> None:
    if order.do == "pass":
        step.tell(Passed(seat=seat))
    elif order.do == "move":
        step.tell(Paid(seat=seat, dice=1), Moved(fighter=order.fighter, to=order.to))
    else:
        end = landing(step.state, order.fighter, order.to)
        assert end is not None
        step.tell(Paid(seat=seat, dice=order.dice))
        step.tell(Charged(fighter=order.fighter, target=order.to, to=end, dice=order.dice))


def _react(step: _Telling, charge: Reaction, answer: Answer) -> None:
    attacker, target = step.state.fighters[charge.attacker], step.state.fighters[charge.target]
    step.tell(Reacted(fighter=target.id, way=answer.way))
    dice = charge.dice
    if step.state.omens.get(attacker.side, 0) >= GOOD_OMEN:
        step.tell(OmenSpent(side=attacker.side))
        dice += 1
    free = beside(step.state, target.at) if answer.way == "flee" else []
    if free:
        picked = 0 if len(free) == 1 else step.roll(f"{target.id}/flight", 1, len(free))[0] - 1
        step.tell(Fled(fighter=target.id, to=free[picked]))
        dice = (dice + 1) // 2
    hits = sum(face >= HIT for face in step.roll(f"{attacker.id}/charge", dice))
    if answer.way == "stand" and hits:
        hits -= min(target.nerve or 0, hits - 1)
    back = 0
    if answer.way == "counter":
        paid = min(1, step.state.pool) if step.state.rulings["counter"] == "paid" else 0
        step.tell(Paid(seat=target.seat, dice=paid))
        back = sum(face >= HIT for face in step.roll(f"{target.id}/counter", 1 + paid))
    _hurt(step, target, hits, attacker.side)
    _hurt(step, attacker, back, target.side)


def _hurt(step: _Telling, fighter: Fighter, hits: int, scorer: str) -> None:
    taken = min(hits, fighter.hits)
    if taken:
        step.tell(Hurt(fighter=fighter.id, hits=taken))
    if taken == fighter.hits:
        step.tell(Fell(fighter=fighter.id, scorer=scorer))


def _go_on(step: _Telling) -> None:
    """Whose turn it is next, after whoever has fallen; a new round where this one is over."""
    state = step.state
    winner = _winner(state)
    if winner is None and not state.agenda and (state.pool == 0 or state.passes >= len(_standing(state))):
        left = state.pool if state.rulings["reserve"] == "kept" else 0
        step.tell(RoundEnded(round=state.round, pool=state.pool_size + left))
        if step.state.round > state.rounds:
            best = max(state.points.values())
            leaders = [side for side, points in state.points.items() if points == best]
            winner = leaders[0] if len(leaders) == 1 else "draw"
        else:
            for side in state.points:
                seats = tuple(seat for seat, its in state.seats.items() if its == side)
                (face,) = step.roll(f"{side}/omen", 1, OMEN_FACES, seats)
                step.tell(Omen(side=side, face=face, seats=seats))
    if winner is not None:
        step.tell(Won(winner=winner))
    acting = state.acting if step.state.agenda else _next(state)
    step.tell(StepEnded(turn=step.state.turn, acting=acting))


def _standing(state: State) -> list[str]:
    """Seats that still have fighters, in order."""
    return [seat for seat in state.seats if any(fighter.seat == seat for fighter in state.fighters.values())]


def _next(state: State) -> str:
    """The seat after the one that acts, of those that still have fighters."""
    seats, standing = list(state.seats), _standing(state)
    place = seats.index(state.acting) + 1
    return next((seat for seat in seats[place:] + seats[:place] if seat in standing), state.acting)


def _winner(state: State) -> str | None:
    best = max(state.points.values())
    if best >= state.goal:
        leaders = [side for side, points in state.points.items() if points == best]
        return leaders[0] if len(leaders) == 1 else "draw"
    sides = {fighter.side for fighter in state.fighters.values()}
    if len(sides) > 1:
        return None
    return next(iter(sides), "draw")
