"""What people write, as safe HTML or as plain words: messages in Markdown, and a few lines in character."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

import nh3
from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline, link
from markupsafe import Markup

DEEPEST = 20
"""Quotes in quotes; what is nested deeper is left out."""
TAGS = {"p", "br", "em", "strong", "s", "ul", "ol", "li", "blockquote", "code", "pre", "h3", "h4", "hr", "a", "span"}
INLINE_TAGS = {"br", "em", "strong", "s", "code"}
SCHEMES = {"http", "https"}
_LINK = re.compile(r"://[^\s<>\"'`\\]{1,1000}")
_BEFORE = re.compile(r"(?:^|[^\w])(https?)$", re.IGNORECASE)
_PLACE = re.compile(r"https?://[^/]|/(?!/)|turn-[0-9]+\.html$", re.IGNORECASE)
_TRAILING = ".,;:!?»”)*_~]"
_TURN = re.compile(r"#([1-9][0-9]{0,4})(?![\w])")
_HEADINGS = re.compile(r"(</?)h[12]>")


def message(text: str, *, turn_link: str = "", turns: int = 0, mentions: Sequence[str] = ()) -> Markup:
    """A message. Pictures become links; links lead to http and https alone; no HTML of the writer's is one. `mentions`: the
    names that call somebody where an `@` stands before them. `turn_link`: where `#3` leads if turn 3 is one of the `turns`
    that are published, as `/b/ID/t/{}`; empty: nowhere."""
    env = {"mentions": sorted(mentions, key=len, reverse=True), "turn_link": turn_link, "turns": turns}
    drawn = _HEADINGS.sub(r"\1h3>", _full.render(text, env))
    attributes = {"a": {"href"}, "span": {"class"}}
    kept = nh3.clean(
        drawn,
        tags=TAGS,
        attributes=attributes,
        attribute_filter=_kept,
        url_schemes=SCHEMES,
        link_rel="nofollow ugc noopener noreferrer",
    )
    return Markup(kept)  # noqa: S704  (cleaned by an explicit list of tags)


def _kept(_: str, name: str, value: str) -> str | None:
    """A link leads to a whole address, or to a page of this house."""
    return value if name != "href" or _PLACE.match(value) else None


def inline(text: str) -> Markup:
    """Lines in character: emphasis and breaks of line, and nothing that leads anywhere."""
    drawn = _inline.renderInline(text)
    return Markup(nh3.clean(drawn, tags=INLINE_TAGS, attributes={}))  # noqa: S704  (as above)


def plain(text: str) -> str:
    """The same as words without marks, breaks of line kept."""
    told = []
    for block in _inline.parseInline(text):
        for token in block.children or ():
            if token.type in ("text", "code_inline"):
                told.append(token.content)
            elif token.type in ("softbreak", "hardbreak"):
                told.append("\n")
    return "".join(told).strip()


def quoted(text: str, name: str) -> str:
    """A message as the quotation with which an answer begins."""
    lines = [f"**{_escaped(name)}:**", *text.split("\n")]
    return "\n".join(f"> {line}".rstrip() for line in lines) + "\n\n"


def called(text: str, names: Sequence[str]) -> tuple[str, ...]:
    """Which of the names a message calls, in the order of its words."""
    found: list[str] = []
    env: dict[str, Any] = {"mentions": sorted(names, key=len, reverse=True), "turn_link": "", "turns": 0, "found": found}
    _full.parse(text, env)
    return tuple(dict.fromkeys(found))


def _escaped(name: str) -> str:
    return re.sub(r"([\\`*_\[\]<>~])", r"\\\1", name)


def _mention(state: StateInline, silent: bool) -> bool:
    """`@name`, if it is a name of the channel and no part of a word or an address of mail."""
    at = state.pos
    if state.src[at] != "@" or _is_word(state.src[at - 1 : at]):
        return False
    rest = state.src[at + 1 : at + 100]
    folded = rest.casefold()
    for name in state.env.get("mentions", ()):
        if folded.startswith(name.casefold()) and not _is_word(rest[len(name) : len(name) + 1]):
            if not silent:
                state.push("mention_open", "span", 1).attrs = {"class": "mention"}
                state.push("text", "", 0).content = "@" + rest[: len(name)]
                state.push("mention_close", "span", -1)
                if "found" in state.env:
                    state.env["found"].append(name)
            state.pos += 1 + len(name)
            return True
    return False


def _turn(state: StateInline, silent: bool) -> bool:
    at = state.pos
    if state.src[at] != "#" or _is_word(state.src[at - 1 : at]) or state.src[at - 1 : at] in ("&", "/", "#"):
        return False
    found = _TURN.match(state.src, at)
    if found is None or not state.env.get("turn_link") or int(found[1]) > state.env["turns"] or state.linkLevel > 0:
        return False
    if not silent:
        _push_link(state, state.env["turn_link"].format(found[1]), found[0])
    state.pos = found.end()
    return True


def _picture(state: StateInline, silent: bool) -> bool:
    """A picture becomes a link to it, by its own words or by its address."""
    at = state.pos
    if not state.src.startswith("![", at):
        return False
    state.pos = at + 1
    if not link(state, silent):
        state.pos = at
        return False
    if not silent and state.tokens[-2].type == "link_open":
        close = state.tokens.pop()
        address = str(state.tokens[-1].attrs["href"])
        state.push("text", "", 0).content = address
        state.tokens.append(close)
    return True


def _bare_link(state: StateInline, silent: bool) -> bool:
    """An address that stands in the text as it is. What of it stands before the colon is pending already."""
    if state.src[state.pos] != ":" or state.linkLevel > 0 or silent:
        return False
    scheme = _BEFORE.search(state.pending[-8:])
    found = _LINK.match(state.src, state.pos) if scheme else None
    if scheme is None or found is None:
        return False
    address = found[0].rstrip(_TRAILING)
    if len(address) < 4:
        return False
    state.pending = state.pending[: -len(scheme[1])]
    _push_link(state, quote(scheme[1].lower() + address, safe="/:?#[]@!$&()*+,;=%-._~"), scheme[1] + address)
    state.pos += len(address)
    return True


def _push_link(state: StateInline, href: str, text: str) -> None:
    state.push("link_open", "a", 1).attrs = {"href": href}
    state.push("text", "", 0).content = text
    state.push("link_close", "a", -1)


def _is_word(sign: str) -> bool:
    return bool(sign) and (sign.isalnum() or sign == "_")


def _made(*without: str) -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False, "breaks": True, "maxNesting": DEEPEST}).disable(list(without))


_full = _made("image", "html_block", "html_inline", "reference").enable("strikethrough")
_full.inline.ruler.before("escape", "mention", _mention)
_full.inline.ruler.before("escape", "turn", _turn)
_full.inline.ruler.before("escape", "bare_link", _bare_link)
_full.inline.ruler.before("link", "picture", _picture)
_inline = _made("image", "html_inline", "link", "autolink").enable("strikethrough")
