"""A battle's ties as its game master sees them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from app.language import NAMES, Translator
from app.referee import ties
from app.referee.ties import Sent
from app.referee.views import Viewer
from app.web import tiewords
from app.web.deps import House


@dataclass(frozen=True)
class SentLine:
    id: int
    what: str
    state: str
    at: datetime
    due_at: datetime | None
    link: str | None
    error: str
    can_retry: bool


@dataclass(frozen=True)
class TieCard:
    """`url`: of a topic that can be looked at, else empty."""

    id: int
    kind: str
    place: str
    url: str
    language: str
    length: str
    active: bool
    sent: tuple[SentLine, ...]


def tie_cards(here: House, battle_id: str, viewer: Viewer, words: Translator) -> tuple[TieCard, ...]:
    """The ties of a battle, for its game master."""
    return tuple(
        TieCard(
            id=tie.id,
            kind=words.gettext(tiewords.KINDS[tie.kind][0]),
            place=tie.place,
            url=tie.place if tie.place.startswith(("https://", "http://")) else "",
            language=NAMES[tie.language],
            length=words.gettext(tiewords.LENGTHS[tie.length]),
            active=tie.active,
            sent=tuple(_sent(sent, words) for sent in tie.sent),
        )
        for tie in ties.listing(here.db, battle_id, viewer)
    )


def _sent(sent: Sent, words: Translator) -> SentLine:
    what = words.gettext("Trial line") if sent.what == "trial" else words.gettext("Turn %(turn)s", turn=sent.turn)
    can_retry = sent.state == "failed" or (sent.state == "waiting" and bool(sent.error))
    error = tiewords.own_error(sent.error, words)
    return SentLine(sent.id, what, sent.state, sent.at, sent.due_at, sent.link, error, can_retry)
