"""From events to a report. What a ruleset brings is a table, event type -> function; the rest is here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from app.engine.events import Event
from app.engine.ruleset import Json
from app.language import marked as _
from app.language import pick
from app.reports import seatwords
from app.reports.tree import (
    Entry,
    Fragment,
    Group,
    Name,
    Report,
    Roll,
    Section,
    Sentence,
    Severity,
    UnitName,
    Why,
    begun,
    clean,
    flat,
)
from app.reports.voice import Voice, voice

Key = tuple[str, ...]
"""What a roll was for: it waits under this key for the entry that shows it."""


@dataclass(frozen=True)
class Teller:
    """The words of one ruleset. A function is given the tale, whose `state` is that before the event and `following` that
    after it, and adds to the tale all that the event tells."""

    ruleset: str
    words: Mapping[type[Event], Callable[[Tale, Any], None]]
    evolve: Callable[[Any, Iterable[Event]], Any]
    headline: Callable[[Tale, Sequence[Event]], Sentence]
    leftover: Callable[[Tale, Key], Sentence]
    """Of dice that no entry showed."""


@dataclass
class _Group:
    title: str = ""
    rules: tuple[str, ...] = ()
    told: tuple[int, ...] = ()
    entries: list[Entry] = field(default_factory=list)


@dataclass
class _Section:
    id: str
    title: str
    empty: str
    told: list[int]
    groups: list[_Group] = field(default_factory=lambda: [_Group()])


class Tale:
    """A report being told, event by event."""

    def __init__(self, voice: Voice, scenario: Json, before: Any, after: Any) -> None:
        self.voice = voice
        self.scenario = scenario or {}
        self.before = before
        self.after = after
        self.state = before
        self.following = before
        self.remembered: dict[str, UnitName] = {}
        """Units that are gone, as they were last named."""
        self.sums: Counter[Key] = Counter()
        """Numbers that are gathered for a later entry."""
        self.place = 0
        self.entitled: list[int] = []
        """The places of the events that the title tells."""
        self._sections: list[_Section] = []
        self._waiting: dict[Key, list[tuple[tuple[int, ...], Roll]]] = {}
        self._counts: dict[str, int] = {}
        self._together: dict[Key, tuple[list[Fragment], list[Entry], int]] = {}

    def section(self, id: str, title: str, empty: str = "") -> None:
        """Begin a section, or go on with the one that is open under this id."""
        if self._sections and self._sections[-1].id == id:
            self._sections[-1].told.append(self.place)
        else:
            self._sections.append(_Section(id, title, empty, [self.place]))

    def group(self, title: str, rules: tuple[str, ...] = ()) -> None:
        """Begin a group in the open section."""
        self._sections[-1].groups.append(_Group(title, rules, (self.place,)))

    def keep(self, key: Key, roll: Roll) -> None:
        """Dice that the entry for `key` will show. Rolls in a row at one address are shown as one."""
        waiting = self._waiting.setdefault(key, [])
        if waiting and (waiting[-1][1].address, waiting[-1][1].sides) == (roll.address, roll.sides):
            places, last = waiting.pop()
            waiting.append(((*places, self.place), replace(last, dice=last.dice + roll.dice)))
        else:
            waiting.append(((self.place,), roll))

    def waiting(self, key: Key) -> tuple[Roll, ...]:
        """The dice kept for a key so far; they go on waiting."""
        return tuple(roll for _, roll in self._waiting.get(key, ()))

    def entry(
        self,
        kind: str,
        sentence: Sentence,
        *,
        severity: Severity = "plain",
        rules: Iterable[str | None] = (),
        dice: Iterable[Key] = (),
        marked: Callable[[Roll], Roll] | None = None,
        why: Iterable[Why] = (),
        cells: Iterable[str] = (),
    ) -> None:
        """Tell one thing. `dice`: keys of the rolls it shows, each read by `marked`; the units are those it names."""
        kept = [pair for key in dice for pair in self._waiting.pop(key, ())]
        rolls = tuple(marked(roll) if marked else roll for _, roll in kept)
        section = self._sections[-1]
        number = self._counts[section.id] = self._counts.get(section.id, 0) + 1
        named = [piece for piece in sentence if isinstance(piece, UnitName)]
        section.groups[-1].entries.append(
            Entry(
                id=f"{section.id}-{number}",
                kind=kind,
                sentence=begun(sentence),
                severity=severity,
                rules=tuple(dict.fromkeys(rule for rule in rules if rule)),
                rolls=rolls,
                why=tuple(why),
                units=tuple(dict.fromkeys(piece.id for piece in named)),
                cells=tuple(dict.fromkeys(cell for cell in (*(piece.cell for piece in named), *cells) if cell)),
                told=tuple(
                    place for place in (*(place for places, _ in kept for place in places), self.place) if place != BEFORE
                ),
            )
        )

    def together(
        self,
        key: Key,
        piece: Fragment,
        words: Callable[[Sequence[Fragment]], Sentence],
        *,
        rules: Iterable[str | None] = (),
        severity: Severity = "plain",
    ) -> None:
        """Tell the same thing of many in one entry, whose kind the key begins with: it is said anew with each piece."""
        if key not in self._together:
            self.entry(key[0], words([piece]), rules=rules, severity=severity)
            entries = self._sections[-1].groups[-1].entries
            self._together[key] = [piece], entries, len(entries) - 1
            return
        pieces, entries, at = self._together[key]
        pieces.append(piece)
        sentence, before = words(pieces), entries[at]
        units = {part.id: part.cell for part in sentence if isinstance(part, UnitName)}
        cells = tuple(dict.fromkeys(filter(None, units.values())))
        told = (*before.told, self.place)
        entries[at] = replace(before, sentence=begun(sentence), units=tuple(units), cells=cells, told=told)

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides in the order of the scenario, of the score where it names none."""
        return tuple(self.scenario.get("sides") or self.before.points)

    def side(self, side: str) -> Name:
        """A side by its name in the reader's language, its key where the scenario gives none."""
        given = (self.scenario.get("sides") or {}).get(side) or {}
        return Name(clean(pick(given.get("name"), self.voice.language)) or clean(side))

    def seat(self, seat: str) -> Name:
        """A seat by its name in the reader's language, its key where the scenario gives none."""
        given = (self.scenario.get("contingents") or {}).get(seat) or {}
        return Name(clean(pick(given.get("name"), self.voice.language)) or clean(seat))

    def settle(self, leftover: Callable[[Tale, Key], Sentence]) -> None:
        """Tell the dice that no entry has shown, so that none is lost."""
        for key in tuple(self._waiting):
            self.entry("dice", leftover(self, key), severity="quiet", dice=(key,))

    def finished(self) -> tuple[Section, ...]:
        return tuple(
            Section(
                id=section.id,
                title=section.title,
                empty=section.empty if not any(group.entries for group in section.groups) else "",
                told=tuple(section.told),
                groups=tuple(
                    Group(group.title, tuple(group.entries), group.rules, group.told)
                    for group in section.groups
                    if group.entries or group.told
                ),
            )
            for section in self._sections
        )


