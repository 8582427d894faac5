"""Whatever people call their sides, units and cells: a post keeps its shape, and calls nobody."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from app.reports import bbcode, chat, fragment, markdown, plain
from app.reports.forum import Around, harmless
from app.reports.tree import CellName, Die, Entry, Group, Name, Report, Roll, Section, Text, UnitName, Why
from tests.reports.test_bbcode import parser_of

AROUND = Around("https://post.example/b/x/t/1", "https://post.example/b/x/t/1.png")
SIGNS = "[]*_`~|<>&\"'\\@#:!-+=.()1{}$^/ \n\r\t\u2028\u202e\u2066\u2069\u200f\ufeff\ud800אب🐉"
WORDS = """
@everyone @here <@123> <#5> <@&7> [/b] [/list] [*] [img]x[/img] [/spoiler] [/TABLE] [url=javascript:x]y[/url] [/details]
|| ``` ** __ <b> </li> <script>alert(1)</script> <!-- &lt; ]](x) ![a](b) https://evil.example www.evil.example a@evil.example
:smile: :) --- === |a|b| %(title)s %s {0} North Север 👨‍👩‍👧
"""
PIECES = (*SIGNS, *WORDS.split(), "1. ", "- ", "# ", "> ")
names = st.one_of(st.lists(st.sampled_from(PIECES), max_size=8).map("".join), st.text(max_size=30))
FORMATS = (
    *(("bbcode", dialect) for dialect in bbcode.DIALECTS),
    *(("markdown", dialect) for dialect in markdown.DIALECTS),
    ("html", ""),
    ("chat", ""),
    ("plain", ""),
)


def told_of(name: str) -> Report:
    """A report in which every word of others is this one."""
    one = UnitName(name, name, name, 0, name)
    entry = Entry(
        id="a-1",
        kind="attacked",
        sentence=(Name(name), Text(": "), one, Text(" — "), CellName(name), Text(".")),
        severity="grave",
        rules=("RULE-1",),
        rolls=(Roll(f"1/melee/{name}/attack", name, (Die(3), Die(5))),),
        why=(Why((Name(name), Text(", "), one, Text(".")), "RULE-2"),),
    )
    entries = (entry, replace(entry, severity="notable"), replace(entry, severity="plain"))
    groups = (Group(name, entries, ("RULE-3",)), Group("", entries))
    sections = (Section("a", name, groups), Section("b", name, (), name))
    return Report("en", "Turn 1", (Name(name), Text(" wins: "), one, Text(".")), sections, "cohesion")


def posts(form: str, dialect: str, told: Report, length: str) -> tuple[str, ...]:
    if form == "bbcode":
        return (
            bbcode.write(told, AROUND, dialect=dialect, length=length),  # type: ignore[arg-type]
            *bbcode.write_messages(told, AROUND, dialect=dialect, length=length, limit=1500),  # type: ignore[arg-type]
        )
    if form == "markdown":
        return (
            markdown.write(told, AROUND, dialect=dialect, length=length),  # type: ignore[arg-type]
            *markdown.write_messages(told, AROUND, dialect=dialect, length=length, limit=1500),  # type: ignore[arg-type]
        )
    if form == "html":
        return (fragment.write(told, AROUND, length=length),)  # type: ignore[arg-type]
    if form == "chat":
        return (chat.write(told, length=length, limit=10**6),)  # type: ignore[arg-type]
    return (plain.write(told, length=length),)  # type: ignore[arg-type]


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[object] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, tuple(name for name, _ in attrs)))

    def handle_endtag(self, tag: str) -> None:
        self.seen.append(tag)

    def handle_comment(self, data: str) -> None:
        self.seen.append("comment")


def shape(form: str, dialect: str, post: str) -> list[object]:
    """What a reader of the format makes of a post, without its words."""
    if form == "bbcode":
        made = parser_of(dialect)
        return [(kind, tag) for kind, tag, _, _ in made.tokenize(post) if kind in (made.TOKEN_TAG_START, made.TOKEN_TAG_END)]
    if form == "markdown":
        found: list[object] = []
        for token in MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(post):
            found.append((token.type, token.tag))
            inner = [child.type for child in token.children or () if child.type not in {"text", "text_special"}]
            found += inner
        return [*found, post.count("||"), post.count("[details"), post.count("[/details]")]
    if form == "html":
        tags = _Tags()
        tags.feed(post)
        return tags.seen
    return []


@settings(max_examples=30, deadline=None)
@given(names)
@example("@everyone [/b][*]<b>`*_|\u202e\n# x")
@example("1. ")
@example("@here <!channel> <@5> a@b.example")
@example("- \\")
@example("\\")
@example("")
@example('[==="')
@example("[=' ")
@example("*" * 200)
@pytest.mark.parametrize("length", ["headline", "phases", "dice"])
@pytest.mark.parametrize(("form", "dialect"), FORMATS)
def test_a_name_changes_no_shape_and_calls_nobody(form: str, dialect: str, length: str, name: str) -> None:
    hostile, tame = told_of(name), told_of("x")
    limit_free = posts(form, dialect, hostile, length)[0], posts(form, dialect, tame, length)[0]
    if clean_enough(name) and dialect != "discord":
        assert shape(form, dialect, limit_free[0]) == shape(form, dialect, limit_free[1])
    for post in posts(form, dialect, hostile, length):
        post.encode("utf-8")
        assert not re.search(r"[\u202a-\u202e\u200e\u200f\u2066\u2067]", post)
        assert post.count("\u2068") == post.count("\u2069")
        if form in {"bbcode", "markdown", "html"}:
            assert not re.search(r"@(everyone|here|[&!]?\d)|:\w+:|(?<!\\)<script", post)
        if form == "chat" and clean_enough(name):
            assert len(post.splitlines()) == len(posts(form, dialect, tame, length)[0].splitlines())
        if form in {"plain", "chat"}:
            assert not re.search(r"@\w|<[!@#]", post)
        if form == "bbcode":
            opened = [tag for kind, tag in shape(form, dialect, post) if kind == 1 and tag != "*"]  # type: ignore[misc, str-unpack]
            closed = [tag for kind, tag in shape(form, dialect, post) if kind == 2]  # type: ignore[misc, str-unpack]
            assert sorted(opened) == sorted(closed)
        if form == "plain":
            assert all(len(line) <= plain.WIDTH for line in post.splitlines())


