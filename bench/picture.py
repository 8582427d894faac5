"""The first picture of a board: from the position to the bytes of a PNG, nothing kept from an earlier one."""

from __future__ import annotations

from app.drawing import raster
from app.drawing.svg import svg
from app.engine.dice import SeededDice
from app.engine.film import Telling, turn_frames
from app.referee import scenarios
from bench import field
from bench.field import RULES, SCENARIO, SEED
from bench.measure import Figure, Side, figure, in_turns, loop

LOOPS = 70
"""200 ms on the machine for which that bar was set, where the fixed loop takes a little less than 3 ms."""


def picture() -> list[Figure]:
    """A film is told for interest: it has a thread of its own, and nobody waits for it but its reader."""
    position, frozen = field.usual(), scenarios.frozen(SCENARIO)

    def board(given: field.Given) -> bytes:
        return raster.png(svg(RULES.scene(given.state, "ru", frozen)))

    def film(given: field.Given) -> bytes:
        requests = RULES.requests(given.state)
        orders = {r.id: RULES.read(given.state, r, given.fields[r.seat]) for r in requests if r.seat in given.fields}
        step = RULES.advance(given.state, orders, SeededDice(SEED))
        told = Telling(before=given.state, events=step.events, after=step.state)
        frames = turn_frames(RULES, told, "ru", frozen, "")
        return raster.animation([(svg(frame.scene), frame.seconds) for frame in frames], width=800)

    drawn, filmed, fixed = in_turns(Side(board, position.given, repeats=2), Side(film, position.given), loop(), rounds=9)
    return [
        figure("the picture of a board of 15x13, drawn for the first time", drawn, "the fixed loop", fixed, LOOPS),
        figure(f"the film of a turn of {position.units} units", filmed, "the fixed loop", fixed),
    ]
