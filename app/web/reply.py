"""Answers as bytes: JSON that always can be written, moments in UTC, and answers that a reader may keep."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime
from typing import Any

from fastapi import Request, Response
from fastapi.responses import JSONResponse


class Reply(JSONResponse):
    """JSON in which half of a surrogate pair, echoed from a stranger's text, stays an escape instead of an error."""

    def render(self, content: Any) -> bytes:
        return as_bytes(content)


def as_bytes(content: Any) -> bytes:
    text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode("utf-8", "backslashreplace")  # a lone surrogate becomes \udXXX, which is JSON


def moment(at: datetime | None) -> str | None:
    """RFC 3339 in UTC, to the second at least: `2026-12-01T20:00:00Z`."""
    return None if at is None else at.astimezone(UTC).isoformat().replace("+00:00", "Z")


def kept(request: Request, body: bytes, media_type: str, *, language: str | None = None, public: bool = True) -> Response:
    """A published thing with its ETag; 304 if the reader has it. Not `public`: it may be a draft, for its reader alone."""
    tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    vary = "Authorization" if language is None else "Accept-Language, Authorization"
    headers = {"ETag": tag, "Cache-Control": "public, no-cache" if public else "private, no-cache", "Vary": vary}
    if language is not None:
        headers["Content-Language"] = language
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(body, media_type=media_type, headers=headers)
