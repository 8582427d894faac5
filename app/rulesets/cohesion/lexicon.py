"""The words that text orders know: those of the ruleset (words.yaml), and the names of a battle's units, types and cells."""

from __future__ import annotations

import re
import unicodedata
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Any, Final

from ruamel.yaml import YAML

from app.geometry.hex import parse_label
from app.rulesets.cohesion.state import State

PARTS: Final = ("shoot", "melee", "withdraw", "move", "hold")
LANGUAGES: Final = ("en", "ru")

SMALL: Final = frozenset({"join", "to", "onto", "list", "next", "filler"})
"""Kinds of words that stand between others and tell nobody anything."""
KINDS: Final = (*PARTS, "no-shoot", "not", "join", "to", "onto", "via", "list", "next", "all", "rest", "filler")
NEAR: Final = 0.72
"""From here on a word may be a slip of another."""
_LOOKS: Final = str.maketrans("авекмнорстухіјѕ", "abekmhopctyxijs")
_SOUNDS: Final = str.maketrans("абвгдефзийклмнопрстуц", "abvgdefzijklmnoprstuc")
_DIGITS: Final = str.maketrans("oilз", "0113")
_DIGIT, _SIGNS = re.compile("[0-9]"), re.compile(r"[\W_]+")
_CELL: Final = re.compile(r"(?P<letters>[a-z]+?)[ .\-]?(?P<number>[0-9oilз]+)")
_TURNED: Final = re.compile(r"(?P<number>[0-9]+)[ .\-]?(?P<letters>[a-z]{1,2})")
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
        self._hints: dict[str, tuple[str, ...]] = {}
        self._endings = tuple(sorted((e for of in LANGUAGES for e in data[of]["endings"]), key=len, reverse=True))
        self._fleeting: dict[str, str] = dict(data["fleeting"])
        self._actions: dict[str, tuple[str, ...]] = {}
        aside = [data[language].get("aside", {}) for language in LANGUAGES]
        self.asides = sorted(
            (tuple(phrase.split()) for of in aside for phrase in of.get("phrases", ())), key=len, reverse=True
        )
        """Greetings and the like that hold a word of orders, the longest first."""
        self.heading = {word: key for of in aside for key in ("turn", "ordinal", "suffix") for word in of.get(key, ())}
        self.bounds = {word: why for of in aside for why in ("except", "condition") for word in of.get(why, ())}
        """Words that say when, or for whom not, and what each does."""
        for language in LANGUAGES:
            for kind in KINDS:
                for phrase in data[language][kind]:
                    self._add(tuple(phrase.split()), kind)
            self._actions[language] = tuple(self.spelled(data[language][part][0]) for part in PARTS)
            for words, parts in data[language]["hints"].items():
                chief = dict(zip(PARTS, self._actions[language], strict=True))
                self._hints |= dict.fromkeys(words.split(), tuple(chief[part] for part in parts))
        for told in self.phrases.values():
            told.sort(key=lambda phrase: -len(phrase[0]))
        self._kinds = {" ".join(words): kind for first in sorted(self.phrases) for words, kind in self.phrases[first]}
        self._telling = [phrase for phrase, kind in self._kinds.items() if kind not in SMALL]

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

    def stem(self, text: str) -> str:
        """A word without its ending, so that its cases and numbers are one."""
        text = plain(text)
        ending = next((e for e in self._endings if text.endswith(e) and len(text) - len(e) > 2), "")
        stem = text.removesuffix(ending)
        fleeting = next((e for e in self._fleeting if stem.endswith(e)), "")
        return stem.removesuffix(fleeting) + self._fleeting.get(fleeting, "")

    def actions(self, like: str) -> tuple[str, ...]:
        """The chief word of each part, in the language of a piece of text."""
        return self._actions["ru" if _CYRILLIC.search(plain(like)) else "en"]

    def close(self, text: str) -> tuple[str, ...]:
        """Words that a piece of text may be a slip of, the likeliest first: of several for one thing the likeliest."""
        text = plain(text)
        if text in self._hints:
            return self._hints[text]
        if not 2 < len(text) <= 24:
            return ()
        kinds: dict[str, str] = {}
        for phrase in get_close_matches(text, self._kinds, n=6, cutoff=NEAR):
            kinds.setdefault(self._kinds[phrase], self.spelled(phrase))
        return tuple(kinds.values())[:3]

    def is_near(self, text: str) -> bool:
        """Whether a piece of text may be a slip of a word that tells somebody something."""
        text = plain(text)
        if text in self._hints:
            return bool(self._hints[text])
        return 2 < len(text) <= 24 and bool(get_close_matches(text, self._telling, n=1, cutoff=NEAR))

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

    def __init__(self, state: State, words: Lexicon, seat: str = "") -> None:
        self._words = words
        self.grid = state.board.grid
        self.ids: dict[str, tuple[str, ...]] = {}
        """Folded id -> the units it may mean (several only where ids differ by looks alone)."""
        self.codes: dict[str, frozenset[str]] = {}
        """Folded code without stops -> the types it may mean."""
        self.dotted: set[tuple[str, str]] = set()
        """Folded neighbours about a full stop in a code: `Л.М` has л, м."""
        self._stems: dict[str, frozenset[str]] = {}
        self.inner: set[str] = set()
        """Words of the language inside the names of types: `на` of "всадники на уссалах"."""
        for unit_id in state.units:
            key = fold(unit_id)
            self.ids[key] = (*self.ids.get(key, ()), unit_id)
        for key, kind in state.types.items():
            for code in {key, *kind.code.values()}:
                bare = _bare(code)
                if bare:
                    self.codes[bare] = self.codes.get(bare, frozenset()) | {key}
                letters = fold(code).split(".")
                self.dotted |= {pair for pair in pairwise(letters) if all(pair)}
            for word in {w for name in kind.name.values() for w in re.findall(r"[^\W\d_]+", plain(name))}:
                if words.word(word):
                    self.inner.add(word)
                elif len(word) > 2:
                    stem = words.stem(word)
                    self._stems[stem] = self._stems.get(stem, frozenset()) | {key}
        self._all = sorted(state.units)
        self._own = [unit.id for unit in state.units.values() if unit.seat == seat]
        self._written = sorted({code for kind in state.types.values() for code in kind.code.values()})
        self._also = [
            (unit_id, _bare(unit_id).replace(_bare(state.types[unit.type].code.get("en", "")) or "-", _bare(code)))
            for unit_id, unit in sorted(state.units.items())
            for code in state.types[unit.type].code.values()
        ]
        """Ids, and as they would be with the code of another language: `S-LM1`, `S-ЛМ1`."""
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

    def is_like_a_code(self, text: str) -> bool:
        """Whether a code has as many letters, all the same but one."""
        bare = _bare(text)
        return any(len(code) == len(bare) and sum(map(str.__ne__, code, bare)) < 2 for code in self.codes)

    def described(self, word: str) -> frozenset[str]:
        """The types in whose names the word stands, in any case or number."""
        stem = self._words.stem(word)
        found = self._stems.get(stem)
        if found is None and len(stem) > 5:
            near = (
                types
                for key, types in self._stems.items()
                if len(key) > 5 and (key.startswith(stem) or stem.startswith(key))
            )
            found = frozenset().union(*near)
        return found or frozenset()

    def cell(self, text: str) -> str | None:
        """The label of a cell of the board."""
        label = fold(text).upper()
        return label if self.grid.cell(label) is not None else None

    def close(self, text: str) -> tuple[str, ...]:
        """What a piece that is no word may be a slip of: the seat's units of a number, a cell, an id, a code."""
        if text.isdecimal():
            return (
                tuple(i for i in self._own if re.fullmatch(rf"(?:.*[^0-9])?0*{int(text)}", i))[:3] if len(text) < 4 else ()
            )
        if len(text) > 24:
            return ()
        return (
            self.close_cells(text)
            or self._apart(text)
            or (self.close_units(text) if _DIGIT.search(text) else self._turned(text))
        )

    def whole(self, text: str) -> tuple[str, ...]:
        """What a piece is with its blanks and signs out: a cell, a code, an id."""
        bare = _SIGNS.sub("", text)
        if bare == text:
            return ()
        found = tuple(i for i in self._all if _confused(i) == _confused(bare))
        return self.close_cells(bare) or found or ((bare,) if self.types(bare) else ())

    def _apart(self, text: str) -> tuple[str, ...]:
        """`LMC5`, `C5shoot`: two things without a blank between them."""
        cut = next((found.end() for found in [re.match(r"[^\W\d_]{1,2}[0-9]+", text)] if found), 0)
        if 0 < cut < len(text) and self.cell(text[:cut]):
            return tuple(f"{text[:cut]} {word}" for word in (self._words.close(text[cut:])))[:1]
        return tuple(f"{text[:i]} {text[i:]}" for i in range(1, len(text)) if self.types(text[:i]) and self.cell(text[i:]))[
            :3
        ]

    def _turned(self, text: str) -> tuple[str, ...]:
        """Codes of the same letters in another order."""
        letters = sorted(fold(text))
        return tuple(dict.fromkeys(c for c in self._written if len(c) > 1 and sorted(_bare(c)) == letters))[:3]

    def close_units(self, text: str) -> tuple[str, ...]:
        """Ids that a piece of text may be a slip of, or the end of."""
        bare = _bare(text).rpartition("-")[2]
        ends = tuple(i for i, other in self._also if len(bare) > 1 and other.endswith(bare))
        if ends or len(text) > 24:
            return tuple(dict.fromkeys(ends))[:3]
        near = get_close_matches(fold(text), [fold(i) for i in self._all], n=3, cutoff=0.75)
        return tuple(dict.fromkeys(i for key in near for i in self.ids[key]))

    def close_cells(self, text: str) -> tuple[str, ...]:
        """Cells that a piece of text may mean: by the sound of a Cyrillic letter, without a nought in front, with signs
        taken for one another put right, number before letters."""
        told = []
        for label in (fold(text), plain(text).translate(_SOUNDS)):
            found = _CELL.fullmatch(label) or _TURNED.fullmatch(label)
            if found is not None and _DIGIT.search(label):
                cell = (found["letters"] + found["number"].translate(_DIGITS).lstrip("0")).upper()
                if parse_label(cell) and self.grid.cell(cell) is not None:
                    told.append(cell)
        return tuple(dict.fromkeys(told))


def _confused(text: str) -> str:
    """Letters and digits alone, those of one look as one."""
    return _SIGNS.sub("", fold(text)).translate(_DIGITS)


def _bare(text: str) -> str:
    return fold(text).replace(".", "")
