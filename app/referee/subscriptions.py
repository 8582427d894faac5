"""What a person is told, where and when: chosen by the holder of a seat for it, by the game master for his battle."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from typing import Any, Literal

from sqlalchemy import bindparam, func, insert, or_, select, update
from sqlalchemy.orm import Session

from app.engine.ruleset import Json
from app.language import LANGUAGES
from app.posting import kinds, mail
from app.posting.kinds import BadTarget
from app.referee import notices, passes, quiet
from app.referee.access import master_only
from app.referee.battles import is_zone
from app.referee.errors import RefereeError
from app.referee.masters import FIRST
from app.referee.rows import BattleRow, battle_row, dumps, loads, locked, run
from app.referee.views import Viewer
from app.reports.noticewords import TOPICS
from app.store.db import Database
from app.store.models import OUTBOX, SEATS, SUBSCRIPTIONS

KINDS = ("mail", "discord", "telegram", "webhook", "apprise")
MOST = 6
"""Ways to one seat, and to one game master."""
TRIAL_PAUSE = timedelta(minutes=1)
MOST_TRIALS = 20
"""So many test lines go out for one battle within an hour: none can be made to hammer at a stranger's server."""
MOST_ASKED = 3
"""So many letters that only ask go to one address within a day, whoever wants them sent."""
MOST_ASKING = 12
"""So many go out for one battle within a day."""
FAILED_SHOWN = 20
FAILED_SHOWN_FOR = timedelta(days=14)


@dataclass(frozen=True)
class Wishes:
    """`topics`: of `noticewords.TOPICS`. Hours and minutes are of the zone's wall clock; `digest_hour` None: at once."""

    language: str
    zone: str
    topics: tuple[str, ...]
    digest_hour: int | None = None
    quiet_from: int | None = None
    quiet_to: int | None = None


@dataclass(frozen=True)
class SubscriptionView:
    """As its owner sees it. `state`: `asked` (the address is not confirmed), `stopped` (why: `error`), `works`. `last`: the
    last thing that arrived there. `failing`: code and parameters of what was not brought there the last time."""

    id: int
    kind: str
    place: str
    wishes: Wishes
    state: Literal["asked", "stopped", "works"]
    error: Mapping[str, Json]
    last: datetime | None
    waiting: int


@dataclass(frozen=True)
class Failure:
    """Something that did not reach a person, for the game master: of the place no more than `place` tells. `due_at` None:
    given up."""

    id: int
    seat: str | None
    kind: str
    place: str
    at: datetime
    due_at: datetime | None
    error: Mapping[str, Json]


_U, _O, _S = SUBSCRIPTIONS.c, OUTBOX.c, SEATS.c
_COLUMNS = tuple(_U[name] for name in ("id", "kind", "place", "language", "zone", "topics", "confirm", "stopped"))
_MINE = (
    select(*_COLUMNS, _U.digest_hour, _U.quiet_from, _U.quiet_to)
    .where(_U.battle_id == bindparam("battle"), _U.seat.is_not_distinct_from(bindparam("seat")), notices.ALIVE)
    .where(_U.pass_id.is_not_distinct_from(bindparam("pass_id")))
    .where(or_(_U.role == "seat", _U.generation == bindparam("master")))
    .order_by(_U.id)
)


def listing(db: Database, battle_id: str, viewer: Viewer) -> tuple[SubscriptionView, ...]:
    """The viewer's own: of his seat, or as game master. Raises `RefereeError`: no-battle, not-yours."""
    with db.read() as session:
        seat = _owner(battle_row(session, battle_id), viewer)
        return tuple(
            _view(session, row)
            for row in run(
                session, _MINE, battle=battle_id, seat=seat, master=_number(viewer), pass_id=viewer.stand_in
            ).all()
        )


def add(
    db: Database,
    battle_id: str,
    viewer: Viewer,
    *,
    kind: str,
    given: Mapping[str, str],
    wishes: Wishes,
    allow_private: bool,
    has_mail: bool,
    now: datetime,
) -> int:
    """A way to the viewer. To a mail address goes nothing but a question, until its link was followed. Raises
    `kinds.BadTarget`, `RefereeError`: no-battle, not-yours, bad-request, too-often (questions to that address)."""
    _check(wishes)
    if kind not in KINDS or (kind == "mail" and not has_mail):
        raise RefereeError("bad-request")
    place = _address(given) if kind == "mail" else kinds.place(kind, given, allow_private=allow_private)
    with db.write() as session:
        battle = locked(session, battle_id)
        seat = _owner(battle, viewer)
        if seat is not None and not passes.still_works(session, viewer, now):
            raise RefereeError("not-yours")
        if (
            len(run(session, _MINE, battle=battle_id, seat=seat, master=_number(viewer), pass_id=viewer.stand_in).all())
            >= MOST
        ):
            raise BadTarget("address" if kind == "mail" else kinds.KINDS[kind].fields[0], "too-many-ways")
        values = {
            "role": "seat" if seat else "master",
            "battle_id": battle_id,
            "seat": seat,
            "generation": _generation(session, battle_id, seat) if seat else _number(viewer),
            "pass_id": viewer.stand_in,
            "account_id": viewer.account_id,
            "kind": kind,
            "place": place.shown[:400],
            "target": dumps(dict(place.target)),
            "token": secrets.token_urlsafe(24),
            "confirm": secrets.token_urlsafe(24) if kind == "mail" else None,
            "created_at": now,
            **_values(wishes),
        }
        made: int = run(session, insert(SUBSCRIPTIONS).values(**values).returning(_U.id)).scalar_one()
        if kind == "mail":
            _ask(session, battle, made, place.target["address"], now)
    return made


