"""The rules documents: rule number -> its text, sections, and the whole page with an anchor at every rule (`#SHOOT-5`)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

import nh3
from markdown_it import MarkdownIt
from markdown_it.token import Token

from app.config import shipped
from app.language import DEFAULT

_RULE = re.compile(r"- \*\*([A-Z]+(?:-\d+)?)\*\* (.*)")
_HEADING = re.compile(r"(#{1,3}) (.*)")
_TAGS = frozenset(
    {"a", "b", "strong", "em", "code", "h1", "h2", "h3", "h4", "p", "ul", "ol", "li", "br", "hr", "blockquote", "div"}
    | {"table", "thead", "tbody", "tr", "th", "td"}
)
_ATTRIBUTES = {"a": {"href", "class"}, "li": {"id", "class"}, "div": {"class", "tabindex"}} | {
    f"h{level}": {"id"} for level in range(1, 5)
}


@dataclass(frozen=True)
class Rule:
    """One numbered rule. `section` is the id of the section it stands in."""

    number: str
    section: str
    markdown: str

    @property
    def text(self) -> str:
        """The rule as plain text, marks of emphasis and of code left out."""
        return re.sub(r"\*\*|`|(?<!\w)\*|\*(?!\w)", "", self.markdown)


@dataclass(frozen=True)
class Section:
    id: str
    title: str


@dataclass(frozen=True)
class Book:
    """A rules document in one language; empty where a ruleset has none."""

    language: str
    source: str
    rules: Mapping[str, Rule]
    sections: tuple[Section, ...]

    @property
    def title(self) -> str:
        """The document's first heading, or empty."""
        return self.source.partition("\n")[0].removeprefix("#").strip()

    @property
    def name(self) -> str:
        """The game's name: what stands before a colon in the title."""
        return self.title.partition(":")[0]

    @property
    def example(self) -> str:
        """A number that is there, to show what numbers look like; of an empty book none."""
        return next(iter(self.rules), "")

    def html(self, number: str, url: str = "") -> str:
        """One rule as HTML of a line, its cross references linked to the rules page at `url`. Safe."""
        rule = self.rules.get(number)
        if rule is None:
            return ""
        tokens = _MARKDOWN.parseInline(rule.markdown)
        _link(tokens, self.rules, url, skip=number)
        return _clean(_MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {}))

    def page(self, url: str = "") -> str:
        """The whole document as HTML: `id="SHOOT-5"` at each rule, `id="section-7"` at each section. Safe."""
        return _page(self.source, url)

    def has(self, number: str) -> bool:
        return number in self.rules


@lru_cache(maxsize=16)
def book(language: str, ruleset: str) -> Book:
    """The rules of a ruleset in a language, else in English, else an empty book."""
    for tongue in (language, DEFAULT):
        file = shipped("rules") / f"{ruleset}.{tongue}.md"
        if file.is_file():
            return read(file.read_text(encoding="utf-8"), tongue)
    return Book(language, "", {}, ())


def game_name(ruleset: str, language: str) -> str:
    """What its rules call a game; its key where it has no rules."""
    return book(language, ruleset).name or ruleset


def read(source: str, language: str) -> Book:
    """A rules document -> its rules in their order. Raises ValueError for a number that stands twice."""
    rules: dict[str, Rule] = {}
    sections: list[Section] = []
    for number, section, lines in _rules(source, sections):
        if number in rules:
            raise ValueError(f"rule {number} stands twice")
        rules[number] = Rule(number, section, " ".join(lines))
    return Book(language, source, rules, tuple(sections))


def _rules(source: str, sections: list[Section]) -> Iterator[tuple[str, str, list[str]]]:
    """Number, section, lines of each rule; the headings met are added to `sections`."""
    found: tuple[str, str, list[str]] | None = None
    for line in source.splitlines():
        heading, rule = _HEADING.fullmatch(line), _RULE.fullmatch(line)
        goes_on = found is not None and line.startswith("  ")
        if goes_on and found is not None:
            found[2].append(line.strip())
            continue
        if found is not None:
            yield found
            found = None
        if heading and len(heading[1]) == 2:
            sections.append(Section(_section_id(heading[2], len(sections) + 1), heading[2]))
        elif rule:
            found = rule[1], sections[-1].id if sections else "", [rule[2]]
    if found is not None:
        yield found


def _section_id(title: str, place: int) -> str:
    number = re.match(r"(\d+)\.", title)
    return f"section-{number[1] if number else place}"


@lru_cache(maxsize=64)
def _page(source: str, url: str) -> str:
    numbers = dict.fromkeys(number for number, _, _ in _rules(source, []))
    tokens = _MARKDOWN.parse(source)
    place = 0
    for at, token in enumerate(tokens):
        if token.type == "heading_open" and token.tag == "h2":
            place += 1
            token.attrSet("id", _section_id(tokens[at + 1].content, place))
        elif token.type == "list_item_open":
            number = _number(tokens[at + 2]) if at + 2 < len(tokens) else None
            if number in numbers:
                token.attrSet("id", str(number))
                token.attrSet("class", "rule")
    _link(tokens, numbers, url)
    html = _MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {})
    html = html.replace("<table>", '<div class="table-scroll" tabindex="0"><table>')
    return _clean(html.replace("</table>", "</table></div>"))


def _number(inline: Token) -> str | None:
    """The rule number that a line begins with in bold."""
    children = inline.children or []
    starts = [c for c in children if not (c.type == "text" and not c.content)][:2]
    return starts[1].content if len(starts) == 2 and starts[0].type == "strong_open" else None


def _link(tokens: list[Token], numbers: Mapping[str, object], url: str, skip: str = "") -> None:
    """Turn each rule number in running text into a link to its anchor; the number that heads a rule links to itself."""
    if not numbers:
        return
    named = re.compile(r"(?<![\w-])(" + "|".join(sorted(map(re.escape, numbers), key=len, reverse=True)) + r")(?![\w-])")
    for token in tokens:
        if token.children:
            token.children = [piece for child in token.children for piece in _linked(child, named, url, skip)]


def _linked(child: Token, named: re.Pattern[str], url: str, skip: str) -> Iterator[Token]:
    if child.type != "text":
        yield child
        return
    for piece in named.split(child.content):
        text = Token("text", "", 0, content=piece)
        if piece != skip and named.fullmatch(piece):
            yield Token("link_open", "a", 1, attrs={"href": f"{url}#{piece}", "class": "rule-number"})
            yield text
            yield Token("link_close", "a", -1)
        elif piece:
            yield text


def _clean(html: str) -> str:
    return nh3.clean(html, tags=set(_TAGS), attributes=_ATTRIBUTES, link_rel=None, url_schemes={"http", "https"})


_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")
