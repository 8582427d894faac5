"""A report as Markdown: Discourse, NodeBB, Discord."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from app.reports import Resolved, report
from app.reports.forum import Around, Pen, harmless, parts, shortened, spoken, web_address, whole
from app.reports.tree import LENGTHS, Entry, Group, Length, Report, Section, Sentence
from app.reports.voice import voice


@dataclass(frozen=True)
class Dialect:
    """What one forum's Markdown has. `fold`: how a phase is folded away; `veil`: what hides a line until it is clicked;
    `image` and `link`: with `%(text)s` and `%(url)s`; `limit`: characters of a post, as the forum is delivered."""

    title: str
    heading: str
    subheading: str
    image: str
    link: str
    limit: int
    fold: tuple[str, str] | None = None
    veil: str = ""
    only_short: bool = False
    """A report that is too long for one post is shortened unless parts are asked for."""


DIALECTS: Mapping[str, Dialect] = {
    "discourse": Dialect(
        title="Discourse",
        heading="## ",
        subheading="### ",
        image="![%(text)s](%(url)s)",
        link="[%(text)s](%(url)s)",
        limit=32_000,
        fold=('[details="%(title)s"]', "[/details]"),
    ),
    "nodebb": Dialect(
        title="NodeBB",
        heading="## ",
        subheading="### ",
        image="![%(text)s](%(url)s)",
        link="[%(text)s](%(url)s)",
        limit=32_767,
    ),
    "discord": Dialect(
        title="Discord",
        heading="## ",
        subheading="### ",
        image="%(url)s",  # an address alone on its line is shown as the picture
        link="[%(text)s](<%(url)s>)",  # in angle brackets: without a preview, which would show the picture twice
        limit=2000,
        veil="||",
        only_short=True,
    ),
}
EMBED_LIMIT = 4096
"""Characters of the description of a Discord embed."""
_ACTIVE = re.compile(r"([\\`*_\[\]<>|~&$^{}])")
_NUMBERED = re.compile(r"^(\d+)([.)])")
_BEGINNING = re.compile(r"^([#+=-])")


def turn_report(
    turn: Resolved,
    language: str,
    *,
    url: str | None = None,
    picture: str | None = None,
    dialect: str = "discourse",
    length: str = "phases",
    limit: int | None = None,
) -> str:
    """A turn as one post. `url`: the page of the turn; `picture`: the address of the field as an image. For Discord, and
    wherever a `limit` of characters is given, it is shortened to fit, and says what it leaves out. Raises KeyError for an
    unknown dialect or length."""
    return write(report(turn, language), Around(url, picture), dialect=dialect, length=LENGTHS[length], limit=limit)


def turn_messages(
    turn: Resolved,
    language: str,
    *,
    url: str | None = None,
    picture: str | None = None,
    dialect: str = "discourse",
    length: str = "phases",
    limit: int | None = None,
) -> tuple[str, ...]:
    """A turn with nothing left out, in as many posts as the forum's limit asks for."""
    around = Around(url, picture)
    return write_messages(report(turn, language), around, dialect=dialect, length=LENGTHS[length], limit=limit)


def write(told: Report, around: Around, *, dialect: str, length: Length, limit: int | None = None) -> str:
    kind = DIALECTS[dialect]
    told, pen = told.cut(length), pen_of(dialect, told.language, length)
    if limit is None and kind.only_short:
        limit = kind.limit
    return whole(told, pen, around) if limit is None else shortened(told, pen, around, limit)


def write_messages(
    told: Report, around: Around, *, dialect: str, length: Length, limit: int | None = None
) -> tuple[str, ...]:
    pen = pen_of(dialect, told.language, length)
    return parts(told.cut(length), pen, around, limit or DIALECTS[dialect].limit)


def pen_of(dialect: str, language: str, length: Length) -> Pen:
    return _Pen(DIALECTS[dialect], language, length)


@dataclass(frozen=True)
class _Pen:
    dialect: Dialect
    language: str
    length: Length

    def head(self, told: Report, around: Around) -> list[str]:
        lines = [self.dialect.heading + _line(told.title), "", _sentence(told.headline), ""]
        if around.picture:
            lines += [self._linked(self.dialect.image, told.title, around.picture), ""]
        if around.url:
            text = voice(self.language).word("The turn with its board, dice and proof")
            lines += [self._linked(self.dialect.link, text, around.url), ""]
        return lines

    def again(self, title: str) -> list[str]:
        return [self.dialect.heading + _title(title), ""]

    def foot(self, left_out: str) -> list[str]:
        return ["", _line(left_out)]

    def open_section(self, section: Section, title: str) -> list[str]:
        if not any(section.entries):
            return [self.dialect.subheading + _title(title), _line(section.empty), ""]
        if self._folds(section):
            return [self._fold[0] % {"title": _quoted(title)}, ""]
        return [self.dialect.subheading + _title(title)]

    def close_section(self, section: Section) -> list[str]:
        return [self._fold[1], ""] if self._folds(section) else []

    def open_group(self, group: Group) -> list[str]:
        if not group.title:
            return []
        rules = f" ({', '.join(map(_line, group.rules))})" if group.rules and self.length == "dice" else ""
        return [f"**{_title(group.title)}**{rules}", ""]

    def close_group(self, group: Group) -> list[str]:
        return [""]

    def entry(self, entry: Entry, group: Group) -> list[str]:
        strong = {"grave": "**", "notable": "*"}.get(entry.severity, "")
        told = f"{strong}{_sentence(entry.sentence)}{strong}"
        if self.length != "dice":
            return [f"- {told}"]
        rules = f" ({', '.join(map(_line, entry.rules))})" if entry.rules else ""
        lines = [f"- {told}{rules}"]
        for roll in entry.rolls:
            faces = " ".join(str(die.face) for die in roll.dice)
            lines.append(self._under(f"{_line(roll.caption)}: **{faces}** ({_line(roll.address)})"))
        reasons = [_sentence(why.sentence) + (f" ({_line(why.rule)})" if why.rule else "") for why in entry.why]
        if reasons and self.dialect.veil:
            reasons = [" · ".join(reasons)]  # one click for all
        return [*lines, *(self._under(reason) for reason in reasons)]

    def _folds(self, section: Section) -> bool:
        return self.length == "dice" and self.dialect.fold is not None and section.is_deep

    @property
    def _fold(self) -> tuple[str, str]:
        return self.dialect.fold or ("", "")

    def _under(self, text: str) -> str:
        return f"  - {self.dialect.veil}{text}{self.dialect.veil}"

    def _linked(self, form: str, text: str, url: str) -> str:
        return form % {"text": _line(text), "url": web_address(url)}


def _sentence(sentence: Sentence) -> str:
    return _begun(escape("".join(spoken(piece) for piece in sentence)))


def _line(text: str) -> str:
    """A title, a rule, an address: one line, of which nothing is taken for granted."""
    return _begun(escape(harmless(text, dots=False)))


def _title(text: str) -> str:
    """A heading, which may be somebody's name: what looks like an address in it becomes no link."""
    return _begun(escape(harmless(text)))


def escape(text: str) -> str:
    """A text in which no sign means anything to a Markdown reader, except at the beginning of a line."""
    return _ACTIVE.sub(r"\\\1", text)


def _begun(text: str) -> str:
    """A text that begins no list, heading or rule where it stands first on its line."""
    text = text.strip()
    return _BEGINNING.sub(r"\\\1", _NUMBERED.sub(r"\1\\\2", text))


def _quoted(title: str) -> str:
    """A title within the quotes of a tag, where nothing can be escaped."""
    return _ACTIVE.sub("", harmless(title).replace('"', ""))
