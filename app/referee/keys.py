"""Keys: what a link holds. Only their hashes are stored; a seat's key is derived from the game master's."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets

from sqlalchemy import select

from app.referee.errors import RefereeError
from app.referee.views import Viewer
from app.store.db import Database
from app.store.models import Account, Battle, Seat, Token

TOKEN = "fp_"  # noqa: S105
"""What an account's token begins with."""


def new_key() -> str:
    return secrets.token_urlsafe(32)


def new_token() -> str:
    return TOKEN + secrets.token_urlsafe(32)


def seat_key(master_key: str, battle_id: str, seat: str, generation: int) -> str:
    """URL-safe base64 without padding of HMAC-SHA-256 under the master key."""
    mac = hmac.digest(master_key.encode(), f"{battle_id}/{seat}/{generation}".encode(), "sha256")
    return base64.urlsafe_b64encode(mac).decode("ascii").rstrip("=")


def key_hash(key: str) -> str:
    """SHA-256, hex, as it is stored: a key has 256 bits of chance, so that a slow hash would protect nothing."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


def viewer_by_key(db: Database, key: str) -> Viewer:
    """Who holds a seat's key, a master key or an account's token. Raises `RefereeError("no-key")`."""
    hashed = key_hash(key)
    with db.read() as session:
        if key.startswith(TOKEN):
            account = session.execute(
                select(Account.id, Account.name).join(Token, Token.account_id == Account.id).where(Token.hash == hashed)
            ).one_or_none()
            if account is not None:
                return Viewer("account", account_id=account.id, name=account.name)
        seat = session.execute(select(Seat.battle_id, Seat.seat, Seat.holder).where(Seat.key_hash == hashed)).one_or_none()
        if seat is not None:
            return Viewer("seat", battle_id=seat.battle_id, seat=seat.seat, name=seat.holder)
        battle_id = session.execute(select(Battle.id).where(Battle.master_hash == hashed)).scalar_one_or_none()
        if battle_id is not None:
            return Viewer("master", battle_id=battle_id)
    raise RefereeError("no-key")
