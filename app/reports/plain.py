"""A report as plain text of 72 columns."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from app.reports import Resolved, report
from app.reports.forum import isolated, uncalling
from app.reports.tree import FIXED, Entry, Fragment, Length, Name, Report, Roll, Section, Sentence, Text, UnitName, clean

WIDTH = 72
_STRONG = {"grave": "!", "notable": "*"}


def turn_report(turn: Resolved, language: str, *, length: Length = "dice") -> str:
    """A turn as text that ends with a line break."""
    return write(report(turn, language), length=length)


def write(told: Report, *, length: Length = "dice") -> str:
    """`!` stands before what is grave, `*` before what is notable, `-` before the rest."""
    lines = [told.title, "=" * len(told.title), "", *_wrapped(told.headline)]
    if length != "headline":
        for section in told.sections:
            lines += ["", *_section(section, length)]
    return "\n".join(lines) + "\n"


def _section(section: Section, length: Length) -> Iterator[str]:
    title = _line(section.title)
    yield from title
    yield "-" * max(map(len, title), default=0)
    if section.empty:
        yield from _line(section.empty)
    for group in section.groups:
        if group.title and group.entries:
            yield from _line(
                f"{group.title} ({', '.join(group.rules)})" if group.rules and length == "dice" else group.title
            )
        for entry in group.entries:
            yield from _entry(entry, length)


def _entry(entry: Entry, length: Length) -> Iterator[str]:
    mark = _STRONG.get(entry.severity, "-")
    rules: Sentence = (Text(f" [{', '.join(entry.rules)}]"),) if entry.rules and length == "dice" else ()
    yield from _wrapped((*entry.sentence, *rules), f"{mark} ", "  ")
    if length != "dice":
        return
    for roll in entry.rolls:
        yield from textwrap.wrap(_roll(roll), WIDTH, initial_indent="    ", subsequent_indent="      ")
    for why in entry.why:
        number: Sentence = (Text(f" [{why.rule}]"),) if why.rule else ()
        yield from _wrapped((*why.sentence, *number), "    ", "      ")


def _roll(roll: Roll) -> str:
    faces = " ".join(str(die.face) for die in roll.dice)
    caption, address = (isolated(uncalling(clean(text))) for text in (roll.caption, roll.address))
    return f"{caption}: {faces}  ({address})"


def _line(title: str) -> list[str]:
    return _wrapped((Name(title),))


def _wrapped(sentence: Sentence, first: str = "", rest: str = "") -> list[str]:
    """A sentence over as many lines as it needs."""
    text = "".join(_together(piece) for piece in sentence)
    lines = textwrap.wrap(
        text, WIDTH, initial_indent=first, subsequent_indent=rest, break_long_words=True, break_on_hyphens=False
    )
    return [line.replace(FIXED, " ") for line in lines]


def _together(piece: Fragment) -> str:
    """A unit's name stays on one line; a name of others is isolated where it is written from right to left, and calls
    nobody in a chat that the text is pasted into."""
    if isinstance(piece, UnitName):
        return isolated(uncalling(clean(piece.text))).replace(" ", FIXED)
    return piece.text if isinstance(piece, Text) else isolated(uncalling(clean(piece.text)))
