"""A campaign made, seen, and joined by battles."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Body, Path, Request

from app.engine.ruleset import Json
from app.language import pick
from app.referee import accounts, campaignbattles, campaigns, campaignviews
from app.referee.campaignviews import CampaignView, JoinedBattle
from app.referee.errors import RefereeError
from app.referee.views import Viewer
from app.web.api import campaignmodels as models
from app.web.api import examples
from app.web.api.document import KEYED, OPEN, refusals
from app.web.api.reading import OneOfEach
from app.web.api.who import Known
from app.web.house import Here, House, Language
from app.web.reply import Reply, moment
from app.web.security import address_of, viewer_by_link

CampaignId = Annotated[
    str, Path(alias="campaign", description="A campaign.", pattern="^[A-Za-z0-9_-]{1,16}$", examples=["b7Kq2mXw"])
]
BODY = ("not-json", "bad-request", "no-key", "not-yours", "too-large", "bad-body")
router = APIRouter(tags=["campaigns"], route_class=OneOfEach)


@router.post(
    "/api/v1/campaigns",
    summary="Make a campaign",
    operation_id="makeCampaign",
    openapi_extra=KEYED,
    status_code=201,
    response_model=models.MadeCampaign,
    responses=refusals(*BODY, "bad-title", "bad-description"),
)
def make(here: Here, who: Known, body: Annotated[models.NewCampaign, Body(openapi_examples=examples.NEW_CAMPAIGN)]) -> Reply:
    """Needs an account's token; that account is its game master. The key of its desk is told in this answer alone."""
    if who.kind != "account" or who.account_id is None:
        raise RefereeError("not-yours")
    made = campaigns.create(
        here.db,
        title=body.title,
        description=body.description.model_dump() if body.description else None,
        account_id=who.account_id,
        now=here.now(),
    )
    told = {
        "id": made.id,
        "url": here.link(f"/c/{made.id}"),
        "desk": {"key": made.key, "url": here.link(f"/k/{made.key}")},
    }
    headers = {"Location": here.link(f"/api/v1/campaigns/{made.id}"), "Cache-Control": "no-store"}
    return Reply(told, 201, headers)


@router.get(
    "/api/v1/campaigns/{campaign}",
    summary="A campaign with its standings",
    operation_id="campaign",
    openapi_extra=OPEN,
    response_model=models.Campaign,
    responses=refusals("no-campaign"),
)
def stands(here: Here, language: Language, campaign_id: CampaignId) -> Reply:
    """Standings count what is published, and nothing else."""
    view = campaignviews.campaign(here.db, campaign_id)
    headers = {"Content-Language": language, "Cache-Control": "no-cache", "Vary": "Accept-Language"}
    return Reply(campaign_json(view, here, language), headers=headers)


@router.post(
    "/api/v1/campaigns/{campaign}/battles",
    summary="Let a battle join a campaign",
    operation_id="joinCampaign",
    openapi_extra=KEYED,
    status_code=201,
    response_model=models.CampaignBattle,
    responses=refusals(*BODY, "no-campaign", "no-battle", "in-campaign", "too-many", "bad-name"),
)
def join(
    request: Request,
    here: Here,
    who: Known,
    campaign_id: CampaignId,
    body: Annotated[models.NewJoined, Body(openapi_examples=examples.NEW_JOINED)],
) -> Reply:
    """The caller leads the campaign: by its key, or as an account. He leads the battle as well, or shows the `key` of who
    does."""
    leader = _leader(here, who, campaign_id)
    battle_viewer: Viewer | None
    if body.key is not None:
        battle_viewer = viewer_by_link(here, address_of(request), body.key)
    else:
        battle_viewer = accounts.acting(here.db, who, body.battle, now=here.now()) if who.kind == "account" else None
    if battle_viewer is None:
        raise RefereeError("not-yours")
    campaignbattles.add_battle(here.db, campaign_id, leader, body.battle, battle_viewer, now=here.now(), label=body.label)
    view = campaignviews.campaign(here.db, campaign_id)
    joined = next(battle for battle in view.battles if battle.id == body.battle)
    return Reply(_battle_json(joined, here), 201, {"Location": here.link(f"/api/v1/campaigns/{campaign_id}")})


def campaign_json(view: CampaignView, here: House, language: str) -> Json:
    """A campaign as the contract has it."""
    return {
        "id": view.id,
        "url": here.link(f"/c/{view.id}"),
        "title": view.title,
        "description": pick(view.description, language),
        "sides": [{"side": s.key, "name": pick(s.name, language), "colour": s.colour} for s in view.sides],
        "battles": [_battle_json(battle, here) for battle in view.battles],
        "standings": {
            "sides": [{"side": s.key, "name": pick(s.name, language), **asdict(s.score)} for s in view.by_side],
            "commanders": [{"name": s.key, **asdict(s.score)} for s in view.by_commander],
        },
        "rulings": [
            {
                "kind": one.kind,
                "subject": one.subject,
                "changes": dict(one.changes),
                "reason": one.reason,
                "by": one.by,
                "made_at": moment(one.made_at),
            }
            for one in view.rulings
        ],
    }


def _battle_json(battle: JoinedBattle, here: House) -> dict[str, Any]:
    return {
        "id": battle.id,
        "url": here.link(f"/b/{battle.id}"),
        "label": battle.label,
        "place": battle.place,
        "title": battle.title,
        "ruleset": battle.ruleset,
        "status": battle.status,
        "turn": battle.turn,
        "deadline": moment(battle.deadline),
        "zone": battle.zone,
        "winner": battle.winner,
        "points": dict(battle.points),
        "counts_as": dict(battle.counts_as),
    }


def _leader(here: House, who: Viewer, campaign_id: str) -> Viewer:
    leader = campaigns.acting(here.db, who, campaign_id) if who.kind == "account" else who
    if leader is None or leader.kind != "campaign":
        raise RefereeError("not-yours")
    return leader
