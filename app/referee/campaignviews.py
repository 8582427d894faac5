"""A campaign as all may see it: its battles, standings, rulings, game masters, log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import case, func, select
from sqlalchemy.orm import Session

from app.engine.ruleset import Json
from app.referee import standings
from app.referee.campaignrows import campaign_row
from app.referee.rows import is_storable, loads
from app.referee.standings import Added, Commander, Counted, Score, Standing
from app.referee.views import Texts
from app.rulesets.registry import RULESETS
from app.store.db import Database
from app.store.models import Battle, Campaign, CampaignBattle, CampaignLog, CampaignMaster, CampaignRuling, Seat


@dataclass(frozen=True)
class CampaignSide:
    key: str
    name: Texts
    colour: str


@dataclass(frozen=True)
class JoinedBattle:
    """A battle of a campaign. `counts_as`: a side of the battle -> a side of the campaign. `side_names`: of the battle's."""

    id: str
    title: str
    scenario_title: Texts
    place: int
    label: str
    ruleset: str
    status: str
    turn: int
    deadline: datetime | None
    zone: str
    version: int
    created_at: datetime
    winner: str | None
    points: Mapping[str, int]
    side_names: Mapping[str, Texts]
    counts_as: Mapping[str, str]

    @property
    def is_playable(self) -> bool:
        """Whether this server has its rules. If not, only what stands here can be told of it."""
        return self.ruleset in RULESETS


@dataclass(frozen=True)
class CampaignMasterView:
    number: int
    name: str | None


@dataclass(frozen=True)
class CampaignRulingView:
    id: int
    kind: str
    subject: str
    changes: Mapping[str, int]
    reason: str
    by: str | None
    made_at: datetime


@dataclass(frozen=True)
class CampaignLogLine:
    at: datetime
    name: str | None
    what: str
    params: Mapping[str, Any]


@dataclass(frozen=True)
class CampaignView:
    """`tells_units`: whether any of its battles' rules tells who fell to whom."""

    id: str
    title: str
    description: Texts
    version: int
    created_at: datetime
    sides: tuple[CampaignSide, ...]
    battles: tuple[JoinedBattle, ...]
    masters: tuple[CampaignMasterView, ...]
    rulings: tuple[CampaignRulingView, ...]
    by_side: tuple[Standing, ...]
    by_commander: tuple[Standing, ...]
    tells_units: bool


@dataclass(frozen=True)
class CampaignLine:
    """One line of a list of campaigns."""

    id: str
    title: str
    battles: int
    under_way: int


def campaign(db: Database, campaign_id: str) -> CampaignView:
    """Raises `RefereeError("no-campaign")`."""
    with db.read() as session:
        row = campaign_row(session, campaign_id)
        battles = _battles(session, campaign_id)
        held = _commanders(session, [battle.id for battle in battles])
        masters = session.execute(
            select(CampaignMaster.number, CampaignMaster.name)
            .where(CampaignMaster.campaign_id == campaign_id)
            .order_by(CampaignMaster.number)
        ).all()
        rulings = _rulings(session, campaign_id)
    counted = [
        Counted(standings.facts(db, battle.id, battle.version), battle.counts_as, held.get(battle.id, ()))
        for battle in battles
    ]
    added = [Added(ruling.kind, ruling.subject, Score(**ruling.changes), ruling.reason) for ruling in rulings]
    return CampaignView(
        id=row.id,
        title=row.title,
        description=row.description,
        version=row.version,
        created_at=row.created_at,
        sides=tuple(CampaignSide(key, form["name"], form["colour"]) for key, form in row.sides.items()),
        battles=battles,
        masters=tuple(CampaignMasterView(number, name) for number, name in masters),
        rulings=rulings,
        by_side=tuple(standings.by_side(row.sides, counted, added)),
        by_commander=tuple(standings.by_commander(counted, added)),
        tells_units=any(battle.facts.tells_units for battle in counted),
    )


def mark(db: Database, campaign_id: str) -> int:
    """A number that changes with all that a campaign's page shows. Raises `RefereeError("no-campaign")`."""
    with db.read() as session:
        row = campaign_row(session, campaign_id)
        versions = session.execute(
            select(Battle.id, Battle.version)
            .join(CampaignBattle, CampaignBattle.battle_id == Battle.id)
            .where(CampaignBattle.campaign_id == campaign_id)
            .order_by(CampaignBattle.place)
        ).all()
    return hash((row.version, *(tuple(pair) for pair in versions)))


