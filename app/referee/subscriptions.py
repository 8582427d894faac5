"""What a person is told, where and when: chosen by the holder of a seat for it, by the game master for his battle, by an
account for all that it holds."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from typing import Any, Literal

from sqlalchemy import func, insert, or_, select, update
from sqlalchemy.orm import Session

from app.engine.ruleset import Json
from app.language import LANGUAGES
from app.posting import kinds, mail
from app.posting.kinds import BadTarget
from app.referee import consent, notices, quiet
from app.referee.access import master_only, seat_only
from app.referee.battles import is_zone
from app.referee.errors import RefereeError
from app.referee.masters import FIRST
from app.referee.rows import BattleRow, battle_row, dumps, loads, locked, run
from app.referee.views import Viewer
from app.reports.noticewords import TOPICS
from app.store.db import Database
from app.store.models import ACCOUNTS, OUTBOX, SEATS, SUBSCRIPTIONS

KINDS = ("mail", "discord", "telegram", "webhook", "apprise")
MOST = 6
"""Ways to one seat, to one game master, to one account."""
TRIAL_PAUSE = timedelta(minutes=1)
MOST_TRIALS = 20
"""So many test lines go out for one battle within an hour: none can be made to hammer at a stranger's server."""


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


_U, _O, _S = SUBSCRIPTIONS.c, OUTBOX.c, SEATS.c
_COLUMNS = (*(_U[name] for name in ("id", "kind", "place", "language", "zone", "topics", "confirm", "stopped")),)
_ROWS = select(*_COLUMNS, _U.digest_hour, _U.quiet_from, _U.quiet_to).order_by(_U.id)


@dataclass(frozen=True)
class _Owner:
    """Whose ways: a seat's (with its key's generation, and the pass of whoever only stands in), a game master's (with his
    number), or (`battle` None) an account's, for all that it holds."""

    role: Literal["seat", "master", "account"]
    battle: BattleRow | None
    account_id: int | None
    seat: str | None = None
    generation: int | None = None
    pass_id: int | None = None

    def rows(self, session: Session) -> list[Any]:
        if self.battle is None:
            mine = [_U.account_id == self.account_id]
        else:
            mine = [_U.battle_id == self.battle.id, _U.seat.is_not_distinct_from(self.seat), notices.ALIVE]
            mine += [_U.pass_id.is_not_distinct_from(self.pass_id)]
            mine += [_U.generation == self.generation] if self.role == "master" else []
        return list(run(session, _ROWS.where(_U.role == self.role, *mine)))


def listing(db: Database, battle_id: str | None, viewer: Viewer) -> tuple[SubscriptionView, ...]:
    """The viewer's own: of his seat, or as game master; without a battle, of his account for all that it holds.
    Raises `RefereeError`: no-battle, not-yours."""
    with db.read() as session:
        battle = None if battle_id is None else battle_row(session, battle_id)
        return tuple(_view(session, row) for row in _owner(battle, viewer).rows(session))


def add(
    db: Database,
    battle_id: str | None,
    viewer: Viewer,
    *,
    kind: str,
    given: Mapping[str, str],
    wishes: Wishes,
    allow_private: bool,
    has_mail: bool,
    now: datetime,
) -> int:
    """A way to the viewer. To a mail address goes nothing but a question, until its link was followed; an account that gives
    its own address has shown already that it is his. Raises `kinds.BadTarget`, `RefereeError`: no-battle, not-yours,
    bad-request, too-often (questions to that address)."""
    _check(wishes)
    if kind not in KINDS or (kind == "mail" and not has_mail):
        raise RefereeError("bad-request")
    place = address_of(given) if kind == "mail" else kinds.place(kind, given, allow_private=allow_private)
    with db.write() as session:
        battle = None if battle_id is None else locked(session, battle_id)
        owner = _owner(battle, viewer)
        if battle is not None and owner.seat is not None:
            seat_only(session, battle, viewer, owner.seat, now)
        if len(owner.rows(session)) >= MOST:
            raise BadTarget("address" if kind == "mail" else kinds.KINDS[kind].fields[0], "too-many-ways")
        asks = kind == "mail" and not _is_known(session, owner, place.target["address"])
        values = {
            "role": owner.role,
            "battle_id": battle_id,
            "seat": owner.seat,
            "generation": _generation(session, owner),
            "pass_id": owner.pass_id,
            "account_id": viewer.account_id,
        }
        made = insert_way(session, values, kind, place, wishes, now, asks=asks)
        if asks:
            consent.ask(session, made, place.target["address"], now, battle=battle, account=viewer.account_id)
    return made


