"""A battle's own page: the board, the score, who has entered, the turns so far, what was done by whom."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

import msgspec
from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.responses import HTMLResponse

from app.drawing.scene import Scene
from app.language import Translator
from app.language import marked as _
from app.referee import battles, openings
from app.referee.schedule import plain
from app.referee.turns import history
from app.referee.views import BattleView, MasterView
from app.reports import schedulewords
from app.reports.scores import Score
from app.reports.unitcards import CARDS
from app.web import happenings, openseats, optionform, talking
from app.web.battlecards import AskedCard, SeatCard, Stand, TurnCard, asked_card, seats, sides, stand, turn_card
from app.web.campaignmark import Belongs, Brought, belongs, brought
from app.web.context import Page, frame_of, render
from app.web.deps import Here, page_route
from app.web.glance import Glance, glance
from app.web.happenings import Happening
from app.web.markdown import html
from app.web.openseats import Seeking
from app.web.parts import Drawing, drawn, entered
from app.web.preview import Preview, battle_preview
from app.web.rulings import Switch, switches
from app.web.security import as_any, held_seats

router = APIRouter()


@dataclass(frozen=True, kw_only=True)
class BattlePage(Page):
    template: ClassVar[str] = "battle/battle.html"
    preview: Preview
    stand: Stand
    glance: Glance
    drawing: Drawing
    has_unit_pages: bool
    unit_values: str
    """What the values on a counter are."""
    sides: tuple[Score, ...]
    seats: tuple[SeatCard, ...]
    turns: tuple[TurnCard, ...]
    has_older: bool
    notes: Markup
    changed: tuple[Switch, ...]
    """The rulings that differ from the usual."""
    asked: AskedCard | None
    answering: tuple[SeatCard, ...]
    """Of the reader's seats, those whose side has not agreed to the pause that is asked for."""
    schedule: str
    """In words; empty: deadlines are set by hand."""
    ahead: tuple[datetime, ...]
    log: tuple[Happening, ...]
    seeking: Seeking
    masters: tuple[MasterView, ...]
    """Those that have a name or play as well."""
    commitment: str
    given_seed: str | None
    is_master: bool
    talk: tuple[talking.TalkLink, ...]
    options: tuple[str, ...]
    """What players should know of the battle's options."""
    lines_left: int
    """How many lines were left behind by rewinds."""
    campaign: Belongs | None
    brought: Brought | None
    told: str
    """What has just been done by the reader: a key of the template's own sentences, or empty."""


@page_route(router, "/b/{battle_id}")
def battle(request: Request, here: Here, battle_id: str, told: str = "", turns: str = "") -> HTMLResponse:
    """With `turns=all` every turn is listed, else the newest."""
    frame = frame_of(request)
    viewer = as_any(here, request, battle_id)
    view = battles.battle(here.db, battle_id, viewer, here.now())
    lines = history(here.db, battle_id, viewer) if turns == "all" else view.turns
    mine = held_seats(here, request, battle_id)
    words = frame.words
    scene = view.ruleset.scene(view.state, frame.language, view.scenario)
    cards_of_units = CARDS.get(view.ruleset.key)
    stands, scores, cards = stand(view, words), sides(view, words), seats(view, words, mine)
    return render(
        BattlePage(
            frame=frame,
            preview=battle_preview(here.settings.url, view, stands, scores, scene, frame.language),
            stand=stands,
            glance=glance(here, request.app.state.pages, view, frame.language),
            drawing=_board(view, scene, words),
            has_unit_pages=cards_of_units is not None,
            unit_values=words.gettext(cards_of_units.values if cards_of_units else _("Values")),
            sides=scores,
            seats=cards,
            turns=tuple(turn_card(line, words) for line in reversed(lines)),
            has_older=bool(lines) and lines[0].turn > 1,
            notes=html(words.text(view.scenario.get("notes"))),
            changed=tuple(s for s in switches(view.ruleset, dict(view.rulings), words) if not s.is_default),
            asked=asked_card(view, words),
            answering=_answering(view, cards),
            schedule=schedulewords.words(plain(view.schedule), frame.language) if view.schedule else "",
            ahead=view.ahead,
            log=happenings.told(view, words),
            seeking=openseats.seeking(*openings.of_battle(here.db, battle_id), words),
            masters=tuple(master for master in view.masters if master.name or master.plays),
            commitment=view.seed_commitment,
            given_seed=view.given_seed,
            is_master=viewer.kind == "master",
            talk=talking.links(here, view, talking.identities(here, request, view), words),
            options=optionform.told(view.options, words),
            lines_left=view.line - 1,
            campaign=belongs(here, battle_id),
            brought=brought(here, view.scenario, words),
            told=told if told == "resolved" else "",
        )
    )


def _answering(view: BattleView, cards: tuple[SeatCard, ...]) -> tuple[SeatCard, ...]:
    if view.asked_pause is None:
        return ()
    waiting = {seat.seat for seat in view.seats if seat.side not in view.asked_pause.sides}
    return tuple(card for card in cards if card.is_mine and card.seat in waiting)


def _board(view: BattleView, scene: Scene, words: Translator) -> Drawing:
    """While orders are open, the units of a seat that has entered its own bear a sign. Which of them it orders nobody is
    told."""
    owners = view.ruleset.owners(view.state) if view.ruleset.owners else {}
    come = {seat.seat for seat in view.seats if seat.entered} if view.status in {"open", "held", "paused"} else set()
    signed = {c.id for c in scene.counters if owners.get(c.id) in come}
    if not signed:
        return drawn(scene, interactive=True)
    told = words.gettext("orders in")
    counters = tuple(
        msgspec.structs.replace(c, states=(*c.states, "entered"), title=f"{c.title}; {told}") if c.id in signed else c
        for c in scene.counters
    )
    return entered(drawn(msgspec.structs.replace(scene, counters=counters), interactive=True), words)
