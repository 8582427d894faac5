"""A resolved turn: the board after and before, the report with every die, and the proof. Published turns are served from
kept bytes; the endpoint is asynchronous, so that a hit costs neither a thread nor a database."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar
from urllib.parse import urlsplit

from fastapi import APIRouter
from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from app.referee import battles, freshness, publication, rewinding, ties
from app.referee.errors import RefereeError
from app.referee.turnviews import TurnView
from app.referee.views import Viewer
from app.reports import html as reports
from app.reports.scores import Score, scores
from app.web import happenings, kept
from app.web.battlecards import SeatCard, Stand, seats, stand
from app.web.cache import Kept, PageCache
from app.web.context import Frame, Page, written
from app.web.house import House
from app.web.parts import Drawing, battle_title, capital, drawing, drawn
from app.web.poster import Poster, first, poster
from app.web.preview import Preview, preview
from app.web.rulingcards import RulingCard, ruling_cards
from app.web.security import as_any

router = APIRouter()


@dataclass(frozen=True)
class SheetLine:
    seat: str
    digest: str
    revision: int
    on_behalf: bool


@dataclass(frozen=True)
class Proof:
    commitment: str
    secret: str
    seed: str
    sheets: tuple[SheetLine, ...]
    doctrines: tuple[SheetLine, ...]
    """Standing doctrines that were followed; revision 0."""
    dice: tuple[tuple[str, str], ...]
    """Address and faces, in the order of rolling."""


@dataclass(frozen=True)
class Posted:
    """Where the turn was posted by itself."""

    host: str
    url: str


@dataclass(frozen=True, kw_only=True)
class ReportPage(Page):
    template: ClassVar[str] = "report/report.html"
    preview: Preview
    battle_id: str
    title: str
    stand: Stand
    turn: int
    last_published: int
    is_published: bool
    resolved_at: datetime | None
    how: str
    zone: str
    zone_name: str
    winner: str
    sides: tuple[Score, ...]
    after: Drawing
    before: Drawing
    report: Markup
    commanders: tuple[SeatCard, ...]
    """Those who have a name or a coat of arms."""
    proof: Proof
    posted: tuple[Posted, ...]
    poster: Poster
    rulings: tuple[RulingCard, ...]
    lines: tuple[int, ...]
    """Lines that were left in which this turn was played as well."""


async def report(request: Request) -> Response:
    """`GET /b/{battle_id}/t/{turn}`: what `KeptPages` did not have."""
    battle_id, turn = request.path_params["battle_id"], request.path_params["turn"]
    asked = kept.read(request.scope["headers"])
    house: House = request.app.state.house
    readers: kept.Readers = request.app.state.readers
    viewer = readers.of(battle_id, asked.cookies)
    if viewer is None:
        viewer = await run_in_threadpool(as_any, house, request, battle_id)
        readers.keep(battle_id, asked.cookies, viewer)
    pages: PageCache = request.app.state.pages
    key = kept.PageKey(battle_id, turn, asked.language, viewer.kind, viewer.seat)
    page = pages.fresh(key)
    if page is None:
        made = await run_in_threadpool(_kept, house, pages, key, viewer, Frame(asked.language, request.url.path))
        if isinstance(made, Response):
            return made
        page = made
    if page.etag in request.headers.get("if-none-match", ""):
        return _raw(b"", 304, kept.answer_headers(page, asked.language, None))
    return _raw(page.body, 200, kept.answer_headers(page, asked.language, len(page.body)))


router.add_route("/b/{battle_id}/t/{turn}", report, methods=["GET"], include_in_schema=False)


def _raw(body: bytes, status: int, headers: list[tuple[bytes, bytes]]) -> Response:
    answer = Response(body, status)
    answer.raw_headers = headers
    return answer


def _kept(house: House, pages: PageCache, key: kept.PageKey, viewer: Viewer, frame: Frame) -> Kept | Response:
    """A page whose battle has not changed, else one that is written anew. A turn under review is never kept."""
    battle_id, turn = key.battle_id, key.turn
    version = freshness.version(house.db, battle_id)
    confirmed = pages.confirmed(key, version)
    if confirmed is not None:
        return confirmed
    if turn == "latest":
        found = publication.turn(house.db, battle_id, "latest", viewer)
        return RedirectResponse(f"/b/{battle_id}/t/{found.turn}", status_code=303, headers={"cache-control": "no-cache"})
    if not (turn.isascii() and turn.isdigit() and len(turn) < 7 and turn[0] != "0"):
        raise RefereeError("no-turn")
    page = see(house, frame, battle_id, int(turn), viewer)
    body = written(page)
    if not page.is_published:
        return Response(body, media_type="text/html", headers={"cache-control": "private, no-store"})
    return pages.keep(key, body, version)


def see(house: House, frame: Frame, battle_id: str, turn: int, viewer: Viewer) -> ReportPage:
    """Raises `RefereeError`: no-battle, no-turn."""
    view = publication.turn(house.db, battle_id, turn, viewer)
    record = publication.record(house.db, battle_id, turn, viewer)
    battle = battles.battle(house.db, battle_id, viewer, house.now())
    words = frame.words
    names = {key: words.text(side["name"]) for key, side in view.scenario["sides"].items()}
    outcome = view.ruleset.outcome(view.after)
    title = battle_title(view.title, view.scenario.get("title"), words)
    winner = names.get(view.winner or "", view.winner or "")
    after = view.ruleset.scene(view.after, frame.language, view.scenario)
    return ReportPage(
        frame=frame,
        preview=preview(
            house.settings.url,
            battle_id,
            title=title,
            language=frame.language,
            turn=view.turn,
            is_turn=True,
            scores={capital(name): view.points.get(key, 0) for key, name in names.items()},
            goal=outcome.goal,
            winner=winner,
            scene=after,
        ),
        battle_id=battle_id,
        title=title,
        stand=stand(battle, words),
        turn=view.turn,
        last_published=view.last_published,
        is_published=view.published_at is not None,
        resolved_at=view.resolved_at,
        how=happenings.resolved_how(view.resolved_by, words),
        zone=battle.zone,
        zone_name=words.zone(battle.zone, view.resolved_at),
        winner=winner,
        sides=scores(view.scenario, outcome, words),
        after=drawn(after, interactive=True),
        before=drawing(view.ruleset, view.before, frame.language, view.scenario, prefix="a-", interactive=True),
        report=_told(view, frame.language, battle_id),
        commanders=tuple(card for card in seats(battle, words) if card.holder or card.arms),
        proof=_proof(record),
        rulings=ruling_cards(view, words),
        lines=tuple(
            branch.line
            for branch in rewinding.branches(house.db, battle_id)
            if branch.back_to <= view.turn <= branch.turn and branch.taken_as is None
        ),
        posted=tuple(Posted(urlsplit(url).netloc, url) for url in ties.links(house.db, battle_id, view.turn)),
        poster=poster(view, first(view, frame.language), house.settings.url, words),
    )


def _told(view: TurnView, language: str, battle_id: str) -> Markup:
    return Markup(reports.turn_report(view, language, rules_url=f"/b/{battle_id}/rules"))  # noqa: S704  (escaped by its writer)


def _proof(record: Any) -> Proof:
    return Proof(
        commitment=record["seed_commitment"],
        secret=record["seed"]["secret"],
        seed=record["seed"]["seed"],
        sheets=tuple(
            SheetLine(sheet["seat"], sheet["digest"], sheet["revision"], sheet.get("entered_by") == "master")
            for sheet in record["sheets"]
        ),
        doctrines=tuple(SheetLine(one["seat"], one["digest"], 0, False) for one in record.get("doctrines", ())),
        dice=tuple((address, " ".join(map(str, faces))) for address, faces in record["dice"].items()),
    )
