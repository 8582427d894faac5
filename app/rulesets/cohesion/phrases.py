"""Words put together: phrases of the language, names of types in words, numbers in words."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple

from app.rulesets.cohesion.lexicon import Lexicon, plain
from app.rulesets.cohesion.names import Names

_MOST_WORDS: Final = 12
_ORDINAL: Final = re.compile(r"([0-9]{1,2})(?:st|nd|rd|th|й|ый|ой|ий|я|ая)", re.IGNORECASE)


class Token(NamedTuple):
    """A piece of text, `start` to `end`. `kind`: a kind of word (`shoot`, `not`, `join` …), or

    `unit` (`means`: the units that have the id), `code` (`means`: the types), `described` (the same, by name), `numbered`
    (a code with a number, `value`), `cell` (`value`: its label; `means`: units whose id is written so), `odd-cell` (off
    the board), `odd-unit`, `number`, `junk`, `line` (a new line begins), or a sign: `: , ; - > .. ) &`.
    """

    kind: str
    value: str
    start: int
    end: int
    means: tuple[str, ...] = ()


class PhraseReader:
    """Reads the words of one text."""

    def __init__(self, text: str, names: Names, words: Lexicon) -> None:
        self.text = text
        self.names = names
        self.words = words

    def _phrases(self, tokens: Iterator[Token]) -> Iterator[Token]:
        """Words put together to phrases and names, the longest first; a word that belongs to none is junk."""
        ahead: deque[Token] = deque(islice(tokens, _MOST_WORDS))
        before = Token("", "", 0, 0)
        while ahead:
            token, taken = self._next(ahead, before)
            before = token
            yield token
            for _ in range(taken):
                ahead.popleft()
            ahead.extend(islice(tokens, taken))

    def _next(self, ahead: deque[Token], before: Token) -> tuple[Token, int]:
        """The token that comes next, and of how many it was made."""
        token = ahead[0]
        ordinal, width = self._ordinal(ahead)
        is_count = token.kind == "word" and plain(token.value) in self.words.counts  # `two LM`
        if ordinal and len(ahead) > width:
            named, taken = self._next(deque(islice(ahead, width, None)), token)
            if named.kind in ("code", "described") and not is_count:
                return Token("numbered", ordinal, token.start, named.end, named.means), width + taken
            is_counted = named.kind == "filler"  # `LM two cells`
            if width == 1 and before.kind in ("code", "described") and token.kind == "word" and not is_counted:
                return token._replace(kind="number", value=ordinal), 1
        elif ordinal and before.kind in ("code", "described") and token.kind == "word":
            return token._replace(kind="number", value=ordinal), 1
        if token.kind != "word":
            return token, 1
        kind, taken, means = self._phrase(ahead)
        return Token(kind, token.value, token.start, ahead[taken - 1].end, means), taken

    def _ordinal(self, ahead: deque[Token]) -> tuple[str, int]:
        """A number in words or with an ending, as digits, and how many tokens it has: `первый`, `one`, `2-й`, `1st`."""
        token = ahead[0]
        if token.kind == "word" and not self.words.word(token.value):
            return self.words.number(token.value), 1
        if token.kind == "junk" and (written := _ORDINAL.fullmatch(token.value)) is not None:
            return written[1], 1
        pieces = list(islice(ahead, 3)) if token.kind == "number" else []
        written = _ORDINAL.fullmatch(token.value + pieces[2].value) if len(pieces) == 3 and pieces[1].kind == "-" else None
        return (token.value, 3) if written is not None and pieces[2].end - token.start < 6 else ("", 0)

    def _phrase(self, ahead: deque[Token]) -> tuple[str, int, tuple[str, ...]]:
        first = self.words.word(ahead[0].value)
        for words, kind in self.words.phrases.get(first or "", ()):
            if self._runs(ahead, words):
                return kind, len(words), ()
        return self._described(ahead)

    def _described(self, ahead: deque[Token]) -> tuple[str, int, tuple[str, ...]]:
        """Words of the names of types, in whatever case and number: those types that have them all."""
        last, meant, gap = 0, frozenset[str](), False
        for place, token in enumerate(ahead):
            if token.kind != "word":
                break
            types = self.names.described(token.value)
            if types and not (gap and not meant & types):
                last, meant, gap = place + 1, meant & types if last else types, False
            elif not types and last and plain(token.value) in self.names.inner:
                gap = True
            else:
                break
        if not last:
            return "junk", 1, ()
        return ("described", last, tuple(sorted(meant))) if meant else ("odd-unit", last, ())

    def _runs(self, ahead: deque[Token], words: tuple[str, ...]) -> bool:
        if len(words) > len(ahead):
            return False
        return all(
            token.kind in ("word", "code")
            and (plain(self.text[token.start : token.end]) == word or self.words.word(token.value) == word)
            for token, word in zip(ahead, words, strict=False)
        )