def change(db: Database, battle_id: str, viewer: Viewer, subscription_id: int, wishes: Wishes, now: datetime) -> None:
    """Other wishes, for what waits, too. Raises `RefereeError`: no-battle, not-yours, bad-request, no-page."""
    _check(wishes)
    with db.write() as session:
        _own(session, battle_id, viewer, subscription_id)
        run(session, update(SUBSCRIPTIONS).where(_U.id == subscription_id).values(**_values(wishes)))
        waiting = select(_O.id, _O.facts).where(
            _O.subscription_id == subscription_id, _O.due_at > now, _O.claim.is_(None), _O.attempts == 0
        )
        for line in run(session, waiting).all():
            facts = loads(line.facts)
            due = quiet.due(wishes, facts["code"], facts, now)
            run(session, update(OUTBOX).where(_O.id == line.id).values(due_at=due))


def remove(db: Database, battle_id: str, viewer: Viewer, subscription_id: int) -> None:
    """Forget a way, and what was on it. Raises `RefereeError`: no-battle, not-yours, no-page."""
    with db.write() as session:
        _own(session, battle_id, viewer, subscription_id)
        notices.end(session, [subscription_id])


def try_out(db: Database, battle_id: str, viewer: Viewer, subscription_id: int, now: datetime) -> None:
    """A line that says that it works; takes up what was stopped. Raises as `remove`, and too-often, bad-request (the
    address is not confirmed)."""
    with db.write() as session:
        battle, row = _own(session, battle_id, viewer, subscription_id)
        if row.confirm is not None:
            raise RefereeError("bad-request")
        last = select(func.max(_O.created_at)).where(
            _O.subscription_id == subscription_id, _O.key.like(f"n/{subscription_id}/{battle_id}/trial/%")
        )
        tried: datetime | None = run(session, last).scalar_one()
        trials = select(func.count()).where(
            _O.battle_id == battle_id, _O.key.like("n/%/trial/%"), _O.created_at > now - timedelta(hours=1)
        )
        many = run(session, trials).scalar_one() >= MOST_TRIALS
        if many or (tried is not None and now - tried < TRIAL_PAUSE):
            raise RefereeError("too-often", params={"seconds": int(TRIAL_PAUSE.total_seconds())})
        run(session, update(SUBSCRIPTIONS).where(_U.id == subscription_id).values(stopped=None))
        key = f"trial/{secrets.token_hex(8)}"
        notices.write(session, subscription_id, "trial", now, due=now, battle=battle, turn=battle.turn, facts={}, key=key)


def asked(db: Database, token: str) -> str | None:
    """The masked address of which a link in a letter speaks, by either of its tokens; None: none (any more)."""
    with db.read() as session:
        return run(session, select(_U.place).where(or_(_U.confirm == token, _U.token == token))).scalar_one_or_none()


def confirm(db: Database, token: str) -> bool:
    """The holder of the address says yes. False: the link is used up, or its subscription gone."""
    with db.write() as session:
        return bool(run(session, update(SUBSCRIPTIONS).where(_U.confirm == token).values(confirm=None)).rowcount)


def end_by_link(db: Database, token: str) -> bool:
    """Whoever has a letter may end such letters, without any key. False: they were ended before."""
    with db.write() as session:
        ids = run(session, select(_U.id).where(_U.token == token)).scalars().all()
        notices.end(session, ids)
    return bool(ids)


