"""What people write: harmless whatever it is, and read in steps that grow with its length alone."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable

import pytest

from app.reports import prose

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[a](javascript:alert(1))",
    "[a](JaVaScRiPt:alert(1))",
    "[a](data:text/html,<script>1</script>)",
    "[a](vbscript:x)",
    "<javascript:alert(1)>",
    "![a](http://evil.example/track.png)",
    "![a](javascript:alert(1))",
    '[a](http://x.example/"onmouseover="alert(1))',
    "http://x.example/'onclick='alert(1)",
    "<style>*{display:none}</style>",
    "&lt;script&gt;",
    "[a]: javascript:alert(1)\n\n[a]",
    '@Ann" onclick="alert(1)',
    "<svg/onload=alert(1)>",
    "`<b>`",
    "<!-- -->",
    "[a](//evil.example)",
    "[a](\x00javascript:alert(1))",
]


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize(
    "write", [lambda text: prose.message(text, mentions=["Ann"]), prose.inline], ids=["message", "line"]
)
def test_nothing_that_is_written_becomes_more_than_words(text: str, write: Callable[[str], str]) -> None:
    drawn = str(write(text))
    assert re.sub(r"</?(p|br|em|strong|s|ul|ol|li|blockquote|code|pre|h3|h4|hr|span)( class=\"mention\")?>", "", drawn)
    tags = re.findall(r"<[^>]*>", drawn)
    for tag in tags:
        assert re.fullmatch(r'</?[a-z0-9]+( (href|rel|class)="[^"<>]*")*>', tag), tag
        assert not re.match(r"<(script|img|style|svg|iframe)", tag)
        for address in re.findall(r'href="([^"]*)"', tag):
            assert re.match(r"https?://[^/]", address), address
    assert write is not prose.inline or "href" not in drawn


def test_a_link_leads_out_without_a_name() -> None:
    drawn = str(prose.message("See https://x.example/a_b_c?d=1, and [here](http://y.example). https:// is none."))
    assert re.findall(r'href="([^"]*)"', drawn) == ["https://x.example/a_b_c?d=1", "http://y.example"]
    assert drawn.count('rel="nofollow ugc noopener noreferrer"') == 2
    assert "<em>" not in drawn


def test_a_picture_becomes_a_link_by_its_words_or_its_address() -> None:
    drawn = str(
        prose.message("So![the ford](http://x.example/a.png)! ![](https://x.example/b.png) ![no ![x](javascript:1) !")
    )
    assert "<img" not in drawn
    assert re.sub(r' rel="[^"]*"', "", drawn) == (
        '<p>So<a href="http://x.example/a.png">the ford</a>! <a href="https://x.example/b.png">https://x.example/b.png</a>'
        " ![no ![x](javascript:1) !</p>\n"
    )


def test_a_turn_is_led_to_where_it_is_published() -> None:
    drawn = str(
        prose.message("#2, #3 and a#1, &#35; ##1 #1a #0 `#1` [#1](http://x.example)", turn_link="/b/x/t/{}", turns=2)
    )
    assert re.findall(r'href="([^"]*)"', drawn) == ["/b/x/t/2", "http://x.example"]
    assert "href" not in prose.message("#1")


def test_the_longest_name_is_called_and_no_part_of_a_word() -> None:
    names = ["Ann", "Ann Bell", "Север"]
    assert prose.called("@ann bell and a@Ann, @Annie, @СЕВЕР! `@Ann`\n\n```\n@Ann\n```", names) == ("Ann Bell", "Север")
    assert str(prose.message("@Ann", mentions=names)) == '<p><span class="mention">@Ann</span></p>\n'


def test_lines_in_character_have_emphasis_alone() -> None:
    assert str(prose.inline("*For* the **king**\n[a](http://b) # `x`")) == (
        "<em>For</em> the <strong>king</strong><br>\n[a](http://b) # <code>x</code>"
    )
    assert prose.plain("*For* the **king**\nand `him`") == "For the king\nand him"


def test_a_quotation_is_one_whoever_is_quoted() -> None:
    drawn = str(prose.message(prose.quoted("one\n\n> two", "A*n*n [x]") + "Mine."))
    assert drawn.count("<blockquote>") == 2
    assert "<strong>A*n*n [x]:</strong>" in drawn
    assert drawn.rstrip().endswith("</blockquote>\n<p>Mine.</p>")


def steps(text: str) -> int:
    """How many functions are called to read it."""
    count = 0

    def called(*_: object) -> None:
        nonlocal count
        count += 1

    sys.setprofile(called)
    try:
        prose.message(text, turn_link="/t/{}", turns=9, mentions=["Ann"])
        prose.inline(text)
    finally:
        sys.setprofile(None)
    return count


GROWING: dict[str, Callable[[int], str]] = {
    "quotes in quotes": lambda n: ">" * n,
    "quotes in quotes with blanks": lambda n: "> " * n,
    "lists in lists": lambda n: "- " * n,
    "brackets": lambda n: "[" * n,
    "links that never end": lambda n: "[a](" * n,
    "stars": lambda n: "*a " * n,
    "underscores": lambda n: "_a__" * n,
    "ticks": lambda n: "` `` " * n,
    "tags": lambda n: "<a" * n,
    "calls": lambda n: "@Ann" * n,
    "addresses": lambda n: "http://" * n,
    "turns": lambda n: "#1 " * n,
    "strikes": lambda n: "~~a " * n,
    "escapes": lambda n: "\\" * n,
}


@pytest.mark.parametrize("kind", GROWING)
def test_it_is_read_in_steps_that_grow_with_its_length(kind: str) -> None:
    few, many = steps(GROWING[kind](1000)), steps(GROWING[kind](4000))
    assert many <= 5 * few + 1000


def test_ten_thousand_quotes_in_quotes_are_drawn_a_few_deep() -> None:
    drawn = str(prose.message(">" * 10_000 + " deep"))
    assert drawn.count("<blockquote>") <= prose.DEEPEST
