"""What posts of all formats share: words of others made harmless, a report assembled whole, in parts or shortened.

A format is a `Pen`: it writes the pieces. Here they are put together, so that a post that is too long for its forum is
divided between entries and never inside of one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Protocol
from urllib.parse import quote

from app.reports.tree import Entry, Fragment, Group, Name, Report, Section, Severity, Text, Words, clean
from app.reports.voice import voice

GAP = "\N{ZERO WIDTH SPACE}"
LONGEST_NAME = 120
"""Characters of a name that are shown: a longer one is cut."""
LONGEST_WORDS = 500
"""The same of what somebody says at length."""
_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})
_SUMMONS = re.compile(r"([@#:])(?=\S)")
_CALLS = re.compile(r"(@(?=\S)|<(?=[!@#]))")
_DOTS = re.compile(r"(?<=\w)\.(?=\w)")
_EMPTY = re.compile(r"\n{3,}")
_RANKS: tuple[Severity, ...] = ("grave", "notable", "plain", "quiet")
_NUMBERS = 12
"""Room for `(100/100)` behind the title of a part."""


@dataclass(frozen=True)
class Around:
    """What a post links to: the page of its turn, and the picture of the field. None: no such link."""

    url: str | None = None
    picture: str | None = None


class Pen(Protocol):
    """A format: each piece as lines."""

    def head(self, told: Report, around: Around) -> list[str]: ...
    def again(self, title: str) -> list[str]:
        """The head of a part after the first."""

    def foot(self, left_out: str) -> list[str]:
        """The end of a post that does not say all; the sentence says so."""

    def open_section(self, section: Section, title: str) -> list[str]: ...
    def close_section(self, section: Section) -> list[str]: ...
    def open_group(self, group: Group) -> list[str]: ...
    def close_group(self, group: Group) -> list[str]: ...
    def entry(self, entry: Entry, group: Group) -> list[str]: ...


def harmless(text: str, *, dots: bool = True, longest: int = LONGEST_NAME) -> str:
    """Words of others as one line that calls nobody (`@everyone`), tags nothing (`#`, `:smile:`), becomes no link (`dots`)
    and turns no direction: what is written from right to left is isolated."""
    line = clean(text)
    if len(line) > longest:
        line = line[: longest - 1].rstrip() + "…"
    line = _SUMMONS.sub(rf"\1{GAP}", line)
    return isolated(_DOTS.sub(f".{GAP}", line) if dots else line)


def uncalling(text: str) -> str:
    """A text of which no chat makes a call: of `@everyone`, `<!channel>`, `<@5>`."""
    return _CALLS.sub(rf"\1{GAP}", text)


def isolated(text: str) -> str:
    """A text that has letters of a script from right to left, so marked that nothing beside it is reordered."""
    if any(unicodedata.bidirectional(sign) in _RIGHT_TO_LEFT for sign in text):
        return f"\N{FIRST STRONG ISOLATE}{text}\N{POP DIRECTIONAL ISOLATE}"
    return text


def spoken(piece: Fragment) -> str:
    """A fragment on one line, before a format escapes it. Codes and cells keep their dots, so that they can be copied."""
    if isinstance(piece, Text):
        return " ".join(piece.text.splitlines())
    if isinstance(piece, Words):
        return harmless(piece.text, longest=LONGEST_WORDS)
    return harmless(piece.text, dots=isinstance(piece, Name))


def web_address(url: str) -> str:
    """An address in which nothing ends a tag, a link or a line."""
    return quote(url, safe="/:?#&=%+,;~.-_@!")


def whole(told: Report, pen: Pen, around: Around) -> str:
    """A report in one post, however long; the headline alone where the report has no sections."""
    post = _Post(pen, pen.head(told, around))
    for place in _places(told):
        post.add(place)
    return _text(post.closed())


def parts(told: Report, pen: Pen, around: Around, limit: int) -> tuple[str, ...]:
    """A report in posts of at most `limit` characters, divided between entries; an entry longer than that stays whole."""
    first = pen.head(told, around)
    posts = [_Post(pen, first)]
    for place in _places(told):
        if posts[-1].filled and posts[-1].size_with(place) + _NUMBERS > limit:
            posts.append(_Post(pen, pen.again(told.title)))
        posts[-1].add(place)
    if len(posts) == 1:
        return (_text(posts[0].closed()),)
    written = []
    for number, post in enumerate(posts, start=1):
        title = f"{told.title} ({number}/{len(posts)})"
        own = _titled(told, title, pen, around) if number == 1 else pen.again(title)
        body = post.closed()[len(first) if number == 1 else len(pen.again(told.title)) :]
        written.append(_text([*own, *body]))
    return tuple(written)


def shortened(told: Report, pen: Pen, around: Around, limit: int) -> str:
    """A report in one post of at most `limit` characters. What does not fit is left out by whole entries, the least grave
    first, and the post says how many there are."""
    full = whole(told, pen, around)
    if len(full) <= limit:
        return full
    places = [place for place in _places(told) if place.entry is not None]
    head = pen.head(told, around)
    room = limit - _size(head) - _size(pen.foot(_left_out(told, len(places))))
    kept: set[int] = set()
    opened: set[int] = set()
    for rank in _RANKS:
        for number, place in enumerate(places):
            if place.entry is None or place.entry.severity != rank:
                continue
            cost = _size(place.lines(pen))
            frames = {id(place.section): _section_size(pen, place.section), id(place.group): _group_size(pen, place.group)}
            cost += sum(size for key, size in frames.items() if key not in opened)
            if cost <= room:
                room -= cost
                kept.add(number)
                opened.update(frames)
    post = _Post(pen, head)
    for number, place in enumerate(places):
        if number in kept:
            post.add(place)
    return _text([*post.closed(), *pen.foot(_left_out(told, len(places) - len(kept)))])


@dataclass(frozen=True)
class _Place:
    """An entry where it stands; None: a section in which nothing happened."""

    section: Section
    group: Group | None
    entry: Entry | None

    def lines(self, pen: Pen) -> list[str]:
        return [] if self.entry is None or self.group is None else pen.entry(self.entry, self.group)


def _places(told: Report) -> Iterator[_Place]:
    for section in told.sections:
        if not any(section.entries):
            yield _Place(section, None, None)
        for group in section.groups:
            for entry in group.entries:
                yield _Place(section, group, entry)


@dataclass
class _Post:
    """A post that grows; it knows its length with everything closed that is open."""

    pen: Pen
    head: list[str]
    filled: bool = False
    size: int = 0
    _lines: list[str] = field(default_factory=list)
    _section: Section | None = None
    _group: Group | None = None
    _tail: list[str] = field(default_factory=list)
    _tail_size: int = 0

    def __post_init__(self) -> None:
        self._lines = list(self.head)
        self.size = _size(self._lines)

    def size_with(self, place: _Place) -> int:
        added, tail = self._step(place)
        return self.size - self._tail_size + _size(added) + _size(tail)

    def add(self, place: _Place) -> None:
        added, tail = self._step(place)
        self._lines += added
        self.size += _size(added) + _size(tail) - self._tail_size
        self._section, self._group, self._tail, self._tail_size, self.filled = (
            place.section,
            place.group,
            tail,
            _size(tail),
            True,
        )

    def closed(self) -> list[str]:
        return [*self._lines, *self._tail]

    def _step(self, place: _Place) -> tuple[list[str], list[str]]:
        """The lines that a place adds, and those that would close the post after it."""
        pen = self.pen
        added: list[str] = []
        if place.section is not self._section:
            added += [*self._tail, *pen.open_section(place.section, place.section.title)]
        elif place.group is not self._group and self._group is not None:
            added += pen.close_group(self._group)
        if place.group is not None and place.group is not self._group:
            added += pen.open_group(place.group)
        added += place.lines(pen)
        closing = pen.close_group(place.group) if place.group is not None else []
        return added, [*closing, *pen.close_section(place.section)]


def _titled(told: Report, title: str, pen: Pen, around: Around) -> list[str]:
    return pen.head(Report(told.language, title, told.headline, told.sections, told.ruleset), around)


def _left_out(told: Report, count: int) -> str:
    say = voice(told.language)
    sentence = say.count("%(num)s more line is left out here.", "%(num)s more lines are left out here.", count)
    return "".join(piece.text for piece in sentence)


def _section_size(pen: Pen, section: Section) -> int:
    return _size(pen.open_section(section, section.title)) + _size(pen.close_section(section))


def _group_size(pen: Pen, group: Group | None) -> int:
    return 0 if group is None else _size(pen.open_group(group)) + _size(pen.close_group(group))


def _size(lines: Iterable[str]) -> int:
    return sum(len(line) + 1 for line in lines)


def _text(lines: list[str]) -> str:
    """Lines as a post, with no more than one empty line in a row."""
    return _EMPTY.sub("\n\n", "\n".join(lines)).strip("\n") + "\n"
