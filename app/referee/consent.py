"""Letters to addresses that somebody typed, whose owners have not said yes: few, whoever wants them sent."""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime, timedelta

from sqlalchemy import func, or_, select
from sqlalchemy.orm import Session

from app.posting import mail
from app.referee import notices
from app.referee.errors import RefereeError
from app.referee.rows import BattleRow, run
from app.store.models import OUTBOX

MOST_ASKED = 3
"""So many letters that only ask go to one address within a day."""
MOST_ASKING = 12
"""So many go out for one battle, or for one account, within a day."""
DAY = timedelta(days=1)
_O = OUTBOX.c


def ask(
    session: Session,
    subscription_id: int,
    address: str,
    now: datetime,
    *,
    battle: BattleRow | None,
    account: int | None = None,
) -> None:
    """May notices be sent there? For a battle, or (None) for all that an account holds.
    Raises `RefereeError("too-often")`."""
    whose = f"ask/{digest(address)}/" + (f"of-{account}/" if battle is None else "")
    recent = select(func.count()).select_from(OUTBOX).where(_O.created_at > now - DAY)
    mine = _O.key.like(f"n/%/ask/%/of-{account}/%") if battle is None else _O.battle_id == battle.id
    of_one = run(session, recent.where(_O.key.like("%/ask/%"), mine)).scalar_one()
    if is_flooded(session, address, now) or of_one >= MOST_ASKING:
        raise RefereeError("too-often", params={"seconds": int(DAY.total_seconds())})
    key, turn = whose + secrets.token_hex(4), None if battle is None else battle.turn
    notices.write(session, subscription_id, "confirm", now, due=now, battle=battle, turn=turn, facts={}, key=key)


def is_flooded(session: Session, address: str, now: datetime) -> bool:
    """Whether an address has been asked often enough for a day, of notices or of an account."""
    asked = or_(_O.key.like(f"n/%/ask/{digest(address)}/%"), _O.key.like(f"entry/{digest(address)}/%"))
    recent = select(func.count()).select_from(OUTBOX).where(_O.created_at > now - DAY, asked)
    return bool(run(session, recent).scalar_one() >= MOST_ASKED)


def digest(address: str) -> str:
    """Of an address, for the keys of letters to it: another spelling of its local part's case is the same."""
    found = mail.address(address) or address
    return hashlib.sha256(found.lower().encode()).hexdigest()[:32]
