"""All formats of a post behind one door: the pages, the files and the command line choose here by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from app.reports import bbcode, fragment, markdown, plain
from app.reports.forum import Around
from app.reports.tree import Length, Report

Writer = Callable[[Report, Around, str, Length], str]
Divider = Callable[[Report, Around, str, Length], tuple[str, ...]]


@dataclass(frozen=True)
class Form:
    """A format: its name, its dialects with their titles (the first is meant where none is named; none: it has no
    dialects), how it writes one post, and how it divides what is too long for one."""

    title: str
    write: Writer
    divide: Divider
    dialects: Mapping[str, str] = field(default_factory=dict)


def _bbcode(told: Report, around: Around, dialect: str, length: Length) -> str:
    return bbcode.write(told, around, dialect=dialect, length=length)


def _bbcodes(told: Report, around: Around, dialect: str, length: Length) -> tuple[str, ...]:
    return bbcode.write_messages(told, around, dialect=dialect, length=length)


def _markdown(told: Report, around: Around, dialect: str, length: Length) -> str:
    return markdown.write(told, around, dialect=dialect, length=length)


def _markdowns(told: Report, around: Around, dialect: str, length: Length) -> tuple[str, ...]:
    return markdown.write_messages(told, around, dialect=dialect, length=length)


def _html(told: Report, around: Around, _: str, length: Length) -> str:
    return fragment.write(told, around, length=length)


def _htmls(told: Report, around: Around, _: str, length: Length) -> tuple[str, ...]:
    return fragment.write_messages(told, around, length=length)


def _plain(told: Report, around: Around, _: str, length: Length) -> str:
    links = [link for link in (around.url, around.picture) if link]
    return plain.write(told, length=length) + "".join(
        f"\n{link}\n" if not at else f"{link}\n" for at, link in enumerate(links)
    )


def _plains(told: Report, around: Around, dialect: str, length: Length) -> tuple[str, ...]:
    return (_plain(told, around, dialect, length),)


FORMS: Mapping[str, Form] = {
    "bbcode": Form("BBCode", _bbcode, _bbcodes, {key: dialect.title for key, dialect in bbcode.DIALECTS.items()}),
    "md": Form("Markdown", _markdown, _markdowns, {key: dialect.title for key, dialect in markdown.DIALECTS.items()}),
    "html": Form("HTML", _html, _htmls),
    "txt": Form("Plain text", _plain, _plains),
}
"""By the ending of their files."""


def dialect_of(form: str, asked: str | None) -> str:
    """The dialect asked for, or the format's first. Raises KeyError for one that the format does not have."""
    known = FORMS[form].dialects
    if asked is None or (not known and not asked):
        return next(iter(known), "")
    if asked not in known:
        raise KeyError(asked)
    return asked


def write(told: Report, around: Around, *, form: str, dialect: str | None = None, length: Length = "phases") -> str:
    """A report as one post. Raises KeyError for an unknown form or dialect."""
    return FORMS[form].write(told, around, dialect_of(form, dialect), length)


def divide(
    told: Report, around: Around, *, form: str, dialect: str | None = None, length: Length = "phases"
) -> tuple[str, ...]:
    """A report with nothing left out, in as many posts as the forum asks for. Raises KeyError as `write` does."""
    return FORMS[form].divide(told, around, dialect_of(form, dialect), length)
