"""Orders told phase by phase: a part as the heading of what several units are told.

heading = ("shoot" | "melee" | "withdraw" | "move" | "hold") ":" { entry }          to the end of the line
        | ("shoot" | …) [":"] line { entry }                                         until units say themselves what they do
entry   = subjects ("at" | "to" | ">" | ":" | …) (unit | cell | path)
"""

from __future__ import annotations

from typing import Final

from app.rulesets.cohesion.lexicon import PARTS
from app.rulesets.cohesion.partreader import ENDS, LEADS, Part, PartReader, Section
from app.rulesets.cohesion.unitnames import CELLS, NAMES, STARTS, Name

_TOLD: Final = frozenset({*PARTS, "not", "no-shoot"})
_FOLLOWS: Final = {"shoot": NAMES, "melee": NAMES, "withdraw": CELLS, "move": CELLS, "hold": ENDS}
"""What an entry of a part has after its units, and after small words."""


class PhaseReader(PartReader):
    """Reads headings and the entries below them."""

    phase = ""
    """The part that stands above what is read now."""
    lasts = False
    """Whether it does so beyond the end of the line."""

    def _heads(self, kind: str) -> bool:
        """Whether the word of a part that was just read is a heading, which is then passed."""
        ahead, between = 0, set[str]()
        while self._token(ahead).kind in (":", "-", ")", "line", "filler"):
            between.add(self._token(ahead).kind)
            ahead += 1
        if not between & {":", "line"} or self._token(ahead).kind not in STARTS:
            return False
        told = self.section
        if told is not None and not told.phased and (not told.parts or self._token(ahead).kind == "cell"):
            return False  # `LM C5:` and below it `Move: C5-B5`
        at, flaws, self.section = self.at, len(self.flaws), None
        self.at += ahead
        self._led_names(kind)
        while kind != "hold" and self._token().kind in LEADS:
            self.at += 1
        is_entry = self._token().kind in _FOLLOWS[kind]
        self.at, self.section = at, told
        del self.flaws[flaws:]
        if is_entry:
            self.at += ahead
            self.phase, self.lasts = kind, "line" in between
        return is_entry

    def _entry(self) -> bool:
        """Units below a heading and what they are told. None, and the heading counts no more, where they have a word of
        their own for it."""
        at, flaws, told = self.at, len(self.flaws), self.section
        section = self.section = Section([], phased=True)
        section.names = names = self._led_names(self.phase)
        ahead = 0
        while self._token(ahead).kind in LEADS:
            ahead += 1
        if self._token(ahead).kind in _TOLD:
            self.at, self.section, self.phase = at, told, ""
            del self.flaws[flaws:]
            return False
        section.phased = not any(name.whole == "rest" for name in names)
        self.sections.append(section)
        self.after = self.at
        part = Part(self.phase, names[0].start, names[-1].end)
        section.parts = [part if part.kind == "hold" else self._filled(part)]
        return True

    def _led_names(self, kind: str) -> list[Name]:
        """Units before their target or their cells: `at C3` after them is not where they stand."""
        self.led = _FOLLOWS[kind] if kind != "hold" else frozenset()
        names = self._names()
        self.led = frozenset()
        return names
