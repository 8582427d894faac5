"""Accounts: for whoever plays several seats, for game masters, and for programs; a link is enough to play.

An account has a name, and a password or an address by which a link is sent. A browser that is signed in holds a secret, of
which the hash alone is kept. What an account holds, seats and battles, it acts in as its link would.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import delete, insert, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from app.language import LANGUAGES
from app.referee import keys, names, passes, passwords
from app.referee.errors import RefereeError
from app.referee.rows import is_storable
from app.referee.schedule import is_zone
from app.referee.views import Viewer
from app.store.db import Database
from app.store.models import Account, Master, Seat, SignedIn, Token

STAYS = timedelta(days=90)
"""So long a browser stays signed in after it was last seen."""
SEEN_EVERY = timedelta(hours=12)
MOST_TOKENS = 20


@dataclass(frozen=True)
class Browser:
    """A browser that is signed in."""

    id: int
    browser: str
    began_at: datetime
    seen_at: datetime


@dataclass(frozen=True)
class TokenLine:
    id: int
    created_at: datetime


@dataclass(frozen=True)
class AccountView:
    """An account as its owner sees it."""

    id: int
    name: str
    mail: str | None
    has_password: bool
    zone: str
    language: str
    browsers: tuple[Browser, ...]
    tokens: tuple[TokenLine, ...]


def make_token(db: Database, name: str, now: datetime) -> str:
    """A new token of the account of this name, which is made if there is none. Shown this once: its hash alone is kept.
    For the server's host, who may do so for any. Raises `RefereeError`: bad-name, name-taken (another looks the same)."""
    cleaned = names.holder(name)
    try:
        return _made(db, cleaned, now)
    except IntegrityError:  # two at once made the account: the other was first, now it is there
        try:
            return _made(db, cleaned, now)
        except IntegrityError:
            raise RefereeError("name-taken") from None


def sign_up(db: Database, name: str, password: str, now: datetime, *, language: str, zone: str = "UTC") -> int:
    """A new account; its id. Raises `RefereeError`: bad-name, bad-password, name-taken (or another that looks the same)."""
    cleaned = names.holder(name)
    values = {
        "name": cleaned,
        "looks": names.digest_of_looks(cleaned),
        "password": passwords.hashed(password),
        "created_at": now,
        "language": language if language in LANGUAGES else LANGUAGES[0],
        "zone": zone if is_zone(zone) else "UTC",
    }
    try:
        with db.write() as session:
            return session.execute(insert(Account).values(values).returning(Account.id)).scalar_one()
    except IntegrityError:
        raise RefereeError("name-taken") from None


def sign_in(db: Database, name: str, password: str, browser: str, now: datetime) -> str:
    """A browser's secret; a name that looks the same will do, since it is nobody else's.
    Raises `RefereeError("no-account")` for a wrong name and a wrong password alike."""
    typed = name.strip()[: names.HOLDER_MAX]
    alike = or_(Account.name == typed, Account.looks == names.digest_of_looks(typed))
    with db.read() as session:
        found = select(Account.id, Account.password).where(alike).order_by(Account.name != typed).limit(1)
        row = session.execute(found).one_or_none() if name.isprintable() else None
    if not passwords.is_right(row.password if row else None, password) or row is None:
        raise RefereeError("no-account")
    return signed_in(db, row.id, browser, now)


def signed_in(db: Database, account_id: int, browser: str, now: datetime) -> str:
    """A secret for a browser of this account."""
    secret = keys.new_key()
    shown = "".join(sign for sign in browser if sign.isprintable())[:80]
    with db.write() as session:
        session.execute(delete(SignedIn).where(SignedIn.ends_at <= now))
        session.execute(
            insert(SignedIn).values(
                account_id=account_id,
                hash=keys.key_hash(secret),
                browser=shown,
                began_at=now,
                seen_at=now,
                ends_at=now + STAYS,
            )
        )
    return secret


