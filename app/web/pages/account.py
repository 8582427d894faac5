"""The account page: to sign in, to see what one holds, to change what the account says of itself. Every form comes to the
page's own address and says by `action` what it wants."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar
from urllib.parse import quote

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.language import LANGUAGES, NAMES
from app.referee import accounts, askings, campaignviews, entries, holding, scenarios, subscriptions
from app.referee.accounts import AccountView
from app.referee.errors import RefereeError
from app.referee.holding import HeldBattle
from app.referee.views import PUBLIC, Viewer
from app.web import refusals, zones
from app.web.context import Frame, Page, frame_of, render
from app.web.deps import Body, Fields, Here, House, page_route, typed
from app.web.openseats import STANDINGS
from app.web.parts import battle_title
from app.web.security import ACCOUNT_COOKIE, account_of, account_secret, address_of, keep_account

router = APIRouter()
TOLD = ("changed", "password", "mail-asked", "mail", "mail-gone", "others-out", "token-gone", "sign-in")


@dataclass(frozen=True)
class SeatLine:
    seat: str
    name: str
    is_asked: bool
    is_entered: bool
    is_ready: bool


@dataclass(frozen=True)
class BattleLine:
    id: str
    title: str
    status: str
    turn: int
    deadline: datetime | None
    zone: str
    is_move: bool
    is_master: bool
    seats: tuple[SeatLine, ...]


@dataclass(frozen=True, kw_only=True)
class DoorPage(Page):
    """To sign in, or to make an account."""

    template: ClassVar[str] = "account/door.html"
    name: str
    to: str
    has_mail: bool
    is_new: bool
    trouble: str
    is_sent: bool
    is_confirmed: bool


@dataclass(frozen=True, kw_only=True)
class EntryPage(Page):
    """A mailed link was opened: it is used by a press, so that whoever looks at letters first does not use it up."""

    template: ClassVar[str] = "account/entry.html"
    key: str
    trouble: str


@dataclass(frozen=True, kw_only=True)
class AccountPage(Page):
    template: ClassVar[str] = "account/account.html"
    account: AccountView
    battles: tuple[BattleLine, ...]
    campaigns: tuple[tuple[str, str], ...]
    """That the account leads: id and title."""
    asked: tuple[tuple[str, str, str], ...]
    """Where it asked for a seat and has none yet: the battle's id, its title, how the asking stands."""
    zones: tuple[tuple[str, str], ...]
    languages: tuple[tuple[str, str], ...]
    has_mail: bool
    ways: int
    """So many ways it has by which it is told of all its battles."""
    token: str
    """Just made, shown this once."""
    told: str
    trouble: str


@dataclass(frozen=True)
class Asked:
    """What a form wants, and who sent it. `account`: nobody's yet at the door."""

    here: House
    request: Request
    frame: Frame
    account: Viewer
    fields: Fields


@page_route(router, "/account")
def page(request: Request, here: Here, to: str = "", told: str = "") -> HTMLResponse:
    frame, account = frame_of(request), account_of(here, request)
    if account is None:
        return render(_door(here, frame, to=to, is_confirmed=told == "mail"))
    return render(_account(here, frame, account, told=told))


@router.post("/account", include_in_schema=False)
def act(request: Request, here: Here, body: Body) -> Response:
    frame, fields = frame_of(request), typed(body)
    action = fields["action"]
    if action in AT_THE_DOOR:
        try:
            return AT_THE_DOOR[action](Asked(here, request, frame, PUBLIC, fields))
        except RefereeError as refused:
            trouble = refusals.told(refused, frame.language)
            door = _door(here, frame, to=fields["to"], name=fields["name"], trouble=trouble, is_new=action == "sign-up")
            return render(door, status=refusals.status(refused.code))
    account = account_of(here, request)
    if account is None:
        return RedirectResponse("/account", status_code=303)
    if action not in INSIDE:
        raise RefereeError("bad-request")
    try:
        return INSIDE[action](Asked(here, request, frame, account, fields))
    except RefereeError as refused:
        trouble = refusals.told(refused, frame.language)
        return render(_account(here, frame, account, trouble=trouble), status=refusals.status(refused.code))


@page_route(router, "/e/{key}")
def entry(request: Request, key: str) -> HTMLResponse:
    return render(EntryPage(frame=frame_of(request), key=key, trouble=""))


