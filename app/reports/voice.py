"""Sentences in the reader's language, made of fragments: what a ruleset's words are said with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.language import Translator, translator
from app.reports.tree import Fragment, Sentence, Text, fill

Part = Fragment | Sentence | str | int


@dataclass(frozen=True)
class Voice:
    """One language. Templates are English sentences with `%(name)s` holes; the catalogues hold the rest."""

    language: str
    translator: Translator

    def word(self, text: str) -> str:
        """A word or a title without holes."""
        return self.translator.gettext(text)

    def say(self, template: str, /, **parts: Part) -> Sentence:
        return fill(self.translator.gettext(template), **parts)

    def count(self, one: str, many: str, number: int, /, **parts: Part) -> Sentence:
        """The form that a number asks for; `%(num)s` is the number."""
        found: str = self.translator.catalogue.ungettext(one, many, number)
        return fill(found, num=number, **parts)

    def gendered(self, gender: str, template: str, /, **parts: Part) -> Sentence:
        """A sentence that agrees with a unit's gender (`m`, `f`, `n`): the catalogue's context tells which."""
        return fill(self.translator.pgettext(gender, template), **parts)

    def listed(self, parts: Sequence[Fragment | Sentence]) -> Sentence:
        """`one, two and three`."""
        pieces: list[Fragment] = []
        for place, part in enumerate(parts):
            if place:
                pieces.append(Text(self.word(" and ") if place == len(parts) - 1 else ", "))
            pieces.extend(part if isinstance(part, tuple) else (part,))
        return tuple(pieces)

    def chained(self, parts: Sequence[Fragment | Sentence], between: str = ", ") -> Sentence:
        """Parts with the same sign between them: losses, steps of a path."""
        pieces: list[Fragment] = []
        for place, part in enumerate(parts):
            if place:
                pieces.append(Text(between))
            pieces.extend(part if isinstance(part, tuple) else (part,))
        return tuple(pieces)


def voice(language: str) -> Voice:
    found = translator(language)
    return Voice(found.language, found)
