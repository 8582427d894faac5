"""The words that text orders know: those of the ruleset (words.yaml). Those of a battle: `names`."""

from __future__ import annotations

import re
import unicodedata
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import Any, Final

from ruamel.yaml import YAML

PARTS: Final = ("shoot", "melee", "withdraw", "move", "hold")
LANGUAGES: Final = ("en", "ru")

SMALL: Final = frozenset({"join", "to", "onto", "list", "next", "filler"})
"""Kinds of words that stand between others and tell nobody anything."""
KINDS: Final = (*PARTS, "no-shoot", "not", "join", "to", "onto", "via", "list", "next", "all", "rest", "filler")
NEAR: Final = 0.72
"""From here on a word may be a slip of another."""
_LOOKS: Final = str.maketrans("авекмнорстухіјѕ", "abekmhopctyxijs")
_TO_LATIN: Final = str.maketrans("йцукенгшщзхъфывапролджэячсмитьбю", "qwertyuiop[]asdfghjkl;'zxcvbnm,.")
_TO_CYRILLIC: Final = {latin: cyrillic for cyrillic, latin in _TO_LATIN.items()}
_ACCENTS: Final = re.compile("[\u0300-\u036f]")
_LATIN, _CYRILLIC = re.compile("[a-z]"), re.compile("[а-яіјѕ]")


def plain(text: str) -> str:
    """Lower case, ё as е, accents gone; й stays."""
    if _ACCENTS.search(text):
        text = _ACCENTS.sub("", unicodedata.normalize("NFC", text))
    return text.lower().replace("ё", "е").replace("’", "'")


def fold(text: str) -> str:
    """The same with Cyrillic letters that look like Latin ones made Latin: С5 is C5, Т.М is T.M."""
    return plain(text).translate(_LOOKS)


def other_keys(text: str) -> str:
    """What the same keys write when the keyboard is set to the other language: `ды1` is `ls1`."""
    text = plain(text)
    return text.translate(_TO_LATIN if _CYRILLIC.search(text) else _TO_CYRILLIC)


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
        self._symbols = {
            self.stem(word): tuple(symbols) for words, symbols in data.get("kinds", {}).items() for word in words.split()
        }
        self._numbers = {stem: str(number) for stem, number in data.get("numbers", {}).items()}
        self.counts: frozenset[str] = frozenset(data.get("counts", ()))
        """Numbers in words that before a name say how many."""
        self.nothing = frozenset(word for language in LANGUAGES for word in data[language].get("nothing", ()))
        """Denials that say by themselves that a unit is told nothing: `LM1: none`."""
        self.short: frozenset[str] = frozenset(data.get("short", ()))
        """Words that are written with a full stop after them."""
        self.away = frozenset(word for language in LANGUAGES for word in data[language].get("away", ()))
        """Those words between others after which stands where somebody comes from."""
        self.leaves = frozenset(word for language in LANGUAGES for word in data[language].get("leaves", ()))
        """Those words for "hold" that with the word of a part behind them leave this part out: `stop shooting`."""
        self.withheld = frozenset(word for language in LANGUAGES for word in data[language].get("withheld", ()))
        """Words of parts that any word for "hold" right before them may deny: `hold the fire`."""
        self._actions: dict[str, tuple[str, ...]] = {}
        aside = [data[language].get("aside", {}) for language in LANGUAGES]
        self.asides = sorted(
            (tuple(phrase.split()) for of in aside for phrase in of.get("phrases", ())), key=len, reverse=True
        )
        """Greetings and the like that hold a word of orders, the longest first."""
        self.heading = {word: key for of in aside for key in ("turn", "ordinal", "suffix") for word in of.get(key, ())}
        self.quoting = frozenset(word for of in aside for word in of.get("quoting", ()))
        """What stands before a quotation: wrote."""
        self.stamped = frozenset(word for of in aside for word in of.get("stamp", ()))
        """What may stand beside the time of day of a message: names of months."""
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
        for phrases in self.phrases.values():
            phrases.sort(key=lambda phrase: -len(phrase[0]))
        told = ((words, kind) for first in sorted(self.phrases) for words, kind in self.phrases[first])
        self._kinds = {" ".join(words): kind for words, kind in told if words[0] not in self.short}
        silent = {"filler": self._kinds, "not": [phrase for phrase in self._kinds if " " in phrase]}
        self._offered = [phrase for phrase, kind in self._kinds.items() if phrase not in silent.get(kind, ())]
        """What may be suggested: a word that says nothing may be left out as well, and "mustt" is not "must not"."""
        self._telling = [phrase for phrase, kind in self._kinds.items() if kind not in SMALL]

    def symbols(self, word: str) -> tuple[str, ...]:
        """Of the types that a word may mean together: cavalry."""
        return self._symbols.get(self.stem(word), ())

    def number(self, word: str) -> str:
        """A number in words as digits; empty: it is none."""
        return self._numbers.get(self.stem(word), "")

    def word(self, text: str) -> str | None:
        """The word as the lexicon has it: as written, or, where it mixes both alphabets, by its looks. None: unknown."""
        text = plain(text)
        if text in self.phrases:
            return text
        if _LATIN.search(text) and _CYRILLIC.search(text):
            return self._mixed.get(fold(text))
        return None

    def kind(self, phrase: str) -> str | None:
        """Of a whole phrase. None: it is none."""
        return self._kinds.get(plain(phrase))

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
        if (other := other_keys(text)) in self._kinds:
            return (self.spelled(other),)
        kinds: dict[str, str] = {}
        for phrase in get_close_matches(text, self._offered, n=6, cutoff=NEAR):
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
