"""A form about one seat: what it wants, and the acts that the seat's holder and the game master have in common."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import Request

from app.referee import doctrines, seating
from app.referee.views import Viewer
from app.web.deps import Fields
from app.web.house import House


@dataclass(frozen=True)
class Asked:
    here: House
    request: Request
    battle_id: str
    seat: str
    viewer: Viewer
    fields: Fields


def choose_doctrine(asked: Asked) -> None:
    """By the field `doctrine`; empty: none."""
    name = asked.fields["doctrine"] or None
    doctrines.choose(asked.here.db, asked.battle_id, asked.seat, asked.viewer, name, asked.here.now())


def share(asked: Asked) -> str:
    """With whom the field `name` says: his key."""
    name = asked.fields.line("name")
    return seating.share(asked.here.db, asked.battle_id, asked.seat, asked.viewer, name=name, now=asked.here.now())


def unshare(asked: Asked) -> None:
    """With him whose number the field `sharer` holds."""
    number = asked.fields.whole("sharer") or 0
    seating.unshare(asked.here.db, asked.battle_id, asked.seat, asked.viewer, number, asked.here.now())
