"""The account page: to sign in, to see what one holds, to change what the account says of itself. Every form comes to the
page's own address and says by `action` what it wants."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import quote

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.referee import accounts, entries, holding, names
from app.referee.errors import RefereeError
from app.referee.views import PUBLIC, Viewer
from app.web import refusals
from app.web.accountpages import EntryPage, browser_of, door_page, inside
from app.web.context import Frame, frame_of, render
from app.web.deps import Body, Fields, Here, House, page_route, typed
from app.web.security import ACCOUNT_COOKIE, account_of, account_secret, address_of, keep_account

router = APIRouter()


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
        return render(door_page(here, frame, to=to, is_confirmed=told == "mail"))
    return render(inside(here, frame, account, told=told))


@router.post("/account", include_in_schema=False)
def act(request: Request, here: Here, body: Body) -> Response:
    frame, fields = frame_of(request), typed(body)
    action = fields["action"]
    if action in AT_THE_DOOR:
        try:
            return AT_THE_DOOR[action](Asked(here, request, frame, PUBLIC, fields))
        except RefereeError as refused:
            trouble = refusals.told(refused, frame.language)
            door = door_page(here, frame, to=fields["to"], name=fields["name"], trouble=trouble, is_new=action == "sign-up")
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
        return render(inside(here, frame, account, trouble=trouble, given=fields), status=refusals.status(refused.code))


@page_route(router, "/e/{key}")
def entry(request: Request, here: Here, key: str) -> HTMLResponse:
    frame = frame_of(request)
    _may_try(here, request, "")
    found = entries.whose(here.db, key, here.now())
    if found is None:
        here.tries.failed(address_of(request), key)
        return _no_entry(frame, RefereeError("no-entry"), http=200)
    purpose, name = found
    answer = render(EntryPage(frame=frame, key=key, purpose=purpose, name=name, trouble=""))
    answer.headers["cache-control"] = "no-store"
    return answer


def _no_entry(frame: Frame, refused: RefereeError, http: int) -> HTMLResponse:
    trouble = refusals.told(refused, frame.language)
    return render(EntryPage(frame=frame, key="", purpose="", name="", trouble=trouble), status=http)


@router.post("/e/{key}", include_in_schema=False)
def enter(request: Request, here: Here, key: str) -> Response:
    frame = frame_of(request)
    _may_try(here, request, "")
    try:
        purpose, secret = entries.enter(here.db, key, browser_of(request), here.now())
    except RefereeError as refused:
        here.tries.failed(address_of(request), key)
        return _no_entry(frame, refused, refusals.status(refused.code))
    answer = RedirectResponse(f"/account?told={purpose}", status_code=303)
    if secret is not None:
        keep_account(answer, here.settings, secret)
    return answer


def _sign_in(asked: Asked) -> Response:
    """Wrong passwords are counted for the caller and for the name."""
    name = asked.fields.line("name")
    _may_try(asked.here, asked.request, name)
    try:
        secret = accounts.sign_in(asked.here.db, name, asked.fields["password"], browser_of(asked.request), asked.here.now())
    except RefereeError:
        asked.here.tries.failed(address_of(asked.request), asked.fields["password"] + name)
        if names.looks(name):
            asked.here.guesses.failed(names.looks(name), asked.fields["password"])
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
        asked.here, asked.fields, accounts.signed_in(asked.here.db, made, browser_of(asked.request), asked.here.now())
    )


def _send_link(asked: Asked) -> Response:
    """The answer is the same whether or not an account has this address."""
    if not asked.here.settings.smtp_host:
        raise RefereeError("bad-request")
    _may_try(asked.here, asked.request, "")
    asked.here.tries.failed(address_of(asked.request), asked.fields.line("mail").casefold())
    entries.ask_link(asked.here.db, asked.fields.line("mail"), asked.here.now())
    return render(door_page(asked.here, asked.frame, to=asked.fields["to"], is_sent=True))


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
    return render(inside(asked.here, frame_of(asked.request), asked.account, token=made))


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
    wait = max(here.tries.wait(address_of(request)), here.guesses.wait(names.looks(name)))
    if wait:
        raise RefereeError("too-often", params={"seconds": wait})
