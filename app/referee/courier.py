"""One errand to one person: what is told together, in his words and his zone, and brought to where he wants it."""

from __future__ import annotations

import html
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
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
from app.referee import notices, outbox, persons, quiet
from app.referee.outbox import Errand
from app.referee.rows import BattleRow, loads, playable, run
from app.reports import noticewords
from app.reports.markdown import escape
from app.reports.noticewords import ASKED, CODES
from app.store.db import Database
from app.store.models import LEFT, SUBSCRIPTIONS, Battle

GONE = frozenset({401, 403, 404, 410})
"""Answers after which a channel or a program is sent nothing more until its owner says so."""
LONGEST_SUBJECT = 140
HOUSE = "Fieldpost"
MOST_IN_SUBJECT = 3
_U = SUBSCRIPTIONS.c


@dataclass(frozen=True)
class Told:
    """A notice that goes out: its sentence, the page that it speaks of, and its battle by the title that its reader knows
    (None: it is about the way itself). `seat`: for which of several it is told."""

    code: str
    turn: int | None
    text: str
    url: str
    facts: Mapping[str, Json]
    battle_id: str | None = None
    title: str = HOUSE
    seat: str | None = None


@dataclass(frozen=True)
class Parcel:
    """All that goes to one person at once. `subscription`: its row."""

    subscription: Any
    told: tuple[Told, ...]
    held_until: datetime | None
    """The end of his quiet hours, where nothing in it can be told before."""

    @property
    def battles(self) -> dict[str | None, str]:
        """Of which it tells, with their titles."""
        return {told.battle_id: told.title for told in self.told}

    @property
    def title(self) -> str:
        return next(iter(self.battles.values())) if len(self.battles) == 1 else HOUSE


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
        if parcel.subscription.role == "asking":
            with db.write() as session:
                notices.forget_asker(session, parcel.subscription.asking_id)


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
    row = run(session, select(_U.id, _U.kind, _U.seat).where(_U.id == errand.subscription_id)).first()
    if row is None:
        return
    together = outbox.together(session, errand)
    outbox.give_up_beside(session, errand, error)
    if error["code"] == "refused-address" or (row.kind != "mail" and error.get("status") in GONE):
        notices.stop(session, row.id, error)
    whose: dict[str, str] = {}
    for battle_id, _, facts in together:
        if battle_id is not None and facts["code"] not in {"delivery-failed", "confirm", "trial"}:
            whose.setdefault(battle_id, row.seat or next(iter(facts.get(notices.HEARS, ())), noticewords.MASTER))
    for battle_id, whom in whose.items():  # a failure to tell of a failure is not told, nor one that its owner sees himself
        key, battle = f"delivery-failed/{errand.id}", playable(session, battle_id)
        if battle is not None:
            notices.tell(session, battle, "delivery-failed", now, seats=(), masters=True, facts={"whom": whom}, key=key)


def letter(parcel: Parcel, errand: Errand, base_url: str) -> Letter:
    assert errand.created_at is not None
    subscription = parcel.subscription
    say = translator(subscription.language)
    ends = "" if subscription.confirm else f"{base_url}/notices/end/{subscription.token}"
    foot = _foot(parcel, say, base_url, ends) if ends else []
    text = "\n\n".join([parcel.title, *(f"{told.text}\n{told.url}" for told in _headed(parcel))])
    if foot:
        text += "\n\n-- \n" + "\n".join(f"{label}\n{url}" for label, url in foot)
    body = "".join(f"<p>{html.escape(told.text)}<br>{_link(told.url)}</p>" for told in _headed(parcel))
    small = "".join(f"<p><small>{html.escape(label)}<br>{_link(url)}</small></p>" for label, url in foot)
    page = (
        f'<!doctype html><html lang="{subscription.language}"><meta charset="utf-8"><body>'
        f"<h1>{html.escape(parcel.title)}</h1>{body}<hr>{small}</body></html>"
    )
    return Letter(subject(parcel), text + "\n", page, errand.mark, errand.created_at, ends)


def message(parcel: Parcel, errand: Errand) -> Message:
    """The same for channels and programs. Of a side's channel it knows that something was written, of sheets nothing."""
    first, subscription = parcel.told[0], parcel.subscription
    lines = "\n".join(told.text for told in _headed(parcel))
    post = "\n".join(f"{escape(told.text)}" for told in _headed(parcel))
    battle = _battle(first) if len(parcel.battles) == 1 else None
    facts = {
        "event": "notices",
        "battle": battle,
        "seat": subscription.seat,
        "language": subscription.language,
        "notices": [_told(told, subscription) for told in parcel.told],
    }
    link = f"[{escape(parcel.title)}]({marked(first.url, errand.mark)})"
    return Message(subject(parcel), lines, f"{post}\n{link}\n", first.url, errand.mark, None, facts)


def _told(told: Told, subscription: Any) -> dict[str, Json]:
    more: dict[str, Json] = {"battle": _battle(told), "seat": told.seat} if subscription.role == "account" else {}
    return {"code": told.code, "turn": told.turn, "url": told.url, "text": told.text, **told.facts, **more}


def _battle(told: Told) -> dict[str, Json] | None:
    return {"id": told.battle_id, "title": told.title} if told.battle_id else None


def _headed(parcel: Parcel) -> Iterator[Told]:
    """What is told, battle by battle; each with its battle's title where there are several."""
    for battle_id, title in parcel.battles.items():
        for told in parcel.told:
            if told.battle_id == battle_id:
                yield replace(told, text=f"{title}: {told.text}") if len(parcel.battles) > 1 else told


