"""Templates of one language: those of the server's pages, and those of a book."""

from __future__ import annotations

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from app.config import shipped
from app.language.translator import Translator


def strict(words: Translator) -> Environment:
    """An unknown name is an error, everything is escaped, sentences come from the catalogue. With the filter `number`."""
    made = Environment(
        loader=FileSystemLoader(shipped("templates")),
        autoescape=True,
        undefined=StrictUndefined,
        extensions=["jinja2.ext.i18n"],
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.policies["ext.i18n.trimmed"] = True
    made.install_gettext_translations(words.catalogue, newstyle=True)  # type: ignore[attr-defined]
    made.filters["number"] = words.number
    return made
