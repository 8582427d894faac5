"""The battles of a campaign, its sides, and what its game masters add to the standings.

A battle belongs to one campaign at most, and joins by the word of both: its own game master and the campaign's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.orm import Session

from app.engine.ruleset import Json
from app.referee import logbook, names
from app.referee.access import is_master
from app.referee.campaignrows import battle_ids, campaign_row, changed, mine, note
from app.referee.campaigns import LANGUAGES
from app.referee.errors import RefereeError
from app.referee.rows import battle_row, change, dumps, loads, locked
from app.referee.views import Viewer
from app.store.db import Database
from app.store.models import Battle, CampaignBattle, CampaignRuling

MOST_BATTLES = 100
MOST_SIDES = 12
ADDED_MAX = 999
COUNTED = ("won", "drawn", "lost", "made", "given", "destroyed", "fallen")
"""The numbers of the standings to which a ruling may add."""
_SIDE = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,29}")
_COLOUR = re.compile(r"#(?:[0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})")


def add_battle(
    db: Database, campaign_id: str, viewer: Viewer, battle_id: str, battle_viewer: Viewer, *, now: datetime, label: str = ""
) -> None:
    """A battle joins at the end: `viewer` leads the campaign, `battle_viewer` the battle. Its sides count for the campaign's
    of the same keys; a campaign that has no sides yet takes over the battle's.
    Raises `RefereeError`: no-campaign, no-battle, not-yours, in-campaign, bad-name, too-many."""
    called = names.holder(label) if label.strip() else ""
    with db.write() as session:
        campaign = mine(session, campaign_id, viewer)
        battle = locked(session, battle_id)
        if not is_master(battle, battle_viewer):
            raise RefereeError("not-yours")
        if session.execute(select(CampaignBattle.place).where(CampaignBattle.battle_id == battle_id)).first() is not None:
            raise RefereeError("in-campaign")
        here = select(func.count(), func.coalesce(func.max(CampaignBattle.place), 0))
        count, last = session.execute(here.where(CampaignBattle.campaign_id == campaign_id)).one()
        if count >= MOST_BATTLES:
            raise RefereeError("too-many", params={"most": MOST_BATTLES})
        theirs = loads(session.execute(select(Battle.scenario).where(Battle.id == battle_id)).scalar_one())["sides"]
        sides = dict(campaign.sides) or {
            side: {"name": dict(form["name"]), "colour": form["colour"]}
            for side, form in list(theirs.items())[:MOST_SIDES]
            if _SIDE.fullmatch(side)
        }
        session.execute(
            insert(CampaignBattle).values(
                battle_id=battle_id,
                campaign_id=campaign_id,
                place=last + 1,
                label=called,
                sides=dumps({side: side for side in theirs if side in sides}),
                added_at=now,
            )
        )
        told = {"campaign": campaign_id, "title": campaign.title}
        logbook.note(session, battle_id, battle.turn, "master", "joined-campaign", now, told, by=battle_viewer)
        change(session, battle)
        changed(session, campaign, sides=dumps(sides))
        note(session, campaign_id, viewer, "joined", now, {"battle": battle_id, "title": battle.title})


def has_room(db: Database, campaign_id: str, label: str) -> None:
    """Before a battle is made for it: one more can join under this label. Raises `RefereeError`: no-campaign, bad-name,
    too-many."""
    if label.strip():
        names.holder(label)
    with db.read() as session:
        campaign_row(session, campaign_id)
        if len(battle_ids(session, campaign_id)) >= MOST_BATTLES:
            raise RefereeError("too-many", params={"most": MOST_BATTLES})


def remove_battle(db: Database, campaign_id: str, viewer: Viewer, battle_id: str, now: datetime) -> None:
    """The battle goes on by itself, outside. Raises `RefereeError`: no-campaign, no-battle, not-yours."""
    with db.write() as session:
        campaign = mine(session, campaign_id, viewer)
        _joined(session, campaign_id, battle_id)
        battle = locked(session, battle_id)
        session.execute(delete(CampaignBattle).where(CampaignBattle.battle_id == battle_id))
        told = {"campaign": campaign_id, "title": campaign.title}
        logbook.note(session, battle_id, battle.turn, "master", "left-campaign", now, told, by=viewer)
        change(session, battle)
        changed(session, campaign)
        note(session, campaign_id, viewer, "removed", now, {"battle": battle_id, "title": battle.title})


def arrange(
    db: Database,
    campaign_id: str,
    viewer: Viewer,
    battle_id: str,
    *,
    now: datetime,
    label: str,
    place: int,
    sides: Mapping[str, str],
) -> None:
    """A battle's label (empty: none), its place from 1 among the others, and which side of the campaign each of its sides
    counts for. Raises `RefereeError`: no-campaign, no-battle, not-yours, bad-name, bad-sides."""
    called = names.holder(label) if label.strip() else ""
    with db.write() as session:
        campaign = mine(session, campaign_id, viewer)
        _joined(session, campaign_id, battle_id)
        battle = battle_row(session, battle_id)
        theirs = loads(session.execute(select(Battle.scenario).where(Battle.id == battle_id)).scalar_one())["sides"]
        if not set(sides) <= set(theirs) or not set(sides.values()) <= set(campaign.sides):
            raise RefereeError("bad-sides", params={"most": MOST_SIDES})
        order = [other for other in battle_ids(session, campaign_id) if other != battle_id]
        order.insert(max(0, place - 1), battle_id)
        for number, other in enumerate(order, start=1):
            _set_battle(session, other, place=number)
        _set_battle(session, battle_id, label=called, sides=dumps({side: sides[side] for side in theirs if side in sides}))
        changed(session, campaign)
        note(session, campaign_id, viewer, "arranged", now, {"battle": battle_id, "title": battle.title})


def set_sides(db: Database, campaign_id: str, viewer: Viewer, sides: Mapping[str, Json], now: datetime) -> None:
    """Key -> `name` by language and `colour`, in their order; they replace what was there, and battles' sides that were
    counted for one that is gone count for nobody. Raises `RefereeError`: no-campaign, not-yours, bad-sides."""
    made = _sides(sides)
    with db.write() as session:
        campaign = mine(session, campaign_id, viewer)
        if dumps(made) == dumps(campaign.sides):
            return
        rows = select(CampaignBattle.battle_id, CampaignBattle.sides).where(CampaignBattle.campaign_id == campaign_id)
        for battle_id, mapped in session.execute(rows).all():
            kept = {side: to for side, to in loads(mapped).items() if to in made}
            _set_battle(session, battle_id, sides=dumps(kept))
        changed(session, campaign, sides=dumps(made))
        note(session, campaign_id, viewer, "sides-set", now)


def rule(
    db: Database,
    campaign_id: str,
    viewer: Viewer,
    *,
    kind: str,
    subject: str,
    changes: Mapping[str, int],
    reason: str,
    now: datetime,
) -> None:
    """Add to the standings of a side (its key) or a commander (his name), for a reason that all can read.
    Raises `RefereeError`: no-campaign, not-yours, bad-standing, bad-ruling (the reason)."""
    why = names.reason(reason)
    added = {name: number for name, number in changes.items() if number}
    if not added or not set(added) <= set(COUNTED) or any(abs(number) > ADDED_MAX for number in added.values()):
        raise RefereeError("bad-standing", params={"most": ADDED_MAX})
    with db.write() as session:
        campaign = mine(session, campaign_id, viewer)
        if kind == "commander":
            subject = names.holder(subject)
        elif kind != "side" or subject not in campaign.sides:
            raise RefereeError("bad-standing", params={"most": ADDED_MAX})
        session.execute(
            insert(CampaignRuling).values(
                campaign_id=campaign_id,
                kind=kind,
                subject=subject,
                changes=dumps(added),
                reason=why,
                by=viewer.name,
                made_at=now,
            )
        )
        changed(session, campaign)
        note(session, campaign_id, viewer, "ruled", now, {"subject": subject, "changes": added, "reason": why})


def _set_battle(session: Session, battle_id: str, **values: Any) -> None:
    set_so = update(CampaignBattle).where(CampaignBattle.battle_id == battle_id).values(**values)
    session.execute(set_so.execution_options(synchronize_session=False))


def _joined(session: Session, campaign_id: str, battle_id: str) -> None:
    if battle_id not in battle_ids(session, campaign_id):
        raise RefereeError("no-battle")


def _sides(given: Mapping[str, Json]) -> dict[str, Json]:
    wrong = RefereeError("bad-sides", params={"most": MOST_SIDES})
    if len(given) > MOST_SIDES:
        raise wrong
    made = {}
    for key, form in given.items():
        if not _SIDE.fullmatch(key) or key == "draw" or not _COLOUR.fullmatch(form["colour"]):
            raise wrong
        name = {language: names.holder(form["name"].get(language) or "") for language in LANGUAGES}
        made[key] = {"name": name, "colour": form["colour"]}
    return made
