"""A new battle: the form, and the battle made from it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import ClassVar

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.engine.ruleset import AnyRuleset
from app.referee import battles, campaignbattles, campaignviews, openings, scenarios
from app.referee.campaignviews import CampaignView
from app.referee.errors import RefereeError
from app.referee.options import Options
from app.referee.scenarios import ScenarioLine
from app.referee.schedule import BY_HAND
from app.referee.views import Viewer
from app.rulesets.registry import RULESETS
from app.scenario.forms import FORMS
from app.web import carryform, optionform, refusals, schedules, zones
from app.web.carryform import CarryForm
from app.web.context import Frame, Page, frame_of, render
from app.web.deps import Body, Fields, Here, House, page_route, typed
from app.web.newform import FIELD_OF, OWN, Mistake, Typed, carried, misplaced, scenario_of, typed_battle, when_of
from app.web.optionform import OptionField
from app.web.parts import Trouble
from app.web.rulings import GameRulings, of_games
from app.web.scenariocards import ScenarioCard, card
from app.web.schedules import ScheduleForm
from app.web.security import campaign_of, keep_key

router = APIRouter()


@dataclass(frozen=True, kw_only=True)
class NewPage(Page):
    template: ClassVar[str] = "new/new.html"
    typed: Typed
    schedule: ScheduleForm
    preview: tuple[datetime, ...]
    zone_name: str
    scenarios: tuple[ScenarioCard, ...]
    games: tuple[GameRulings, ...]
    """What the rules leave open, of each game whose scenarios may be chosen."""
    options: tuple[OptionField, ...]
    zones: tuple[tuple[str, str], ...]
    troubles: tuple[Trouble, ...]
    mistakes: tuple[Mistake, ...]
    open_battles: bool
    action: str
    """Where the form goes to."""
    campaign: CampaignView | None
    carry: CarryForm | None
    """Where units may come over from an earlier battle of the campaign."""
    made: str
    """When this page was: two strangers who change nothing on it send two forms."""


@page_route(router, "/battles/new")
def form(request: Request, here: Here, scenario: str = "") -> HTMLResponse:
    known = scenarios.known()
    first = scenario if scenario in {line.key for line in known} else (known[-1].key if known else OWN)
    frame = frame_of(request)
    return render(_page(here, frame, Typed(first), schedules.shown(BY_HAND, frame.words)))


@page_route(router, "/c/{campaign_id}/new")
def form_within(request: Request, here: Here, campaign_id: str) -> HTMLResponse:
    """A new battle of a campaign."""
    leader, frame = campaign_of(here, request, campaign_id), frame_of(request)
    known = scenarios.known()
    first = Typed(known[-1].key if known else OWN)
    return render(_page(here, frame, first, schedules.shown(BY_HAND, frame.words), leader=leader))


@router.post("/battles/new", include_in_schema=False)
def make(request: Request, here: Here, body: Body) -> Response:
    """Makes the battle and leads to its desk; or shows every mistake, with all that was typed."""
    return _make(request, here, typed(body), None)


@router.post("/c/{campaign_id}/new", include_in_schema=False)
def make_within(request: Request, here: Here, campaign_id: str, body: Body) -> Response:
    return _make(request, here, typed(body), campaign_of(here, request, campaign_id))


def _make(request: Request, here: House, fields: Fields, leader: Viewer | None) -> Response:
    """`leader`: of the campaign in which it is made."""
    frame = frame_of(request)
    if not here.settings.open_battles:
        raise RefereeError("not-yours")
    now = here.now()
    form, schedule = typed_battle(fields), schedules.typed(fields, frame.words)
    troubles, deadline, planned, deadlines = when_of(form, schedule, now, frame.words)
    options, wrong = optionform.read(form.options, Options(), frame.words) if form.options else (Options(), ())
    troubles += wrong
    if "preview" in fields:
        page = _page(here, frame, form, schedule, tuple(troubles), preview=deadlines, leader=leader)
        return render(page, status=422 if troubles else 200)
    frozen, mistakes = scenario_of(form, frame.words)
    if mistakes:
        troubles.append(Trouble(refusals.words("bad-scenario", frame.language), "scenario-text"))
    if "carry_show" in fields and not mistakes:
        form = replace(form, carry=replace(form.carry, shown_for=""))
        page = _page(here, frame, form, schedule, leader=leader)
        if page.carry is None or not page.carry.is_other_game:
            return render(page)
    if leader is not None and frozen is not None and form.carry.battle:
        frozen, in_the_way = carried(here, form.carry, frozen, frame.words)
        troubles += in_the_way
    if troubles or frozen is None:
        return render(_page(here, frame, form, schedule, tuple(troubles), mistakes, leader=leader), status=422)
    try:
        if leader is not None and leader.campaign_id is not None:
            campaignbattles.has_room(here.db, leader.campaign_id, form.label)
        sought = openings.said(form.sought)
        made = battles.create(
            here.db,
            scenario=frozen,
            now=now,
            title=form.title or None,
            rulings=form.rulings_of(frozen["ruleset"]),
            deadline=deadline,
            planned=planned,
            zone=form.zone,
            review=form.review,
            early=form.early,
            options=options,
        )
    except RefereeError as refused:
        text = refusals.told(refused, frame.language)
        found = [Trouble(text, FIELD_OF.get(refused.code, "")), *(misplaced(p, frame.language) for p in refused.problems)]
        page = _page(here, frame, form, schedule, tuple(found), leader=leader)
        return render(page, status=refusals.status(refused.code))
    if leader is not None and leader.campaign_id is not None:
        master = Viewer("master", battle_id=made.id)
        campaignbattles.add_battle(here.db, leader.campaign_id, leader, made.id, master, now=now, label=form.label)
    if form.look:
        chosen = openings.Opening(is_open=True, words=sought, seats=tuple(made.seat_keys))
        openings.set_up(here.db, made.id, Viewer("master", battle_id=made.id, master=1), chosen, now)
    answer = RedirectResponse(f"/b/{made.id}/desk", status_code=303)
    keep_key(answer, here.settings, Viewer("master", battle_id=made.id), made.master_key)
    return answer


def _page(
    here: House,
    frame: Frame,
    form: Typed,
    schedule: ScheduleForm,
    troubles: tuple[Trouble, ...] = (),
    mistakes: tuple[Mistake, ...] = (),
    *,
    preview: tuple[datetime, ...] = (),
    leader: Viewer | None = None,
) -> NewPage:
    words, known = frame.words, scenarios.known()
    within = leader.campaign_id if leader is not None else None
    campaign = campaignviews.campaign(here.db, within) if within is not None else None
    carry = None
    if campaign is not None:
        asked = scenario_of(form, words)[0] if form.carry.battle else None
        carry = carryform.drawn(here, campaign, form.carry, asked, words)
    return NewPage(
        frame=frame,
        typed=form,
        schedule=schedule,
        preview=preview,
        zone_name=words.zone(form.zone) if form.zone in zones.known() else form.zone,
        scenarios=tuple(card(line, words) for line in known),
        games=of_games(_offered(known), form.rulings_of, words),
        options=optionform.fields_of(Options(), words, form.options),
        zones=tuple((zone, words.zone(zone)) for zone in zones.OFFERED),
        troubles=troubles,
        mistakes=mistakes,
        open_battles=here.settings.open_battles,
        action=f"/c/{within}/new" if within is not None else "/battles/new",
        campaign=campaign,
        carry=carry,
        made=here.now().isoformat(timespec="microseconds"),
    )


def _offered(known: tuple[ScenarioLine, ...]) -> tuple[AnyRuleset, ...]:
    """The games of which a scenario is on offer, or may be brought as a file."""
    offered = {line.ruleset for line in known} | FORMS.keys()
    return tuple(game for key, game in RULESETS.items() if key in offered)
