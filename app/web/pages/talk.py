"""Where people talk: the public thread, a side's channel, a seat's words with the game masters. All forms come to
the channel's own address and say by `action` what they want. Without scripts all works, but new messages come when asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from app.referee import battles, names, talk
from app.referee.channels import Kind, Where
from app.referee.errors import RefereeError
from app.referee.talk import Thread
from app.referee.views import PUBLIC, Viewer
from app.reports import prose
from app.web import refusals, talking
from app.web.battlecards import Stand, stand
from app.web.context import Page, frame_of, part, render
from app.web.deps import Body, Fields, Here, House, page_route, typed
from app.web.security import as_master
from app.web.talking import TalkLink
from app.web.talklines import Line, Visit, called, line_of, names_here, writer_of

router = APIRouter()
PART = "talk/messages.html"


@dataclass(frozen=True)
class Identity:
    """Whom a reader may write as; `key` as `seat/N`, `master`, `account`."""

    key: str
    name: str
    is_chosen: bool


@dataclass(frozen=True, kw_only=True)
class TalkPage(Page):
    template: ClassVar[str] = "talk/talk.html"
    stand: Stand
    kind: Kind
    heading: str
    tabs: tuple[TalkLink, ...]
    lines: tuple[Line, ...]
    first_new: int
    action: str
    part_url: str
    earlier: str
    later: str
    may_write: bool
    identities: tuple[Identity, ...]
    chosen: str
    names: tuple[str, ...]
    text: str
    editing: int
    """The number of the message that is being changed; 0: a new one."""
    trouble: str
    mark: int
    zone: str
    nobody_reads: bool
    """No game master reads the channel, since all of them play."""
    most: int


@page_route(router, "/b/{battle_id}/talk")
def public(request: Request, here: Here, battle_id: str) -> Response:
    return _show(request, here, battle_id, "public")


@page_route(router, "/b/{battle_id}/talk/side")
def side(request: Request, here: Here, battle_id: str) -> Response:
    return _show(request, here, battle_id, "side")


@page_route(router, "/b/{battle_id}/talk/master")
def master(request: Request, here: Here, battle_id: str) -> Response:
    return _show(request, here, battle_id, "master")


@router.post("/b/{battle_id}/talk", include_in_schema=False)
def say_publicly(request: Request, here: Here, battle_id: str, body: Body) -> Response:
    return _act(request, here, battle_id, "public", typed(body))


@router.post("/b/{battle_id}/talk/side", include_in_schema=False)
def say_to_side(request: Request, here: Here, battle_id: str, body: Body) -> Response:
    return _act(request, here, battle_id, "side", typed(body))


@router.post("/b/{battle_id}/talk/master", include_in_schema=False)
def say_to_master(request: Request, here: Here, battle_id: str, body: Body) -> Response:
    return _act(request, here, battle_id, "master", typed(body))


def _visit(request: Request, here: House, battle_id: str, kind: Kind, chosen: str) -> Visit:
    """Raises `RefereeError`: no-battle, not-yours (nobody here may read the channel)."""
    battle = battles.battle(here.db, battle_id, PUBLIC, here.now())
    found = talking.identities(here, request, battle)
    asked = request.query_params.get("seat") or None
    if kind == "public":
        viewer = next((one for one in found if _key(one) == chosen), found[0] if found else PUBLIC)
        return Visit(here, frame_of(request), battle, Where(), found, viewer)
    seat = next((one for one in found if one.kind == "seat" and asked in (None, one.seat)), None)
    if seat is not None:
        return Visit(here, frame_of(request), battle, Where(kind, seat.seat), (seat,), seat)
    judge = next((one for one in found if one.kind == "master"), None)
    if kind == "side" or judge is None:
        raise RefereeError("not-yours")
    first = asked or battle.seats[0].seat
    return Visit(here, frame_of(request), battle, Where("master", first), (judge,), judge)


def _show(request: Request, here: House, battle_id: str, kind: Kind) -> Response:
    visit = _visit(request, here, battle_id, kind, request.query_params.get("as", ""))
    asked = request.query_params
    before, since = _number(asked.get("before")), _number(asked.get("from"))
    if asked.get("part"):
        return _part(request, visit, before, since)
    thread = _thread(visit, before, since)
    text, editing = _begun(visit, _number(asked.get("quote")), _number(asked.get("edit")))
    page = _page(request, visit, thread, text=text, editing=editing)
    if request.method == "GET":
        _mark_read(visit, thread)
    return render(page)


def _part(request: Request, visit: Visit, before: int | None, since: int | None) -> Response:
    """The messages alone, for a script; nothing where nothing has changed."""
    mark = talk.mark(visit.here.db, visit.battle.id, visit.where, visit.viewer)
    headers = {"cache-control": "private, no-store", "etag": f'"{mark}"', "content-language": visit.frame.language}
    if headers["etag"] in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    thread = _thread(visit, before, since)
    body = part(_page(request, visit, thread, text="", editing=0), PART)
    _mark_read(visit, thread)
    return Response(body, media_type="text/html", headers={**headers, "etag": f'"{thread.mark}"'})


def _act(request: Request, here: House, battle_id: str, kind: Kind, fields: Fields) -> Response:
    visit = _visit(request, here, battle_id, kind, fields["as"])
    action = ACTIONS.get(fields["action"] or "write")
    if action is None:
        raise RefereeError("bad-request")
    judge = as_master(here, request, battle_id)
    try:
        _count(visit)
        number = action(visit, fields, judge)
    except RefereeError as refused:
        status = refusals.status(refused.code)
        if status < 409:
            raise
        text = refusals.told(refused, visit.frame.language)
        editing = fields.whole("number") or 0 if fields["action"] == "edit" else 0
        page = _page(request, visit, _thread(visit, None, None), text=fields["text"], editing=editing, trouble=text)
        answer = render(page, status=status)
        if "seconds" in refused.params:
            answer.headers["retry-after"] = str(refused.params["seconds"])
        return answer
    return RedirectResponse(f"{visit.url}#m{number}", status_code=303)


def _count(visit: Visit) -> None:
    """Raises `RefereeError("too-often")`."""
    wait = visit.here.talking.spend(f"{visit.battle.id}/{_key(visit.viewer)}/{visit.viewer.account_id}", 1)
    if wait:
        raise RefereeError("too-often", params={"seconds": wait})


def _write(visit: Visit, fields: Fields, _: Viewer | None) -> int:
    where, now = visit.where, visit.here.now()
    return talk.write(visit.here.db, visit.battle.id, where, visit.viewer, text=fields["text"], now=now)


def _edit(visit: Visit, fields: Fields, _: Viewer | None) -> int:
    number, now = fields.whole("number") or 0, visit.here.now()
    talk.edit(visit.here.db, visit.battle.id, visit.where, visit.viewer, number, text=fields["text"], now=now)
    return number


def _take_back(visit: Visit, fields: Fields, _: Viewer | None) -> int:
    number = fields.whole("number") or 0
    talk.take_back(visit.here.db, visit.battle.id, visit.where, visit.viewer, number, visit.here.now())
    return number


def _hide(visit: Visit, fields: Fields, judge: Viewer | None) -> int:
    number, reason = fields.whole("number") or 0, fields["reason"]
    talk.hide(visit.here.db, visit.battle.id, judge or visit.viewer, number, reason=reason, now=visit.here.now())
    return number


def _unhide(visit: Visit, fields: Fields, judge: Viewer | None) -> int:
    number = fields.whole("number") or 0
    talk.unhide(visit.here.db, visit.battle.id, judge or visit.viewer, number, visit.here.now())
    return number


ACTIONS: Mapping[str, Callable[[Visit, Fields, Viewer | None], int]] = {
    "write": _write,
    "edit": _edit,
    "take-back": _take_back,
    "hide": _hide,
    "unhide": _unhide,
}


def _thread(visit: Visit, before: int | None, since: int | None) -> Thread:
    now = visit.here.now()
    return talk.see(visit.here.db, visit.battle.id, visit.where, visit.viewer, now, before=before, since=since)


def _mark_read(visit: Visit, thread: Thread) -> None:
    """Whoever has the newest messages before him has read them."""
    if not thread.has_later:
        for viewer in visit.all:
            talk.mark_read(visit.here.db, visit.battle.id, visit.where, viewer, thread.last)


def _begun(visit: Visit, quote: int | None, edit: int | None) -> tuple[str, int]:
    """What stands in the field at first: a quotation, or the message that is to be changed."""
    number = edit or quote
    if number is None:
        return "", 0
    found = talk.one(visit.here.db, visit.battle.id, visit.where, visit.viewer, number, visit.here.now())
    if edit is not None:
        return (found.text, number) if found.may_change else ("", 0)
    return (prose.quoted(found.text, writer_of(visit, found)[0]) if found.text else "", 0)


def _page(request: Request, visit: Visit, thread: Thread, *, text: str, editing: int, trouble: str = "") -> TalkPage:
    words, battle = visit.frame.words, visit.battle
    judge = as_master(visit.here, request, battle.id) is not None
    viewers = talking.identities(visit.here, request, battle) if visit.all else ()
    first, last = (thread.messages[0].number, thread.messages[-1].number) if thread.messages else (0, 0)
    of = thread.key.partition("/")[2]
    return TalkPage(
        frame=visit.frame,
        stand=stand(battle, words),
        kind=thread.kind,
        heading=talking.label_of(battle, thread.kind, of, visit.viewer, words),
        tabs=talking.links(visit.here, battle, viewers, words, visit.where),
        lines=tuple(line_of(visit, thread, one, may_hide=judge and thread.kind == "public") for one in thread.messages),
        first_new=next((one.number for one in thread.messages if one.number > thread.read and not one.is_mine), 0)
        if thread.me
        else 0,
        action=visit.url,
        part_url=visit.url + ("&" if "?" in visit.url else "?") + "part=1",
        earlier=_at(visit, f"before={first}") if thread.has_earlier else "",
        later=_at(visit, f"from={last + 1}") if thread.has_later else "",
        may_write=thread.may_write,
        identities=tuple(Identity(_key(one), called(battle, one, words), one == visit.viewer) for one in visit.all),
        chosen=_key(visit.viewer),
        names=names_here(visit, thread),
        text=text,
        editing=editing,
        trouble=trouble,
        mark=thread.mark,
        zone=battle.zone,
        nobody_reads=thread.kind == "master" and thread.masters == 0,
        most=names.MESSAGE_MAX,
    )


def _at(visit: Visit, place: str) -> str:
    return visit.url + ("&" if "?" in visit.url else "?") + place


def _key(viewer: Viewer) -> str:
    return f"seat/{viewer.seat}" if viewer.kind == "seat" else viewer.kind


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdigit() and 0 < len(text) < 10 and int(text) else None