def failures(db: Database, battle_id: str, viewer: Viewer, now: datetime) -> tuple[Failure, ...]:
    """What did not reach persons of a battle of late, the newest first. Raises `RefereeError`: no-battle, not-yours."""
    query = (
        select(_O.id, _U.seat, _U.kind, _U.place, _O.created_at, _O.due_at, _O.error)
        .join(SUBSCRIPTIONS, _U.id == _O.subscription_id)
        .where(_O.battle_id == battle_id, _O.done_at.is_(None), _O.error.is_not(None))
        .where(_O.created_at > now - FAILED_SHOWN_FOR)
        .order_by(_O.id.desc())
        .limit(FAILED_SHOWN)
    )
    with db.read() as session:
        master_only(battle_row(session, battle_id), viewer)
        found = run(session, query).all()
    return tuple(
        Failure(row.id, row.seat, row.kind, row.place, row.created_at, row.due_at, loads(row.error)) for row in found
    )


def _owner(battle: BattleRow, viewer: Viewer) -> str | None:
    """The seat whose wishes the viewer may see; None: he is a game master."""
    if viewer.kind == "seat" and viewer.battle_id == battle.id:
        return viewer.seat
    master_only(battle, viewer)
    return None


def _number(viewer: Viewer) -> int:
    """Which of the game masters he is; who made the battle is the first."""
    return viewer.master or FIRST


def _generation(session: Session, battle_id: str, seat: str) -> int:
    found: int = run(session, select(_S.key_generation).where(_S.battle_id == battle_id, _S.seat == seat)).scalar_one()
    return found


def _own(session: Session, battle_id: str, viewer: Viewer, subscription_id: int) -> tuple[BattleRow, Any]:
    battle = locked(session, battle_id)
    seat = _owner(battle, viewer)
    for row in run(session, _MINE, battle=battle_id, seat=seat, master=_number(viewer), pass_id=viewer.stand_in):
        if row.id == subscription_id:
            return battle, row
    raise RefereeError("no-page")


def _address(given: Mapping[str, str]) -> kinds.Place:
    typed = given.get("address", "")
    if not typed.strip():
        raise BadTarget("address", "missing")
    found = mail.address(typed)
    if found is None:
        raise BadTarget("address", "no-mail-address")
    return kinds.Place(mail.masked(found), {"address": found})


def _ask(session: Session, battle: BattleRow, subscription_id: int, address: str, now: datetime) -> None:
    """A question to an address: few a day, so that nobody is flooded by letters that he never wanted."""
    digest = hashlib.sha256(address.lower().encode()).hexdigest()[:32]
    recent = select(func.count()).select_from(OUTBOX).where(_O.created_at > now - timedelta(days=1))
    to_him = run(session, recent.where(_O.key.like(f"%/ask/{digest}/%"))).scalar_one()
    for_battle = run(session, recent.where(_O.battle_id == battle.id, _O.key.like("%/ask/%"))).scalar_one()
    if to_him >= MOST_ASKED or for_battle >= MOST_ASKING:
        raise RefereeError("too-often", params={"seconds": 86400})
    key = f"ask/{digest}/{secrets.token_hex(4)}"
    notices.write(session, subscription_id, "confirm", now, due=now, battle=battle, turn=battle.turn, facts={}, key=key)


def _check(wishes: Wishes) -> None:
    """Forms offer nothing else: whoever sends it did not use one."""
    minutes = (wishes.quiet_from, wishes.quiet_to)
    is_known = wishes.language in LANGUAGES and is_zone(wishes.zone) and set(wishes.topics) <= set(TOPICS)
    is_hour = wishes.digest_hour is None or 0 <= wishes.digest_hour < 24
    is_quiet = minutes == (None, None) or all(at is not None and 0 <= at < quiet.MINUTES for at in minutes)
    if not (is_known and is_hour and is_quiet):
        raise RefereeError("bad-request")


def _values(wishes: Wishes) -> dict[str, Any]:
    told = {field.name: getattr(wishes, field.name) for field in fields(Wishes)}
    return {**told, "topics": dumps([topic for topic in TOPICS if topic in wishes.topics])}


def _view(session: Session, row: Any) -> SubscriptionView:
    query = select(func.max(_O.done_at), func.count().filter(_O.done_at.is_(None), _O.due_at.is_not(None)))
    last, waiting = run(session, query.where(_O.subscription_id == row.id)).one()
    failing = select(_O.error).where(_O.subscription_id == row.id, _O.error.is_not(None), _O.done_at.is_(None))
    error = row.stopped or run(session, failing.order_by(_O.id.desc()).limit(1)).scalar_one_or_none()
    state: Literal["asked", "stopped", "works"] = "works"
    if row.confirm is not None:
        state = "asked"
    elif row.stopped is not None:
        state = "stopped"
    names = {name: row._mapping[name] for name in ("language", "zone", "digest_hour", "quiet_from", "quiet_to")}
    wishes = Wishes(topics=tuple(loads(row.topics)), **names)
    return SubscriptionView(row.id, row.kind, row.place, wishes, state, loads(error) if error else {}, last, waiting)
