"""English and Russian: catalogues, plurals, numbers, dates, and which language a reader is served in.

The msgids are the English sentences. The Russian catalogues lie beside this file, one for each area of the program, and
are read and compiled in memory when they are first asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from io import BytesIO
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import NullTranslations, Translations

from app.language.translator import Translator

LANGUAGES = ("en", "ru")
DEFAULT = "en"
NAMES = {"en": "English", "ru": "Русский"}
"""Each language by its own name."""
AREAS = tuple(sorted(file.stem for file in (Path(__file__).parent / "ru").glob("*.po")))
"""Each catalogue is an area of the program."""

__all__ = [
    "AREAS",
    "DEFAULT",
    "LANGUAGES",
    "NAMES",
    "Translator",
    "capital",
    "chosen",
    "marked",
    "pick",
    "translated",
    "translator",
]


@lru_cache(maxsize=len(LANGUAGES))
def translator(language: str) -> Translator:
    """The words of a language; of English for one that is not spoken here."""
    if language not in LANGUAGES:
        return translator(DEFAULT)
    return Translator(language, catalogue(language))


def capital(text: str) -> str:
    """A name at the head of a line: its first letter large, the rest as it was given."""
    return text[:1].upper() + text[1:]


def marked(text: str) -> str:
    """The sentence itself, marked for the catalogues (by custom imported as `_`); it is translated when it is read aloud."""
    return text


def translated(text: str, language: str) -> str:
    """A sentence in a language; the sentence itself where it is not translated."""
    return translator(language).gettext(text)


def catalogue(language: str) -> NullTranslations:
    """All areas of a language as one catalogue."""
    whole = NullTranslations()
    for area in AREAS:
        part = _compiled(Path(__file__).parent / language / f"{area}.po")
        if part is not None:
            if isinstance(whole, Translations):
                whole.add_fallback(part)
            else:
                whole = part
    return whole


def pick(texts: Mapping[str, str] | None, language: str) -> str:
    """A text from data in a language, else in English, else in whichever there is, else nothing."""
    if not texts:
        return ""
    return texts.get(language) or texts.get(DEFAULT) or next(iter(texts.values()))


@lru_cache(maxsize=512)
def chosen(accepted: str | None, kept: str = "") -> str:
    """The language for a reader: what he chose before, else the best of `Accept-Language`, else English."""
    if kept in LANGUAGES:
        return kept
    best, weight = DEFAULT, 0.0
    for part in (accepted or "").split(",")[:20]:
        tag, *parameters = (piece.strip() for piece in part.split(";"))
        language = tag.lower().partition("-")[0]
        if language not in LANGUAGES:
            continue
        quality = _quality(parameters)
        if quality > weight:
            best, weight = language, quality
    return best


def _quality(parameters: list[str]) -> float:
    for parameter in parameters:
        if parameter.startswith("q="):
            try:
                return float(parameter[2:])
            except ValueError:
                return 0.0
    return 1.0


def _compiled(file: Path) -> Translations | None:
    if not file.is_file():
        return None
    with file.open("rb") as source:
        read = read_po(source, locale=file.parent.name, abort_invalid=True)
    compiled = BytesIO()
    write_mo(compiled, read)
    compiled.seek(0)
    return Translations(compiled)
