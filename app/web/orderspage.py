"""The orders page as a value: what is known of the seat, and what an attempt to save adds to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from app.drawing.scene import overlay
from app.engine.ruleset import Json
from app.reports import problems as spoken
from app.web.orderform import Filled, filled_by, filled_from
from app.web.orderseen import Attempt, Seen
from app.web.ordertext import (
    DROP,
    TAKEN,
    Asides,
    FaultLine,
    Reply,
    Together,
    asides_of,
    fault_lines,
    filled_units,
    orders_by_unit,
    replies,
    with_text,
)
from app.web.parts import Trouble, drawn
from app.web.seatpage import SeatPage, of_seat, plan
from app.web.sideplan import SidePlan, ghosts
from app.web.unitcards import Desk, UnitCard, by_place, cards, says


@dataclass(frozen=True, kw_only=True)
class OrdersPage(SeatPage):
    template: ClassVar[str] = "orders/orders.html"
    seat: str
    cards: tuple[UnitCard, ...]
    uncontrolled: tuple[UnitCard, ...]
    idle_rule: str | None
    """The number of the rule behind those."""
    troubles: tuple[Trouble, ...]
    saved: Json
    """What is saved, by unit, as the page's script compares it."""
    text_open: bool
    text_taken: str
    text_drop: bool
    meant_text: str
    """What was read, as the lines of a text; told `read`."""
    kept: tuple[str, ...]
    """Units that the text does not name and that keep the form's orders."""
    replies: tuple[Reply, ...]
    faults: tuple[FaultLine, ...]
    asides: Asides | None
    side_plan: SidePlan | None
    """For the seat itself, while orders are awaited."""


def show(seen: Seen, attempt: Attempt, side_plan: SidePlan | None = None) -> OrdersPage:
    """The page after an attempt. What was typed stands in it, whatever was wrong with it."""
    battle, words = seen.battle, seen.frame.words
    if attempt.fields is not None and attempt.taken is not None:
        attempt = replace(attempt, fields=with_text(attempt.fields, attempt.taken, seen.offered))
    desk = desk_of(seen)
    told = cards(desk, seen.options, _filled(seen, attempt), attempt.places, _warnings(seen, attempt))
    shared = of_seat(seen, attempt)
    fields = attempt.fields if attempt.fields is not None and "text" in attempt.fields else None
    meant = attempt.understood
    left = attempt.taken.asides if attempt.taken is not None else ()
    on_text = attempt.taken is not None and attempt.taken.was_read
    return OrdersPage(
        **shared,
        seat=seen.seat.seat,
        drawing=drawn(
            overlay(desk.scene, (*ghosts(desk, side_plan), *plan(seen, meant.orders if meant else seen.orders))),
            interactive=True,
        ),
        cards=tuple(card for card in told if card.is_controlled),
        idle_rule=seen.ruleset.behind.get("idle"),
        uncontrolled=tuple(card for card in told if not card.is_controlled),
        troubles=_troubles(told, attempt),
        silent=tuple(f"{c.code} {c.cell}" for c in told if c.is_controlled and c.id not in _ordered(seen)),
        saved=dict(_ordered(seen)),
        typed=_typed(attempt, desk),
        text_open=on_text or (fields is not None and fields["text"].strip() != fields[TAKEN].strip()),
        text_taken=fields[TAKEN] if fields is not None else shared["saved_text"],
        text_drop=fields is not None and fields.is_on(DROP),
        meant_text=meant.text if meant else "",
        kept=kept(desk, attempt.taken),
        replies=replies(shared["text"], attempt.faults, attempt.problems, battle.turn, left) if shared["on_behalf"] else (),
        faults=fault_lines(attempt.faults, shared["text"], desk, left),
        asides=asides_of(attempt.taken, shared["text"], words),
        side_plan=side_plan,
    )


def desk_of(seen: Seen) -> Desk:
    """What the cards of the page share."""
    return Desk.of(seen.battle, seen.frame.words)


def _typed(attempt: Attempt, desk: Desk) -> tuple[str, ...]:
    """What the form said that was not kept, in words: on a page of another turn some of it has no field any more."""
    if attempt.fields is None or attempt.told in {"", "saved", "read", "bad-orders"}:
        return ()
    told = ((desk.unit(unit), says(desk, filled)) for unit, filled in filled_units(attempt.fields).items())
    return tuple(f"{name}: {said}" for name, said in told if said)


def _filled(seen: Seen, attempt: Attempt) -> Any:
    """A unit's fields: as typed in the attempt, else as saved. On a page that was stale a unit that was left empty shows
    what another page has saved for it meanwhile, so that saving again loses neither."""
    saved = _ordered(seen)
    fields = attempt.fields

    def filled(unit: str, offered: tuple[str, ...]) -> Filled:
        if fields is not None and f"unit:{unit}" in fields:
            as_typed = filled_by(fields, unit)
            if attempt.told != "stale" or not as_typed.is_empty or unit not in saved:
                return as_typed
        return filled_from(saved.get(unit), offered)

    return filled


def _ordered(seen: Seen) -> Mapping[str, Json]:
    """The saved orders by unit, in the ruleset's JSON of an answer."""
    return orders_by_unit(seen.orders)


def _warnings(seen: Seen, attempt: Attempt) -> dict[str, list[str]]:
    """What may not come off of the orders that were read, else of the saved ones, by unit."""
    if attempt.understood is not None:
        found = tuple(p for p in attempt.understood.problems if p.warning)
    elif seen.order is None or seen.request is None:
        return {}
    else:
        found = tuple(p for p in seen.ruleset.check(seen.battle.state, seen.request, seen.order) if p.warning)
    told: dict[str, list[str]] = {}
    for (unit, _part), texts in by_place(found, lambda p: spoken.words(p, seen.frame.language)).items():
        told.setdefault(unit, []).extend(texts)
    return told


def _troubles(told: tuple[UnitCard, ...], attempt: Attempt) -> tuple[Trouble, ...]:
    """All problems in one list, each leading to its field."""
    known = {card.id: card for card in told}
    lines = []
    for (unit, part), texts in attempt.places.items():
        card = known.get(unit)
        name = f"{card.code} {card.cell}: " if card else f"{unit}: " if unit else ""
        anchor = (f"f-{unit}-{part}" if part != "unit" and card.is_controlled else f"unit-{unit}") if card else ""
        lines += [Trouble(name + text, anchor) for text in texts]
    return tuple(lines)


def kept(desk: Desk, taken: Together | None) -> tuple[str, ...]:
    """The units that a text did not name and that have an order nevertheless: the form's."""
    if taken is None or not taken.was_read or taken.faults:
        return ()
    return tuple(desk.unit(unit) for unit in taken.orders if unit not in taken.named)
