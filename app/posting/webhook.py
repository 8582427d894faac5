"""Any program: signed JSON, as docs/webhooks.md tells. The headers are those of Standard Webhooks, which many libraries
check."""

from __future__ import annotations

import base64
import binascii
import hmac
from datetime import UTC, datetime

import msgspec

from app.posting.message import Message, Posted, Target
from app.posting.wire import Wire

PREFIX = "whsec_"


def deliver(wire: Wire, target: Target, message: Message, now: datetime | None = None) -> Posted:
    """Raises `PostError`. `now`: for the time stamp."""
    at = str(int((now or datetime.now(UTC)).timestamp()))
    body = msgspec.json.encode({"format": 1, "id": message.mark, **message.facts})
    headers = {
        "idempotency-key": message.mark,
        "webhook-id": message.mark,
        "webhook-timestamp": at,
        "webhook-signature": signature(target["secret"], message.mark, at, body),
    }
    wire.call("POST", target["url"], headers=headers, body=body)
    return Posted()


def signature(secret: str, mark: str, at: str, body: bytes) -> str:
    """`v1,` and base64 of HMAC-SHA-256 over `ID.TIMESTAMP.BODY`."""
    mac = hmac.digest(_key(secret), f"{mark}.{at}.".encode() + body, "sha256")
    return "v1," + base64.b64encode(mac).decode("ascii")


def _key(secret: str) -> bytes:
    """A secret that begins with `whsec_` is base64 of the key; any other is the key itself, in UTF-8."""
    if secret.startswith(PREFIX):
        try:
            return base64.b64decode(secret.removeprefix(PREFIX), validate=True)
        except (binascii.Error, ValueError):
            pass
    return secret.encode("utf-8")
