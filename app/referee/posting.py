"""The postman: takes what is due from the outbox, words it for its place, brings it there, notes how it went."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from sqlalchemy import select

from app.config import Settings
from app.engine.ruleset import Json
from app.language import pick, translator
from app.posting.kinds import KINDS
from app.posting.mail import MailServer
from app.posting.message import Message, PostError, Target, marked
from app.posting.wire import Wire
from app.referee import courier, entries, outbox, publication, rewinding
from app.referee.errors import RefereeError
from app.referee.logbook import moment
from app.referee.outbox import Errand
from app.referee.rows import battle_row, loads, run
from app.referee.views import PUBLIC
from app.reports import chat, headline, markdown, plain
from app.reports.tree import LENGTHS
from app.store.db import Database
from app.store.models import TIES

CHATS = frozenset({"telegram", "apprise"})
"""Kinds of places that know no markup."""
LONGEST_IN_CHAT = 3500
MOST_SECONDS = 200
"""Of one delivery: with its last call it is over before the lease is, so that nobody else takes it up meanwhile."""


def mail_server(settings: Settings) -> MailServer | None:
    """The host's; None: he named none."""
    told = settings
    if not told.smtp_host:
        return None
    user, password = told.smtp_user, told.smtp_password
    return MailServer(told.smtp_host, told.smtp_port, told.smtp_from, told.smtp_security, user, password)


@dataclass(frozen=True)
class Postman:
    """`base_url`: the address that readers see, without a slash at its end. `clock`: aware UTC."""

    db: Database
    base_url: str
    clock: Callable[[], datetime]
    wire: Wire
    mail: MailServer | None = None

    def deliver_next(self) -> bool:
        """Deliver what has been due the longest. False: there was nothing. Any number of servers may do so at once; a
        thing that an earlier try had brought there is found, and not posted again. Bugs are raised, after the thing was
        put off."""
        errand = outbox.claim(self.db, self.clock())
        if errand is None:
            return False
        wire = self.wire.within(MOST_SECONDS)
        try:
            if errand.what == "notice":
                courier.deliver(self.db, errand, self.base_url, self.clock(), wire, self.mail)
            elif errand.what == "entry":
                entries.deliver(self.db, errand, self.base_url, self.clock(), self.mail)
            else:
                self._post(errand, wire)
        except PostError as failed:
            error: dict[str, Json] = {"code": failed.code}
            if failed.status is not None:
                error["status"] = failed.status
            if failed.said:
                error["said"] = failed.said
            self._put_off(errand, error, hopeless=failed.hopeless, wait=failed.wait)
        except Exception:
            self._put_off(errand, {"code": "broken"})
            raise
        return True

    def _post(self, errand: Errand, wire: Wire) -> None:
        tie = _tie(self.db, errand)
        if tie is None:  # taken away a moment ago, and its waiting things with it
            return
        message = replace(self._message(errand, tie), since=errand.created_at)
        posted = KINDS[tie.kind].deliver(wire, tie.target, message)
        outbox.done(self.db, errand, posted.link, self.clock())

    def _put_off(self, errand: Errand, error: dict[str, Json], *, hopeless: bool = False, wait: int = 0) -> None:
        now = self.clock()
        then = partial(courier.given_up, errand=errand, error=error, now=now) if errand.what == "notice" else None
        outbox.put_off(self.db, errand, error, now, hopeless=hopeless, wait=wait, given_up=then)

    def _message(self, errand: Errand, tie: _Tie) -> Message:
        if errand.what == "trial":
            return _trial(self.db, errand, tie, self.base_url)
        return _turn(self.db, errand, tie, self.base_url)


@dataclass(frozen=True, repr=False)
class _Tie:
    kind: str
    target: Target
    language: str
    length: str


def _tie(db: Database, errand: Errand) -> _Tie | None:
    query = select(TIES.c.kind, TIES.c.target, TIES.c.language, TIES.c.length).where(TIES.c.id == errand.tie_id)
    with db.read() as session:
        row = run(session, query).first()
    return None if row is None else _Tie(row.kind, loads(row.target), row.language, row.length)


def _turn(db: Database, errand: Errand, tie: _Tie, base_url: str) -> Message:
    """A published turn as everybody may know it."""
    assert errand.battle_id is not None
    assert errand.turn is not None
    try:
        turn = publication.turn(db, errand.battle_id, errand.turn, PUBLIC)
    except RefereeError as refused:
        raise LookupError(f"turn {errand.turn} of {errand.battle_id}: {refused.code}") from None
    say = translator(tie.language)
    path = f"{base_url}/b/{turn.battle_id}"
    url, picture = f"{path}/t/{turn.turn}", f"{path}/t/{turn.turn}.png?lang={tie.language}"
    name = _title(turn.title, turn.scenario.get("title"), tie.language)
    told = headline(turn, tie.language)
    text = plain.turn_report(turn, tie.language, length=LENGTHS[tie.length])
    facts = {
        "event": "turn-published",
        "battle": {"id": turn.battle_id, "title": name, "url": path},
        "turn": turn.turn,
        "url": url,
        "picture": picture,
        "record": f"{url}.json",
        "published_at": moment(turn.published_at),
        "points": dict(turn.points),
        "winner": turn.winner,
        "language": tie.language,
        "headline": told,
        "text": text,
    }
    again = ""
    if rewinding.played_before(db, turn.battle_id, turn.turn):
        again = say.gettext("Turn %(turn)s once more: the battle was taken back.") % {"turn": turn.turn} + "\n\n"
    is_forum = tie.kind in {"discourse", "nodebb"}
    post = ""
    if tie.kind in markdown.DIALECTS:
        post = markdown.turn_report(
            turn,
            tie.language,
            url=marked(url, errand.mark),
            picture=picture if is_forum else None,  # Discord shows it in an embed
            dialect=tie.kind,
            length=tie.length,
            limit=markdown.DIALECTS[tie.kind].limit - len(again),
        )
    if tie.kind in CHATS:
        text = chat.turn_report(turn, tie.language, length=tie.length, limit=LONGEST_IN_CHAT)
    if again:
        post = f"{again}{post}" if post else ""
        text, facts["again"] = f"{again}{text}", True
    title = f"{name} · {say.gettext('Turn %(turn)s') % {'turn': turn.turn}}"
    return Message(title, text, post, url, errand.mark, picture, facts)


def _trial(db: Database, errand: Errand, tie: _Tie, base_url: str) -> Message:
    assert errand.battle_id is not None
    with db.read() as session:
        battle = battle_row(session, errand.battle_id)
    say = translator(tie.language)
    url = f"{base_url}/b/{battle.id}"
    text = say.gettext("The turns of a battle will be posted here as they are published.")
    link = say.gettext("The battle")
    facts = {
        "event": "trial",
        "battle": {"id": battle.id, "title": battle.title, "url": url},
        "language": tie.language,
        "text": text,
    }
    post = f"{text}\n\n[{link}]({marked(url, errand.mark)})\n"
    return Message("Fieldpost", text, post, url, errand.mark, None, facts)


def _title(title: str, scenario: Mapping[str, str] | None, language: str) -> str:
    """The battle's own title; the scenario's in the tie's language, where the battle was not given another."""
    return pick(scenario, language) if scenario and title in scenario.values() else title
