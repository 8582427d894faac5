"""A turn as a page plays it: moments, each tied to the line of the report that tells it, as changes of the board before."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from app.drawing import moving
from app.drawing.scene import Counter, Point, Route, Scene
from app.engine import film
from app.engine.film import Telling
from app.engine.ruleset import AnyRuleset, Beat, Json
from app.referee.turnviews import TurnView
from app.reports import html, report
from app.reports.tree import Entry, Group, Report, Section, flat
from app.web.parts import capital

MOST_DRAWN = 250_000
"""Cells and counters looked at for one film; of a larger turn a moment is a whole group of lines, not each line."""
STANDS = {"quiet": 1.2, "plain": 1.6, "notable": 2.0, "grave": 2.6}
"""Seconds that a moment stands, by how much its line matters."""
FALLEN = "fallen"
START, END = "film-start", "film-end"


@dataclass(frozen=True)
class Moment:
    """`id`: of the report's line, or `START`, `END`. `set`: counters that look or stand otherwise than in the moment before;
    `gone`: those that are no longer there; `paths`: points that somebody passes, from where he stood; `ground`: the place
    in `Film.grounds` from here on (-1: as the turn ends)."""

    id: str
    lines: tuple[str, ...]
    chapter: int
    text: str
    seconds: float
    units: tuple[str, ...] = ()
    set: Mapping[str, str] = field(default_factory=dict)
    gone: tuple[str, ...] = ()
    paths: Mapping[str, tuple[Point, ...]] = field(default_factory=dict)
    routes: str = ""
    ground: int = -1


@dataclass(frozen=True)
class Film:
    """`chapters`: phases and groups, as the report names them. `units`: all that ever stand on the board, by id; `mine`:
    those of the reader's own seats."""

    turn: int
    chapters: tuple[str, ...]
    moments: tuple[Moment, ...]
    units: Mapping[str, str]
    grounds: tuple[str, ...]
    mine: tuple[str, ...] = ()

    def json(self) -> bytes:
        return msgspec.json.encode(self)


@dataclass(frozen=True)
class Reel:
    """A turn with all that a page needs which does not hold it yet. `opening`: how everybody looks as it begins; `board`:
    the board as it ends, without anybody on it; `report`: the lines that the film's moments name."""

    film: Film
    opening: Mapping[str, str]
    board: str
    report: str

    def json(self) -> bytes:
        return msgspec.json.encode(self)


def filmed(view: TurnView, language: str, seats: Collection[str] = ()) -> Film:
    """The film of a turn, as far as its events are told to the viewer. `seats`: the reader's own."""
    return _Camera(view.ruleset, _told(view), language, view.scenario).film(report(view, language), view.turn, seats)


def reeled(view: TurnView, language: str, seats: Collection[str] = ()) -> Reel:
    """A turn as a part of the film of its battle."""
    told = report(view, language)
    before, after = (view.ruleset.scene(state, language, view.scenario) for state in (view.before, view.after))
    return Reel(
        film=_Camera(view.ruleset, _told(view), language, view.scenario).film(told, view.turn, seats),
        opening={counter.id: moving.counter(counter) for counter in before.counters},
        board=moving.ground(after, id_prefix="g-"),
        report=str(html.write(told, rules_url=f"/b/{view.battle_id}/rules")),
    )


def _told(view: TurnView) -> Telling:
    return Telling(before=view.before, events=view.events, after=view.after)