@pytest.mark.parametrize("length", ["headline", "phases", "dice"])
@pytest.mark.parametrize(("form", "dialect"), FORMATS[:-1])
def test_a_title_that_is_a_name_becomes_no_link(form: str, dialect: str, length: str) -> None:
    """Lists of orders have names of sides and commanders for titles."""
    name = "www.evil.example"
    entry = Entry(id="a-1", kind="order", sentence=(Text("LM C5: hold"),), severity="plain")
    sections = (Section("a", name, (Group(name, (entry,)),)), Section("b", name, (), "Nothing."))
    told = Report("en", "Orders", (Name(name),), sections, "cohesion")
    for post in posts(form, dialect, told, length):
        assert name not in post
        assert "evil" in post


def clean_enough(name: str) -> bool:
    """Of a name without a letter nothing is left to see, and a line may stay empty."""
    return bool(harmless(name).strip("\u200b\u2068\u2069"))


def test_words_of_others_are_made_harmless() -> None:
    assert harmless("@everyone #tag :smile: a.b") == "@\u200beveryone #\u200btag :\u200bsmile: a.\u200bb"
    assert harmless("צפון") == "\u2068צפון\u2069"
    assert harmless("Л.М K4: ход", dots=False) == "Л.М K4: ход"
    assert len(harmless("x" * 500)) == 120
    assert harmless("a\ud800b") == "ab"
