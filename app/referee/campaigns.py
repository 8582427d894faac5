"""Campaigns: several battles under one name. Made, described, and led by game masters of their own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import delete, func, insert, select, update

from app.referee import keys, names
from app.referee.campaignrows import battle_ids, changed, mine, note
from app.referee.errors import RefereeError
from app.referee.rows import change, dumps, is_storable, locked
from app.referee.views import Viewer
from app.store.db import Database
from app.store.models import Campaign, CampaignMaster

MOST_MASTERS = 12
DESCRIPTION_MAX = 20_000
LANGUAGES = ("en", "ru")


@dataclass(frozen=True)
class NewCampaign:
    """The only time that its key is told."""

    id: str
    key: str


def create(
    db: Database,
    *,
    title: str,
    now: datetime,
    description: Mapping[str, str] | None = None,
    name: str = "",
    account_id: int | None = None,
) -> NewCampaign:
    """A campaign without battles. `name`: of its game master.
    Raises `RefereeError`: bad-title, bad-description, bad-name."""
    campaign_id, key = names.new_id(), keys.new_key()
    values = {
        "id": campaign_id,
        "title": names.title(title),
        "description": dumps(_description(description or {})),
        "sides": "{}",
        "version": 1,
        "created_at": now,
    }
    first = _master_values(campaign_id, 1, names.holder(name) if name.strip() else None, key, now)
    with db.write() as session:
        session.execute(insert(Campaign).values(values))
        session.execute(insert(CampaignMaster).values(**first, account_id=account_id))
        note(session, campaign_id, Viewer("campaign", name=first["name"]), "made", now)
    return NewCampaign(campaign_id, key)


def acting(db: Database, account: Viewer, campaign_id: str) -> Viewer | None:
    """The account as a game master of the campaign, if it is one."""
    if account.kind != "account" or not is_storable(campaign_id):
        return None
    query = select(CampaignMaster.campaign_id, CampaignMaster.number, CampaignMaster.name, CampaignMaster.account_id)
    found = query.where(CampaignMaster.campaign_id == campaign_id, CampaignMaster.account_id == account.account_id)
    with db.read() as session:
        row = session.execute(found.order_by(CampaignMaster.number).limit(1)).one_or_none()
    return None if row is None else keys.campaign_viewer(row)


def describe(
    db: Database, campaign_id: str, viewer: Viewer, *, title: str, description: Mapping[str, str], now: datetime
) -> None:
    """Raises `RefereeError`: no-campaign, not-yours, bad-title, bad-description."""
    called, told = names.title(title), _description(description)
    with db.write() as session:
        campaign = mine(session, campaign_id, viewer)
        if called != campaign.title:
            note(session, campaign_id, viewer, "titled", now, {"was": campaign.title, "is": called})
            for battle_id in battle_ids(session, campaign_id):
                change(session, locked(session, battle_id))
        if told != campaign.description:
            note(session, campaign_id, viewer, "described", now)
        changed(session, campaign, title=called, description=dumps(told))


def add_master(db: Database, campaign_id: str, viewer: Viewer, name: str, now: datetime) -> str:
    """Ask somebody to help: his own key, told this once.
    Raises `RefereeError`: no-campaign, not-yours, bad-name, name-taken (another looks the same), too-many."""
    called, key = names.holder(name), keys.new_key()
    with db.write() as session:
        campaign = mine(session, campaign_id, viewer)
        others = select(CampaignMaster.name).where(CampaignMaster.campaign_id == campaign_id)
        names.told_apart(called, session.execute(others).scalars())
        here = select(func.count(), func.coalesce(func.max(CampaignMaster.number), 0))
        count, last = session.execute(here.where(CampaignMaster.campaign_id == campaign_id)).one()
        if count >= MOST_MASTERS:
            raise RefereeError("too-many", params={"most": MOST_MASTERS})
        session.execute(insert(CampaignMaster).values(_master_values(campaign_id, last + 1, called, key, now)))
        changed(session, campaign)
        note(session, campaign_id, viewer, "master-added", now, {"master": called})
    return key


def remove_master(db: Database, campaign_id: str, viewer: Viewer, number: int, now: datetime) -> None:
    """His key stops working at once; who made the campaign stays. Raises `RefereeError`: no-campaign, not-yours, no-page."""
    with db.write() as session:
        campaign = mine(session, campaign_id, viewer)
        gone = (CampaignMaster.campaign_id == campaign_id, CampaignMaster.number == number, CampaignMaster.number != 1)
        name = session.execute(select(CampaignMaster.name).where(*gone)).one_or_none()
        if name is None:
            raise RefereeError("no-page")
        session.execute(delete(CampaignMaster).where(*gone))
        changed(session, campaign)
        note(session, campaign_id, viewer, "master-removed", now, {"master": name[0]})


def keep(db: Database, campaign_id: str, viewer: Viewer, account: Viewer | None) -> None:
    """The desk becomes the account's as well (None: nobody's); the link goes on working.
    Raises `RefereeError`: no-campaign, not-yours, seat-taken (another account's)."""
    with db.write() as session:
        campaign = mine(session, campaign_id, viewer)
        own = (CampaignMaster.campaign_id == campaign_id, CampaignMaster.number == viewer.master)
        held = session.execute(select(CampaignMaster.account_id).where(*own)).scalar_one()
        new = account.account_id if account is not None else None
        if new is not None and held not in (None, new):
            raise RefereeError("seat-taken")
        kept = update(CampaignMaster).where(*own).values(account_id=new)
        session.execute(kept.execution_options(synchronize_session=False))
        changed(session, campaign)


def _master_values(campaign_id: str, number: int, name: str | None, key: str, now: datetime) -> dict[str, Any]:
    hashed = keys.key_hash(key)
    return {"campaign_id": campaign_id, "number": number, "name": name, "key_hash": hashed, "added_at": now}


def _description(given: Mapping[str, str]) -> dict[str, str]:
    return {
        language: text for language in LANGUAGES if (text := names.description(given.get(language, ""), DESCRIPTION_MAX))
    }
