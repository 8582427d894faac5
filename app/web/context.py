"""Pages as values: each template has one frozen context, and nothing else reaches it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import ClassVar
from urllib.parse import quote

from jinja2 import Environment
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse

from app.language import LANGUAGES, NAMES, Translator, chosen, templates, translator

STATIC = Path(__file__).parent / "static"
LANGUAGE_COOKIE = "fp_language"
GLOBALS = ("static", "other_languages")
"""What every template may use besides its context."""


@dataclass(frozen=True)
class Frame:
    """What stands around every page."""

    language: str
    path: str
    """Where the reader is, for the switch of language."""

    @property
    def words(self) -> Translator:
        return translator(self.language)


@dataclass(frozen=True, kw_only=True)
class Page:
    """The root of all contexts."""

    template: ClassVar[str]
    frame: Frame


def frame_of(request: Request) -> Frame:
    """Every form's address is that of its page, so that the switch of language leads back to it."""
    query = request.url.query
    return Frame(language=language_of(request), path=f"{request.url.path}?{query}" if query else request.url.path)


def language_of(request: Request) -> str:
    """What the reader chose, else what his browser asks for."""
    return chosen(request.headers.get("accept-language"), request.cookies.get(LANGUAGE_COOKIE, ""))


def written(page: Page) -> bytes:
    """A page's bytes."""
    return part(page, page.template).encode("utf-8")


def part(page: Page, template: str) -> str:
    """A page, or a part of it that has a template of its own, for a script that puts it in place."""
    values = {field.name: getattr(page, field.name) for field in fields(page)}
    return environment(page.frame.language).get_template(template).render(values)


def render(page: Page, *, status: int = 200) -> HTMLResponse:
    """A page that is nobody else's: never kept by a cache on the way."""
    headers = {
        "cache-control": "private, no-cache",
        "content-language": page.frame.language,
        "vary": "Accept-Language, Cookie",
    }
    return HTMLResponse(written(page), status_code=status, headers=headers)


@lru_cache(maxsize=len(LANGUAGES))
def environment(language: str) -> Environment:
    """Templates of one language, with the filters of the pages."""
    words = translator(language)
    made = templates.strict(words)
    made.globals["static"] = static
    made.globals["other_languages"] = tuple((key, NAMES[key]) for key in LANGUAGES if key != language)
    made.filters["moment"] = lambda at, zone="UTC": _time(at, words.moment(at, zone), local=True)
    made.filters["day_moment"] = lambda at, zone="UTC": _time(at, words.day_moment(at, zone), local=True)
    made.filters["short_moment"] = lambda at, zone="UTC": _time(at, words.short_moment(at, zone))
    made.filters["segment"] = lambda text: quote(text, safe="")
    return made


@lru_cache(maxsize=64)
def static(name: str) -> str:
    """The address of a file that is shipped with the pages; it changes with the file, so that browsers may keep it."""
    digest = hashlib.sha256((STATIC / name).read_bytes()).hexdigest()[:12]
    return f"/static/{name}?v={digest}"


def _time(at: datetime, text: str, *, local: bool = False) -> Markup:
    """A moment that a script tells in the reader's own zone: beside it (`local`), or where the pointer rests."""
    exact = at.astimezone(UTC).isoformat().replace("+00:00", "Z")
    return Markup('<time datetime="{}"{}>{}</time>').format(exact, Markup(" data-local") if local else "", text)
