"""The turn, phase by phase, in the order of the rules (section 4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from app.engine.dice import Dice
from app.engine.events import Event
from app.engine.ruleset import Outcome, Step
from app.rulesets.cohesion.events import OrdersFilled, TurnBegan, TurnEnded
from app.rulesets.cohesion.melee import fight
from app.rulesets.cohesion.movement import move
from app.rulesets.cohesion.orderform import silent_orders
from app.rulesets.cohesion.orders import Sheet
from app.rulesets.cohesion.recovery import recover
from app.rulesets.cohesion.shooting import shoot
from app.rulesets.cohesion.state import State
from app.rulesets.cohesion.turn import Turn
from app.rulesets.cohesion.withdrawal import withdraw


def advance(state: State, orders: Mapping[str, Sheet], dice: Dice) -> Step[State]:
    """One turn, from sealed orders (by seat) to the next turn or the end of the battle. A unit without an order is dealt
    with by the ruling `missing-orders` (ORDER-6). Orders are trusted to have passed `check`; what a correction of the
    board has made impossible since is dropped (ORDER-4). Raises `DiceError` where scripted dice run out."""
    if state.winner is not None:
        return Step(state)
    turn = Turn(state, orders, dice)
    turn.tell(TurnBegan(turn=turn.number))
    speak_for_the_silent(turn)
    for phase in PHASES:
        phase(turn)
        if turn.is_over:
            break
    else:
        turn.tell(TurnEnded(turn=turn.number))
    return Step(turn.draft.frozen(), tuple(turn.events))


def speak_for_the_silent(turn: Turn) -> None:
    """ORDER-6: units that were given no order hold, or fight, as the ruling `missing-orders` has it."""
    if len(turn.orders) + len(turn.shaken) == len(turn.units):
        return
    silent = silent_orders(turn.draft.state, turn.orders)
    for unit_id in sorted(silent):
        turn.tell(OrdersFilled(unit=unit_id, melee=silent[unit_id].melee))
    turn.orders = dict(sorted((turn.orders | silent).items()))


def shooting(turn: Turn) -> None:
    shoot(turn)
    turn.check_victory("shooting")


def melee(turn: Turn) -> None:
    """Melee and the withdrawals after it are one phase for WIN-1."""
    fight(turn)
    withdraw(turn)
    turn.check_victory("melee")


PHASES: Final[tuple[Callable[[Turn], None], ...]] = (shooting, melee, move, recover)
"""`move` looks for a victor after each of its groups; in the recovery nobody scores."""


def outcome(state: State) -> Outcome:
    return Outcome(winner=state.winner, points=dict(state.points), goal=state.goal)


def audience(_event: Event) -> frozenset[str] | None:
    """Everybody is told everything: nothing on this field is hidden."""
    return None
