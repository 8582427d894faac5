"""The orders that counted in a turn, as a report: a section a side, a group a seat, each order in its canonical words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from app.engine.ruleset import AnyRuleset, Json
from app.language import capital, pick
from app.reports.tree import Entry, Group, Report, Section, Sentence, Verbatim, clean, flat
from app.reports.voice import Voice, voice


class Ordered(Protocol):
    """A turn with the orders that its reader may know. The referee's `TurnView` is one."""

    @property
    def turn(self) -> int: ...
    @property
    def ruleset(self) -> AnyRuleset: ...
    @property
    def before(self) -> Any: ...
    @property
    def scenario(self) -> Json: ...
    @property
    def orders(self) -> Mapping[str, Json]: ...


def order_list(turn: Ordered, language: str, *, side: str | None = None) -> Report:
    """The orders of a turn; `side`: of this side's seats alone. A seat that entered nothing is told as well. Raises
    KeyError for an unknown side."""
    say = voice(language)
    sides = turn.scenario["sides"]
    if side is not None:
        sides = {side: sides[side]}
    seats = {seat: held for seat, held in turn.scenario["contingents"].items() if held["side"] in sides}
    given = [seat for seat in seats if seat in turn.orders]
    headline = say.count(
        "%(num)s of %(all)s seats entered orders.", "%(num)s of %(all)s seats entered orders.", len(given), all=len(seats)
    )
    sections = tuple(
        _section(turn, place, key, held, _of_side(seats, key, say), say)
        for place, (key, held) in enumerate(sides.items(), start=1)
    )
    return Report(
        say.language, flat(say.say("Orders of turn %(turn)s", turn=turn.turn)), headline, sections, turn.ruleset.key
    )


def _section(turn: Ordered, place: int, side: str, held: Json, seats: Sequence[tuple[str, str]], say: Voice) -> Section:
    title = clean(pick(held.get("name"), say.language)) or clean(side)
    groups = tuple(_group(turn, seat, name, say) for seat, name in seats)
    empty = "" if groups else say.word("Nobody commands here.")
    return Section(f"orders-{place}", capital(title), groups, empty)


def _of_side(seats: Mapping[str, Json], side: str, say: Voice) -> Sequence[tuple[str, str]]:
    return [
        (seat, clean(pick(held.get("name"), say.language)) or clean(seat))
        for seat, held in seats.items()
        if held["side"] == side
    ]


def _group(turn: Ordered, seat: str, name: str, say: Voice) -> Group:
    lines: list[Sentence] = [(Verbatim(line),) for line in _text(turn, seat, say.language).splitlines() if line.strip()]
    if not lines:
        lines = [say.say("No orders were entered.")]
    entries = tuple(
        Entry(f"order-{seat}-{number}", "order", line, severity="plain") for number, line in enumerate(lines, start=1)
    )
    return Group(capital(name), entries)


def _text(turn: Ordered, seat: str, language: str) -> str:
    """A seat's orders in canonical words, a unit a line; empty where it entered none."""
    request = next((asked for asked in turn.ruleset.requests(turn.before) if asked.seat == seat), None)
    if request is None or seat not in turn.orders:
        return ""
    return turn.ruleset.write_text(turn.before, request, turn.ruleset.load_order(turn.orders[seat]), language)
