"""All that can happen under `cohesion`. Cells are labels; every loss names its rule; nothing here is prose."""

from __future__ import annotations

from typing import Any, Literal

from app.engine.events import Event
from app.rulesets.cohesion.state import Phase, Power


def _tag(name: str) -> str:
    """`PhaseBegan` -> `phase-began`."""
    return "".join(f"-{c.lower()}" if c.isupper() else c for c in name).lstrip("-")


class CohesionEvent(Event, frozen=True, kw_only=True, tag=_tag, tag_field="event", gc=False):
    pass


class BattleBegan(CohesionEvent, frozen=True, kw_only=True):
    units: tuple[str, ...]


class TurnBegan(CohesionEvent, frozen=True, kw_only=True):
    turn: int


class OrdersFilled(CohesionEvent, frozen=True, kw_only=True):
    """ORDER-6: a silent unit was given what the ruling says; `melee` is its target if it fights."""

    unit: str
    melee: str | None = None
    rule: str = "ORDER-6"


class PhaseBegan(CohesionEvent, frozen=True, kw_only=True):
    """`speed` and `length`: the group of the movement phase (MOVE-2) or the speed of the withdrawals (WITHDRAW-5)."""

    phase: Phase
    speed: int | None = None
    length: int | None = None


class Rolled(CohesionEvent, frozen=True, kw_only=True):
    """Dice at an address, in order of rolling. `subject` is a unit, or a cell in a contest."""

    address: str
    purpose: Literal["attack", "reroll", "section", "contest", "retreat", "withdraw"]
    subject: str
    faces: tuple[int, ...]
    sides: int = 6


class Attacked(CohesionEvent, frozen=True, kw_only=True):
    """One attack read off its dice (ATTACK-1 to ATTACK-8), before losses are capped and taken off.

    `mode`: how the dice were read; `counts`: which thresholds; `modifiers`: the rules that changed dice or reading, in
    order. `faces` are the dice that were read, after re-rolls (0: a die that missed before its re-roll).
    """

    phase: Phase
    attacker: str
    target: str
    power: Power
    mode: Literal["equal", "terrifying", "reroll"]
    counts: Literal["both", "second"]
    dice: int
    first: int
    second: int
    cohesion: int
    strength: int
    faces: tuple[int, ...] = ()
    modifiers: tuple[str, ...] = ()
    rule: str = "ATTACK-2"


class AttackDropped(CohesionEvent, frozen=True, kw_only=True):
    """ORDER-4, MELEE-2, ATTACK-1. `reason`: `no-dice`, `attacker-gone`, `attacker-uncontrolled`, `orders-lost` (LOSS-5: it
    broke and was encouraged again), `target-gone`; where the board was corrected after the orders were sealed, also
    `cannot-shoot`, `shooting-on-the-move`, `enemies-adjacent`, `out-of-range`, `no-line-of-sight`, `cannot-fight`,
    `not-adjacent`."""

    phase: Phase
    attacker: str
    target: str
    reason: str
    rule: str


class Lost(CohesionEvent, frozen=True, kw_only=True):
    """What came off a unit, all attacks of the phase together, capped at what it had (LOSS-1, ATTACK-7).
    `upper` and `lower` say where a type with sections lost its strength."""

    unit: str
    phase: Phase
    strength: int = 0
    cohesion: int = 0
    upper: int = 0
    lower: int = 0
    by: tuple[str, ...] = ()
    rule: str = "LOSS-1"


class Destroyed(CohesionEvent, frozen=True, kw_only=True):
    """LOSS-2, POINTS-1: the unit leaves the board and `scorer` gets its value."""

    unit: str
    cell: str
    phase: Phase
    scorer: str
    value: int
    rule: str = "LOSS-2"


class Broke(CohesionEvent, frozen=True, kw_only=True):
    """LOSS-3: cohesion fell from above 0 to 0, the rest of the orders is lost."""

    unit: str
    phase: Phase
    rule: str = "LOSS-3"


class Encouraged(CohesionEvent, frozen=True, kw_only=True):
    """LOSS-4: a point of cohesion gained for a fallen enemy. `gain` is 0 at the maximum.
    `returned`: LOSS-5, the unit itself had fallen in this phase and is controlled again."""

    unit: str
    fallen: str
    gain: int
    struck: bool = False
    returned: bool = False
    rule: str = "LOSS-4"