def insert_way(
    session: Session, owner: Mapping[str, Any], kind: str, place: kinds.Place, wishes: Wishes, now: datetime, *, asks: bool
) -> int:
    """The row of a way. `asks`: nothing goes there before its owner has said yes."""
    values = {
        **owner,
        "kind": kind,
        "place": place.shown[:400],
        "target": dumps(dict(place.target)),
        "token": secrets.token_urlsafe(24),
        "confirm": secrets.token_urlsafe(24) if asks else None,
        "created_at": now,
        **_values(wishes),
    }
    made: int = run(session, insert(SUBSCRIPTIONS).values(**values).returning(_U.id)).scalar_one()
    return made


def change(db: Database, battle_id: str | None, viewer: Viewer, subscription_id: int, wishes: Wishes, now: datetime) -> None:
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


def remove(db: Database, battle_id: str | None, viewer: Viewer, subscription_id: int) -> None:
    """Forget a way, and what was on it. Raises `RefereeError`: no-battle, not-yours, no-page."""
    with db.write() as session:
        _own(session, battle_id, viewer, subscription_id)
        notices.end(session, [subscription_id])


def try_out(db: Database, battle_id: str | None, viewer: Viewer, subscription_id: int, now: datetime) -> None:
    """A line that says that it works; takes up what was stopped. Raises as `remove`, and too-often, bad-request (the
    address is not confirmed)."""
    with db.write() as session:
        battle, row = _own(session, battle_id, viewer, subscription_id)
        if row.confirm is not None:
            raise RefereeError("bad-request")
        last = select(func.max(_O.created_at)).where(
            _O.subscription_id == subscription_id, _O.key.like(f"n/{subscription_id}/%/trial/%")
        )
        tried: datetime | None = run(session, last).scalar_one()
        whose = "trial/" if battle else f"trial/of-{viewer.account_id}/"
        trials = select(func.count()).where(
            _O.battle_id.is_not_distinct_from(battle_id),
            _O.key.like(f"n/%/{whose}%"),
            _O.created_at > now - timedelta(hours=1),
        )
        many = run(session, trials).scalar_one() >= MOST_TRIALS
        if many or (tried is not None and now - tried < TRIAL_PAUSE):
            raise RefereeError("too-often", params={"seconds": int(TRIAL_PAUSE.total_seconds())})
        run(session, update(SUBSCRIPTIONS).where(_U.id == subscription_id).values(stopped=None))
        key, turn = f"{whose}{secrets.token_hex(8)}", battle.turn if battle else None
        notices.write(session, subscription_id, "trial", now, due=now, battle=battle, turn=turn, facts={}, key=key)


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


def _owner(battle: BattleRow | None, viewer: Viewer) -> _Owner:
    """Whose wishes the viewer may see."""
    if battle is None:
        if viewer.kind != "account":
            raise RefereeError("not-yours")
        return _Owner("account", None, viewer.account_id)
    if viewer.kind == "seat" and viewer.battle_id == battle.id:
        return _Owner("seat", battle, viewer.account_id, viewer.seat, pass_id=viewer.stand_in)
    master_only(battle, viewer)
    return _Owner("master", battle, viewer.account_id, generation=viewer.master or FIRST)


def _generation(session: Session, owner: _Owner) -> int | None:
    if owner.battle is None or owner.role == "master":
        return owner.generation
    here = (_S.battle_id == owner.battle.id, _S.seat == owner.seat)
    found: int = run(session, select(_S.key_generation).where(*here)).scalar_one()
    return found


def _is_known(session: Session, owner: _Owner, address: str) -> bool:
    """Whether an account gives the address by which it signs in: a link that went there has come back."""
    if owner.role != "account":
        return False
    return run(session, select(ACCOUNTS.c.mail).where(ACCOUNTS.c.id == owner.account_id)).scalar_one_or_none() == address


def _own(session: Session, battle_id: str | None, viewer: Viewer, subscription_id: int) -> tuple[BattleRow | None, Any]:
    battle = None if battle_id is None else locked(session, battle_id)
    for row in _owner(battle, viewer).rows(session):
        if row.id == subscription_id:
            return battle, row
    raise RefereeError("no-page")


def address_of(given: Mapping[str, str]) -> kinds.Place:
    """Raises `kinds.BadTarget`."""
    typed = given.get("address", "")
    if not typed.strip():
        raise BadTarget("address", "missing")
    found = mail.address(typed)
    if found is None:
        raise BadTarget("address", "no-mail-address")
    return kinds.Place(mail.masked(found), {"address": found})


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
