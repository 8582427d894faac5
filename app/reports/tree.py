"""A report as a value, between events and any format: sections, groups, entries, sentences made of fragments."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from app.language import capital

Severity = Literal["quiet", "plain", "notable", "grave"]
"""How much a reader in haste cares: `grave` a unit destroyed, the battle over."""


Length = Literal["headline", "phases", "dice"]
"""One sentence; what happened, phase by phase; every die and reason."""
LENGTHS: Mapping[str, Length] = {"headline": "headline", "phases": "phases", "dice": "dice"}
Mark = Literal["", "miss", "first", "second", "again", "cohesion", "strength", "aside"]
"""What a die did: it missed, took something by the first or the second threshold, is rolled again, took as much as it shows
off cohesion or off strength, was put aside, or nothing to be said."""


@dataclass(frozen=True)
class Text:
    """Words of ours."""

    text: str


@dataclass(frozen=True)
class Name:
    """Words of others (a side's name, a reason): cleaned of controls; each format escapes and isolates them."""

    text: str


@dataclass(frozen=True)
class UnitName:
    """A unit at that moment: `LM S-LM1 (C5)`. `side`: the place of its side among the sides; `title`: its type in full."""

    id: str
    code: str
    cell: str
    side: int
    title: str

    @property
    def text(self) -> str:
        return f"{self.code} {self.id} ({self.cell})" if self.cell else f"{self.code} {self.id}"


@dataclass(frozen=True)
class CellName:
    text: str


@dataclass(frozen=True)
class RuleName:
    """A rule number, which every format that can links to the rules page."""

    text: str


@dataclass(frozen=True)
class Verbatim:
    """Words that are to be copied as they stand: an order in its canonical text. Each format escapes them."""

    text: str


@dataclass(frozen=True)
class Words:
    """What somebody says at length: as plain words, and in the Markdown that it was written in."""

    text: str
    source: str


FIXED = "\N{NO-BREAK SPACE}"
Fragment = Text | Name | UnitName | CellName | RuleName | Verbatim | Words
Sentence = tuple[Fragment, ...]


@dataclass(frozen=True)
class Die:
    """One face, and what it did."""

    face: int
    mark: Mark = ""


@dataclass(frozen=True)
class Roll:
    """Dice at their address, in order of rolling. `caption` says what they were for."""

    address: str
    caption: str
    dice: tuple[Die, ...]
    sides: int = 6


@dataclass(frozen=True)
class Why:
    """One reason behind an entry, with the rule that gives it (or none)."""

    sentence: Sentence
    rule: str | None = None


@dataclass(frozen=True)
class Entry:
    """One thing told. `id` is unique in the report (`melee-3`), `told` holds the places of the events that it tells."""

    id: str
    kind: str
    sentence: Sentence
    severity: Severity = "plain"
    rules: tuple[str, ...] = ()
    rolls: tuple[Roll, ...] = ()
    why: tuple[Why, ...] = ()
    units: tuple[str, ...] = ()
    cells: tuple[str, ...] = ()
    told: tuple[int, ...] = ()

    @property
    def is_deep(self) -> bool:
        """Whether there is more to it than its sentence: dice or reasons."""
        return bool(self.rolls or self.why)


@dataclass(frozen=True)
class Group:
    """Entries that happen together; its title may be empty. `told`: the events that its heading tells."""

    title: str
    entries: tuple[Entry, ...]
    rules: tuple[str, ...] = ()
    told: tuple[int, ...] = ()

    @property
    def is_deep(self) -> bool:
        return any(entry.is_deep for entry in self.entries)


@dataclass(frozen=True)
class Section:
    """A phase. `empty` is said where nothing happened in it."""

    id: str
    title: str
    groups: tuple[Group, ...]
    empty: str = ""
    told: tuple[int, ...] = ()

    @property
    def entries(self) -> Iterator[Entry]:
        return (entry for group in self.groups for entry in group.entries)

    @property
    def is_deep(self) -> bool:
        return any(group.is_deep for group in self.groups)


@dataclass(frozen=True)
class Report:
    """A turn, told. `headline` is one sentence; `language` is that of all words in it; `entitled` holds the places of the
    events that the title tells."""

    language: str
    title: str
    headline: Sentence
    sections: tuple[Section, ...]
    ruleset: str
    entitled: tuple[int, ...] = ()

    @property
    def entries(self) -> Iterator[Entry]:
        return (entry for section in self.sections for entry in section.entries)

    def cut(self, length: Length) -> Report:
        """The report without what is longer than asked for: a headline has no sections."""
        return replace(self, sections=()) if length == "headline" else self

    @property
    def told(self) -> frozenset[int]:
        """The places of all events told anywhere."""
        places = set(self.entitled)
        for section in self.sections:
            places.update(section.told)
            for group in section.groups:
                places.update(group.told)
            for entry in section.entries:
                places.update(entry.told)
        return frozenset(places)

    @property
    def rules(self) -> tuple[str, ...]:
        """Every rule named, each once, in order of appearance."""
        named: dict[str, None] = {}
        for section in self.sections:
            for group in section.groups:
                named.update(dict.fromkeys(group.rules))
                for entry in group.entries:
                    named.update(dict.fromkeys(entry.rules))
                    named.update(dict.fromkeys(why.rule for why in entry.why if why.rule))
        return tuple(named)


_HOLE = re.compile(r"%\((\w+)\)[sd]")


def fill(template: str, **parts: Fragment | Sentence | str | int) -> Sentence:
    """A template's `%(name)s` holes filled with fragments or sentences; a plain value becomes text. Raises KeyError for a
    hole that nothing fills."""
    pieces: list[Fragment] = []
    at = 0
    for hole in _HOLE.finditer(template):
        pieces.append(Text(template[at : hole.start()]))
        part = parts[hole[1]]
        if isinstance(part, tuple):
            pieces.extend(part)
        else:
            pieces.append(Text(str(part)) if isinstance(part, str | int) else part)
        at = hole.end()
    pieces.append(Text(template[at:]))
    return tuple(piece for piece in pieces if piece.text)


def begun(sentence: Sentence) -> Sentence:
    """A sentence with a capital at its beginning, which may be the name of a side."""
    if not sentence or not isinstance(sentence[0], Text | Name):
        return sentence
    first = sentence[0]
    return (type(first)(capital(first.text)), *sentence[1:])


def flat(sentence: Sentence) -> str:
    """A sentence as plain text."""
    return "".join(piece.text for piece in sentence)


def clean(text: str) -> str:
    """Another's words as one harmless line: no controls, no marks that turn the direction of writing, no runs of blanks."""
    kept = (_KINDS.get(unicodedata.category(sign), sign) for sign in text if sign not in _TURNING)
    return " ".join("".join(kept).split())


_KINDS = {"Zl": " ", "Zp": " ", "Cc": " ", "Cs": ""}
"""What becomes of line breaks and controls, and of half a surrogate pair, which no encoding takes."""
_TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff")
