"""The words of `cohesion`: a table, kind of event -> the function that tells it."""

from __future__ import annotations

from app.reports.cohesion.amended import amended
from app.reports.cohesion.attacks import attack_dropped, attacked
from app.reports.cohesion.losses import broke, destroyed, encouraged, lost, recovered
from app.reports.cohesion.moves import (
    caught,
    contested,
    move_dropped,
    moved,
    retreated,
    withdrawal_dropped,
    withdrew,
)
from app.reports.cohesion.summary import headline
from app.reports.cohesion.turn import (
    battle_began,
    battle_ended,
    leftover,
    orders_filled,
    phase_began,
    rolled,
    turn_began,
    turn_ended,
)
from app.reports.telling import Teller
from app.rulesets.cohesion import events
from app.rulesets.cohesion.evolve import evolve

TELLER = Teller(
    ruleset="cohesion",
    words={
        events.BattleBegan: battle_began,
        events.TurnBegan: turn_began,
        events.OrdersFilled: orders_filled,
        events.PhaseBegan: phase_began,
        events.Rolled: rolled,
        events.Attacked: attacked,
        events.AttackDropped: attack_dropped,
        events.Lost: lost,
        events.Destroyed: destroyed,
        events.Broke: broke,
        events.Encouraged: encouraged,
        events.Withdrew: withdrew,
        events.WithdrawalDropped: withdrawal_dropped,
        events.Contested: contested,
        events.Moved: moved,
        events.MoveDropped: move_dropped,
        events.Caught: caught,
        events.Retreated: retreated,
        events.Recovered: recovered,
        events.TurnEnded: turn_ended,
        events.BattleEnded: battle_ended,
        events.Amended: amended,
    },
    evolve=evolve,
    headline=headline,
    leftover=leftover,
)
