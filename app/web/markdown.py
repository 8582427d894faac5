"""Markdown to HTML, with nothing in it that could do harm: texts that others write, and our own documents."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import nh3
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

TAGS = {"p", "br", "em", "strong", "ul", "ol", "li", "blockquote", "code", "h3", "h4", "hr"}
DOCUMENT_TAGS = TAGS | {"a", "h2", "img", "pre", "div", "table", "thead", "tbody", "tr", "th", "td"}
ATTRIBUTES = {"a": {"href"}, "img": {"src", "alt", "loading"}, "h2": {"id"}, "div": {"class", "tabindex"}}
_reader = MarkdownIt("commonmark", {"html": False, "linkify": False})
_documents = MarkdownIt("commonmark", {"html": False}).enable("table")


def html(text: str) -> Markup:
    """Paragraphs, lists and emphasis. Headings begin at the third level; links and pictures become their text."""
    drawn = (
        _reader.render(text)
        .replace("<h1>", "<h3>")
        .replace("</h1>", "</h3>")
        .replace("<h2>", "<h3>")
        .replace("</h2>", "</h3>")
    )
    return Markup(nh3.clean(drawn, tags=TAGS, attributes={}))  # noqa: S704  (cleaned by an explicit list of tags)


@dataclass(frozen=True)
class Section:
    id: str
    title: str


@dataclass(frozen=True)
class Document:
    """One of our own documents. Its title is not in `html`; each of its sections is headed by its id there."""

    title: str
    sections: tuple[Section, ...]
    html: Markup


def document(source: str, addresses: Callable[[str], str | None]) -> Document:
    """A document with tables, links and pictures. What a link or a picture names goes to the address that is given for it;
    a link without one becomes its text, a picture without one falls away."""
    tokens = _documents.parse(source)
    title = ""
    sections: list[Section] = []
    for at, token in enumerate(tokens):
        if token.type == "heading_open" and token.tag == "h1":
            title = tokens[at + 1].content
            tokens[at + 1].children = []
        elif token.type == "heading_open" and token.tag == "h2":
            sections.append(Section(f"part-{len(sections) + 1}", tokens[at + 1].content))
            token.attrSet("id", sections[-1].id)
        if token.children:
            token.children = [child for child in token.children if _led(child, addresses)]
    drawn = _documents.renderer.render(tokens, _documents.options, {})
    drawn = drawn.replace("<h1></h1>", "").replace("<table>", '<div class="table-scroll" tabindex="0"><table>')
    drawn = nh3.clean(drawn.replace("</table>", "</table></div>"), tags=DOCUMENT_TAGS, attributes=ATTRIBUTES, link_rel=None)
    return Document(title, tuple(sections), Markup(drawn))  # noqa: S704  (cleaned by an explicit list of tags)


def _led(piece: Token, addresses: Callable[[str], str | None]) -> bool:
    """Give a link or a picture its address; whether the piece stays."""
    name = {"link_open": "href", "image": "src"}.get(piece.type)
    if name is None:
        return True
    address = addresses(str(piece.attrGet(name)))
    if address is not None:
        piece.attrSet(name, address)
        if name == "src":
            piece.attrSet("loading", "lazy")
    elif name == "href":
        piece.attrs.pop("href")
    return address is not None or name == "href"