def listing(db: Database, *, limit: int = 20) -> tuple[CampaignLine, ...]:
    """Campaigns that have a battle, newest first."""
    under_way = func.sum(case((Battle.status == "over", 0), else_=1))
    query = (
        select(Campaign.id, Campaign.title, func.count(), under_way)
        .join(CampaignBattle, CampaignBattle.campaign_id == Campaign.id)
        .join(Battle, Battle.id == CampaignBattle.battle_id)
        .group_by(Campaign.id, Campaign.title, Campaign.created_at)
        .order_by(Campaign.created_at.desc(), Campaign.id)
        .limit(limit)
    )
    with db.read() as session:
        return tuple(CampaignLine(*row) for row in session.execute(query).all())


def of_battle(db: Database, battle_id: str) -> tuple[str, str, str] | None:
    """The campaign to which a battle belongs: its id, its title, the battle's label."""
    if not is_storable(battle_id):
        return None
    query = (
        select(Campaign.id, Campaign.title, CampaignBattle.label)
        .join(CampaignBattle, CampaignBattle.campaign_id == Campaign.id)
        .where(CampaignBattle.battle_id == battle_id)
    )
    with db.read() as session:
        row = session.execute(query).one_or_none()
    return None if row is None else (row[0], row[1], row[2])


def held_by(db: Database, account_id: int | None) -> tuple[tuple[str, str], ...]:
    """The campaigns that an account leads: id and title, newest first."""
    query = (
        select(Campaign.id, Campaign.title)
        .join(CampaignMaster, CampaignMaster.campaign_id == Campaign.id)
        .where(CampaignMaster.account_id == account_id, CampaignMaster.account_id.is_not(None))
        .order_by(Campaign.created_at.desc(), Campaign.id)
    )
    with db.read() as session:
        return tuple((row[0], row[1]) for row in session.execute(query).all())


def log(db: Database, campaign_id: str) -> tuple[CampaignLogLine, ...]:
    """Everything that its game masters did, oldest first. Raises `RefereeError("no-campaign")`."""
    with db.read() as session:
        campaign_row(session, campaign_id)
        query = select(CampaignLog.at, CampaignLog.name, CampaignLog.what, CampaignLog.params)
        rows = session.execute(query.where(CampaignLog.campaign_id == campaign_id).order_by(CampaignLog.id)).all()
    return tuple(CampaignLogLine(at, name, what, loads(params)) for at, name, what, params in rows)


def _battles(session: Session, campaign_id: str) -> tuple[JoinedBattle, ...]:
    query = (
        select(
            Battle.id,
            Battle.title,
            Battle.scenario,
            CampaignBattle.place,
            CampaignBattle.label,
            Battle.ruleset,
            Battle.status,
            Battle.turn,
            Battle.deadline,
            Battle.zone,
            Battle.version,
            Battle.created_at,
            Battle.winner,
            Battle.points,
            CampaignBattle.sides,
        )
        .join(Battle, Battle.id == CampaignBattle.battle_id)
        .where(CampaignBattle.campaign_id == campaign_id)
        .order_by(CampaignBattle.place)
    )
    return tuple(_battle(row._asdict()) for row in session.execute(query).all())


def _battle(row: dict[str, Any]) -> JoinedBattle:
    scenario: Json = loads(row.pop("scenario"))
    counts_as = loads(row.pop("sides"))
    names = {side: form["name"] for side, form in scenario["sides"].items()}
    row["points"] = loads(row["points"])
    return JoinedBattle(**row, scenario_title=scenario["title"], side_names=names, counts_as=counts_as)


def _commanders(session: Session, battles: list[str]) -> dict[str, tuple[Commander, ...]]:
    query = select(Seat.battle_id, Seat.seat, Seat.holder, Seat.account_id)
    named = query.where(Seat.battle_id.in_(battles), Seat.holder.is_not(None)).order_by(Seat.battle_id, Seat.place)
    found: dict[str, tuple[Commander, ...]] = {}
    for battle_id, seat, holder, account in session.execute(named).all():
        found[battle_id] = (*found.get(battle_id, ()), Commander(seat, holder or seat, account))
    return found


def _rulings(session: Session, campaign_id: str) -> tuple[CampaignRulingView, ...]:
    query = select(
        CampaignRuling.id,
        CampaignRuling.kind,
        CampaignRuling.subject,
        CampaignRuling.changes,
        CampaignRuling.reason,
        CampaignRuling.by,
        CampaignRuling.made_at,
    )
    rows = session.execute(query.where(CampaignRuling.campaign_id == campaign_id).order_by(CampaignRuling.id)).all()
    return tuple(CampaignRulingView(**{**row._asdict(), "changes": loads(row.changes)}) for row in rows)
