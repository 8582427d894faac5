"""The battle that `fieldpost serve --demo` offers to try: made once, its links printed at every start."""

from __future__ import annotations

import json
import os
from datetime import datetime
from pathlib import Path

from app.config import Settings
from app.referee import battles, scenarios
from app.referee.errors import RefereeError
from app.referee.views import PUBLIC
from app.store.db import Database

SCENARIO = "visage-and-throne"


def links(db: Database, settings: Settings, now: datetime) -> str:
    """The links of the battle to try, made if there is none or if it is over. Its master key lies in the data folder."""
    file = settings.data / "demo.json"
    battle_id, master_key = _kept(db, file, now) or _made(db, file, now)
    seats = battles.seat_keys(db, battle_id, master_key)
    lines = [
        "",
        f"A battle to try: {settings.url}/b/{battle_id}",
        "",
        f"  game master's desk  {settings.url}/k/{master_key}",
    ]
    lines += [f"  {seat:<18}  {settings.url}/k/{key}" for seat, key in seats.items()]
    lines += [
        "",
        "Each link is a key: whoever has it plays that seat. Alone? Open the desk in a private window: a browser that opens",
        "the desk opens a seat only after you have said, before all, that you play it.",
        "",
    ]
    return "\n".join(lines)


def _kept(db: Database, file: Path, now: datetime) -> tuple[str, str] | None:
    try:
        kept = json.loads(file.read_text(encoding="utf-8"))
        battle_id, master_key = str(kept["battle"]), str(kept["master_key"])
        battles.seat_keys(db, battle_id, master_key)
        over = battles.battle(db, battle_id, PUBLIC, now).status == "over"
    except (OSError, ValueError, KeyError, TypeError, RefereeError):
        return None
    return None if over else (battle_id, master_key)


def _made(db: Database, file: Path, now: datetime) -> tuple[str, str]:
    made = battles.create(db, scenario=scenarios.frozen(SCENARIO), now=now)
    text = json.dumps({"battle": made.id, "master_key": made.master_key})
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as out:
        out.write(text)
    return made.id, made.master_key
