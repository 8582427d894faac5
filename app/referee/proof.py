"""Proof that nobody chose the dice: digests of sealed sheets, the secret of a turn, the seed made of both.

Pure: no database, no clock. `docs/proof.md` says the same for other programs.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

from app.engine.ruleset import Json


def canonical(*, battle: str, nonce: str, orders: Json, revision: int, seat: str, turn: int) -> str:
    """What a seat sealed, as the one text that its digest is of: JSON, keys sorted, no spaces, no escapes beyond need."""
    sheet = {"battle": battle, "nonce": nonce, "orders": orders, "revision": revision, "seat": seat, "turn": turn}
    return json.dumps(sheet, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def digest(canonical: str) -> str:
    """SHA-256, hex, of the UTF-8 text."""
    return hashlib.sha256(canonical.encode("utf-8")).hexdigest()


def doctrine(*, battle: str, doctrine: str, nonce: str, seat: str) -> str:
    """The same of a standing doctrine, which holds for every turn until another is chosen."""
    told = {"battle": battle, "doctrine": doctrine, "nonce": nonce, "seat": seat}
    return json.dumps(told, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def commitment(secret: bytes) -> str:
    """What is shown of a turn's secret when the turn opens: its SHA-256, hex."""
    return hashlib.sha256(secret).hexdigest()


def dice_seed(secret: bytes, digests: Sequence[str]) -> bytes:
    """The seed of a turn's dice: from the secret drawn before any orders, and the digests of all sheets that counted, in
    order of seat. No digest at all: everybody was silent."""
    return hashlib.sha256(f"fieldpost/1:{secret.hex()}:{','.join(digests)}".encode("ascii")).digest()
