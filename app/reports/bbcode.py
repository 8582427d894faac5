"""A report as BBCode. No two forums have the same tags: `DIALECTS` says which has what."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from app.reports import Resolved, report
from app.reports.forum import GAP, Around, Pen, harmless, parts, shortened, spoken, web_address, whole
from app.reports.tree import LENGTHS, Die, Entry, Group, Length, Report, Section, Sentence
from app.reports.voice import voice

Tag = tuple[str, str]
"""What opens and what closes."""
GRAVE, NOTABLE = "#d0402b", "#966800"
"""Colours that can be read on a white forum and on a black one."""


@dataclass(frozen=True)
class Table:
    whole: Tag
    row: Tag
    cell: Tag
    header: Tag


@dataclass(frozen=True)
class Dialect:
    """The tags of one forum as it is delivered, without extensions. `spoiler`: may hold `%(title)s`; None: there is none.
    `link`: with `%(url)s` and `%(text)s`. `limit`: characters of a post, where its administrator has changed nothing."""

    title: str
    bold: Tag
    big: Tag
    bigger: Tag
    small: Tag
    colour: Tag
    link: str
    image: Tag
    list: Tag
    item: str
    limit: int
    spoiler: Tag | None = None
    table: Table | None = None


_UPPER_TABLE = Table(("[TABLE]", "[/TABLE]"), ("[TR]", "[/TR]"), ("[TD]", "[/TD]"), ("[TH]", "[/TH]"))
DIALECTS: Mapping[str, Dialect] = {
    # Sizes are per cent. Spoilers and tables are extensions that many boards do not have.
    "phpbb": Dialect(
        title="phpBB",
        bold=("[b]", "[/b]"),
        big=("[size=120]", "[/size]"),
        bigger=("[size=150]", "[/size]"),
        small=("[size=85]", "[/size]"),
        colour=("[color=%s]", "[/color]"),
        link="[url=%(url)s]%(text)s[/url]",
        image=("[img]", "[/img]"),
        list=("[list]", "[/list]"),
        item="[*]",
        limit=60_000,
    ),
    # Sizes are steps. A spoiler takes no title; there are no tables.
    "ipb": Dialect(
        title="IPB (Invision Community)",
        bold=("[b]", "[/b]"),
        big=("[size=4]", "[/size]"),
        bigger=("[size=5]", "[/size]"),
        small=("[size=2]", "[/size]"),
        colour=("[color=%s]", "[/color]"),
        link='[url="%(url)s"]%(text)s[/url]',
        image=("[img]", "[/img]"),
        list=("[list]", "[/list]"),
        item="[*]",
        limit=60_000,
        spoiler=("[spoiler]", "[/spoiler]"),
    ),
    # Tables since version 4, without header cells. A spoiler is not in every version.
    "vbulletin": Dialect(
        title="vBulletin",
        bold=("[B]", "[/B]"),
        big=("[SIZE=3]", "[/SIZE]"),
        bigger=("[SIZE=4]", "[/SIZE]"),
        small=("[SIZE=1]", "[/SIZE]"),
        colour=('[COLOR="%s"]', "[/COLOR]"),
        link='[URL="%(url)s"]%(text)s[/URL]',
        image=("[IMG]", "[/IMG]"),
        list=("[LIST]", "[/LIST]"),
        item="[*]",
        limit=10_000,
        table=Table(("[TABLE]", "[/TABLE]"), ("[TR]", "[/TR]"), ("[TD]", "[/TD]"), ("[TD][B]", "[/B][/TD]")),
    ),
    # Spoilers with titles, tables with header cells, quotes around addresses are single.
    "xenforo": Dialect(
        title="XenForo",
        bold=("[B]", "[/B]"),
        big=("[SIZE=5]", "[/SIZE]"),
        bigger=("[SIZE=6]", "[/SIZE]"),
        small=("[SIZE=2]", "[/SIZE]"),
        colour=("[COLOR=%s]", "[/COLOR]"),
        link="[URL='%(url)s']%(text)s[/URL]",
        image=("[IMG]", "[/IMG]"),
        list=("[LIST]", "[/LIST]"),
        item="[*]",
        limit=10_000,
        spoiler=('[SPOILER="%(title)s"]', "[/SPOILER]"),
        table=_UPPER_TABLE,
    ),
}


def turn_report(
    turn: Resolved,
    language: str,
    *,
    url: str | None = None,
    picture: str | None = None,
    dialect: str = "phpbb",
    length: str = "phases",
    limit: int | None = None,
) -> str:
    """A turn as one post; with a `limit` of characters, shortened to fit, and it says what it leaves out. `url`: the page of
    the turn; `picture`: the address of the field as an image. Raises KeyError for an unknown dialect or length."""
    return write(report(turn, language), Around(url, picture), dialect=dialect, length=LENGTHS[length], limit=limit)


def turn_messages(
    turn: Resolved,
    language: str,
    *,
    url: str | None = None,
    picture: str | None = None,
    dialect: str = "phpbb",
    length: str = "phases",
    limit: int | None = None,
) -> tuple[str, ...]:
    """A turn with nothing left out, in as many posts as the forum's limit asks for."""
    around = Around(url, picture)
    return write_messages(report(turn, language), around, dialect=dialect, length=LENGTHS[length], limit=limit)


