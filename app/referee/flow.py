"""How the turns of a battle come out: as soon as all are ready or not, seen by the game master first or not."""

from __future__ import annotations

from datetime import datetime

from app.referee import logbook
from app.referee.access import master_only
from app.referee.errors import RefereeError
from app.referee.rows import change, locked
from app.referee.views import Viewer
from app.store.db import Database


def set_flow(db: Database, battle_id: str, viewer: Viewer, now: datetime, *, early: bool, review: bool) -> None:
    """Holds for every turn that is resolved from now on; a draft that lies under review stays one. Each change is logged
    for all. Raises `RefereeError`: no-battle, not-yours, closed (the battle is over)."""
    with db.write() as session:
        battle = locked(session, battle_id)
        master_only(battle, viewer)
        if battle.status == "over":
            raise RefereeError("closed", current={"turn": battle.turn})
        was, chosen = {"early": battle.early, "review": battle.review}, {"early": early, "review": review}
        if chosen == was:
            return
        change(session, battle, **chosen)
        for name, value in chosen.items():
            if value != was[name]:
                params = {"option": name, "was": was[name], "is": value}
                logbook.note(session, battle_id, battle.turn, "master", "option-set", now, params, by=viewer)
