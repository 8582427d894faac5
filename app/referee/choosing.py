"""A side chooses its contingents among itself: whoever was accepted to it claims some; two may want the same, until one
yields; when all agree, the game master says so, or the time for it is over, the seats are given. Seen by the side alone, and
the game masters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import delete, insert, select, update
from sqlalchemy.orm import Session

from app.referee import askingrows, clock, granting, logbook, notices, openings
from app.referee.access import master_only
from app.referee.askingrows import Asker
from app.referee.errors import RefereeError
from app.referee.openings import Opening
from app.referee.rows import BattleRow, battle_row, change, locked, run, seats
from app.referee.views import Viewer
from app.store.db import Database
from app.store.models import ASKINGS, CLAIMS, SWAPS


@dataclass(frozen=True)
class Member:
    """One of a side that chooses. `claims`: in order of place."""

    id: int
    name: str
    agreed: bool
    claims: tuple[str, ...]


@dataclass(frozen=True)
class Proposal:
    """Two claims are to be exchanged: `of` would have `seat`, and `to` have `other`, which are the other's now."""

    id: int
    by: int
    to: int
    seat: str
    other: str


@dataclass(frozen=True)
class Table:
    """What a side has on its table. `most`: so many seats may one of them claim. `contested`: claimed by more than one."""

    side: str
    seats: tuple[str, ...]
    members: tuple[Member, ...]
    proposals: tuple[Proposal, ...]
    settle_by: datetime | None

    @property
    def most(self) -> int:
        return max(1, len(self.seats) - len(self.members) + 1)

    @property
    def contested(self) -> tuple[str, ...]:
        return tuple(seat for seat in self.seats if sum(seat in member.claims for member in self.members) > 1)


def table(db: Database, asker: Asker, battle_id: str | None = None) -> Table | None:
    """Of the side that he was accepted to, while it chooses; None: there is nothing to choose for him.
    Raises `RefereeError("no-asking")`."""
    with db.read() as session:
        row = askingrows.row_of(session, asker, battle_id)
        battle = battle_row(session, row.battle_id)
        opening = openings.opening_of(session, battle.id)
        if row.status != "accepted" or row.side is None or not openings.is_choosing(battle, opening, row.side):
            return None
        return _table(session, battle, opening, row.side)


def tables(db: Database, battle_id: str, viewer: Viewer) -> tuple[Table, ...]:
    """Of every side that chooses; none for a game master who plays himself. Raises `RefereeError`: no-battle, not-yours."""
    with db.read() as session:
        battle = battle_row(session, battle_id)
        master_only(battle, viewer)
        if viewer.plays:
            return ()
        opening = openings.opening_of(session, battle_id)
        return tuple(_table(session, battle, opening, side) for side in _choosing(session, battle, opening))


def claim(db: Database, asker: Asker, seat: str, now: datetime, *, battle_id: str | None = None) -> None:
    """He would have this contingent. Raises `RefereeError`: no-asking, not-choosing, no-seat (not open on his side),
    claims-enough."""
    with db.write() as session:
        row, seen = _at_table(session, asker, battle_id)
        if seat not in seen.seats:
            raise RefereeError("no-seat")
        mine = _member(seen, row.id)
        if seat in mine.claims:
            return
        if len(mine.claims) >= seen.most:
            raise RefereeError("claims-enough", params={"most": seen.most})
        run(session, insert(CLAIMS).values(asking_id=row.id, seat=seat, claimed_at=now))
        askingrows.disagree(session, row.battle_id, seen.side)


def give_way(db: Database, asker: Asker, seat: str, *, battle_id: str | None = None) -> None:
    """He claims it no more. Raises `RefereeError`: no-asking, not-choosing."""
    with db.write() as session:
        row, seen = _at_table(session, asker, battle_id)
        _drop(session, row.id, seat)
        askingrows.disagree(session, row.battle_id, seen.side)


def agree(db: Database, asker: Asker, now: datetime, *, is_agreed: bool, battle_id: str | None = None) -> bool:
    """He agrees to the claims as they stand, or takes that back. True: he was the last, and the side has settled.
    Raises `RefereeError`: no-asking, not-choosing, contested."""
    with db.write() as session:
        row, seen = _at_table(session, asker, battle_id)
        if is_agreed and seen.contested:
            raise RefereeError("contested")
        run(session, update(ASKINGS).where(ASKINGS.c.id == row.id).values(agreed=is_agreed))
        if not is_agreed or not all(member.agreed for member in seen.members if member.id != row.id):
            return False
        settle(session, locked(session, row.battle_id), (seen.side,), now, who="seat")
        return True


