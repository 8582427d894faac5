"""Who may do what."""

from __future__ import annotations

from app.referee.errors import RefereeError
from app.referee.rows import BattleRow
from app.referee.views import Viewer


def is_master(battle: BattleRow, viewer: Viewer) -> bool:
    """One of the battle's game masters, whether his key says so or his account does (`accounts.acting`)."""
    return viewer.kind == "master" and viewer.battle_id == battle.id


def is_judge(battle: BattleRow, viewer: Viewer) -> bool:
    """A game master who does not play himself: nothing is kept from him once a turn is resolved."""
    return is_master(battle, viewer) and not viewer.plays


def is_seat(battle: BattleRow, viewer: Viewer, seat: str) -> bool:
    return viewer.kind == "seat" and viewer.battle_id == battle.id and viewer.seat == seat


def seat_of(battle: BattleRow, viewer: Viewer) -> str | None:
    """The seat that a viewer holds in this battle, if any."""
    return viewer.seat if viewer.kind == "seat" and viewer.battle_id == battle.id else None


def master_only(battle: BattleRow, viewer: Viewer) -> None:
    """Raises `RefereeError("not-yours")`."""
    if not is_master(battle, viewer):
        raise RefereeError("not-yours")


def judge_only(battle: BattleRow, viewer: Viewer) -> None:
    """Raises `RefereeError`: not-yours, plays-himself."""
    master_only(battle, viewer)
    if viewer.plays:
        raise RefereeError("plays-himself", current={"turn": battle.turn})


def seat_or_master(battle: BattleRow, viewer: Viewer, seat: str) -> str:
    """`seat` or `master`: who acts for the seat. Raises `RefereeError("not-yours")`."""
    if is_seat(battle, viewer, seat):
        return "seat"
    master_only(battle, viewer)
    return "master"


def holder_or_master(battle: BattleRow, viewer: Viewer, seat: str) -> str:
    """The same for what outlasts a deputy's time: neither he nor one who shares the seat may do it."""
    who = seat_or_master(battle, viewer, seat)
    if who == "seat" and viewer.through != "own":
        raise RefereeError("not-yours")
    return who
