"""Where a reader may talk in a battle, and what is new there: for every page that leads to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote

from starlette.requests import Request

from app.language import Translator
from app.referee import accounts, unread
from app.referee.channels import Kind, Where
from app.referee.views import BattleView, Viewer
from app.web.house import House
from app.web.parts import capital
from app.web.security import account_of, as_master, as_seat, held_seats


@dataclass(frozen=True)
class TalkLink:
    """`count`: new messages, `calls`: those that call the reader."""

    kind: Kind
    url: str
    label: str
    count: int
    calls: int
    is_here: bool = False


def identities(house: House, request: Request, battle: BattleView) -> tuple[Viewer, ...]:
    """All that a browser may be in a battle: its seats in their order, a game master; else its account. Empty: nobody."""
    held = held_seats(house, request, battle.id)
    seats = (as_seat(house, request, battle.id, seat.seat) for seat in battle.seats if seat.seat in held)
    found = tuple(viewer for viewer in (*seats, as_master(house, request, battle.id)) if viewer is not None)
    account = None if found else account_of(house, request)
    return found if account is None else (account,)


def of_account(house: House, account: Viewer, battle_id: str) -> Viewer:
    """An account as what it is first in a battle: a seat, a game master, else itself."""
    seats = accounts.seats_of(house.db, account, battle_id, house.now())
    return accounts.acting(house.db, account, battle_id, house.now(), seat=seats[0] if seats else None) or account


def url_of(battle_id: str, where: Where) -> str:
    path = {"public": "/talk", "side": "/talk/side", "master": "/talk/master"}[where.kind]
    return f"/b/{battle_id}{path}" + (f"?seat={quote(where.seat, safe='')}" if where.seat else "")


def links(
    house: House, battle: BattleView, viewers: tuple[Viewer, ...], words: Translator, here: Where | None = None
) -> tuple[TalkLink, ...]:
    """The public thread, and whatever channels the reader has. `here`: the one that he looks at."""
    found: dict[tuple[Kind, str], TalkLink] = {}
    for viewer in viewers:
        for new in unread.unread(house.db, battle.id, viewer):
            where = _where(new.kind, new.of, viewer)
            key = (new.kind, new.of)
            if key in found and found[key].count <= new.count:
                continue
            label = label_of(battle, new.kind, new.of, viewer, words)
            found[key] = TalkLink(new.kind, url_of(battle.id, where), label, new.count, new.calls, is_here=where == here)
    if not found:
        public = label_of(battle, "public", "", None, words)
        return (TalkLink("public", url_of(battle.id, Where()), public, 0, 0, is_here=here == Where()),)
    return tuple(sorted(found.values(), key=lambda link: ("public", "side", "master").index(link.kind)))


def label_of(battle: BattleView, kind: Kind, of: str, viewer: Viewer | None, words: Translator) -> str:
    """A channel's name as its readers know it."""
    if kind == "public":
        return words.gettext("Public thread")
    if kind == "side":
        return words.gettext("Side: %(name)s", name=capital(names_of(battle, words).get(f"side/{of}", of)))
    seat = capital(names_of(battle, words).get(f"seat/{of}", of))
    if viewer is not None and viewer.kind == "master":
        return words.gettext("From: %(name)s", name=seat)
    return words.gettext("To the game master (%(name)s)", name=seat)


def names_of(battle: BattleView, words: Translator) -> Mapping[str, str]:
    """Names of seats and sides, by `seat/…` and `side/…`."""
    seats = {f"seat/{seat.seat}": words.text(seat.name) for seat in battle.seats}
    return seats | {f"side/{side.side}": words.text(side.name) for side in battle.sides}


def arms_url(battle_id: str, digest: str | None) -> str:
    """Empty: there are none."""
    return f"/b/{battle_id}/arms/{digest}.webp" if digest else ""


def _where(kind: Kind, of: str, viewer: Viewer) -> Where:
    if kind == "public":
        return Where()
    return Where(kind, viewer.seat if kind == "side" else of)
