"""Whether a battle has changed since it was looked at: for whoever keeps what he has drawn of it."""

from __future__ import annotations

from sqlalchemy import select

from app.referee.errors import RefereeError
from app.referee.rows import is_storable
from app.store.db import Database
from app.store.models import Battle


def version(db: Database, battle_id: str) -> int:
    """The number that every turn, publication, ruling and deadline of a battle raises; sheets alone do not.
    Raises `RefereeError("no-battle")`."""
    found = None
    if is_storable(battle_id):
        with db.read() as session:
            found = session.execute(select(Battle.version).where(Battle.id == battle_id)).scalar_one_or_none()
    if found is None:
        raise RefereeError("no-battle")
    return found
