"""The pages of an account as values: at the door, and inside."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from fastapi import Request

from app.language import LANGUAGES, NAMES
from app.referee import accounts, askings, campaignviews, holding, scenarios, subscriptions
from app.referee.accounts import AccountView
from app.referee.holding import HeldBattle
from app.referee.views import Viewer
from app.web import zones
from app.web.context import Frame, Page
from app.web.deps import House
from app.web.openseats import STANDINGS
from app.web.parts import battle_title

TOLD = ("changed", "password", "mail-asked", "mail", "mail-gone", "others-out", "token-gone", "sign-in")


@dataclass(frozen=True)
class SeatLine:
    seat: str
    name: str
    is_asked: bool
    is_entered: bool
    is_ready: bool
    is_own: bool
    has_link: bool


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
    purpose: str
    """`sign-in`, `mail`."""
    name: str
    """Of the account: else somebody could be led into another's, and keep his seats there."""
    trouble: str


@dataclass(frozen=True)
class Typed:
    """What its fields hold: as it is kept, or as it was typed and refused."""

    name: str
    zone: str
    language: str
    mail: str


@dataclass(frozen=True, kw_only=True)
class AccountPage(Page):
    template: ClassVar[str] = "account/account.html"
    account: AccountView
    typed: Typed
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


def browser_of(request: Request) -> str:
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


def door_page(
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


def inside(
    here: House,
    frame: Frame,
    account: Viewer,
    *,
    told: str = "",
    trouble: str = "",
    token: str = "",
    given: Mapping[str, str] | None = None,
) -> AccountPage:
    titles = {line.key: line.title for line in scenarios.known()}
    held = holding.battles(here.db, account, here.now())
    kept = accounts.view(here.db, account)
    return AccountPage(
        frame=frame,
        account=kept,
        typed=_typed(kept, given or {}),
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


def _typed(kept: AccountView, given: Mapping[str, str]) -> Typed:
    about = given if given.get("action") == "change" else {}
    return Typed(
        about.get("name", kept.name),
        about.get("zone", kept.zone),
        about.get("language", kept.language),
        given.get("mail", "") if given.get("action") == "mail" else "",
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
            SeatLine(
                seat.seat,
                frame.words.text(seat.name) or seat.seat,
                seat.asked,
                seat.entered,
                seat.ready,
                seat.own,
                seat.has_link,
            )
            for seat in battle.seats
        ),
    )
