"""A turn, or a whole battle, as pictures one after the other. Knows rulesets by their interface alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from app.drawing.scene import Point, Scene, mark, overlay
from app.engine.events import Event
from app.engine.ruleset import AnyRuleset, Beat, Json

MOST_BEATS = 40
"""Of a ruleset that shows each state on the way: so many at most, evenly chosen, the last one always."""
GLIDE, GLIDE_SECONDS = 3, 0.14
"""Pictures of a unit between where it sets out and where it arrives, and how long each stands."""
ARRIVAL_SECONDS = 0.5


class Frame(msgspec.Struct, frozen=True):
    scene: Scene
    seconds: float


class Telling(msgspec.Struct, frozen=True, kw_only=True):
    """What of a turn may be told to the viewer: where it began, what happened, where it ended."""

    before: Any
    events: Sequence[Event]
    after: Any


def beats(ruleset: AnyRuleset, told: Telling, language: str) -> tuple[Beat[Any], ...]:
    """The beats of a turn, the ruleset's own or each state on the way. Where the events that are told do not lead from the
    state before to the one after (some are hidden from the viewer), those two alone."""
    ends = (Beat(state=told.before), Beat(state=told.after, seconds=2.5))
    try:
        if ruleset.beats is None:
            shown = tuple(Beat(state=state, seconds=0.8) for state in _states(ruleset, told))
        else:
            shown = ruleset.beats(told.before, told.events, language)
        reached = shown[-1].state
    except LookupError:  # an event about something that the viewer does not see
        return ends
    return shown if reached == told.after else ends


def turn_frames(ruleset: AnyRuleset, told: Telling, language: str, scenario: Json, title: str) -> tuple[Frame, ...]:
    """The film of a turn. `title` stands before each caption."""
    return tuple(
        frame
        for beat in beats(ruleset, told, language)
        for frame in _played(beat, _scene(ruleset, beat, language, scenario, title))
    )


def battle_frames(
    ruleset: AnyRuleset, turns: Sequence[tuple[Telling, str]], language: str, scenario: Json, title: str
) -> tuple[Frame, ...]:
    """The film of a battle: of each turn (with its caption) all lines at once, then where it led. The last stands longer."""
    frames = []
    for told, caption in turns:
        shown = beats(ruleset, told, language)
        routes = tuple(dict.fromkeys(route for beat in shown for route in beat.routes))
        first = Beat(state=told.before, caption=caption, routes=routes)
        frames.append(Frame(_scene(ruleset, first, language, scenario, title), 0.9))
        frames.append(Frame(_scene(ruleset, Beat(state=told.after, caption=caption), language, scenario, title), 0.7))
    if frames:
        frames[-1] = Frame(frames[-1].scene, 3.0)
    return tuple(frames)


def _states(ruleset: AnyRuleset, told: Telling) -> list[Any]:
    """Each other state on the way, both ends included."""
    states = [told.before]
    for event in told.events:
        state = ruleset.evolve(states[-1], (event,))
        if state != states[-1]:
            states.append(state)
    if len(states) > MOST_BEATS:
        step = (len(states) - 1) / (MOST_BEATS - 1)
        states = [states[round(i * step)] for i in range(MOST_BEATS)]
    return states


def _scene(ruleset: AnyRuleset, beat: Beat[Any], language: str, scenario: Json, title: str) -> Scene:
    drawn = ruleset.scene(beat.state, language, scenario)
    if beat.caption:
        drawn = msgspec.structs.replace(drawn, title=f"{title} · {beat.caption}" if title else beat.caption)
    return overlay(mark(drawn, beat.marks), beat.routes)


def _played(beat: Beat[Any], scene: Scene) -> list[Frame]:
    """A beat as it is, and who is under way in it gliding to the end of his path."""
    frames = [Frame(scene, beat.seconds)]
    if beat.paths:
        frames += [Frame(_moved(scene, beat.paths, i / (GLIDE + 1)), GLIDE_SECONDS) for i in range(1, GLIDE + 1)]
        frames.append(Frame(_moved(scene, beat.paths, 1.0), ARRIVAL_SECONDS))
    return frames


def _moved(scene: Scene, paths: Mapping[str, Sequence[str]], part: float) -> Scene:
    """Everybody who is under way as far along his path; they pass over those who stand, and over the lines they follow."""
    centres = {cell.label: cell.centre for cell in scene.cells}
    standing, going = [], []
    for counter in scene.counters:
        if counter.id in paths:
            way = [counter.centre, *(centres[label] for label in paths[counter.id] if label in centres)]
            going.append(msgspec.structs.replace(counter, centre=_along(way, part)))
        else:
            standing.append(counter)
    trails = tuple(msgspec.structs.replace(route, classes=()) for route in scene.routes)
    return msgspec.structs.replace(scene, counters=(*standing, *going), routes=trails)


def _along(way: Sequence[Point], part: float) -> Point:
    """A point of a way of equal steps: 0 its start, 1 its end."""
    steps = len(way) - 1
    if steps == 0 or part >= 1:
        return way[-1]
    number = int(part * steps)
    rest = part * steps - number
    (x, y), (to_x, to_y) = way[number], way[number + 1]
    return x + (to_x - x) * rest, y + (to_y - y) * rest
