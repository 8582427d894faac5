"""What the verbs of campaigns need of the tables: a campaign's row, who leads it, its log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import insert, select, update
from sqlalchemy.orm import Session

from app.engine.ruleset import Json
from app.referee.errors import RefereeError
from app.referee.rows import dumps, is_storable, loads
from app.referee.views import Viewer
from app.store.models import Campaign, CampaignBattle, CampaignLog

CODES: Mapping[str, tuple[str, ...]] = {
    "made": (),
    "described": (),
    "titled": ("was", "is"),
    "sides-set": (),
    "joined": ("battle", "title"),
    "removed": ("battle", "title"),
    "arranged": ("battle", "title"),
    "master-added": ("master",),
    "master-removed": ("master",),
    "ruled": ("subject", "changes", "reason"),
}
"""What is logged, and the parameters of each."""


@dataclass(frozen=True)
class CampaignRow:
    id: str
    title: str
    description: Mapping[str, str]
    sides: Mapping[str, Json]
    version: int
    created_at: datetime


def campaign_row(session: Session, campaign_id: str, *, lock: bool = False) -> CampaignRow:
    """Raises `RefereeError("no-campaign")`."""
    columns = select(
        Campaign.id, Campaign.title, Campaign.description, Campaign.sides, Campaign.version, Campaign.created_at
    ).where(Campaign.id == campaign_id)
    query = columns.with_for_update() if lock else columns
    row = session.execute(query).one_or_none() if is_storable(campaign_id) else None
    if row is None:
        raise RefereeError("no-campaign")
    return CampaignRow(row.id, row.title, loads(row.description), loads(row.sides), row.version, row.created_at)


def mine(session: Session, campaign_id: str, viewer: Viewer) -> CampaignRow:
    """The campaign, held until the transaction ends, for who leads it."""
    campaign = campaign_row(session, campaign_id, lock=True)
    if viewer.kind != "campaign" or viewer.campaign_id != campaign.id:
        raise RefereeError("not-yours")
    return campaign


def changed(session: Session, campaign: CampaignRow, **values: Any) -> None:
    """Compare-and-swap, as of a battle."""
    as_read = (Campaign.id == campaign.id, Campaign.version == campaign.version)
    done = update(Campaign).where(*as_read).values(version=campaign.version + 1, **values)
    if session.execute(done.execution_options(synchronize_session=False)).rowcount != 1:  # type: ignore[attr-defined]
        raise RefereeError("stale")


def battle_ids(session: Session, campaign_id: str) -> list[str]:
    query = select(CampaignBattle.battle_id).where(CampaignBattle.campaign_id == campaign_id)
    return list(session.execute(query.order_by(CampaignBattle.place)).scalars())


def note(
    session: Session, campaign_id: str, viewer: Viewer, what: str, now: datetime, params: Mapping[str, Json] | None = None
) -> None:
    told = dict(params or {})
    if tuple(told) != CODES[what]:
        raise ValueError(f"{what} is logged with {CODES[what]}, not with {tuple(told)}")
    line = {"campaign_id": campaign_id, "at": now, "name": viewer.name, "what": what, "params": dumps(told)}
    session.execute(insert(CampaignLog).values(line))