class Withdrew(CohesionEvent, frozen=True, kw_only=True):
    """WITHDRAW-2, WITHDRAW-4: the cells entered. `named`: the cell of the order, when it is not the last one."""

    unit: str
    start: str
    path: tuple[str, ...]
    named: str | None = None
    rule: str = "WITHDRAW-4"


class WithdrawalDropped(CohesionEvent, frozen=True, kw_only=True):
    """`reason`: `gone`, `orders-lost`, `blocked` (no way back, or the first step was lost), `cannot` (its type does
    not withdraw: another unit under its id)."""

    unit: str
    reason: str
    rule: str


class Contested(CohesionEvent, frozen=True, kw_only=True):
    """MOVE-5: units of a group that came for one cell, sorted by id, and who got in."""

    cell: str
    units: tuple[str, ...]
    winner: str
    rule: str = "MOVE-5"


class Moved(CohesionEvent, frozen=True, kw_only=True):
    """A move as it came off: the cells entered, held or passed over. `ordered`: the path as ordered, if longer.

    `stopped`: None if it came off whole, else `blocked`, `contest`, `cut` (MOVE-1), `held-back` (PR), `room` (it was
    blocked while it passed over another unit, and stands where it last could). `by`: the unit in the way, or the cell.
    """

    unit: str
    start: str
    path: tuple[str, ...]
    ordered: tuple[str, ...] = ()
    stopped: str | None = None
    by: str | None = None
    rule: str = "MOVE-4"


class MoveDropped(CohesionEvent, frozen=True, kw_only=True):
    """A move that did not begin. `reason`: `orders-lost`, `not-adjacent` (MOVE-1), `no-speed`, `blocked` (`by`: a unit, or
    the cell that cannot be entered), `contest` (`by`: the cell). What is caught is told by `Caught`."""

    unit: str
    ordered: tuple[str, ...]
    reason: str
    by: str | None = None
    rule: str = "MOVE-8"


class Caught(CohesionEvent, frozen=True, kw_only=True):
    """MOVE-7 (ROUT-4 for a retreat): the move of `unit` is lost; `ordered` is its path."""

    unit: str
    by: str
    retreating: bool = False
    ordered: tuple[str, ...] = ()
    rule: str = "MOVE-7"


class Retreated(CohesionEvent, frozen=True, kw_only=True):
    """ROUT-1 to ROUT-3: the cells entered (none: it stood still) and the steps owed by its speed. A `Lost` event takes
    off the strength for those it did not make. `reason`: None, `edge`, `blocked`, `contest`, `caught`."""

    unit: str
    start: str
    path: tuple[str, ...]
    speed: int
    reason: str | None = None
    rule: str = "ROUT-2"


class Recovered(CohesionEvent, frozen=True, kw_only=True):
    """RECOVER-1: cohesion gained from the friends beside it."""

    unit: str
    gain: int
    by: tuple[str, ...]
    rule: str = "RECOVER-1"


class TurnEnded(CohesionEvent, frozen=True, kw_only=True):
    turn: int


class BattleEnded(CohesionEvent, frozen=True, kw_only=True):
    """WIN-1, WIN-2. `winner`: a side or `draw`."""

    winner: str
    points: dict[str, int]
    phase: Phase
    rule: str = "WIN-1"


class Amended(CohesionEvent, frozen=True, kw_only=True):
    """The game master's correction of one thing: `target` names it (`unit`, `points`, `winner`, `terrain`), `before`
    and `after` are its JSON; None: it was not there, or is no more. `dice`: those of the address `key` were rolled again,
    with these faces before and after; what came of it the turn itself has told already."""

    target: Literal["unit", "points", "winner", "terrain", "dice"]
    key: str
    before: Any = None
    after: Any = None
    reason: str = ""
    rule: str | None = None


AnyEvent = (
    BattleBegan
    | TurnBegan
    | OrdersFilled
    | PhaseBegan
    | Rolled
    | Attacked
    | AttackDropped
    | Lost
    | Destroyed
    | Broke
    | Encouraged
    | Withdrew
    | WithdrawalDropped
    | Contested
    | Moved
    | MoveDropped
    | Caught
    | Retreated
    | Recovered
    | TurnEnded
    | BattleEnded
    | Amended
)
