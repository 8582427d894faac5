"""Keys: what a link holds. Only their hashes are stored; a seat's key is derived from the game master's."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from datetime import datetime
from typing import Any

from sqlalchemy import select

from app.referee import passes
from app.referee.errors import RefereeError
from app.referee.views import Viewer
from app.store.db import Database
from app.store.models import Account, CampaignMaster, Master, Seat, Token

TOKEN = "fp_"  # noqa: S105
"""What an account's token begins with."""


_SEAT = select(Seat.battle_id, Seat.seat, Seat.holder, Seat.key_generation)
_MASTER = select(Master.battle_id, Master.number, Master.name, Master.plays, Master.account_id)


_LEADS = select(CampaignMaster.campaign_id, CampaignMaster.number, CampaignMaster.name, CampaignMaster.account_id)


def master_viewer(row: Any) -> Viewer:
    """A game master by his row."""
    return Viewer(
        "master",
        battle_id=row.battle_id,
        account_id=row.account_id,
        name=row.name,
        master=row.number,
        plays=row.plays,
    )


def campaign_viewer(row: Any) -> Viewer:
    """A campaign's game master by his row."""
    return Viewer("campaign", account_id=row.account_id, name=row.name, master=row.number, campaign_id=row.campaign_id)


def new_key() -> str:
    return secrets.token_urlsafe(32)


def new_token() -> str:
    return TOKEN + secrets.token_urlsafe(32)


def seat_key(master_key: str, battle_id: str, seat: str, generation: int, salt: str | None = None) -> str:
    """URL-safe base64 without padding of HMAC-SHA-256 under the first master's key. `salt`: of a renewed key, so that
    nobody makes it who has only known the master key."""
    told = f"{battle_id}/{seat}/{generation}" + (f"/{salt}" if salt else "")
    return _text(hmac.digest(master_key.encode(), told.encode(), "sha256"))


def ticket_key(ticket: str, battle_id: str, salt: str) -> str:
    """A seat's key that is made of the ticket of who asked for it."""
    return _text(hmac.digest(ticket.encode("utf-8", "surrogatepass"), f"seat of {battle_id}/{salt}".encode(), "sha256"))


def wrapped(first_key: str, own_key: str, battle_id: str) -> str:
    """The first master's key, hex, hidden under the key of another, which is used for nothing else of this length."""
    return bytes(a ^ b for a, b in zip(_bytes(first_key), _pad(own_key, battle_id), strict=True)).hex()


def unwrapped(hidden: str, own_key: str, battle_id: str) -> str:
    """The first master's key, from what `wrapped` made of it."""
    return _text(bytes(a ^ b for a, b in zip(bytes.fromhex(hidden), _pad(own_key, battle_id), strict=True)))


def _pad(own_key: str, battle_id: str) -> bytes:
    return hmac.digest(own_key.encode(), f"first key of {battle_id}".encode(), "sha256")


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode("ascii").rstrip("=")


def _bytes(key: str) -> bytes:
    return base64.urlsafe_b64decode(key + "=" * (-len(key) % 4))


def key_hash(key: str) -> str:
    """SHA-256, hex, as it is stored: a key has 256 bits of chance, so that a slow hash would protect nothing."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


def viewer_by_key(db: Database, key: str, now: datetime | None = None) -> Viewer:
    """Who holds a key of a seat, a master key or an account's token. Without `now` no deputy's key works. Raises
    `RefereeError`: no-key, not-now (a deputy's, whose time is yet to come)."""
    hashed = key_hash(key)
    with db.read() as session:
        if key.startswith(TOKEN):
            account = session.execute(
                select(Account.id, Account.name).join(Token, Token.account_id == Account.id).where(Token.hash == hashed)
            ).one_or_none()
            if account is not None:
                return Viewer("account", account_id=account.id, name=account.name)
        seat = session.execute(_SEAT.where(Seat.key_hash == hashed)).one_or_none()
        if seat is not None:
            return Viewer("seat", seat.battle_id, seat.seat, name=seat.holder, generation=seat.key_generation)
        found = session.execute(_MASTER.where(Master.key_hash == hashed)).one_or_none()
        if found is not None:
            return master_viewer(found)
        leads = session.execute(_LEADS.where(CampaignMaster.key_hash == hashed)).one_or_none()
        if leads is not None:
            return campaign_viewer(leads)
        other = passes.by_key(session, hashed, now)
        if other is not None:
            return other
    raise RefereeError("no-key")
