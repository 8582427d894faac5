"""Links that are mailed to an account's owner: by one he signs in, by another he shows that an address is his."""

from __future__ import annotations

import html
import secrets
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import delete, insert, select, update
from sqlalchemy.orm import Session

from app.language import marked as _
from app.language import translator
from app.posting import mail
from app.posting.mail import Letter, MailServer
from app.posting.message import PostError
from app.referee import accounts, consent, keys, outbox, passwords
from app.referee.errors import RefereeError
from app.referee.outbox import Errand
from app.referee.views import Viewer
from app.store.db import Database
from app.store.models import Account, Entry

LINK_WORKS = timedelta(hours=1)
MOST_LINKS = 4
"""Links that may be asked for one account within the time in which one works."""

LETTERS = {
    "sign-in": (_("Your link to Fieldpost"), _("By this link you sign in:")),
    "mail": (
        _("Your address at Fieldpost"),
        _("By this link you show that this address is yours, and give it to the account “%(name)s”:"),
    ),
}


def ask_link(db: Database, given: str, now: datetime) -> None:
    """A link to sign in is mailed. Nothing, if no account has this address or too many links are on their way; who asks is
    told the same either way, and after the same time: whose the address is, is looked up when the line is delivered."""
    address = mail.address(given)
    if address is None:
        return
    with db.write() as session:
        outbox.write(session, f"entry/{secrets.token_hex(16)}", "entry", now, facts={"sign-in": address})


def ask_mail(db: Database, account: Viewer, given: str, now: datetime) -> None:
    """An address is to become the account's: a link is mailed there. Raises `RefereeError`: bad-mail, too-often (links of
    this account, or letters that ask something of that address, whoever wants them sent)."""
    address = mail.address(given)
    if address is None:
        raise RefereeError("bad-mail")
    with db.write() as session:
        account_id = accounts.account_row(session, account).id
        if consent.is_flooded(session, address, now) or not _entry(session, account_id, "mail", address, now):
            raise RefereeError("too-often", params={"seconds": int(LINK_WORKS.total_seconds())})


def drop_mail(db: Database, account: Viewer) -> None:
    """Raises `RefereeError("bad-password")`: without a password it is the only way in."""
    with db.write() as session:
        if accounts.account_row(session, account).password is None:
            raise RefereeError("bad-password", params={"least": passwords.SHORTEST, "most": passwords.LONGEST})
        accounts.set_values(session, account, mail=None)


def deliver(db: Database, errand: Errand, base_url: str, now: datetime, server: MailServer | None) -> None:
    """Mail the link; its key is made now, so that nothing that opens an account lies anywhere before. A repeat carries
    another key. Raises `PostError`."""
    if "sign-in" in errand.facts:
        _look_up(db, errand, now)
        return
    if server is None:
        raise PostError("no-mail")
    key = keys.new_key()
    with db.write() as session:
        columns = select(Entry.purpose, Entry.mail, Account.name, Account.language).join(
            Account, Account.id == Entry.account_id
        )
        waits = (Entry.id == errand.facts["entry"], Entry.used_at.is_(None), Entry.ends_at > now)
        row = session.execute(columns.where(*waits)).one_or_none()
        if row is not None:
            named = update(Entry).where(*waits).values(hash=keys.key_hash(key))
            session.execute(named.execution_options(synchronize_session=False))
    if row is not None:
        letter = _letter(row.purpose, row.language, row.name, f"{base_url}/e/{key}", errand.mark, now)
        mail.send(server, row.mail, letter)
    outbox.done(db, errand, None, now)


def _look_up(db: Database, errand: Errand, now: datetime) -> None:
    """Of an address that was typed nothing is kept, whether it is an account's or nobody's."""
    address = errand.facts["sign-in"]
    with db.write() as session:
        account_id = session.execute(select(Account.id).where(Account.mail == address)).scalar_one_or_none()
        if outbox.forget(session, errand) and account_id is not None:
            _entry(session, account_id, "sign-in", address, now)


def _letter(purpose: str, language: str, name: str, link: str, mark: str, now: datetime) -> Letter:
    say = translator(language).gettext
    subject, told = (say(text) for text in LETTERS[purpose])
    told = told % {"name": name}
    last = say("It works once, within an hour. If you did not ask for it, do nothing.")
    page = (
        f'<!doctype html><html lang="{language}"><meta charset="utf-8"><body><p>{html.escape(told)}</p>'
        f'<p><a href="{html.escape(link)}">{html.escape(link)}</a></p><p>{html.escape(last)}</p></body></html>'
    )
    return Letter(subject, f"{told}\n\n{link}\n\n{last}\n", page, mark, now)


def whose(db: Database, key: str, now: datetime) -> tuple[str, str] | None:
    """What a mailed link is for, and the name of the account whose it is; it is not used up by that. None: it is unknown,
    used, or too late."""
    waits = (Entry.hash == keys.key_hash(key), Entry.used_at.is_(None), Entry.ends_at > now)
    query = select(Entry.purpose, Account.name).join(Account, Account.id == Entry.account_id).where(*waits)
    with db.read() as session:
        row = session.execute(query).one_or_none()
    return None if row is None else (row.purpose, row.name)


def enter(db: Database, key: str, browser: str, now: datetime) -> tuple[str, str | None]:
    """A mailed link is followed: its purpose, and the secret of a browser that is signed in by it. It works once. Whoever
    confirms an address is not signed in: somebody else may have given it, and it would be his account.
    Raises `RefereeError`: no-entry (unknown, used, too late), mail-taken."""
    with db.write() as session:
        waits = (Entry.hash == keys.key_hash(key), Entry.used_at.is_(None), Entry.ends_at > now)
        row = session.execute(select(Entry.id, Entry.account_id, Entry.purpose, Entry.mail).where(*waits)).one_or_none()
        if row is None:
            raise RefereeError("no-entry")
        used = update(Entry).where(Entry.id == row.id, Entry.used_at.is_(None)).values(used_at=now)
        if _count(session.execute(used.execution_options(synchronize_session=False))) != 1:
            raise RefereeError("no-entry")
        if row.purpose == "mail":
            taken = select(Account.id).where(Account.mail == row.mail, Account.id != row.account_id)
            if session.execute(taken).first() is not None:
                raise RefereeError("mail-taken")
            named = update(Account).where(Account.id == row.account_id).values(mail=row.mail)
            session.execute(named.execution_options(synchronize_session=False))
            return row.purpose, None
    return row.purpose, accounts.signed_in(db, row.account_id, browser, now)


def _entry(session: Session, account_id: int, purpose: str, address: str, now: datetime) -> bool:
    """False: too many are on their way."""
    recent = select(Entry.id).where(Entry.account_id == account_id, Entry.asked_at > now - LINK_WORKS)
    if len(session.execute(recent).all()) >= MOST_LINKS:
        return False
    session.execute(delete(Entry).where(Entry.account_id == account_id, Entry.ends_at <= now - LINK_WORKS))
    values = {"account_id": account_id, "purpose": purpose, "mail": address, "asked_at": now, "ends_at": now + LINK_WORKS}
    entry_id = session.execute(insert(Entry).values(values).returning(Entry.id)).scalar_one()
    asks = f"{consent.digest(address)}/" if purpose == "mail" else ""
    outbox.write(session, f"entry/{asks}{entry_id}", "entry", now, facts={"entry": entry_id})
    return True


def _count(result: Any) -> int:
    return int(result.rowcount)
