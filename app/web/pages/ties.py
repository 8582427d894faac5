"""Where a battle's turns are posted by themselves: tied, tried, paused, untied by the game master. All forms come to the
page's own address and say by `action` what they want."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.language import NAMES, Translator
from app.posting import services
from app.posting.kinds import KINDS, BadTarget
from app.referee import battles, ties
from app.referee.errors import RefereeError
from app.referee.views import Viewer
from app.web import refusals, tiewords
from app.web.context import Frame, Page, frame_of, render
from app.web.deps import Body, Fields, Here, House, page_route, pressed, typed
from app.web.parts import battle_title
from app.web.security import master_of
from app.web.tiecards import TieCard, tie_cards
from app.web.tiewords import SECRETS, FormField

router = APIRouter()
TOLD = ("added", "trial", "removed", "retry", "paused", "resumed")
USUAL_LENGTH = "phases"


@dataclass(frozen=True)
class TieForm:
    kind: str
    title: str
    hint: str
    fields: tuple[FormField, ...]
    is_open: bool


@dataclass(frozen=True, kw_only=True)
class TiesPage(Page):
    template: ClassVar[str] = "ties/ties.html"
    battle_id: str
    title: str
    zone: str
    ties: tuple[TieCard, ...]
    forms: tuple[TieForm, ...]
    languages: tuple[tuple[str, str], ...]
    language: str
    lengths: tuple[tuple[str, str], ...]
    length: str
    told: str
    trouble: str
    last_turn: int
    """0: none is published yet."""


@page_route(router, "/b/{battle_id}/desk/ties")
def show(request: Request, here: Here, battle_id: str, told: str = "") -> HTMLResponse:
    viewer = master_of(here, request, battle_id)
    return render(_page(here, frame_of(request), battle_id, viewer, told=told))


@router.post("/b/{battle_id}/desk/ties", include_in_schema=False)
def act(request: Request, here: Here, battle_id: str, body: Body) -> Response:
    viewer = master_of(here, request, battle_id)
    frame, fields = frame_of(request), typed(body)
    action = pressed(ACTIONS, fields)
    try:
        told = action(here, battle_id, viewer, fields)
    except BadTarget as refused:
        trouble, status = tiewords.why(refused.field, refused.why, frame.words), 422
    except RefereeError as refused:
        trouble, status = refusals.told(refused, frame.language), refusals.status(refused.code)
    else:
        return RedirectResponse(f"/b/{battle_id}/desk/ties?told={told}", status_code=303)
    return render(_page(here, frame, battle_id, viewer, trouble=trouble, typed=fields), status=status)


def _add(here: House, battle_id: str, viewer: Viewer, fields: Fields) -> str:
    ties.add(
        here.db,
        battle_id,
        viewer,
        kind=fields["kind"],
        given=fields,
        language=fields["language"],
        length=fields["length"],
        allow_private=here.settings.allow_private_targets,
        now=here.now(),
    )
    return "added"


def _trial(here: House, battle_id: str, viewer: Viewer, fields: Fields) -> str:
    ties.try_out(here.db, battle_id, viewer, fields.whole("tie") or 0, here.now())
    return "trial"


def _pause(here: House, battle_id: str, viewer: Viewer, fields: Fields) -> str:
    ties.set_active(here.db, battle_id, viewer, fields.whole("tie") or 0, active=False)
    return "paused"


def _resume(here: House, battle_id: str, viewer: Viewer, fields: Fields) -> str:
    ties.set_active(here.db, battle_id, viewer, fields.whole("tie") or 0, active=True)
    return "resumed"


def _remove(here: House, battle_id: str, viewer: Viewer, fields: Fields) -> str:
    ties.remove(here.db, battle_id, viewer, fields.whole("tie") or 0, here.now())
    return "removed"


def _retry(here: House, battle_id: str, viewer: Viewer, fields: Fields) -> str:
    ties.retry(here.db, battle_id, viewer, fields.whole("sent") or 0, here.now())
    return "retry"


ACTIONS: Mapping[str, Callable[[House, str, Viewer, Fields], str]] = {
    "add": _add,
    "trial": _trial,
    "pause": _pause,
    "resume": _resume,
    "remove": _remove,
    "retry": _retry,
}


def _page(
    here: House,
    frame: Frame,
    battle_id: str,
    viewer: Viewer,
    *,
    told: str = "",
    trouble: str = "",
    typed: Mapping[str, str] | None = None,
) -> TiesPage:
    words, given = frame.words, typed or {}
    view = battles.battle(here.db, battle_id, viewer, here.now())
    return TiesPage(
        frame=frame,
        battle_id=battle_id,
        title=battle_title(view.title, view.scenario.get("title"), words),
        zone=view.zone,
        ties=tie_cards(here, battle_id, viewer, words),
        forms=tuple(_form(kind, words, given) for kind in KINDS if kind != "apprise" or services.is_installed()),
        languages=tuple(NAMES.items()),
        language=given.get("language") or frame.language,
        lengths=tuple((key, words.gettext(text)) for key, text in tiewords.LENGTHS.items()),
        length=given.get("length") or USUAL_LENGTH,
        told=told if told in TOLD else "",
        trouble=trouble,
        last_turn=view.last_published,
    )


def _form(kind: str, words: Translator, given: Mapping[str, str]) -> TieForm:
    """What was typed and refused stands in its form again, but for what opens a place."""
    is_open = given.get("action") == "add" and given.get("kind") == kind
    shown = {name: given.get(name, "") for name in ("topic_url", "user")} if is_open else {}
    fields = []
    for name in KINDS[kind].fields:
        label, hint = tiewords.FIELDS[name]
        looks = "password" if name in SECRETS else "url" if name.endswith("url") and kind != "apprise" else "text"
        fields.append(FormField(name, words.gettext(label), words.gettext(hint) if hint else "", looks, shown.get(name, "")))
    title, hint = tiewords.KINDS[kind]
    return TieForm(kind, words.gettext(title), words.gettext(hint), tuple(fields), is_open)
