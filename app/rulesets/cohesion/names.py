"""The names of a battle as text orders write them: ids of units, codes and names of types, cells of the board."""

from __future__ import annotations

import re
from difflib import get_close_matches
from itertools import pairwise
from typing import Final

from app.geometry.hex import parse_label
from app.rulesets.cohesion.lexicon import Lexicon, fold, other_keys, plain
from app.rulesets.cohesion.state import State

_SOUNDS: Final = str.maketrans("абвгдефзийклмнопрстуц", "abvgdefzijklmnoprstuc")
_DIGITS: Final = str.maketrans("oilз", "0113")
_DIGIT, _SIGNS = re.compile("[0-9]"), re.compile(r"[\W_]+")
_CELL: Final = re.compile(r"(?P<letters>[a-z]+?)[ .\-]?(?P<number>[0-9oilз]+)")
_TURNED: Final = re.compile(r"(?P<number>[0-9]+)[ .\-]?(?P<letters>[a-z]{1,2})")
ATOM: Final = re.compile(r"(?:[^\W\d_][\u0300-\u036f]*)+(?:'[^\W\d_]+)*|\d+|\.\.+|.", re.DOTALL)
"""A run of letters or digits, or a sign: what ids, codes, cells and words are made of."""


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
        present = {unit.type for unit in state.units.values()}
        self._types = {key: kind for key, kind in state.types.items() if key in present}
        labels = state.board.grid.labels
        self.standing = {labels[unit.at]: unit.seat == seat for unit in state.units.values()}
        """The cells in which somebody stands, and whether it is one of the seat's own units."""
        self._all = sorted(state.units)
        self._alike: dict[str, tuple[str, ...]] = {}
        """Letters and digits of an id, those of one look as one -> the ids of that look."""
        for unit_id in self._all:
            look = _confused(unit_id)
            self._alike[look] = (*self._alike.get(look, ()), unit_id)
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
            or self._of_kind(text)
            or self._apart(text)
            or self.by_other_keys(text)
            or (self.close_units(text) if _DIGIT.search(text) else self._turned(text))
        )

    def by_other_keys(self, text: str) -> tuple[str, ...]:
        """`ДЬ1` is `LM1`, `ЫДЬ1`, written with the keyboard set to the other language."""
        other = other_keys(text)
        code = other.rstrip("0123456789")
        return (other.upper(),) if self.units(other) or (len(code) > 1 and self.types(code)) else ()

    def _of_kind(self, word: str) -> tuple[str, ...]:
        """Codes of the types on the field that a word for several may mean, in its language: `cavalry`."""
        symbols, language = self._words.symbols(word), "en" if word.isascii() else "ru"
        return tuple(
            kind.code.get(language, key) for key, kind in self._types.items() if kind.symbol and kind.symbol in symbols
        )

    def whole(self, text: str) -> tuple[str, ...]:
        """What a piece is with its blanks and signs out: a cell, a code, an id."""
        bare = _SIGNS.sub("", text)
        if bare == text:
            return ()
        return self.close_cells(bare) or self._alike.get(_confused(bare), ()) or ((bare,) if self.types(bare) else ())

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