def subject(parcel: Parcel) -> str:
    """What it tells, where that is little; else how much."""
    say = translator(parcel.subscription.language)
    if parcel.told[0].code == "confirm":
        return f"{parcel.title}: {say.gettext('may notices be sent here?')}"
    count = len(parcel.told)
    if count > MOST_IN_SUBJECT:
        return f"{parcel.title}: {say.ngettext('%(num)s notice', '%(num)s notices', count)}"
    texts = " ".join(told.text for told in _headed(parcel))
    return textwrap.shorten(f"{parcel.title}: {texts}", LONGEST_SUBJECT, placeholder="…")


def _parcel(session: Session, errand: Errand, base_url: str, now: datetime) -> Parcel | None:
    """None: nobody is there any more to be told."""
    query = select(SUBSCRIPTIONS).where(
        _U.id == errand.subscription_id, _U.stopped.is_(None), notices.ALIVE, notices.IN_TIME
    )
    subscription = run(session, query, now=now).first()
    if subscription is None:
        return None
    told, ends = [], []
    together = outbox.together(session, errand)
    reminded = {_warned(*one) for one in together if one[2]["code"] == "reminder"}
    for battle_id, turn, facts in together:
        if facts["code"] == "reminder-corrected" and _warned(battle_id, turn, facts) in reminded:
            continue  # the reminder has waited as well, and falls away
        one = _one(session, subscription, battle_id, turn, facts, base_url, now)
        if one is not None:
            told.append(one)
            ends.append(quiet.held_until(subscription, one.code, one.facts, now))
    held = None if not ends or min(ends) <= now else min(ends)
    return Parcel(subscription, tuple(told), held)


def _warned(battle_id: str | None, turn: int | None, facts: Json) -> tuple[str | None, int | None, Json]:
    """Of which deadline a reminder or its correction speaks."""
    return battle_id, turn, facts["old" if facts["code"] == "reminder-corrected" else "deadline"]


def _one(
    session: Session, subscription: Any, battle_id: str | None, turn: int | None, facts: Json, base_url: str, now: datetime
) -> Told | None:
    """None: it is not told any more."""
    code, hears = facts.pop("code"), facts.pop(notices.HEARS, None)
    language, zone = subscription.language, subscription.zone
    if battle_id is None:
        if code == "confirm" and subscription.confirm is None:
            return None
        text = noticewords.notice(code, facts, language, turn=turn, zone=zone)
        return Told(code, turn, text, page(base_url, None, subscription, code, turn), facts)
    battle = playable(session, battle_id)
    if battle is None or battle.status == LEFT or _has_lapsed(code, facts, subscription, battle, now):
        return None
    place = subscription.seat
    if hears is not None:
        heard = sorted(persons.is_heard(session, battle_id, subscription.account_id, hears, now))
        if not heard:
            return None
        place = heard[-1]  # a seat's before the desk's
    scenario = loads(session.execute(select(Battle.scenario).where(Battle.id == battle_id)).scalar_one())
    text = noticewords.notice(code, facts, language, turn=turn, scenario=scenario, zone=zone)
    given = scenario.get("title") or {}
    title = pick(given, language) if battle.title in given.values() else battle.title
    url = page(base_url, battle_id, subscription, code, turn, place=place)
    return Told(code, turn, text, url, facts, battle_id, title, place or None)


def _has_lapsed(code: str, facts: Mapping[str, Json], subscription: Any, battle: BattleRow, now: datetime) -> bool:
    """A question that was answered; a warning of a moment that is over, or is not the deadline any more."""
    if code == "confirm":
        return subscription.confirm is None
    if not CODES[code].lapses:
        return False
    until = facts[CODES[code].until]
    moment = None if until is None else datetime.fromisoformat(until)
    return moment != battle.deadline or moment is None or moment <= now


def page(
    base_url: str, battle_id: str | None, subscription: Any, code: str, turn: int | None, *, place: str | None = None
) -> str:
    """Where the reader goes from a notice. No key stands in it: his browser has it, or his own secret link. `place`: the
    seat for which it is told; `MASTER`: the desk."""
    path = f"{base_url}/b/{battle_id}"
    if code == "confirm":
        return f"{base_url}/notices/confirm/{subscription.confirm}"
    if battle_id is None:
        return f"{base_url}/account/notices"
    if code == "turn-published" and turn is not None:
        return f"{path}/t/{turn}"
    if CODES[code].topic == ASKED or subscription.role == "asking":
        return f"{path}/asking"
    if subscription.role == "master" or place == noticewords.MASTER or CODES[code].topic == "desk":
        return f"{path}/desk"
    return f"{path}/seat/{quote(place, safe='')}" if place else path


def _foot(parcel: Parcel, say: Translator, base_url: str, ends: str) -> list[tuple[str, str]]:
    """How to change and to end it."""
    return [
        (say.gettext("What is sent to you, and when:"), manage_page(base_url, parcel.subscription)),
        (say.gettext("No more of these letters:"), ends),
    ]


def manage_page(base_url: str, subscription: Any) -> str:
    """Where somebody chooses what he is told."""
    if subscription.role == "account":
        return f"{base_url}/account/notices"
    path = f"{base_url}/b/{subscription.battle_id}"
    if subscription.role == "asking":
        return f"{path}/asking"
    seat = subscription.seat
    return f"{path}/seat/{quote(seat, safe='')}/notices" if seat else f"{path}/desk/notices"


def _link(url: str) -> str:
    shown = html.escape(url)
    return f'<a href="{shown}">{shown}</a>'
