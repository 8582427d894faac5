"""Headers that keep a browser safe, and the cookies that hold keys."""

from __future__ import annotations

import ipaddress
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response

from app.config import Settings
from app.log import masked
from app.referee import accounts, campaigns, keys, masters
from app.referee.errors import RefereeError
from app.referee.views import PUBLIC, Viewer
from app.web.house import House

Headers = tuple[tuple[bytes, bytes], ...]
HEADERS: Headers = (
    (
        b"content-security-policy",
        b"default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; "
        b"frame-ancestors 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    (b"cross-origin-opener-policy", b"same-origin"),
)
_OF_KEYS: Headers = tuple((name, b"strict-origin" if name == b"referrer-policy" else value) for name, value in HEADERS)
MASTER_COOKIE = "fp_master"
ACCOUNT_COOKIE = "fp_account"
TICKET_COOKIE = "fp_ticket"
MOST_SEATS = 16
"""So many seats' keys of one battle are looked at in one browser."""
KEY_DAYS = 400
CALLERS_NETWORK = 64
"""So many bits of an IPv6 address tell callers apart; the rest each chooses himself."""
"""A browser keeps no cookie longer; battles by post last for months."""


def headers_of(path: str) -> Headers:
    """What every answer at this path has. An address that is a key is told to nobody as the one that was come from, not even
    to this server, since a proxy on the way writes it down. Its origin is, or browsers send `Origin: null` with forms."""
    return HEADERS if masked(path) == path else _OF_KEYS


def seat_cookie(seat: str) -> str:
    """The name of the cookie that holds a seat's key."""
    return "fp_seat_" + quote(seat, safe="")


def keep_key(response: Response, settings: Settings, viewer: Viewer, key: str) -> None:
    """Puts a key into the browser, for the pages of its battle, or of its campaign, alone."""
    name = MASTER_COOKIE if viewer.seat is None else seat_cookie(viewer.seat)
    response.set_cookie(
        name,
        key,
        max_age=KEY_DAYS * 86400,
        path=f"/b/{viewer.battle_id}" if viewer.campaign_id is None else f"/c/{viewer.campaign_id}",
        secure=is_secure(settings),
        httponly=True,
        samesite="lax",
    )


def is_secure(settings: Settings) -> bool:
    return settings.url.startswith("https://")


def viewer_by_link(house: House, address: str, key: str) -> Viewer:
    """Whose key this is. Wrong keys are counted for each address: RefereeError `too-often` after some of them."""
    wait = house.tries.wait(address)
    if wait:
        raise RefereeError("too-often", params={"seconds": wait})
    try:
        return keys.viewer_by_key(house.db, key, house.now())
    except RefereeError as refused:
        if refused.code == "no-key":
            house.tries.failed(address, key)
        raise


def keep_account(response: Response, settings: Settings, secret: str) -> None:
    """Signs a browser in."""
    days = accounts.STAYS.days
    response.set_cookie(
        ACCOUNT_COOKIE,
        secret,
        max_age=days * 86400,
        path="/",
        secure=is_secure(settings),
        httponly=True,
        samesite="lax",
    )


def keep_ticket(response: Response, settings: Settings, battle_id: str, ticket: str) -> None:
    """The browser knows its asking of this battle again, and sends the ticket to that page alone."""
    response.set_cookie(
        TICKET_COOKIE,
        ticket,
        max_age=KEY_DAYS * 86400,
        path=f"/b/{battle_id}/asking",
        secure=is_secure(settings),
        httponly=True,
        samesite="lax",
    )


def account_secret(request: Request) -> str:
    return request.cookies.get(ACCOUNT_COOKIE, "")


def account_of(house: House, request: Request) -> Viewer | None:
    """The account that the browser is signed in to: looked up once for a request, however often a page asks."""
    secret = account_secret(request)
    if not secret:
        return None
    if not hasattr(request.state, "account"):
        request.state.account = accounts.account_of(house.db, secret, house.now())
    found: Viewer | None = request.state.account
    return found


def as_master(house: House, request: Request, battle_id: str) -> Viewer | None:
    """A game master of this battle, if the browser holds his key, or his account does."""
    held = _held(house, request, battle_id, MASTER_COOKIE)
    if held is not None:
        return held
    account = account_of(house, request)
    return accounts.acting(house.db, account, battle_id, house.now()) if account else None


def as_campaign(house: House, request: Request, campaign_id: str) -> Viewer | None:
    """A game master of this campaign, if the browser holds his key, or his account does."""
    key = request.cookies.get(MASTER_COOKIE)
    viewer = _known(house, request, key) if key else None
    if viewer is not None and viewer.campaign_id == campaign_id:
        return viewer
    account = account_of(house, request)
    return campaigns.acting(house.db, account, campaign_id) if account else None


def campaign_of(house: House, request: Request, campaign_id: str) -> Viewer:
    """The game master of this campaign. Raises `RefereeError("not-yours")` for anybody else."""
    return _required(as_campaign(house, request, campaign_id))


def as_seat(house: House, request: Request, battle_id: str, seat: str) -> Viewer | None:
    """The seat, if the browser opens it (`opens`), and is not that of a game master who has not said that he plays it."""
    found = opens(house, request, battle_id, seat)
    return None if found is not None and unsaid(house, request, battle_id, seat) else found


def unsaid(house: House, request: Request, battle_id: str, seat: str) -> Viewer | None:
    """The game master whose browser it is, if he has not said that he plays this seat. Asked of nobody else."""
    if not (request.cookies.get(MASTER_COOKIE) or account_secret(request)):
        return None
    master = as_master(house, request, battle_id)
    return None if master is None or masters.has_said(house.db, battle_id, seat, master) else master


def opens(house: House, request: Request, battle_id: str, seat: str) -> Viewer | None:
    """The seat, if the browser holds its key, or its holder's account does, or if he who does stands in for its holder."""
    held = _held(house, request, battle_id, seat_cookie(seat))
    if held is not None and held.seat == seat:
        return held
    account = account_of(house, request)
    found = accounts.acting(house.db, account, battle_id, house.now(), seat=seat, master=False) if account else None
    own = _own_seats(house, request, battle_id)  # a key that was given for another seat opens this one after an exchange
    here = next((viewer for viewer in own if viewer.seat == seat), found)
    return here or next(iter(_standing_in(house, own, battle_id, seat)), None)


def master_of(house: House, request: Request, battle_id: str) -> Viewer:
    """The game master of this battle. Raises `RefereeError("not-yours")` for anybody else."""
    return _required(as_master(house, request, battle_id))


def seat_of(house: House, request: Request, battle_id: str, seat: str) -> Viewer:
    """The holder of this seat. Raises `RefereeError`: not-yours for anybody else, leads-here (`unsaid`)."""
    found = _required(opens(house, request, battle_id, seat))
    if unsaid(house, request, battle_id, seat):
        raise RefereeError("leads-here")
    return found


def _required(viewer: Viewer | None) -> Viewer:
    if viewer is None:
        raise RefereeError("not-yours")
    return viewer


def as_any(house: House, request: Request, battle_id: str) -> Viewer:
    """The most that the browser's keys allow: game master, else the first seat, else the public."""
    master = as_master(house, request, battle_id)
    if master is not None:
        return master
    for name in [name for name in request.cookies if name.startswith("fp_seat_")][:MOST_SEATS]:
        seat = _held(house, request, battle_id, name)
        if seat is not None:
            return seat
    account = account_of(house, request)
    seats = accounts.seats_of(house.db, account, battle_id, house.now()) if account else ()
    if account is None or not seats:
        return PUBLIC
    return accounts.acting(house.db, account, battle_id, house.now(), seat=seats[0], master=False) or PUBLIC


def held_seats(house: House, request: Request, battle_id: str) -> frozenset[str]:
    """The seats whose keys the browser holds, or the account that it is signed in to, and those for which these stand in."""
    viewers = _own_seats(house, request, battle_id)
    found = frozenset(one.seat for one in (*viewers, *_standing_in(house, viewers, battle_id)) if one.seat is not None)
    account = account_of(house, request)
    return found | frozenset(accounts.seats_of(house.db, account, battle_id, house.now())) if account else found


def _own_seats(house: House, request: Request, battle_id: str) -> list[Viewer]:
    """The seats whose keys the browser holds."""
    names = [name for name in request.cookies if name.startswith("fp_seat_")][:MOST_SEATS]
    viewers = (_held(house, request, battle_id, name) for name in names)
    return [viewer for viewer in viewers if viewer is not None and viewer.seat is not None]


def _standing_in(house: House, viewers: list[Viewer], battle_id: str, seat: str | None = None) -> tuple[Viewer, ...]:
    """The seats for whose holders these stand in now; who is a deputy himself passes nothing on."""
    own = [viewer.seat for viewer in viewers if viewer.seat is not None and viewer.through != "deputy"]
    return accounts.standing_in(house.db, battle_id, house.now(), own, seat=seat) if own else ()


def master_key(request: Request) -> str:
    return request.cookies.get(MASTER_COOKIE, "")


def address_of(request: Request) -> str:
    """Who calls, as tries are counted: of IPv6 the network, since one caller has all its addresses."""
    host = request.client.host if request.client else "-"
    try:
        address = ipaddress.IPv6Address(host.partition("%")[0])
    except ValueError:
        return host
    return str(address.ipv4_mapped or ipaddress.IPv6Network((address, CALLERS_NETWORK), strict=False))


def _held(house: House, request: Request, battle_id: str, cookie: str) -> Viewer | None:
    key = request.cookies.get(cookie)
    viewer = _known(house, request, key) if key else None
    return viewer if viewer is not None and viewer.battle_id == battle_id else None


def _known(house: House, request: Request, key: str) -> Viewer | None:
    try:
        return viewer_by_link(house, address_of(request), key)
    except RefereeError as refused:
        if refused.code in ("no-key", "not-now"):
            return None
        raise
