"""The words that text orders know: those of the ruleset (words.yaml), and the names of a battle's units, types and cells."""

from __future__ import annotations

import re
import unicodedata
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import Any, Final

from ruamel.yaml import YAML

from app.geometry.hex import parse_label
from app.rulesets.cohesion.state import State

PARTS: Final = ("shoot", "melee", "withdraw", "move", "hold")
LANGUAGES: Final = ("en", "ru")

_KINDS: Final = (*PARTS, "not", "join", "via", "list", "next", "all", "rest", "filler")
_LOOKS: Final = str.maketrans("авекмнорстухіјѕ", "abekmhopctyxijs")
_SOUNDS: Final = str.maketrans("абвгдефзийклмнопрстуц", "abvgdefzijklmnoprstuc")
_ACCENTS: Final = re.compile("[\u0300-\u036f]")
ATOM: Final = re.compile(r"(?:[^\W\d_][\u0300-\u036f]*)+(?:'[^\W\d_]+)*|\d+|\.\.+|.", re.DOTALL)
"""A run of letters or digits, or a sign: what ids, codes, cells and words are made of."""
_LATIN, _CYRILLIC = re.compile("[a-z]"), re.compile("[а-яіјѕ]")


def plain(text: str) -> str:
    """Lower case, ё as е, accents gone; й stays."""
    if _ACCENTS.search(text):
        text = _ACCENTS.sub("", unicodedata.normalize("NFC", text))
    return text.lower().replace("ё", "е").replace("’", "'")


def fold(text: str) -> str:
    """The same with Cyrillic letters that look like Latin ones made Latin: С5 is C5, Т.М is T.M."""
    return plain(text).translate(_LOOKS)


class Lexicon:
    """The ruleset's words in all languages at once. Made once, by `lexicon`; never changed."""

    def __init__(self, data: Any) -> None:
        self.phrases: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        """First word -> phrases that begin with it, the longest first, each with its kind."""
        self.write: dict[str, dict[str, str]] = {language: dict(data[language]["write"]) for language in LANGUAGES}
        self._spelling: dict[str, str] = dict(data["spelling"])
        self._mixed: dict[str, str] = {}
        self._actions: dict[str, tuple[str, ...]] = {}
        for language in LANGUAGES:
            for kind in _KINDS:
                for phrase in data[language][kind]:
                    self._add(tuple(phrase.split()), kind)
            self._actions[language] = tuple(self.spelled(data[language][part][0]) for part in PARTS)
        for told in self.phrases.values():
            told.sort(key=lambda phrase: -len(phrase[0]))
        self._kinds = {" ".join(words): kind for first in sorted(self.phrases) for words, kind in self.phrases[first]}

    def word(self, text: str) -> str | None:
        """The word as the lexicon has it: as written, or, where it mixes both alphabets, by its looks. None: unknown."""
        text = plain(text)
        if text in self.phrases:
            return text
        if _LATIN.search(text) and _CYRILLIC.search(text):
            return self._mixed.get(fold(text))
        return None

    def spelled(self, word: str) -> str:
        return self._spelling.get(word, word)

    def actions(self, like: str) -> tuple[str, ...]:
        """The chief word of each part, in the language of a piece of text."""
        return self._actions["ru" if _CYRILLIC.search(plain(like)) else "en"]

    def close(self, text: str) -> tuple[str, ...]:
        """Words that a piece of text may be a slip of, the likeliest first: of several for one thing the likeliest."""
        text = plain(text)
        if not 2 < len(text) <= 24:
            return ()
        kinds: dict[str, str] = {}
        for phrase in get_close_matches(text, self._kinds, n=6, cutoff=0.72):
            kinds.setdefault(self._kinds[phrase], self.spelled(phrase))
        return tuple(kinds.values())[:3]

    def _add(self, words: tuple[str, ...], kind: str) -> None:
        self.phrases.setdefault(words[0], []).append((words, kind))
        for word in words:
            self.phrases.setdefault(word, [])
            self._mixed.setdefault(fold(word), word)


@cache
def lexicon() -> Lexicon:
    """The words of the ruleset, the same value each time."""
    text = files("app.rulesets.cohesion").joinpath("words.yaml").read_text(encoding="utf-8")
    return Lexicon(YAML(typ="safe", pure=True).load(text))


class Names:
    """The names of a battle: ids of units, codes and names of types, cells of the board."""

    def __init__(self, state: State) -> None:
        self.grid = state.board.grid
        self.ids: dict[str, tuple[str, ...]] = {}
        """Folded id -> the units it may mean (several only where ids differ by looks alone)."""
        self.codes: dict[str, frozenset[str]] = {}
        """Folded code without stops -> the types it may mean."""
        self.names: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        """First word -> whole names of types that begin with it, the longest first, each with its code."""
        for unit_id in state.units:
            key = fold(unit_id)
            self.ids[key] = (*self.ids.get(key, ()), unit_id)
        for key, kind in state.types.items():
            for code in {key, *kind.code.values()}:
                bare = _bare(code)
                if bare:
                    self.codes[bare] = self.codes.get(bare, frozenset()) | {key}
            for name in kind.name.values():
                words = tuple(re.findall(r"[^\W_]+", plain(name)))
                if len(words) > 1:
                    self.names.setdefault(words[0], []).append((words, _bare(key)))
        for told in self.names.values():
            told.sort(key=lambda name: -len(name[0]))
        self._all = sorted(state.units)
        written = [
            ATOM.findall(name) for name in (*self.ids, *(c for kind in state.types.values() for c in kind.code.values()))
        ]
        written += [[key] for key in self.codes]
        self.longest = max((len(atoms) for atoms in written), default=1)
        """The most atoms that an id or a code has."""
        self.firsts = frozenset(fold(atoms[0]) for atoms in written if atoms)
        """The folded first atoms of ids and codes."""

    def units(self, text: str) -> tuple[str, ...]:
        """The units that an id may mean: the one that is written just so, else all that look like it."""
        found = self.ids.get(fold(text), ())
        exact = tuple(unit_id for unit_id in found if plain(unit_id) == plain(text))
        return exact or found

    def types(self, text: str) -> frozenset[str]:
        """The types that a code may mean; full stops may be left out."""
        return self.codes.get(_bare(text), frozenset())

    def cell(self, text: str) -> str | None:
        """The label of a cell of the board."""
        label = fold(text).upper()
        return label if self.grid.cell(label) is not None else None

    def close_units(self, text: str) -> tuple[str, ...]:
        """Ids that a piece of text may be a slip of, or the end of."""
        bare = _bare(text)
        ends = tuple(i for i in self._all if len(bare) > 1 and _bare(i).endswith(bare))
        if ends or len(text) > 24:
            return ends[:3]
        near = get_close_matches(fold(text), [fold(i) for i in self._all], n=3, cutoff=0.75)
        return tuple(dict.fromkeys(i for key in near for i in self.ids[key]))

    def close_cells(self, text: str) -> tuple[str, ...]:
        """Cells that a piece of text may mean: by the sound of a Cyrillic letter, without a nought in front."""
        label = plain(text).translate(_SOUNDS)
        found = re.fullmatch(r"([a-z]+)0*([0-9]+)", label)
        label = (found[1] + found[2]).upper() if found else ""
        return (label,) if found and parse_label(label) and self.grid.cell(label) is not None else ()


def _bare(text: str) -> str:
    return fold(text).replace(".", "")
