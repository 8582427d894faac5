"""One errand to one person: what is told together, in his words and his zone, and brought to where he wants it."""

from __future__ import annotations

import html
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import quote

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.engine.ruleset import Json
from app.language import Translator, pick, translator
from app.posting import mail
from app.posting.kinds import KINDS
from app.posting.mail import Letter, MailServer
from app.posting.message import Message, PostError, marked
from app.posting.wire import Wire
from app.referee import notices, outbox, quiet
from app.referee.outbox import Errand
from app.referee.rows import BattleRow, battle_row, loads, run
from app.reports import noticewords
from app.reports.markdown import escape
from app.reports.noticewords import CODES
from app.store.db import Database
from app.store.models import SUBSCRIPTIONS, Battle

GONE = frozenset({401, 403, 404, 410})
"""Answers after which a channel or a program is sent nothing more until its owner says so."""
LONGEST_SUBJECT = 140
MOST_IN_SUBJECT = 3
_U = SUBSCRIPTIONS.c


@dataclass(frozen=True)
class Told:
    """A notice that goes out: its sentence, and the page that it speaks of."""

    code: str
    turn: int | None
    text: str
    url: str
    facts: Mapping[str, Json]


@dataclass(frozen=True)
class Parcel:
    """All that goes to one person at once. `subscription`: its row. `title`: of the battle, in the reader's language."""

    subscription: Any
    battle: BattleRow
    title: str
    told: tuple[Told, ...]
    held_until: datetime | None
    """The end of his quiet hours, where nothing in it can be told before."""


def deliver(db: Database, errand: Errand, base_url: str, now: datetime, wire: Wire, server: MailServer | None) -> None:
    """Bring it there and note it, or hold it back until the quiet hours end, or let it fall away. Raises `PostError`."""
    with db.read() as session:
        parcel = _parcel(session, errand, base_url, now)
    if parcel is None:
        with db.write() as session:
            notices.fall_away(session, errand.id, errand.subscription_id)
    elif parcel.held_until is not None:
        outbox.hold(db, errand, parcel.held_until)
    else:
        if parcel.told:
            bring(parcel, errand, base_url, wire, server)
        outbox.done(db, errand, None, now)


def bring(parcel: Parcel, errand: Errand, base_url: str, wire: Wire, server: MailServer | None) -> None:
    """Raises `PostError`."""
    target = loads(parcel.subscription.target)
    if parcel.subscription.kind == "mail":
        if server is None:
            raise PostError("no-mail")
        mail.send(server, target["address"], letter(parcel, errand, base_url))
    else:
        KINDS[parcel.subscription.kind].deliver(wire, target, message(parcel, errand))


def given_up(session: Session, errand: Errand, error: Mapping[str, Json], now: datetime) -> None:
    """A notice that could not be brought: the game masters are told, not of what; an address that is none gets no more."""
    row = run(session, select(_U.id, _U.kind, _U.seat, _U.battle_id).where(_U.id == errand.subscription_id)).first()
    if row is None:
        return
    if error["code"] == "refused-address" or (row.kind != "mail" and error.get("status") in GONE):
        notices.stop(session, row.id, error)
    if row.battle_id is None or errand.facts["code"] in {"delivery-failed", "confirm", "trial"}:
        return  # a failure to tell of a failure is not told, nor one that its owner sees himself
    whom = {"whom": row.seat or noticewords.MASTER}
    key = f"delivery-failed/{errand.id}"
    battle = battle_row(session, row.battle_id)
    notices.tell(session, battle, "delivery-failed", now, seats=(), masters=True, facts=whom, key=key)


def letter(parcel: Parcel, errand: Errand, base_url: str) -> Letter:
    assert errand.created_at is not None
    subscription = parcel.subscription
    say = translator(subscription.language)
    ends = "" if subscription.confirm else f"{base_url}/notices/end/{subscription.token}"
    foot = _foot(parcel, say, base_url, ends) if ends else []
    text = "\n\n".join([parcel.title, *(f"{told.text}\n{told.url}" for told in parcel.told)])
    if foot:
        text += "\n\n-- \n" + "\n".join(f"{label}\n{url}" for label, url in foot)
    body = "".join(f"<p>{html.escape(told.text)}<br>{_link(told.url)}</p>" for told in parcel.told)
    small = "".join(f"<p><small>{html.escape(label)}<br>{_link(url)}</small></p>" for label, url in foot)
    page = (
        f'<!doctype html><html lang="{subscription.language}"><meta charset="utf-8"><body>'
        f"<h1>{html.escape(parcel.title)}</h1>{body}<hr>{small}</body></html>"
    )
    return Letter(subject(parcel), text + "\n", page, errand.mark, errand.created_at, ends)