@router.post("/e/{key}", include_in_schema=False)
def enter(request: Request, here: Here, key: str) -> Response:
    frame = frame_of(request)
    _may_try(here, request, "")
    try:
        purpose, secret = entries.enter(here.db, key, _browser(request), here.now())
    except RefereeError as refused:
        here.tries.failed(address_of(request), key)
        trouble = refusals.told(refused, frame.language)
        return render(EntryPage(frame=frame, key="", trouble=trouble), status=refusals.status(refused.code))
    answer = RedirectResponse(f"/account?told={purpose}", status_code=303)
    if secret is not None:
        keep_account(answer, here.settings, secret)
    return answer


def _sign_in(asked: Asked) -> Response:
    """Wrong passwords are counted for the caller and for the name."""
    name = asked.fields.line("name")
    _may_try(asked.here, asked.request, name)
    try:
        secret = accounts.sign_in(asked.here.db, name, asked.fields["password"], _browser(asked.request), asked.here.now())
    except RefereeError:
        asked.here.tries.failed(address_of(asked.request), asked.fields["password"] + name)
        asked.here.tries.failed(f"account {name.casefold()}", asked.fields["password"])
        raise
    return _welcome(asked.here, asked.fields, secret)


def _sign_up(asked: Asked) -> Response:
    _may_try(asked.here, asked.request, "")
    asked.here.tries.failed(address_of(asked.request), "new account " + asked.fields.line("name"))
    made = accounts.sign_up(
        asked.here.db,
        asked.fields.line("name"),
        asked.fields["password"],
        asked.here.now(),
        language=asked.frame.language,
        zone=asked.fields.line("zone"),
    )
    return _welcome(
        asked.here, asked.fields, accounts.signed_in(asked.here.db, made, _browser(asked.request), asked.here.now())
    )


def _send_link(asked: Asked) -> Response:
    """The answer is the same whether or not an account has this address."""
    if not asked.here.settings.smtp_host:
        raise RefereeError("bad-request")
    _may_try(asked.here, asked.request, "")
    asked.here.tries.failed(address_of(asked.request), asked.fields.line("mail").casefold())
    entries.ask_link(asked.here.db, asked.fields.line("mail"), asked.here.now())
    return render(_door(asked.here, asked.frame, to=asked.fields["to"], is_sent=True))


def _welcome(here: House, fields: Fields, secret: str) -> Response:
    answer = RedirectResponse(_inside(fields["to"]), status_code=303)
    keep_account(answer, here.settings, secret)
    return answer


def _sign_out(asked: Asked) -> Response:
    accounts.sign_out(asked.here.db, account_secret(asked.request))
    answer = RedirectResponse("/", status_code=303)
    answer.delete_cookie(ACCOUNT_COOKIE, path="/")
    return answer


def _change(asked: Asked) -> Response:
    name, zone, language = asked.fields.line("name"), asked.fields.line("zone"), asked.fields["language"]
    accounts.change(asked.here.db, asked.account, name=name, zone=zone, language=language)
    return _told("changed")


def _password(asked: Asked) -> Response:
    _may_try(asked.here, asked.request, asked.account.name or "")
    try:
        accounts.set_password(
            asked.here.db, asked.account, asked.fields["old"], asked.fields["new"], keep=account_secret(asked.request)
        )
    except RefereeError as refused:
        if refused.code == "no-account":
            asked.here.tries.failed(address_of(asked.request), asked.fields["old"])
        raise
    return _told("password")


def _mail(asked: Asked) -> Response:
    if not asked.here.settings.smtp_host:
        raise RefereeError("bad-request")
    entries.ask_mail(asked.here.db, asked.account, asked.fields.line("mail"), asked.here.now())
    return _told("mail-asked")


def _drop_mail(asked: Asked) -> Response:
    entries.drop_mail(asked.here.db, asked.account)
    return _told("mail-gone")


def _others_out(asked: Asked) -> Response:
    accounts.sign_out_others(asked.here.db, asked.account, keep=account_secret(asked.request))
    return _told("others-out")


def _token(asked: Asked) -> Response:
    made = accounts.new_token(asked.here.db, asked.account, asked.here.now())
    return render(_account(asked.here, frame_of(asked.request), asked.account, token=made))


def _drop_token(asked: Asked) -> Response:
    accounts.drop_token(asked.here.db, asked.account, asked.fields.whole("token") or 0)
    return _told("token-gone")


def _give_back(asked: Asked) -> Response:
    holding.give_back(asked.here.db, asked.fields["battle"], asked.account, seat=asked.fields["seat"] or None)
    return _told("changed")