def sign_out(db: Database, secret: str) -> None:
    """Of this browser; nothing, if it is signed out."""
    with db.write() as session:
        session.execute(delete(SignedIn).where(SignedIn.hash == keys.key_hash(secret)))


def account_of(db: Database, secret: str, now: datetime) -> Viewer | None:
    """Whose browser it is; None: nobody's, or not any more."""
    query = (
        select(SignedIn.id, SignedIn.seen_at, SignedIn.account_id, Account.name)
        .join(Account, Account.id == SignedIn.account_id)
        .where(SignedIn.hash == keys.key_hash(secret), SignedIn.ends_at > now)
    )
    with db.read() as session:
        row = session.execute(query).one_or_none()
    if row is None:
        return None
    if now - row.seen_at > SEEN_EVERY:
        with db.write() as session:
            seen = update(SignedIn).where(SignedIn.id == row.id).values(seen_at=now, ends_at=now + STAYS)
            session.execute(seen.execution_options(synchronize_session=False))
    return Viewer("account", account_id=row.account_id, name=row.name)


def acting(
    db: Database, account: Viewer, battle_id: str, now: datetime, *, seat: str | None = None, master: bool = True
) -> Viewer | None:
    """The account as the holder of `seat`, as the deputy of him who is, or as a game master of the battle, if it is that.
    None: nothing of it."""
    if not (is_storable(battle_id) and is_storable(seat or "")):
        return None
    with db.read() as session:
        if seat is not None:
            held = select(Seat.holder, Seat.key_generation).where(Seat.battle_id == battle_id, Seat.seat == seat)
            row = session.execute(held.where(Seat.account_id == account.account_id)).one_or_none()
            if row is not None:
                generation = row.key_generation
                return Viewer("seat", battle_id, seat, account.account_id, row.holder, generation=generation)
            for deputy in passes.acting(session, battle_id, now, account_id=account.account_id, seat=seat):
                return deputy
        if not master:
            return None
        columns = select(Master.battle_id, Master.number, Master.name, Master.plays, Master.account_id)
        query = columns.where(Master.battle_id == battle_id, Master.account_id == account.account_id)
        found = session.execute(query.order_by(Master.number).limit(1)).one_or_none()
    return None if found is None else keys.master_viewer(found)


def standing_in(
    db: Database, battle_id: str, now: datetime, seats: Collection[str], *, seat: str | None = None
) -> tuple[Viewer, ...]:
    """As the deputy of which seats the holder of some acts now; `seat`: of this one alone."""
    if not (is_storable(battle_id) and is_storable(seat or "")):
        return ()
    with db.read() as session:
        return passes.acting(session, battle_id, now, seats=seats, seat=seat)


def seats_of(db: Database, account: Viewer, battle_id: str, now: datetime) -> tuple[str, ...]:
    """The seats that an account holds in a battle, in order of place; then those for which it stands in now."""
    if not is_storable(battle_id):
        return ()
    query = select(Seat.seat).where(Seat.battle_id == battle_id, Seat.account_id == account.account_id)
    with db.read() as session:
        own = tuple(session.execute(query.order_by(Seat.place)).scalars())
        deputies = passes.acting(session, battle_id, now, account_id=account.account_id)
    return (*own, *(one.seat for one in deputies if one.seat is not None))


def view(db: Database, account: Viewer) -> AccountView:
    """Raises `RefereeError("no-account")`: it was deleted."""
    with db.read() as session:
        row = account_row(session, account)
        signed = select(SignedIn.id, SignedIn.browser, SignedIn.began_at, SignedIn.seen_at)
        browsers = session.execute(signed.where(SignedIn.account_id == row.id).order_by(SignedIn.seen_at.desc()))
        made = select(Token.id, Token.created_at).where(Token.account_id == row.id).order_by(Token.id)
        return AccountView(
            id=row.id,
            name=row.name,
            mail=row.mail,
            has_password=row.password is not None,
            zone=row.zone,
            language=row.language,
            browsers=tuple(Browser(*one) for one in browsers),
            tokens=tuple(TokenLine(*one) for one in session.execute(made)),
        )


