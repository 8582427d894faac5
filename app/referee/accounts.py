"""Accounts: for programs and hosts that make battles; a link is enough to play."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import insert, select
from sqlalchemy.exc import IntegrityError

from app.referee import keys, names
from app.store.db import Database
from app.store.models import Account, Token


def make_token(db: Database, name: str, now: datetime) -> str:
    """A new token of the account of this name, which is made if there is none. Shown this once: its hash alone is kept.
    Raises `RefereeError("bad-name")`."""
    cleaned = names.holder(name)
    try:
        return _made(db, cleaned, now)
    except IntegrityError:  # two at once made the account: the other was first, now it is there
        return _made(db, cleaned, now)


def _made(db: Database, name: str, now: datetime) -> str:
    token = keys.new_token()
    with db.write() as session:
        account_id = session.execute(select(Account.id).where(Account.name == name)).scalar_one_or_none()
        if account_id is None:
            account_id = session.execute(
                insert(Account).values(name=name, created_at=now).returning(Account.id)
            ).scalar_one()
        session.execute(insert(Token).values(account_id=account_id, hash=keys.key_hash(token), created_at=now))
    return token
