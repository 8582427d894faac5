"""Links that are mailed to an account's owner: by one he signs in, by another he shows that an address is his."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import delete, insert, select, update
from sqlalchemy.orm import Session

from app.referee import accounts, keys, passwords
from app.referee.errors import RefereeError
from app.referee.views import Viewer
from app.store.db import Database
from app.store.models import Account, Entry

LINK_WORKS = timedelta(hours=1)
MOST_LINKS = 4
"""Links that may be asked for one account within the time in which one works."""


def ask_link(db: Database, mail: str, now: datetime) -> int | None:
    """A link to sign in was asked for: the entry that is to be mailed. None: no account has this address, or too many links
    are on their way; who asks is told the same either way."""
    address = mail.strip().casefold()[:254]
    if not address.isprintable():
        return None
    with db.write() as session:
        account_id = session.execute(select(Account.id).where(Account.mail == address)).scalar_one_or_none()
        return None if account_id is None else _entry(session, account_id, "sign-in", address, now)


def ask_mail(db: Database, account: Viewer, mail: str, now: datetime) -> int | None:
    """An address is to become the account's: the entry that is to be mailed there. None: too many are on their way.
    Raises `RefereeError("bad-mail")`."""
    address = mail.strip().casefold()
    name, at, host = address.rpartition("@")
    if not (at and name and "." in host.strip(".") and len(address) <= 254 and address.isprintable() and " " not in address):
        raise RefereeError("bad-mail")
    with db.write() as session:
        return _entry(session, accounts.account_row(session, account).id, "mail", address, now)


def drop_mail(db: Database, account: Viewer) -> None:
    """Raises `RefereeError("bad-password")`: without a password it is the only way in."""
    with db.write() as session:
        if accounts.account_row(session, account).password is None:
            raise RefereeError("bad-password", params={"least": passwords.SHORTEST, "most": passwords.LONGEST})
        accounts.set_values(session, account, mail=None)


def entry_key(session: Session, entry_id: int, now: datetime) -> tuple[str, str, str, str] | None:
    """The key that goes into the mailed link, made now: nothing that opens an account lies anywhere before. Purpose,
    address, language and key; None: it is too late, or it was used."""
    columns = select(Entry.purpose, Entry.mail, Account.language).join(Account, Account.id == Entry.account_id)
    waits = (Entry.id == entry_id, Entry.used_at.is_(None), Entry.ends_at > now)
    row = session.execute(columns.where(*waits)).one_or_none()
    if row is None:
        return None
    key = keys.new_key()
    named = update(Entry).where(Entry.id == entry_id).values(hash=keys.key_hash(key))
    session.execute(named.execution_options(synchronize_session=False))
    return row.purpose, row.mail, row.language, key


def enter(db: Database, key: str, browser: str, now: datetime) -> tuple[str, str]:
    """A mailed link is followed: its purpose, and the secret of a browser that is signed in by it. It works once.
    Raises `RefereeError`: no-key (unknown, used, too late), mail-taken."""
    with db.write() as session:
        waits = (Entry.hash == keys.key_hash(key), Entry.used_at.is_(None), Entry.ends_at > now)
        row = session.execute(select(Entry.id, Entry.account_id, Entry.purpose, Entry.mail).where(*waits)).one_or_none()
        if row is None:
            raise RefereeError("no-key")
        used = update(Entry).where(Entry.id == row.id, Entry.used_at.is_(None)).values(used_at=now)
        if _count(session.execute(used.execution_options(synchronize_session=False))) != 1:
            raise RefereeError("no-key")
        if row.purpose == "mail":
            taken = select(Account.id).where(Account.mail == row.mail, Account.id != row.account_id)
            if session.execute(taken).first() is not None:
                raise RefereeError("mail-taken")
            named = update(Account).where(Account.id == row.account_id).values(mail=row.mail)
            session.execute(named.execution_options(synchronize_session=False))
    return row.purpose, accounts.signed_in(db, row.account_id, browser, now)


def _entry(session: Session, account_id: int, purpose: str, address: str, now: datetime) -> int | None:
    recent = select(Entry.id).where(Entry.account_id == account_id, Entry.asked_at > now - LINK_WORKS)
    if len(session.execute(recent).all()) >= MOST_LINKS:
        return None
    session.execute(delete(Entry).where(Entry.account_id == account_id, Entry.ends_at <= now - LINK_WORKS))
    values = {"account_id": account_id, "purpose": purpose, "mail": address, "asked_at": now, "ends_at": now + LINK_WORKS}
    return session.execute(insert(Entry).values(values).returning(Entry.id)).scalar_one()


def _count(result: Any) -> int:
    return int(result.rowcount)