BEFORE = -1
"""The place of what was told before the turn's own events."""

BY_OTHERS: Mapping[str, str] = {
    "deputy": _("%(seat)s: the orders were entered by the deputy, %(name)s."),
    "shared": _("%(seat)s: the orders were entered by %(name)s, who shares the seat."),
    "program": _("%(seat)s: the orders are those of a program."),
    "doctrine": _("%(seat)s: the seat left units without orders, and they followed its standing doctrine: %(name)s."),
}


def _named(kind: str, name: str, language: str) -> str:
    return seatwords.doctrine(name, language) if kind == "doctrine" else name


def tell(
    teller: Teller,
    *,
    before: Any,
    after: Any,
    events: Sequence[Event],
    scenario: Json,
    language: str,
    opening: Any = None,
    corrections: Sequence[Event] = (),
    on_behalf: Sequence[str] = (),
    by_others: Sequence[tuple[str, str, str]] = (),
) -> Report:
    """All events of a turn as a report. `corrections`: what the rulings of the open turn told; from `opening` they lead to
    `before`. `on_behalf`: seats whose orders the game master entered; `by_others`: seats of which somebody else gave
    them, with what he is (of `BY_OTHERS`) and his name. Raises KeyError for a kind of event that the ruleset has no words
    for."""
    tale = Tale(voice(language), scenario, before, after)
    tale.section("start", tale.voice.word("Start of the turn"))
    tale.place = BEFORE
    for seat in on_behalf:
        words = tale.voice.say("%(seat)s: the orders were entered by the game master.", seat=tale.seat(seat))
        tale.entry("on-behalf", words, severity="quiet")
    for seat, kind, name in by_others:
        words = tale.voice.say(BY_OTHERS[kind], seat=tale.seat(seat), name=_named(kind, name, language))
        tale.entry("by-others", words, severity="quiet")
    if corrections:
        tale.state = opening
        for event in corrections:
            tale.following = teller.evolve(tale.state, (event,))
            teller.words[type(event)](tale, event)
            tale.state = tale.following
        tale.state = before
    for place, event in enumerate(events):
        tale.place = place
        tale.following = teller.evolve(tale.state, (event,))
        teller.words[type(event)](tale, event)
        tale.state = tale.following
    tale.settle(teller.leftover)
    sections = tuple(section for section in tale.finished() if section.id != "start" or any(section.entries))
    title = flat(tale.voice.say("Turn %(turn)s", turn=before.turn))
    headline = begun(teller.headline(tale, events))
    return Report(tale.voice.language, title, headline, sections, teller.ruleset, tuple(tale.entitled))
