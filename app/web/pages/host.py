"""The host's page: what is due, running, late, failed; and the canary, which tells anybody whether something is overdue."""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from app.referee import overview
from app.referee.errors import RefereeError
from app.web import hostwords, refusals, tiewords
from app.web.context import Frame, Page, frame_of, render
from app.web.deps import Body, Here, House, page_route, typed
from app.web.security import address_of, is_secure

router = APIRouter()
COOKIE = "fp_host"
DAYS = 30


@dataclass(frozen=True)
class BattleLine:
    id: str
    title: str
    turn: int
    deadline: datetime


@dataclass(frozen=True)
class SendingLine:
    id: int
    what_words: str
    battle_id: str | None
    turn: int | None
    stage: str
    stage_words: str
    created_at: datetime
    due_at: datetime | None
    attempts: int
    error: str
    """Its code; empty: none."""
    error_words: str


@dataclass(frozen=True, kw_only=True)
class HostPage(Page):
    template: ClassVar[str] = "host/host.html"
    swept_at: datetime | None
    coming: tuple[BattleLine, ...]
    overdue: tuple[BattleLine, ...]
    held: int
    counts: dict[str, int]
    sendings: tuple[SendingLine, ...]
    alarms: tuple[str, ...]
    jobs: tuple[tuple[str, int], ...]
    failed_jobs: tuple[str, ...]
    told: str


@dataclass(frozen=True, kw_only=True)
class DoorPage(Page):
    """Where the host shows his key. `is_set`: the server has one."""

    template: ClassVar[str] = "host/door.html"
    is_set: bool
    trouble: str


@page_route(router, "/canary")
def canary(here: Here) -> Response:
    """200 while all is in time, else 503 with what is overdue: numbers alone, for whoever watches the server."""
    seen = overview.overview(here.db, here.now(), late=here.settings.late)
    told = {
        "ok": not seen.alarms,
        "alarms": [{"code": alarm.code, "count": alarm.count} for alarm in seen.alarms],
    }
    return JSONResponse(told, status_code=503 if seen.alarms else 200, headers={"cache-control": "no-store"})


@page_route(router, "/host")
def page(request: Request, here: Here, told: str = "") -> HTMLResponse:
    frame = frame_of(request)
    if not _is_host(here, request):
        return render(DoorPage(frame=frame, is_set=bool(here.settings.host_key), trouble=""), status=_closed(here))
    return render(_page(here, frame, told))


@router.post("/host", include_in_schema=False)
def act(request: Request, here: Here, body: Body) -> Response:
    fields = typed(body)
    if fields["action"] == "open":
        return _open(here, request, fields["key"].strip())
    if not _is_host(here, request):
        raise RefereeError("not-yours")
    if fields["action"] == "again":
        overview.send_again(here.db, fields.whole("id") or 0, here.now())
        return RedirectResponse("/host?told=again", status_code=303)
    raise RefereeError("bad-request")


def _open(here: House, request: Request, key: str) -> Response:
    """Wrong keys are counted as those of seats are."""
    frame, address = frame_of(request), address_of(request)
    wait = here.tries.wait(address)
    if wait:
        raise RefereeError("too-often", params={"seconds": wait})
    if not _is_key(here, key):
        here.tries.failed(address, key)
        trouble = refusals.words("no-key", frame.language)
        page = DoorPage(frame=frame, is_set=bool(here.settings.host_key), trouble=trouble)
        return render(page, status=refusals.status("no-key"))
    answer = RedirectResponse("/host", status_code=303)
    secure = is_secure(here.settings)
    answer.set_cookie(COOKIE, key, max_age=DAYS * 86400, path="/host", secure=secure, httponly=True, samesite="strict")
    return answer


def _is_key(here: House, key: str) -> bool:
    wanted = here.settings.host_key
    return bool(wanted) and hmac.compare_digest(key.encode("utf-8", "replace"), wanted.encode())


def _is_host(here: House, request: Request) -> bool:
    return _is_key(here, request.cookies.get(COOKIE, ""))


def _closed(here: House) -> int:
    return 401 if here.settings.host_key else 404


def _page(here: House, frame: Frame, told: str) -> HostPage:
    words = frame.words
    seen = overview.overview(here.db, here.now(), late=here.settings.late)
    return HostPage(
        frame=frame,
        swept_at=seen.swept_at,
        coming=_lines(seen.coming),
        overdue=_lines(seen.overdue),
        held=seen.held,
        counts=seen.counts,
        sendings=tuple(
            SendingLine(
                id=line.id,
                what_words=hostwords.what(line.what, words),
                battle_id=line.battle_id,
                turn=line.turn,
                stage=line.stage,
                stage_words=hostwords.stage(line.stage, words),
                created_at=line.created_at,
                due_at=line.due_at,
                attempts=line.attempts,
                error=str(line.error.get("code", "")),
                error_words=tiewords.error(line.error, words),
            )
            for line in seen.sendings
        ),
        alarms=tuple(hostwords.alarm(alarm, words) for alarm in seen.alarms),
        jobs=tuple((hostwords.job(name, words), count) for name, count in sorted(seen.jobs.items())),
        failed_jobs=seen.failed_jobs,
        told=told if told == "again" else "",
    )


def _lines(battles: tuple[overview.DueBattle, ...]) -> tuple[BattleLine, ...]:
    return tuple(BattleLine(battle.id, battle.title, battle.turn, battle.deadline) for battle in battles)
