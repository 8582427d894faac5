"""A report as an HTML fragment for forums that take HTML: a handful of tags, no classes, no styles, no drawings, so that
nothing is lost when a forum strips what it does not know."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import escape

from app.reports import Resolved, report
from app.reports.forum import Around, Pen, harmless, parts, shortened, spoken, web_address, whole
from app.reports.tree import LENGTHS, Entry, Group, Length, Report, Section, Sentence
from app.reports.voice import voice

LIMIT = 60_000
TAGS = frozenset({"h3", "h4", "p", "ul", "li", "strong", "em", "small", "br", "details", "summary", "a", "img"})
"""All tags that a fragment may hold."""


def turn_report(
    turn: Resolved,
    language: str,
    *,
    url: str | None = None,
    picture: str | None = None,
    length: str = "phases",
    limit: int | None = None,
) -> str:
    """A turn as a fragment. Raises KeyError for an unknown length."""
    return write(report(turn, language), Around(url, picture), length=LENGTHS[length], limit=limit)


def write(told: Report, around: Around, *, length: Length, limit: int | None = None) -> str:
    told, pen = told.cut(length), pen_of(told.language, length)
    return whole(told, pen, around) if limit is None else shortened(told, pen, around, limit)


def write_messages(told: Report, around: Around, *, length: Length, limit: int | None = None) -> tuple[str, ...]:
    return parts(told.cut(length), pen_of(told.language, length), around, limit or LIMIT)


def pen_of(language: str, length: Length) -> Pen:
    return _Pen(language, length)


@dataclass(frozen=True)
class _Pen:
    language: str
    length: Length

    def head(self, told: Report, around: Around) -> list[str]:
        lines = [*self.again(told.title), f"<p>{_sentence(told.headline)}</p>"]
        if around.picture:
            lines.append(f'<p><img src="{_address(around.picture)}" alt="{_line(told.title)}"></p>')
        if around.url:
            text = voice(self.language).word("The turn with its board, dice and proof")
            lines.append(f'<p><a href="{_address(around.url)}">{_line(text)}</a></p>')
        return lines

    def again(self, title: str) -> list[str]:
        return [f"<h3>{_title(title)}</h3>"]

    def foot(self, left_out: str) -> list[str]:
        return [f"<p>{_line(left_out)}</p>"]

    def open_section(self, section: Section, title: str) -> list[str]:
        if self.length == "dice" and section.is_deep:
            return ["<details>", f"<summary><strong>{_title(title)}</strong></summary>"]
        heading = f"<h4>{_title(title)}</h4>"
        return [heading] if any(section.entries) else [heading, f"<p>{_line(section.empty)}</p>"]

    def close_section(self, section: Section) -> list[str]:
        return ["</details>"] if self.length == "dice" and section.is_deep else []

    def open_group(self, group: Group) -> list[str]:
        rules = _rules(group.rules) if self.length == "dice" else ""
        title = [f"<p><strong>{_title(group.title)}</strong>{rules}</p>"] if group.title else []
        return [*title, "<ul>"]

    def close_group(self, group: Group) -> list[str]:
        return ["</ul>"]

    def entry(self, entry: Entry, group: Group) -> list[str]:
        tag = {"grave": "strong", "notable": "em"}.get(entry.severity)
        told = f"<{tag}>{_sentence(entry.sentence)}</{tag}>" if tag else _sentence(entry.sentence)
        if self.length != "dice":
            return [f"<li>{told}</li>"]
        under = [
            f"{_line(roll.caption)}: <strong>{' '.join(str(die.face) for die in roll.dice)}</strong> ({_line(roll.address)})"
            for roll in entry.rolls
        ]
        under += [_sentence(why.sentence) + _rules((why.rule,) if why.rule else ()) for why in entry.why]
        return [f"<li>{told}{_rules(entry.rules)}{''.join(f'<br><small>{line}</small>' for line in under)}</li>"]


def _sentence(sentence: Sentence) -> str:
    return str(escape("".join(spoken(piece) for piece in sentence)))


def _line(text: str) -> str:
    return str(escape(harmless(text, dots=False)))


def _title(text: str) -> str:
    """A heading, which may be somebody's name: what looks like an address in it becomes no link."""
    return str(escape(harmless(text)))


def _address(url: str) -> str:
    return str(escape(web_address(url)))


def _rules(numbers: tuple[str, ...]) -> str:
    return f" ({', '.join(map(_line, numbers))})" if numbers else ""