def say_so(db: Database, battle_id: str, viewer: Viewer, side: str, now: datetime) -> None:
    """The game master settles a side as it stands. Raises `RefereeError`: no-battle, not-yours, not-choosing."""
    with db.write() as session:
        battle = locked(session, battle_id)
        master_only(battle, viewer)
        if side not in _choosing(session, battle, openings.opening_of(session, battle_id)):
            raise RefereeError("not-choosing")
        settle(session, battle, (side,), now, who="master", by=viewer)


def propose(
    db: Database, asker: Asker, seat: str, to: int, other: str, now: datetime, *, battle_id: str | None = None
) -> None:
    """His claim on `seat` for the claim of `to` on `other`. Raises `RefereeError`: no-asking, not-choosing, no-swap (one of
    them does not claim that)."""
    with db.write() as session:
        row, seen = _at_table(session, asker, battle_id)
        theirs = next((member.claims for member in seen.members if member.id == to), ())
        if to == row.id or seat == other or seat not in _member(seen, row.id).claims or other not in theirs:
            raise RefereeError("no-swap")
        mine = (SWAPS.c.battle_id == row.battle_id, SWAPS.c.by_asking == row.id)
        run(session, delete(SWAPS).where(*mine))  # one proposal at a time
        values = {"battle_id": row.battle_id, "seat": seat, "other": other, "by_asking": row.id, "to_asking": to}
        run(session, insert(SWAPS).values(**values, generation=0, other_generation=0, fresh=False, proposed_at=now))


def answer(db: Database, asker: Asker, proposal: int, now: datetime, *, accepts: bool, battle_id: str | None = None) -> None:
    """An exchange of claims is taken or declined by whom it was proposed to, or taken back by who proposed it.
    Raises `RefereeError`: no-asking, not-choosing, no-swap (it is none any more)."""
    with db.write() as session:
        row, seen = _at_table(session, asker, battle_id)
        found = next((p for p in seen.proposals if p.id == proposal and row.id in (p.by, p.to)), None)
        if found is None or (accepts and row.id != found.to):
            raise RefereeError("no-swap")
        run(session, delete(SWAPS).where(SWAPS.c.id == found.id))
        if not accepts:
            return
        by, to = _member(seen, found.by), _member(seen, found.to)
        if found.seat not in by.claims or found.other not in to.claims:
            raise RefereeError("no-swap")
        for who, old, new in ((by, found.seat, found.other), (to, found.other, found.seat)):
            _drop(session, who.id, old)
            if new not in who.claims:
                run(session, insert(CLAIMS).values(asking_id=who.id, seat=new, claimed_at=now))
        askingrows.disagree(session, row.battle_id, seen.side)


def settle(
    session: Session,
    battle: BattleRow,
    sides: tuple[str, ...],
    now: datetime,
    *,
    who: logbook.Who,
    by: Viewer | None = None,
) -> None:
    """Seats are given as they are claimed, in the caller's transaction: of two who claim the same, to who did first; who has
    no claim gets the first of what is left. The battle goes on, if it has waited for this side last."""
    opening = openings.opening_of(session, battle.id)
    for side in sides:
        rows = {row.id: row for row in askingrows.members(session, battle.id, side)}
        for seat, asking in shared_out(session, battle, opening, side).items():
            granting.give(session, battle, rows[asking], seat, now, who=who, by=by)
        run(session, delete(SWAPS).where(SWAPS.c.battle_id == battle.id, SWAPS.c.by_asking.in_(list(rows))))
        logbook.note(session, battle.id, battle.turn, who, "side-settled", now, {"side": side}, by=by)
        notices.tell(session, battle, "side-settled", now, key=f"side-settled/{side}/{battle.version}")
    left = openings.opening_of(session, battle.id)
    openings.keep(session, battle.id, replace(left, settled=(*left.settled, *sides)), now)
    still = [side for side in _choosing(session, battle, left) if side not in sides]
    if battle.status == "paused" and opening.waits and not still:
        clock.resume(session, battle, now, now, who="clock")
    else:
        change(session, battle)