class _Camera:
    """Goes through the turn once; remembers how everybody looked in the moment before."""

    def __init__(self, ruleset: AnyRuleset, told: Telling, language: str, scenario: Json) -> None:
        self._ruleset = ruleset
        self._told = told
        self._language = language
        self._scenario = scenario
        self._beats = film.beats(ruleset, told, language)
        self._state = told.before
        self._done = 0
        self._before = self._scene(told.before)
        self._after = self._scene(told.after)
        self._shown: dict[str, Counter] = {c.id: c for c in self._before.counters}
        self._names = {c.id: _name(c) for c in (*self._after.counters, *self._before.counters)}
        self._grounds: list[Scene] = []

    def film(self, told: Report, turn: int, seats: Collection[str]) -> Film:
        first, last = self._beats[0].caption or told.title, self._beats[-1].caption or told.title
        chapters = [capital(first)]
        moments = [self._moment(START, (), 0, capital(first), 1.5, self._before, (), None)]
        try:
            for section, group, entries in self._lines(told):
                title = " · ".join(part for part in (section.title, group.title) if part)
                if title != chapters[-1]:
                    chapters.append(title)
                moments.append(self._told_by(entries, len(chapters) - 1))
        except LookupError:  # an event about something that the viewer does not see: the beginning and the end are left
            del moments[1:], chapters[1:]
            self._shown = {c.id: c for c in self._before.counters}
        chapters.append(capital(last))
        moments.append(self._moment(END, (), len(chapters) - 1, flat(told.headline), 2.5, self._after, (), None))
        grounds = tuple(moving.ground(scene, id_prefix=f"g{i}-") for i, scene in enumerate(self._grounds))
        names = dict(sorted(self._names.items()))
        return Film(turn, tuple(chapters), tuple(moments), names, grounds, self._owned_by(seats))

    def _owned_by(self, seats: Collection[str]) -> tuple[str, ...]:
        owners = self._ruleset.owners
        if owners is None or not seats:
            return ()
        found = {**owners(self._told.after), **owners(self._told.before)}
        return tuple(sorted(unit for unit, seat in found.items() if seat in seats))

    def _lines(self, told: Report) -> Iterator[tuple[Section, Group, tuple[Entry, ...]]]:
        """The report's lines in their order: one by one, or group by group where there are very many."""
        size = len(self._before.cells) + len(self._before.counters)
        single = len(list(told.entries)) * size <= MOST_DRAWN
        for section in told.sections:
            for group in section.groups:
                if single:
                    for entry in group.entries:
                        yield section, group, (entry,)
                elif group.entries:
                    yield section, group, group.entries

    def _told_by(self, entries: tuple[Entry, ...], chapter: int) -> Moment:
        """The board when these lines have been told."""
        # A ruling that was made before the turn, or rolled dice again, tells of no event: the board stands as it stood.
        last = max((place for entry in entries for place in entry.told), default=-1)
        if last >= self._done:
            events = self._told.events[self._done : last + 1]
            self._state, self._done = self._ruleset.evolve(self._state, events), last + 1
        units = tuple(dict.fromkeys(unit for entry in entries for unit in entry.units))
        beat = next((beat for beat in self._beats if last in beat.told), None)
        return self._moment(
            entries[-1].id,
            tuple(entry.id for entry in entries),
            chapter,
            flat(entries[0].sentence) if len(entries) == 1 else "",
            max(STANDS[entry.severity] for entry in entries),
            self._scene(self._state),
            units,
            beat,
        )

    def _moment(
        self,
        id: str,
        lines: tuple[str, ...],
        chapter: int,
        text: str,
        seconds: float,
        scene: Scene,
        units: tuple[str, ...],
        beat: Beat[Any] | None,
    ) -> Moment:
        now = {c.id: c for c in scene.counters}
        for unit in units:
            marks = tuple(mark for mark in (beat.marks.get(unit, ()) if beat else ()) if mark != FALLEN)
            if unit in now:
                now[unit] = _marked(now[unit], marks)
            elif unit in self._shown:  # who falls in this moment is still shown in it, and crossed out
                now[unit] = _marked(self._shown[unit], (*marks, FALLEN))
        was = self._shown
        changed = {unit: counter for unit, counter in now.items() if was.get(unit) != counter}
        ways = {unit: self._path(was[unit], counter, beat) for unit, counter in changed.items() if unit in was}
        self._shown = now
        self._names.update({unit: _name(counter) for unit, counter in changed.items() if unit not in self._names})
        return Moment(
            id=id,
            lines=lines,
            chapter=chapter,
            text=text,
            seconds=seconds,
            units=units,
            set={unit: moving.counter(counter) for unit, counter in changed.items()},
            gone=tuple(unit for unit in was if unit not in now),
            paths={unit: points for unit, points in ways.items() if points},
            routes=moving.lines(_routes_of(units, beat, was)) if beat else "",
            ground=self._ground(scene),
        )

    def _path(self, was: Counter, now: Counter, beat: Beat[Any] | None) -> tuple[Point, ...]:
        """Where somebody goes: along his way, or straight where none is known. Nowhere: nothing."""
        if was.centre == now.centre:
            return ()
        centres = {cell.label: cell.centre for cell in self._before.cells}
        way = [centres[label] for label in (beat.paths.get(now.id, ()) if beat else ()) if label in centres]
        if not way or way[-1] != now.centre:
            way = [now.centre]
        return tuple(map(moving.place, (was.centre, *way)))

    def _ground(self, scene: Scene) -> int:
        if scene.cells == self._after.cells:
            return -1
        for i, known in enumerate(self._grounds):
            if known.cells == scene.cells:
                return i
        self._grounds.append(scene)
        return len(self._grounds) - 1

    def _scene(self, state: Any) -> Scene:
        return self._ruleset.scene(state, self._language, self._scenario)


def _routes_of(units: Sequence[str], beat: Beat[Any], shown: Mapping[str, Counter]) -> tuple[Route, ...]:
    """The beat's lines that begin and end at these units or are their ways; else those that end at them."""
    at = {shown[unit].centre: unit for unit in units if unit in shown}
    begun = tuple(r for r in beat.routes if r.points[0] in at and (r.points[-1] in at or at[r.points[0]] in beat.paths))
    return begun or tuple(r for r in beat.routes if r.points[-1] in at)


def _marked(counter: Counter, states: tuple[str, ...]) -> Counter:
    return msgspec.structs.replace(counter, states=tuple(dict.fromkeys(counter.states + states)))


def _name(counter: Counter) -> str:
    return f"{counter.code} {counter.id}"
