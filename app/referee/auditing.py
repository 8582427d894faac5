"""What was published, played over again by the house: a record that does not hold is found before a reader finds it."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select

from app.referee import publication, verification
from app.referee.records import Finding
from app.referee.views import PUBLIC
from app.store.db import Database
from app.store.models import Turn


def published_since(db: Database, since: datetime) -> tuple[str, ...]:
    """The battles in which a turn was published after a moment."""
    query = select(Turn.battle_id).where(Turn.published_at > since).distinct().order_by(Turn.battle_id)
    with db.read() as session:
        return tuple(session.execute(query).scalars())


def audit(db: Database, battle_id: str) -> tuple[Finding, ...]:
    """What does not hold in the published records of a battle, as everybody reads them; empty: all holds.
    Raises `RefereeError("no-battle")`."""
    query = select(Turn.turn).where(Turn.battle_id == battle_id, Turn.published_at.is_not(None)).order_by(Turn.turn)
    with db.read() as session:
        turns = session.execute(query).scalars().all()
    records = [publication.record(db, battle_id, turn, PUBLIC) for turn in turns]
    found = [finding for record in records for finding in verification.verify(record)]
    return tuple(finding for finding in (*found, *verification.verify_chain(records)) if not finding.holds)
