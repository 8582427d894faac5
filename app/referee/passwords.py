"""Passwords: their argon2 hashes, and what is too short or too long to be one."""

from __future__ import annotations

from threading import BoundedSemaphore

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from app.referee.errors import RefereeError

SHORTEST, LONGEST = 10, 200
AT_ONCE = 4
"""Each takes some 20 MB and tens of milliseconds while it is worked out."""

_HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
_turn = BoundedSemaphore(AT_ONCE)


def hashed(password: str) -> str:
    """As it is stored. Raises `RefereeError("bad-password")`."""
    if not SHORTEST <= len(password) <= LONGEST or any("\ud800" <= sign <= "\udfff" for sign in password):
        raise RefereeError("bad-password", params={"least": SHORTEST, "most": LONGEST})
    with _turn:
        return _HASHER.hash(password)


def is_right(stored: str | None, password: str) -> bool:
    """Whether this is the password. Where none is stored it takes as long, so that nobody learns who has one."""
    if len(password) > LONGEST:
        return False
    with _turn:
        try:
            _HASHER.verify(stored or _nobodys(), password.encode("utf-8", "replace"))
        except (VerificationError, InvalidHashError):
            return False
        return stored is not None


def _nobodys() -> str:
    global _nobody
    if not _nobody:
        _nobody = _HASHER.hash("nobody's password")
    return _nobody


_nobody = ""