def _close(asked: Asked) -> Response:
    _may_try(asked.here, asked.request, asked.account.name or "")
    try:
        accounts.close(asked.here.db, asked.account, asked.fields["password"])
    except RefereeError:
        asked.here.tries.failed(address_of(asked.request), asked.fields["password"])
        raise
    answer = RedirectResponse("/", status_code=303)
    answer.delete_cookie(ACCOUNT_COOKIE, path="/")
    return answer


AT_THE_DOOR: Mapping[str, Callable[[Asked], Response]] = {
    "sign-in": _sign_in,
    "sign-up": _sign_up,
    "link": _send_link,
}
INSIDE: Mapping[str, Callable[[Asked], Response]] = {
    "sign-out": _sign_out,
    "change": _change,
    "password": _password,
    "mail": _mail,
    "drop-mail": _drop_mail,
    "others-out": _others_out,
    "token": _token,
    "drop-token": _drop_token,
    "give-back": _give_back,
    "close": _close,
}


def _told(what: str) -> Response:
    return RedirectResponse(f"/account?told={what}", status_code=303)


def _inside(to: str) -> str:
    """A page of this server, and nothing else."""
    is_ours = to.startswith("/") and not to.startswith(("//", "/\\")) and to.isprintable() and len(to) < 500
    return quote(to, safe="/?&=%#-._~:@!$'()*+,;") if is_ours else "/account"


def _may_try(here: House, request: Request, name: str) -> None:
    for who in (address_of(request), f"account {name.casefold()}"):
        wait = here.tries.wait(who)
        if wait:
            raise RefereeError("too-often", params={"seconds": wait})


def _browser(request: Request) -> str:
    """What a browser says it is, in the two words that its owner knows it by."""
    said = request.headers.get("user-agent", "")
    kinds = (
        ("Edg", "Edge"),
        ("OPR", "Opera"),
        ("YaBrowser", "Yandex"),
        ("Firefox", "Firefox"),
        ("Chrome", "Chrome"),
        ("Safari", "Safari"),
    )
    systems = ("Android", "iPhone", "iPad", "Windows", "Mac OS", "Linux")
    kind = next((name for sign, name in kinds if sign in said), said[:30])
    system = next((name for name in systems if name in said), "")
    return f"{kind} · {system}" if system else kind


def _door(
    here: House,
    frame: Frame,
    *,
    to: str = "",
    name: str = "",
    trouble: str = "",
    is_new: bool = False,
    is_sent: bool = False,
    is_confirmed: bool = False,
) -> DoorPage:
    return DoorPage(
        frame=frame,
        name=name,
        to=to,
        has_mail=bool(here.settings.smtp_host),
        is_new=is_new,
        trouble=trouble,
        is_sent=is_sent,
        is_confirmed=is_confirmed,
    )


def _account(
    here: House, frame: Frame, account: Viewer, *, told: str = "", trouble: str = "", token: str = ""
) -> AccountPage:
    titles = {line.key: line.title for line in scenarios.known()}
    held = holding.battles(here.db, account, here.now())
    return AccountPage(
        frame=frame,
        account=accounts.view(here.db, account),
        battles=tuple(_line(battle, titles.get(battle.scenario_key), frame) for battle in held),
        campaigns=campaignviews.held_by(here.db, account.account_id),
        asked=tuple(
            (battle_id, battle_title(title, titles.get(key), frame.words), frame.words.gettext(STANDINGS[status]))
            for battle_id, title, key, status in askings.of_account(here.db, account)
            if battle_id not in {one.id for one in held if one.seats}
        ),
        zones=tuple((zone, frame.words.zone(zone)) for zone in zones.OFFERED),
        languages=tuple((key, NAMES[key]) for key in LANGUAGES),
        has_mail=bool(here.settings.smtp_host),
        ways=len([one for one in subscriptions.listing(here.db, None, account) if one.state == "works"]),
        token=token,
        told=told if told in TOLD else "",
        trouble=trouble,
    )


def _line(battle: HeldBattle, title: Mapping[str, str] | None, frame: Frame) -> BattleLine:
    return BattleLine(
        id=battle.id,
        title=battle_title(battle.title, title, frame.words),
        status=battle.status,
        turn=battle.turn,
        deadline=battle.deadline,
        zone=battle.zone,
        is_move=battle.is_move,
        is_master=battle.is_master,
        seats=tuple(
            SeatLine(seat.seat, frame.words.text(seat.name) or seat.seat, seat.asked, seat.entered, seat.ready)
            for seat in battle.seats
        ),
    )
