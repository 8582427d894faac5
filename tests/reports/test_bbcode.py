"""Reports as BBCode, read back by a BBCode reader: every tag closes, nothing is lost."""

from __future__ import annotations

import re

import bbcode as reader
import pytest

from app.reports import bbcode, report
from app.reports.tree import flat
from tests.reports.turns import from_battle

TURNS = (*from_battle(), *from_battle("first-skirmish", seed=b"small"))
URL, PICTURE = "https://post.example/b/x/t/6", "https://post.example/b/x/t/6.png?lang=ru"
both = pytest.mark.parametrize("language", ["en", "ru"])
every = pytest.mark.parametrize("dialect", tuple(bbcode.DIALECTS))
lengths = pytest.mark.parametrize("length", ["headline", "phases", "dice"])
TAGS = {
    "phpbb": {"b", "size", "color", "url", "img", "list", "*"},
    "ipb": {"b", "size", "color", "url", "img", "list", "*", "spoiler"},
    "vbulletin": {"b", "size", "color", "url", "img", "list", "*", "table", "tr", "td"},
    "xenforo": {"b", "size", "color", "url", "img", "list", "*", "table", "tr", "td", "th", "spoiler"},
}
"""What the forums document, written down once more: the dialects may use nothing else."""


def parser_of(dialect: str) -> reader.Parser:
    made = reader.Parser(replace_links=False, replace_cosmetic=False)
    for tag in set().union(*TAGS.values()) - set(made.recognized_tags):
        made.add_simple_formatter(tag, "%(value)s")
    assert TAGS[dialect] <= set(made.recognized_tags)
    return made


def read_back(text: str, dialect: str) -> str:
    """The words of a post. Every tag is one of the forum's and is closed in order."""
    made = parser_of(dialect)
    words, stack = [], []
    for kind, tag, _, data in made.tokenize(text):
        if kind == made.TOKEN_TAG_START:
            assert tag in TAGS[dialect]
            if tag == "*":
                assert stack[-1] == "list"
            else:
                stack.append(tag)
        elif kind == made.TOKEN_TAG_END:
            assert stack.pop() == tag, data
        else:
            assert not re.search(r"\[/?[a-z*]", data, re.IGNORECASE), data
            words.append(data)
    assert not stack
    made.format(text)
    return "".join(words).replace("\u200b", "")


def entries_in(text: str) -> int:
    return text.count("[*]") + text.count("[TR]") - text.count("[TABLE]")


@both
@every
def test_every_entry_die_and_rule_is_there(dialect: str, language: str) -> None:
    for turn in TURNS:
        told = report(turn, language)
        whole = bbcode.turn_report(turn, language, dialect=dialect, length="dice")
        posts = bbcode.turn_messages(turn, language, dialect=dialect, length="dice")
        assert entries_in(whole) == sum(map(entries_in, posts)) == len(list(told.entries))
        for seen in (read_back(whole, dialect), "\n".join(read_back(post, dialect) for post in posts)):
            assert flat(told.headline) in seen
            for entry in told.entries:
                assert flat(entry.sentence) + (f" ({', '.join(entry.rules)})" if entry.rules else "") in seen
                for roll in entry.rolls:
                    faces = " ".join(str(die.face) for die in roll.dice)
                    assert f"{roll.caption}: {faces} ({roll.address})" in seen
                for why in entry.why:
                    assert flat(why.sentence) + (f" ({why.rule})" if why.rule else "") in seen


@both
@every
def test_phase_by_phase_tells_every_entry_without_dice(dialect: str, language: str) -> None:
    for turn in TURNS:
        told = report(turn, language)
        text = bbcode.turn_report(turn, language, dialect=dialect, length="phases")
        seen = read_back(text, dialect)
        assert text.count("[*]") == len(list(told.entries))
        assert all(flat(entry.sentence) in seen for entry in told.entries)
        assert all(section.title in seen and section.empty in seen for section in told.sections)
        assert not any(roll.address in seen for entry in told.entries for roll in entry.rolls)


@both
@every
@lengths
def test_posts_fit_the_forum_and_link_to_the_turn_once(dialect: str, language: str, length: str) -> None:
    for turn in TURNS:
        posts = bbcode.turn_messages(turn, language, url=URL, picture=PICTURE, dialect=dialect, length=length)
        assert all(len(post) <= bbcode.DIALECTS[dialect].limit for post in posts)
        assert all(read_back(post, dialect) for post in posts)
        whole = "\n".join(posts)
        assert len(re.findall(r"\[url=['\"]?" + re.escape(URL) + r"['\"]?\]", whole, re.IGNORECASE)) == 1
        assert len(re.findall(r"\[img\]" + re.escape(PICTURE) + r"\[/img\]", whole, re.IGNORECASE)) == 1
        if length == "headline":
            assert len(posts) == 1
            assert entries_in(posts[0]) == 0


def test_a_shortened_post_counts_what_it_leaves_out() -> None:
    turn = max(TURNS, key=lambda turn: len(turn.events))
    text = bbcode.turn_report(turn, "en", length="dice", dialect="xenforo", limit=5000)
    assert len(text) <= 5000
    read_back(text, "xenforo")
    left_out = len(list(report(turn, "en").entries)) - entries_in(text)
    assert f"{left_out} more lines are left out here." in text


@pytest.mark.parametrize("colour", [bbcode.GRAVE, bbcode.NOTABLE])
@pytest.mark.parametrize("ground", [0.0, 1.0])
def test_colours_can_be_read_on_white_and_on_black(colour: str, ground: float) -> None:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    light = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    brighter, darker = max(light, ground), min(light, ground)
    assert (brighter + 0.05) / (darker + 0.05) >= 4.0
