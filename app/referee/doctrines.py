"""Standing doctrine: what a seat does while it is silent, sealed like orders, followed only where the battle allows it."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from app.engine.ruleset import Json, Request
from app.referee import logbook, proof
from app.referee.access import in_seat, is_seat, master_only, seat_of
from app.referee.errors import RefereeError
from app.referee.rows import BattleRow, battle_row, change, locked, run, seat_row
from app.referee.silence import set_seat
from app.referee.views import Viewer
from app.referee.working import follow
from app.store.db import Database
from app.store.models import SEATS

_S = SEATS.c
_STANDING = (
    select(_S.seat, _S.doctrine, _S.doctrine_nonce, _S.doctrine_digest)
    .where(_S.battle_id == bindparam("battle"), _S.doctrine.is_not(None))
    .order_by(_S.seat)
)


@dataclass(frozen=True)
class Standing:
    """A doctrine with its seal: the digest is of `proof.doctrine`."""

    seat: str
    doctrine: str
    nonce: str
    digest: str

    def json(self) -> Json:
        return {"seat": self.seat, "doctrine": self.doctrine, "nonce": self.nonce, "digest": self.digest}


def choose(db: Database, battle_id: str, seat: str, viewer: Viewer, name: str | None, now: datetime) -> None:
    """What the seat does from now on while it is silent; None: what the ruling says. The holder's to say, or of a seat that
    has none the game master's. All see that there is one, by its seal, and nobody which.
    Raises `RefereeError`: no-battle, no-seat, not-yours, closed (the battle is over), bad-request (no such doctrine)."""
    with db.write() as session:
        battle = locked(session, battle_id)
        row = seat_row(session, battle_id, seat)
        if not in_seat(session, battle, viewer, seat, now, through=("own", "shared")):
            master_only(battle, viewer)
            if row.vacant_at is None:
                raise RefereeError("not-yours")
        if battle.status == "over":
            raise RefereeError("closed", current={"turn": battle.turn})
        if name is not None and name not in battle.ruleset.doctrines:
            raise RefereeError("bad-request")
        change(session, battle)
        keep(session, battle, seat, name)
        if viewer.kind == "master":
            logbook.note(session, battle_id, battle.turn, "master", "doctrine-on-behalf", now, {"seat": seat}, by=viewer)


def keep(session: Session, battle: BattleRow, seat: str, name: str | None) -> None:
    """In the caller's transaction; with a seal of its own."""
    if name is None:
        set_seat(session, battle.id, seat, doctrine=None, doctrine_nonce=None, doctrine_digest=None)
        return
    nonce = secrets.token_hex(16)
    digest = proof.digest(proof.doctrine(battle=battle.sealed_as, doctrine=name, nonce=nonce, seat=seat))
    set_seat(session, battle.id, seat, doctrine=name, doctrine_nonce=nonce, doctrine_digest=digest)


def own(db: Database, battle_id: str, seat: str, viewer: Viewer) -> Standing | None:
    """A seat's own doctrine. Raises `RefereeError`: no-battle, no-seat, not-yours (the game master too)."""
    with db.read() as session:
        battle = battle_row(session, battle_id)
        seat_row(session, battle_id, seat)
        if not is_seat(battle, viewer, seat):
            raise RefereeError("not-yours")
        return standing(session, battle, viewer).get(seat)


def standing(session: Session, battle: BattleRow, reader: Viewer | Literal["resolution"]) -> dict[str, Standing]:
    """The one function that reads doctrines: the resolution all, a seat its own. What was followed stands with its turn."""
    found = {row.seat: Standing(*row) for row in run(session, _STANDING, battle=battle.id)}
    if isinstance(reader, str):
        return found
    return {seat: one for seat, one in found.items() if seat == seat_of(battle, reader)}


def fill(
    session: Session, battle: BattleRow, state: Any, requests: Mapping[str, Request], orders: Mapping[str, Any]
) -> tuple[Mapping[str, Any], list[Standing]]:
    """The orders of a resolution, filled in by the doctrines of the silent, and which of these were followed."""
    if not battle.options.doctrine or battle.ruleset.doctrine is None:
        return orders, []
    known = {seat: one for seat, one in standing(session, battle, "resolution").items() if seat in requests}
    filled = follow(battle.ruleset, state, orders, {seat: one.doctrine for seat, one in known.items()})
    followed = [one for seat, one in sorted(known.items()) if filled.get(requests[seat].id) != orders.get(requests[seat].id)]
    return filled, followed


def read(text: str | None) -> list[Json]:
    """What stands in `Turn.doctrines`."""
    return [] if text is None else list(json.loads(text))
