"""A text of orders -> tokens. Forum markup, quotes and blanks go; every token knows its place in the text as written."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from app.rulesets.cohesion.lexicon import Lexicon, fold, plain
from app.rulesets.cohesion.names import ATOM, Names
from app.rulesets.cohesion.phrases import PhraseReader, Token
from app.rulesets.cohesion.tabled import BAR, tabled

_PLAIN: Final = (
    dict.fromkeys(map(ord, "‐‑‒–—―−﹘﹣－➖"), "-")
    | dict.fromkeys(map(ord, "→⇒⇨⟶⟹➔➙➜➝➞➡►▶➤➢👉"), ">")
    | dict.fromkeys(
        map(
            ord,
            '«»„“”"‹›‚‘`*•·▪▫◦‣●○■□◾◽◼◻◆◇★☆🔹🔸🔷🔶№#([{}]\u200b\u200c\u200d\u200e\u200f\u2060\ufe0f\ufeff\u00ad\u00b4',
        ),
        " ",
    )
    | {ord("’"): "'", ord("…"): "\x01", ord("!"): ".", ord("/"): ";", ord("+"): "&", ord("="): ":", ord("\u20e3"): ")"}
)
_TAG: Final = re.compile(r"\[(/?)([a-zA-Z]+[0-9]?|\*)((?:[=\s][^\[\]\n]{0,200})?)\]")
_STRUCK: Final = frozenset({"s", "strike", "del", "img", "video", "media", "attach"})
_MARKUP: Final = re.compile(
    r"\*|b|i|u|em|strong|colou?r|size|font|cent(?:er|re)|left|right|justify|align|indent|list|li|[uo]l|url|spoiler|cut|code"
    r"|table|t[rdh]|su[bp]|h[1-6]?|bgcolor|background|highlight|email|noparse|tt|pre|hr|br|p|hide"
)
_CHUNK: Final = re.compile(r"[^\W_](?:[\w.'\-\u0300-\u036f]*[^\W_])?[\u0300-\u036f]*|\.\.+|\x01|~~+|\s+|_+|.", re.DOTALL)
_SPACED: Final = re.compile(r"(?<![^\W_])([^\W\d_]{1,8})([^\S\n]?\.[^\S\n]{1,3}|[^\S\n]\.)(?=([^\W\d_]{1,8})(?![^\W\d_]))")
_SIGNS: Final = {BAR: ";", ":": ":", ",": ",", ";": ";", ".": ";", "-": "-", ">": ">", "\x01": "..", ")": ")", "&": "&"}
QUOTED: Final = re.compile(r"\s*(?:>|&gt;|＞)")
_SIGNATURE: Final = re.compile(r"\s*(?:-{2,}|_{3,})\s*")
_UNSEEN: Final = re.compile("(?<=[^\\W_])[\u200b-\u200f\u2060\ufeff\u00ad]+(?=[^\\W_])")
"""Signs without width inside a word, which a forum or a report has put there."""
_SMILEY: Final = re.compile(
    r"(?:[:;=]['’]?-?[()]+|(?<!\S)(?:[:;=]['’]?-?[DdPpРр/\\|*]|[xXхХ]D+|\^_*\^|<3|[\U0001F600-\U0001F640\U0001F44D\U0001F64F\U0001F91E]+"
    r"|:(?:lol|rofl|roll|wink|smile|smiley|grin|biggrin|mrgreen|laughing|tongue|cool|sad|oops|cry|evil|twisted|mad):))"
    r"(?=[\s.,;!)]|$)"
)
_LETTERS: Final = re.compile(r"[^\W\d_]+")


class Scanner(PhraseReader):
    """Reads one text. `faults` holds what is wrong with the markup itself: code, start, end."""

    def __init__(self, text: str, names: Names, words: Lexicon) -> None:
        super().__init__(tabled(text, words), names, words)
        self.faults: list[tuple[str, int, int]] = []

    def tokens(self) -> Iterator[Token]:
        """All tokens in order, a `line` before each line that is read."""
        depth, opened = 0, (0, 0)
        at = 0
        for line in re.split(r"(\r\n|\r|\n)", self.text):
            start, at = at, at + len(line)
            if line in ("\r\n", "\r", "\n", ""):
                continue
            if not depth and QUOTED.match(line):
                continue
            pieces, depth, opened = self._outside_quotes(line, start, depth, opened)
            if not depth and len(pieces) == 1 and _SIGNATURE.fullmatch(_flat(pieces[0][1])):
                break
            first = True
            for offset, piece in pieces:
                if not piece.strip():
                    continue
                if first:
                    yield Token("line", "", offset, offset)
                first = False
                yield from self._phrases(self._words(self._without_markup(piece, offset), offset))
        if depth:
            self.faults.append(("unknown-word", *opened))

    def _outside_quotes(
        self, line: str, start: int, depth: int, opened: tuple[int, int]
    ) -> tuple[list[tuple[int, str]], int, tuple[int, int]]:
        """The pieces of a line that no [quote] holds, with their places, and how deep the line ends."""
        if "[" not in line:
            return ([(start, line)] if not depth else []), depth, opened
        pieces, last = [], 0
        for tag in _TAG.finditer(line):
            if tag[2].lower() != "quote":
                continue
            if not depth:
                pieces.append((start + last, line[last : tag.start()]))
            place = (start + tag.start(), start + tag.end())
            if not tag[1]:
                opened = opened if depth else place
                depth += 1
            elif depth:
                depth -= 1
            else:
                self.faults.append(("unknown-word", *place))
            last = tag.end()
        if not depth:
            pieces.append((start + last, line[last:]))
        return pieces, depth, opened

    def _without_markup(self, piece: str, offset: int) -> str:
        """The piece in plain signs, of the same length: tags blank, dashes and arrows of one kind."""
        if "[" in piece:
            piece = _TAG.sub(lambda tag: self._tag(tag, offset), piece)
        if _UNSEEN.search(piece):  # as marks on the letter before, which `plain` takes off
            piece = _UNSEEN.sub(lambda unseen: "\u034f" * len(unseen[0]), piece)
        piece = _SMILEY.sub(lambda smiley: " " * len(smiley[0]), piece)
        return _SPACED.sub(self._closed, piece.replace("=>", "->").translate(_PLAIN))

    def _closed(self, spaced: re.Match[str]) -> str:
        """`Л. М` as `Л..М`, where that is a code: blanks beside its full stop are stops."""
        inside = (fold(spaced[1]), fold(spaced[3])) in self.names.dotted
        return spaced[1] + ("." * len(spaced[2]) if inside else spaced[2])

    def _tag(self, tag: re.Match[str], offset: int) -> str:
        name = tag[2].lower()
        if name in _STRUCK:
            self.faults.append(("unknown-word", offset + tag.start(), offset + tag.end()))
        elif not _MARKUP.fullmatch(name):
            return tag[0]
        return " " * len(tag[0])

    def _words(self, piece: str, offset: int) -> Iterator[Token]:
        chunk = ""
        for found in _CHUNK.finditer(piece):
            before, chunk, start = chunk, found[0], offset + found.start()
            first = chunk[0]
            if first == "." == chunk and plain(before) in self.words.short:
                continue
            if first.isspace() or first in "_'":
                continue
            if first.isalnum():
                yield from self._chunk(chunk, start)
            elif first == "." and len(chunk) == 2:
                yield Token("..", "", start, start + 2)
            elif first in _SIGNS:
                yield Token(_SIGNS[first], first, start, start + len(chunk))
            elif unicodedata.category(first) == "Zs":
                continue
            else:
                yield Token("junk", chunk, start, start + len(chunk))

    def _chunk(self, chunk: str, start: int) -> Iterator[Token]:
        """A run of letters, digits, stops and dashes: ids and codes as long as can be, then cells, then words."""
        atoms = ATOM.findall(chunk)
        i, at = 0, start
        while i < len(atoms):
            atom = atoms[i]
            taken, kind, value, means = self._named(atoms, i) or (*self._other(atoms, i), ())
            end = at + sum(len(a) for a in atoms[i : i + taken])
            if kind:
                yield Token(kind, value or atom, at, end, means)
            i, at = i + taken, end

    def _named(self, atoms: list[str], i: int) -> tuple[int, str, str, tuple[str, ...]] | None:
        """The longest id or code that begins here: how many atoms, its kind, its value, what it means."""
        if fold(atoms[i]) not in self.names.firsts:
            return None
        for end in range(min(len(atoms), i + self.names.longest), i, -1):
            if not atoms[end - 1][0].isalnum():
                continue
            text = "".join(atoms[i:end])
            if "." in text and atoms[end : end + 1] == ["."] and (numbered := self._numbered(atoms, end + 1, text)):
                return end + 2 - i, "numbered", atoms[end + 1], numbered
            if end < len(atoms) and atoms[end][0].isalnum():
                if (numbered := self._numbered(atoms, end, text)) is not None:
                    return end + 1 - i, "numbered", atoms[end], numbered
                continue
            if end == i + 1 and self.words.word(text):
                return None
            units = self.names.units(text)
            if units:
                cell = self.names.cell(text)
                return end - i, "cell" if cell else "unit", cell or text, units
            types = self.names.types(text)
            if types and not (self.names.cell(text) and end == i + 2):
                return end - i, "code", text, tuple(sorted(types))
        return None

    def _numbered(self, atoms: list[str], end: int, text: str) -> tuple[str, ...] | None:
        """The types of `LM` in `LM1`, unless that is a cell, or goes on."""
        if (
            not "".join(atoms[end : end + 1]).isdecimal()
            or len(atoms[end]) > 3
            or "".join(atoms[end + 1 : end + 2])[:1].isalnum()
        ):
            return None
        types = self.names.types(text)
        return tuple(sorted(types)) if types and self.names.cell(text + atoms[end]) is None else None

    def _other(self, atoms: list[str], i: int) -> tuple[int, str, str]:
        atom = atoms[i]
        after = atoms[i + 1] if i + 1 < len(atoms) else ""
        beyond = atoms[i + 2] if i + 2 < len(atoms) else ""
        if atom in _SIGNS:
            return 1, _SIGNS[atom], ""
        if after == "." and plain(atom) in self.words.short:
            return 2, "word", atom
        if atom[0] == ".":
            return 1, ".." if len(atom) == 2 else ";", ""
        if not atom[0].isalnum():
            return 1, "" if atom == "_" else "junk", atom
        glued = after[:1].isalnum()
        if atom.isdecimal():
            return (2, "junk", atom + after) if glued else (1, "number", atom)
        if glued and after.isdecimal() and not beyond[:1].isalnum():
            return self._letters_and_digits(atom + after)
        if glued:
            last = next((n for n in range(i, len(atoms)) if not atoms[n][0].isalnum()), len(atoms))
            return last - i, "junk", "".join(atoms[i:last])
        if after == "-" and self._is_like_an_id(atoms, i):
            width = 4 if i + 3 < len(atoms) and atoms[i + 3].isdecimal() else 3
            return width, "odd-unit", "".join(atoms[i : i + width])
        return 1, "word", atom

    def _letters_and_digits(self, text: str) -> tuple[int, str, str]:
        label = self.names.cell(text)
        if label:
            return 2, "cell", label
        letters = _LETTERS.match(text)
        return 2, "odd-cell" if letters and len(plain(letters[0])) <= 2 else "junk", text

    def _is_like_an_id(self, atoms: list[str], i: int) -> bool:
        """`S-LM9`: letters, a dash, a code, perhaps a number, that is no id of this battle."""
        if i + 2 >= len(atoms) or (len(atoms[i]) > 2 and self.words.word(atoms[i])):
            return False
        second = atoms[i + 2]
        if not second[0].isalpha() or (i + 4 < len(atoms) and atoms[i + 4][:1].isalnum()):
            return False
        numbered = i + 3 < len(atoms) and atoms[i + 3].isdecimal()
        if numbered and self.names.cell(second + atoms[i + 3]) and not self.names.types(second):
            return False
        return numbered or bool(self.names.types(second))


def _flat(piece: str) -> str:
    return piece.translate(_PLAIN)