def change(db: Database, account: Viewer, *, name: str, zone: str, language: str) -> None:
    """Raises `RefereeError`: no-account, bad-name, name-taken, bad-deadline (an unknown zone), bad-request (language)."""
    cleaned = names.holder(name)
    if not is_zone(zone):
        raise RefereeError("bad-deadline", params={"zone": zone[:64]})
    if language not in LANGUAGES:
        raise RefereeError("bad-request")
    try:
        with db.write() as session:
            row = account_row(session, account)
            looks = row.looks if cleaned == row.name else names.digest_of_looks(cleaned)
            set_values(session, account, name=cleaned, looks=looks, zone=zone, language=language)
    except IntegrityError:
        raise RefereeError("name-taken") from None


def set_password(db: Database, account: Viewer, old: str, new: str, *, keep: str) -> None:
    """A new password; every other browser is signed out (`keep`: this one's secret). Who has none needs no old one: he came
    by a link. Raises `RefereeError`: no-account (the old one is wrong), bad-password."""
    with db.read() as session:
        stored = account_row(session, account).password
    if stored is not None and not passwords.is_right(stored, old):
        raise RefereeError("no-account")
    made = passwords.hashed(new)
    with db.write() as session:
        set_values(session, account, password=made)
        others = (SignedIn.account_id == account.account_id, SignedIn.hash != keys.key_hash(keep))
        session.execute(delete(SignedIn).where(*others))


def sign_out_others(db: Database, account: Viewer, *, keep: str) -> None:
    with db.write() as session:
        others = (SignedIn.account_id == account.account_id, SignedIn.hash != keys.key_hash(keep))
        session.execute(delete(SignedIn).where(*others))


def new_token(db: Database, account: Viewer, now: datetime) -> str:
    """A token for a program, told this once. Raises `RefereeError("too-many")`."""
    token = keys.new_token()
    with db.write() as session:
        count = len(session.execute(select(Token.id).where(Token.account_id == account.account_id)).all())
        if count >= MOST_TOKENS:
            raise RefereeError("too-many", params={"most": MOST_TOKENS})
        session.execute(insert(Token).values(account_id=account.account_id, hash=keys.key_hash(token), created_at=now))
    return token


def drop_token(db: Database, account: Viewer, token_id: int) -> None:
    with db.write() as session:
        session.execute(delete(Token).where(Token.account_id == account.account_id, Token.id == token_id))


def close(db: Database, account: Viewer, password: str) -> None:
    """The account goes; its seats and battles stay, and are opened by their links alone.
    Raises `RefereeError("no-account")`: a wrong password."""
    with db.read() as session:
        stored = account_row(session, account).password
    if stored is not None and not passwords.is_right(stored, password):
        raise RefereeError("no-account")
    with db.write() as session:
        session.execute(delete(Account).where(Account.id == account.account_id))


def account_row(session: Session, account: Viewer) -> Any:
    """The account's row. Raises `RefereeError("no-account")`: it was deleted."""
    columns = select(Account.id, Account.name, Account.mail, Account.password, Account.zone, Account.language, Account.looks)
    row = session.execute(columns.where(Account.id == account.account_id)).one_or_none()
    if row is None:
        raise RefereeError("no-account")
    return row


def set_values(session: Session, account: Viewer, **values: Any) -> None:
    """In the caller's transaction."""
    changed = update(Account).where(Account.id == account.account_id).values(**values)
    session.execute(changed.execution_options(synchronize_session=False))


def _made(db: Database, name: str, now: datetime) -> str:
    token = keys.new_token()
    with db.write() as session:
        account_id = session.execute(select(Account.id).where(Account.name == name)).scalar_one_or_none()
        if account_id is None:
            account_id = session.execute(
                insert(Account).values(name=name, looks=names.digest_of_looks(name), created_at=now).returning(Account.id)
            ).scalar_one()
        session.execute(insert(Token).values(account_id=account_id, hash=keys.key_hash(token), created_at=now))
    return token
