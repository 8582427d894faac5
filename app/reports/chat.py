"""A report as a message of a chat that knows no markup and breaks lines itself: a line for each thing that happened."""

from __future__ import annotations

from dataclasses import dataclass

from app.reports import Resolved, report
from app.reports.forum import Around, harmless, shortened, spoken, uncalling
from app.reports.tree import LENGTHS, Entry, Group, Length, Report, Section, Sentence

_SIGNS = {"grave": "❗", "notable": "▪"}


def turn_report(turn: Resolved, language: str, *, length: str = "phases", limit: int) -> str:
    """A turn, shortened to `limit` characters, without a title of its own. Raises KeyError for an unknown length."""
    return write(report(turn, language), length=LENGTHS[length], limit=limit)


def write(told: Report, *, length: Length, limit: int) -> str:
    return shortened(told.cut(length), _Pen(length), Around(), limit)


@dataclass(frozen=True)
class _Pen:
    length: Length

    def head(self, told: Report, around: Around) -> list[str]:
        return [_sentence(told.headline)]

    def again(self, title: str) -> list[str]:
        return []

    def foot(self, left_out: str) -> list[str]:
        return ["", left_out]

    def open_section(self, section: Section, title: str) -> list[str]:
        heading = ["", f"{_line(title)}:"]
        return heading if any(section.entries) else [*heading, _line(section.empty)]

    def close_section(self, section: Section) -> list[str]:
        return []

    def open_group(self, group: Group) -> list[str]:
        return [f"{_line(group.title)}:"] if group.title else []

    def close_group(self, group: Group) -> list[str]:
        return []

    def entry(self, entry: Entry, group: Group) -> list[str]:
        lines = [f"{_SIGNS.get(entry.severity, '•')} {_sentence(entry.sentence)}"]
        if self.length == "dice":
            lines += [f"    {_line(roll.caption)}: {' '.join(str(die.face) for die in roll.dice)}" for roll in entry.rolls]
            lines += [f"    {_sentence(why.sentence)}" for why in entry.why]
        return lines


def _sentence(sentence: Sentence) -> str:
    return uncalling("".join(spoken(piece) for piece in sentence))


def _line(text: str) -> str:
    return uncalling(harmless(text))