def write(told: Report, around: Around, *, dialect: str, length: Length, limit: int | None = None) -> str:
    told, pen = told.cut(length), pen_of(dialect, told.language, length)
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
        lines = [*self.again(told.title), _sentence(told.headline), ""]
        if around.picture:
            lines += [_in(self.dialect.image, web_address(around.picture)), ""]
        if around.url:
            text = voice(self.language).word("The turn with its board, dice and proof")
            lines += [self.dialect.link % {"url": web_address(around.url), "text": text}, ""]
        return lines

    def again(self, title: str) -> list[str]:
        return [_in(self.dialect.bigger, _in(self.dialect.bold, _title(title))), ""]

    def foot(self, left_out: str) -> list[str]:
        return ["", _line(left_out)]

    def open_section(self, section: Section, title: str) -> list[str]:
        heading = _in(self.dialect.big, _in(self.dialect.bold, _title(title)))
        if not any(section.entries):
            return [heading, _line(section.empty), ""]
        if not self._folds(section):
            return [heading]
        opening = self._spoiler[0]
        if "%(title)s" in opening:
            return [opening % {"title": re.sub(r"[\"\[\]<>]", "", harmless(title))}]
        return [heading, opening]

    def close_section(self, section: Section) -> list[str]:
        if not any(section.entries):
            return []
        return [self._spoiler[1], ""] if self._folds(section) else [""]

    def open_group(self, group: Group) -> list[str]:
        rules = _rules(group.rules) if self.length == "dice" else ""
        title = [_in(self.dialect.bold, _title(group.title)) + rules] if group.title else []
        table = self._table(group)
        if table is None:
            return [*title, self.dialect.list[0]]
        say = voice(self.language)
        heads = (say.word("What happened"), say.word("Dice and reasons"))
        return [*title, table.whole[0], _in(table.row, "".join(_in(table.header, head) for head in heads))]

    def close_group(self, group: Group) -> list[str]:
        table = self._table(group)
        return [self.dialect.list[1] if table is None else table.whole[1]]

    def entry(self, entry: Entry, group: Group) -> list[str]:
        told = self._stressed(entry)
        if self.length != "dice":
            return [self.dialect.item + told]
        told += _rules(entry.rules)
        under = [*(self._roll(roll.caption, roll.dice, roll.address) for roll in entry.rolls)]
        under += [_sentence(why.sentence) + _rules((why.rule,) if why.rule else ()) for why in entry.why]
        table = self._table(group)
        if table is not None:
            return [_in(table.row, "".join(_in(table.cell, cell) for cell in (told, "\n".join(under))))]
        return [self.dialect.item + told, *([_in(self.dialect.small, "\n".join(under))] if under else [])]

    def _roll(self, caption: str, dice: tuple[Die, ...], address: str) -> str:
        faces = " ".join(str(die.face) for die in dice)
        return f"{_line(caption)}: {_in(self.dialect.bold, faces)} ({_line(address)})"

    def _stressed(self, entry: Entry) -> str:
        told = _sentence(entry.sentence)
        opening, closing = self.dialect.colour
        if entry.severity == "grave":
            return _in(self.dialect.bold, _in((opening % GRAVE, closing), told))
        return _in((opening % NOTABLE, closing), told) if entry.severity == "notable" else told

    def _folds(self, section: Section) -> bool:
        return self.length == "dice" and self.dialect.spoiler is not None and section.is_deep

    @property
    def _spoiler(self) -> Tag:
        return self.dialect.spoiler or ("", "")

    def _table(self, group: Group) -> Table | None:
        """The table that dice stand in; None where a list does."""
        return self.dialect.table if self.length == "dice" and group.is_deep else None


def escape(text: str) -> str:
    """A text in which no bracket opens a tag, of BBCode or of HTML: BBCode has no escape that all forums know, so a sign
    without width stands behind each bracket, and no tag's name begins with one. Behind a bracket and `=` some readers take a
    straight quote for one that may hold brackets: it is made a curly one."""
    if "[" in text and "=" in text:
        text = text.replace('"', "”").replace("'", "’")
    return text.replace("[", f"[{GAP}").replace("<", f"<{GAP}")


def _in(tag: Tag, text: str) -> str:
    return f"{tag[0]}{text}{tag[1]}"


def _sentence(sentence: Sentence) -> str:
    return escape("".join(spoken(piece) for piece in sentence))


def _line(text: str) -> str:
    return escape(harmless(text, dots=False))


def _title(text: str) -> str:
    """A heading, which may be somebody's name: what looks like an address in it becomes no link."""
    return escape(harmless(text))


def _rules(numbers: tuple[str, ...]) -> str:
    return f" ({', '.join(map(_line, numbers))})" if numbers else ""