def message(parcel: Parcel, errand: Errand) -> Message:
    """The same for channels and programs. Of a side's channel it knows that something was written, of sheets nothing."""
    first, battle = parcel.told[0], parcel.battle
    lines = "\n".join(told.text for told in parcel.told)
    post = "\n".join(f"{escape(told.text)}" for told in parcel.told)
    facts = {
        "event": "notices",
        "battle": {"id": battle.id, "title": parcel.title},
        "seat": parcel.subscription.seat,
        "language": parcel.subscription.language,
        "notices": [
            {"code": told.code, "turn": told.turn, "url": told.url, "text": told.text, **told.facts} for told in parcel.told
        ],
    }
    link = f"[{escape(parcel.title)}]({marked(first.url, errand.mark)})"
    return Message(subject(parcel), lines, f"{post}\n{link}\n", first.url, errand.mark, None, facts)


def subject(parcel: Parcel) -> str:
    """What it tells, where that is little; else how much."""
    say = translator(parcel.subscription.language)
    if parcel.told[0].code == "confirm":
        return f"{parcel.title}: {say.gettext('may notices be sent here?')}"
    count = len(parcel.told)
    if count > MOST_IN_SUBJECT:
        return f"{parcel.title}: {say.ngettext('%(num)s notice', '%(num)s notices', count)}"
    texts = " ".join(told.text for told in parcel.told)
    return textwrap.shorten(f"{parcel.title}: {texts}", LONGEST_SUBJECT, placeholder="…")


def _parcel(session: Session, errand: Errand, base_url: str, now: datetime) -> Parcel | None:
    """None: nobody is there any more to be told."""
    query = select(SUBSCRIPTIONS).where(
        _U.id == errand.subscription_id, _U.stopped.is_(None), notices.ALIVE, notices.IN_TIME
    )
    subscription = run(session, query, now=now).first()
    if subscription is None or errand.battle_id is None:
        return None
    battle = battle_row(session, errand.battle_id)
    scenario = loads(session.execute(select(Battle.scenario).where(Battle.id == battle.id)).scalar_one())
    told, ends = [], []
    for _, turn, facts in outbox.together(session, errand):
        code = facts.pop("code")
        if _has_lapsed(code, facts, subscription, battle, now):
            continue
        text = noticewords.notice(code, facts, subscription.language, turn=turn, scenario=scenario, zone=subscription.zone)
        told.append(Told(code, turn, text, _page(base_url, battle.id, subscription, code, turn), facts))
        ends.append(quiet.held_until(subscription, code, facts, now))
    held = None if not ends or min(ends) <= now else min(ends)
    given = scenario.get("title") or {}
    title = pick(given, subscription.language) if battle.title in given.values() else battle.title
    return Parcel(subscription, battle, title, tuple(told), held)


def _has_lapsed(code: str, facts: Mapping[str, Json], subscription: Any, battle: BattleRow, now: datetime) -> bool:
    """A question that was answered; a warning of a moment that is over, or is not the deadline any more."""
    if code == "confirm":
        return subscription.confirm is None
    if not CODES[code].lapses:
        return False
    until = facts[CODES[code].until]
    moment = None if until is None else datetime.fromisoformat(until)
    return moment != battle.deadline or moment is None or moment <= now


def _page(base_url: str, battle_id: str, subscription: Any, code: str, turn: int | None) -> str:
    """Where the reader goes from a notice. No key stands in it: his browser has it, or his own secret link."""
    path = f"{base_url}/b/{battle_id}"
    if code == "confirm":
        return f"{base_url}/notices/confirm/{subscription.confirm}"
    if code == "turn-published" and turn is not None:
        return f"{path}/t/{turn}"
    if subscription.role == "master":
        return f"{path}/desk"
    return f"{path}/seat/{quote(subscription.seat, safe='')}" if subscription.seat else path


def _foot(parcel: Parcel, say: Translator, base_url: str, ends: str) -> list[tuple[str, str]]:
    """How to change and to end it."""
    return [
        (say.gettext("What is sent to you, and when:"), manage_page(base_url, parcel.battle.id, parcel.subscription.seat)),
        (say.gettext("No more of these letters:"), ends),
    ]


def manage_page(base_url: str, battle_id: str, seat: str | None) -> str:
    """Where somebody chooses what he is told: a seat's holder, or (None) the game master."""
    return f"{base_url}/b/{battle_id}/" + (f"seat/{quote(seat, safe='')}/notices" if seat else "desk/notices")


def _link(url: str) -> str:
    shown = html.escape(url)
    return f'<a href="{shown}">{shown}</a>'
