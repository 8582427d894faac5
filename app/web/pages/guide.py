"""The game master's guide, in the reader's language, with its pictures."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from fastapi import APIRouter, Request
from starlette.responses import FileResponse, HTMLResponse, Response

from app.config import shipped
from app.referee.errors import RefereeError
from app.web.context import Page, frame_of, render
from app.web.deps import page_route
from app.web.markdown import Document, document

router = APIRouter()
FILES = {"en": "guide.md", "ru": "guide.ru.md"}
_PICTURE = re.compile(r"pictures/guide/([a-z0-9-]+\.jpg)")
_RULES = re.compile(r"rules/([a-z]+)\.[a-z]{2}\.md")


@dataclass(frozen=True, kw_only=True)
class GuidePage(Page):
    template: ClassVar[str] = "guide/guide.html"
    guide: Document


@page_route(router, "/guide")
def read(request: Request) -> HTMLResponse:
    frame = frame_of(request)
    return render(GuidePage(frame=frame, guide=written_in(frame.language)))


@router.get("/guide/pictures/{name}.jpg", include_in_schema=False)
def picture(name: str) -> Response:
    file = shipped("guide") / "pictures" / "guide" / f"{name}.jpg"
    if not re.fullmatch(r"[a-z0-9-]+", name) or not file.is_file():
        raise RefereeError("no-page")
    return FileResponse(file, media_type="image/jpeg", headers={"cache-control": "public, max-age=3600"})


@lru_cache(maxsize=len(FILES))
def written_in(language: str) -> Document:
    return document((shipped("guide") / FILES[language]).read_text(encoding="utf-8"), address)


def address(name: str) -> str | None:
    """Where the page finds what the document names beside itself; None for what this server does not have."""
    if found := _PICTURE.fullmatch(name):
        return f"/guide/pictures/{found[1]}"
    if found := _RULES.fullmatch(name):
        return f"/rules/{found[1]}"
    for language, file in FILES.items():
        if name == file:
            return f"/language/{language}?to=/guide"
    return name if name.startswith("https://") else None
