"""Reports as Markdown, read back by a Markdown reader: nothing is lost, nothing of others means anything."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from markdown_it import MarkdownIt

from app.reports import markdown, report
from app.reports.forum import Around
from app.reports.tree import flat
from tests.reports.turns import Told, from_battle

TURNS = (*from_battle(), *from_battle("first-skirmish", seed=b"small"))
AROUND = Around("https://post.example/b/x/t/6", "https://post.example/b/x/t/6.png?lang=ru&scale=2")
DIALECTS = tuple(markdown.DIALECTS)
both = pytest.mark.parametrize("language", ["en", "ru"])
every = pytest.mark.parametrize("dialect", DIALECTS)
lengths = pytest.mark.parametrize("length", ["headline", "phases", "dice"])
LONGEST = max(TURNS, key=lambda turn: len(turn.events))


def read_back(text: str) -> str:
    """What a reader sees, a block a line."""
    blocks = []
    for token in MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text):
        if token.type == "inline":
            blocks.append("".join(" " if t.type == "softbreak" else t.content for t in token.children or ()))
        else:
            assert token.type not in {"html_block", "code_block", "fence", "table_open", "blockquote_open", "hr"}, token
    return "\n".join(blocks).replace("||", "").replace("\u200b", "")


def items(text: str) -> list[str]:
    """The lines of the outer lists."""
    return [line for line in text.splitlines() if line.startswith("- ")]


@both
@every
def test_every_entry_die_and_rule_is_there(dialect: str, language: str) -> None:
    for turn in TURNS:
        told = report(turn, language)
        posts = markdown.turn_messages(turn, language, dialect=dialect, length="dice")
        assert sum(len(items(post)) for post in posts) == len(list(told.entries))
        seen = "\n".join(read_back(post) for post in posts)
        assert told.title in seen
        assert flat(told.headline) in seen
        for entry in told.entries:
            rules = f" ({', '.join(entry.rules)})" if entry.rules else ""
            assert flat(entry.sentence) + rules in seen
            for roll in entry.rolls:
                faces = " ".join(str(die.face) for die in roll.dice)
                assert f"{roll.caption}: {faces} ({roll.address})" in seen
            for why in entry.why:
                assert flat(why.sentence) + (f" ({why.rule})" if why.rule else "") in seen
        dice = [die for entry in told.entries for roll in entry.rolls for die in roll.dice]
        faces = Counter(face for line in seen.splitlines() for face in re.findall(r": ([\d ]+) \(\d+/", line))
        assert sum(len(found.split()) * count for found, count in faces.items()) == len(dice)


@both
@every
def test_phase_by_phase_tells_every_entry_without_dice(dialect: str, language: str) -> None:
    for turn in TURNS:
        told = report(turn, language)
        seen = "\n".join(
            read_back(post) for post in markdown.turn_messages(turn, language, dialect=dialect, length="phases")
        )
        assert all(flat(entry.sentence) in seen for entry in told.entries)
        assert all(section.title in seen and section.empty in seen for section in told.sections)
        assert not any(roll.address in seen for entry in told.entries for roll in entry.rolls)


@both
@every
@lengths
def test_a_post_has_its_links_and_fits_its_forum(dialect: str, language: str, length: str) -> None:
    for turn in TURNS:
        limit = markdown.DIALECTS[dialect].limit
        one = markdown.turn_report(turn, language, url=AROUND.url, picture=AROUND.picture, dialect=dialect, length=length)
        many = markdown.turn_messages(turn, language, url=AROUND.url, picture=AROUND.picture, dialect=dialect, length=length)
        for post in (one, *many):
            assert len(post) <= limit
            assert post.count('[details="') == post.count("[/details]")
            assert post.count("||") % 2 == 0
        for texts in ((one,), many):
            whole = "\n".join(texts)
            assert whole.count(AROUND.url or "!") == 1 + whole.count(AROUND.picture or "!")
            assert whole.count(AROUND.picture or "!") == 1


@both
def test_what_discord_has_no_room_for_is_counted(language: str) -> None:
    told = report(LONGEST, language)
    text = markdown.write(told, AROUND, dialect="discord", length="phases")
    shown = items(text)
    left_out = len(list(told.entries)) - len(shown)
    assert left_out > 0
    assert re.search(rf"\b{left_out} (more line|строк)", text)
    grave = [flat(entry.sentence) for entry in told.entries if entry.severity == "grave"]
    assert grave
    assert all(f"**{sentence}**" in text for sentence in grave)
    order = [flat(entry.sentence) for entry in told.entries]
    places = [order.index(line[2:].strip("*")) for line in shown]
    assert places == sorted(places)


def test_an_embed_holds_more_than_a_message() -> None:
    short = markdown.turn_report(LONGEST, "en", dialect="discord")
    longer = markdown.turn_report(LONGEST, "en", dialect="discord", limit=markdown.EMBED_LIMIT)
    assert 2000 < len(longer) <= 4096
    assert len(items(longer)) > len(items(short))


def test_parts_are_numbered_and_say_their_phase() -> None:
    posts = markdown.turn_messages(LONGEST, "en", dialect="discord", length="dice")
    assert len(posts) > 3
    assert all(len(post) > 1000 for post in posts[:-1])
    assert items(posts[-1])
    for number, post in enumerate(posts, start=1):
        assert post.startswith(f"## {report(LONGEST, 'en').title} ({number}/{len(posts)})\n")
        assert "\n### " in post


@pytest.mark.parametrize("wrong", [{"dialect": "slack"}, {"length": "long"}])
def test_unknown_dialects_and_lengths_are_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(KeyError):
        markdown.turn_report(LONGEST, "en", **wrong)  # type: ignore[arg-type]


def test_the_turns_are_long_enough_to_mean_something() -> None:
    assert isinstance(LONGEST, Told)
    assert len(LONGEST.events) > 60