def shared_out(session: Session, battle: BattleRow, opening: Opening, side: str) -> Mapping[str, int]:
    """Who gets which seat of a side as its claims stand. Seats that nobody claims stay open, once everybody has one."""
    pool = openings.pool(session, battle, opening, side)
    rows = askingrows.members(session, battle.id, side)
    found: dict[str, int] = {}
    for row in _claims(session, [member.id for member in rows]):
        if row.seat in pool:
            found.setdefault(row.seat, row.asking_id)
    without = [member.id for member in rows if member.id not in found.values()]
    for seat in reversed(tuple(found)):  # whoever came since must have one: the last of several claims gives way
        if len(pool) - len(found) >= len(without):
            break
        if list(found.values()).count(found[seat]) > 1:
            del found[seat]
    left = [seat for seat in pool if seat not in found]
    return found | dict(zip(left, without, strict=False))


def due(session: Session, battle: BattleRow, now: datetime) -> tuple[str, ...]:
    """The sides whose time to choose is over: by the time set for it, or because the first turn is due or was resolved."""
    opening = openings.opening_of(session, battle.id)
    if battle.status == "over" or not opening.choosing:
        return ()
    if battle.turn > 1 or battle.status == "review":
        sides = dict.fromkeys(row.side for row in seats(session, battle.id) if row.side not in opening.settled)
        return tuple(side for side in sides if askingrows.members(session, battle.id, side))
    is_due = battle.status == "open" and battle.deadline is not None and battle.deadline <= now
    if not is_due and (opening.settle_by is None or opening.settle_by > now):
        return ()
    return _choosing(session, battle, opening)


def _choosing(session: Session, battle: BattleRow, opening: Opening) -> tuple[str, ...]:
    """The sides that have something to choose, in order of place."""
    found = dict.fromkeys(row.side for row in seats(session, battle.id) if row.seat in opening.seats)
    return tuple(side for side in found if openings.is_choosing(battle, opening, side))


def _table(session: Session, battle: BattleRow, opening: Opening, side: str) -> Table:
    pool = openings.pool(session, battle, opening, side)
    rows = askingrows.members(session, battle.id, side)
    claims = _claims(session, [row.id for row in rows])
    proposed = select(SWAPS).where(SWAPS.c.battle_id == battle.id, SWAPS.c.by_asking.in_([row.id for row in rows]))
    return Table(
        side=side,
        seats=pool,
        members=tuple(
            Member(row.id, row.name, row.agreed, tuple(s for s in pool if (row.id, s) in {(c[0], c[1]) for c in claims}))
            for row in rows
        ),
        proposals=tuple(
            Proposal(row.id, row.by_asking, row.to_asking, row.seat, row.other)
            for row in run(session, proposed.order_by(SWAPS.c.id))
        ),
        settle_by=opening.settle_by,
    )


def _claims(session: Session, askers: list[int]) -> list[Any]:
    """The oldest first."""
    columns = select(CLAIMS.c.asking_id, CLAIMS.c.seat, CLAIMS.c.claimed_at).where(CLAIMS.c.asking_id.in_(askers))
    return list(run(session, columns.order_by(CLAIMS.c.claimed_at, CLAIMS.c.asking_id)))


def _at_table(session: Session, asker: Asker, battle_id: str | None) -> tuple[Any, Table]:
    row, battle = askingrows.held(session, asker, battle_id)
    opening = openings.opening_of(session, battle.id)
    if row.status != "accepted" or row.side is None or not openings.is_choosing(battle, opening, row.side):
        raise RefereeError("not-choosing")
    return row, _table(session, battle, opening, row.side)


def _member(seen: Table, asking: int) -> Member:
    return next(member for member in seen.members if member.id == asking)


def _drop(session: Session, asking: int, seat: str) -> None:
    """A claim, and what was proposed with it."""
    run(session, delete(CLAIMS).where(CLAIMS.c.asking_id == asking, CLAIMS.c.seat == seat))
    his = (SWAPS.c.by_asking == asking) & (SWAPS.c.seat == seat)
    asked = (SWAPS.c.to_asking == asking) & (SWAPS.c.other == seat)
    run(session, delete(SWAPS).where(his | asked))
