"""Where one talks in a battle: who reads a channel, who writes in it, whom a message can call there.

`public` is read by all. `side/SIDE` is read by that side's seats alone: the game master does not read it, since he may play.
`master/SEAT` is between a seat and the game masters; one who plays in the battle reads none of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.engine.ruleset import Json
from app.referee.errors import RefereeError
from app.referee.masters import FIRST
from app.referee.rows import BattleRow, SeatRow, loads, seat_row, seats
from app.referee.views import MasterView, Viewer
from app.store.models import Account, Battle, Master

Kind = Literal["public", "side", "master"]
KINDS: tuple[Kind, ...] = ("public", "side", "master")
PUBLIC_THREAD = "public"
MASTERS_CALLED = ("game master", "gm", "мастер")
"""By these all game masters of a battle are called."""


@dataclass(frozen=True)
class Where:
    """A channel as somebody names it: `seat`, of the channels to the game masters, whose; else nothing."""

    kind: Kind = "public"
    seat: str | None = None


@dataclass(frozen=True)
class Who:
    """Somebody as messages name him. `key`: `seat/SEAT`, `master/NUMBER`, `account/ID`."""

    key: str
    name: str | None
    side: str | None = None


@dataclass(frozen=True)
class Room:
    """A channel, and the viewer in it. `me` None: somebody without a name of any kind. `members`: the seats that read it;
    `masters`: whether game masters do."""

    kind: Kind
    key: str
    me: Who | None
    may_write: bool
    members: tuple[SeatRow, ...]
    masters: tuple[MasterView, ...]


def room(session: Session, battle: BattleRow, where: Where, viewer: Viewer) -> Room:
    """Raises `RefereeError`: not-yours (it is not the viewer's to read), no-seat."""
    me = who(session, battle, viewer)
    all_seats = seats(session, battle.id)
    masters = tuple(MasterView(*row) for row in session.execute(_masters(battle.id)))
    if where.kind == "public":
        held = me is not None and not me.key.startswith("account/")
        may_write = held or (me is not None and battle.options.open_thread)
        return Room("public", PUBLIC_THREAD, me, may_write, all_seats, masters)
    if me is None or me.key.startswith("account/"):
        raise RefereeError("not-yours")
    if where.kind == "side":
        if me.side is None:
            raise RefereeError("not-yours")
        members = tuple(seat for seat in all_seats if seat.side == me.side)
        return Room("side", f"side/{me.side}", me, True, members, ())
    seat = viewer.seat if me.side is not None else where.seat
    if (me.side is not None and where.seat not in (None, seat)) or (me.side is None and viewer.plays):
        raise RefereeError("not-yours")
    member = seat_row(session, battle.id, seat or "")
    readers = tuple(one for one in masters if not one.plays)
    return Room("master", f"master/{member.seat}", me, True, (member,), readers)


def who(session: Session, battle: BattleRow, viewer: Viewer) -> Who | None:
    """A viewer as he is called in this battle; None: the public, and who belongs to another battle."""
    if viewer.kind == "seat" and viewer.battle_id == battle.id:
        row = seat_row(session, battle.id, viewer.seat or "")
        called = row.holder if viewer.through == "own" else viewer.name or row.holder
        return Who(f"seat/{row.seat}", called, row.side)
    if viewer.kind == "master" and viewer.battle_id == battle.id:
        number = viewer.master or FIRST
        name = session.execute(select(Master.name).where(Master.battle_id == battle.id, Master.number == number))
        return Who(f"master/{number}", name.scalar_one_or_none())
    if viewer.kind == "account" and viewer.account_id is not None:
        known = session.execute(select(Account.name).where(Account.id == viewer.account_id)).scalar_one_or_none()
        return None if known is None else Who(f"account/{viewer.account_id}", known)
    return None


def callable_by(session: Session, battle: BattleRow, room: Room) -> dict[str, tuple[str, ...]]:
    """By name, whom a message of this channel calls with it (`seat/…`, `side/…`, `master/…`, `masters`): nobody who does not
    read the channel."""
    scenario = loads(session.execute(select(Battle.scenario).where(Battle.id == battle.id)).scalar_one())
    found: dict[str, list[str]] = {}

    def name(text: str | None, target: str) -> None:
        if text and text.strip() and target not in found.setdefault(text.strip(), []):
            found[text.strip()].append(target)

    for seat in room.members:
        name(seat.holder, f"seat/{seat.seat}")
        for text in _texts(scenario["contingents"][seat.seat]["name"]):
            name(text, f"seat/{seat.seat}")
    if room.kind != "master":
        for side in dict.fromkeys(seat.side for seat in room.members):
            for text in _texts(scenario["sides"][side]["name"]):
                name(text, f"side/{side}")
    for master in room.masters:
        name(master.name, f"master/{master.number}")
    if room.masters:
        for text in MASTERS_CALLED:
            name(text, "masters")
    return {text: tuple(targets) for text, targets in found.items()}


def answers_to(me: Who | None) -> frozenset[str]:
    """What somebody is called by, of the targets that `callable_by` gives."""
    if me is None:
        return frozenset()
    if me.key.startswith("master/"):
        return frozenset({me.key, "masters"})
    return frozenset({me.key, f"side/{me.side}"}) if me.side is not None else frozenset()


def _texts(name: Json) -> list[str]:
    return [str(text) for text in name.values()] if isinstance(name, dict) else []


def _masters(battle_id: str) -> Any:
    return select(Master.number, Master.name, Master.plays).where(Master.battle_id == battle_id).order_by(Master.number)
