"""What of a draft can be rolled again or set aside, as forms: each choice in the words of the report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from app.referee import publication, reviewing
from app.referee.views import BattleView, Viewer
from app.reports import report
from app.reports.tree import Entry, Report, flat
from app.web.deps import House


@dataclass(frozen=True)
class Die:
    """`text`: its faces first, then what they were for, as the report has it."""

    address: str
    text: str
    is_chosen: bool


@dataclass(frozen=True)
class Undoable:
    place: int
    text: str
    is_chosen: bool


@dataclass(frozen=True)
class Why:
    """Reason and rule as they were typed into a form that was refused."""

    reason: str = ""
    rule: str = ""


@dataclass(frozen=True)
class DraftForms:
    turn: int
    of: int
    may_reroll: bool
    dice: tuple[Die, ...]
    events: tuple[Undoable, ...]
    reroll: Why
    aside: Why


def draft_forms(here: House, view: BattleView, viewer: Viewer, language: str, typed: Mapping[str, str]) -> DraftForms:
    """`typed`: the form that was sent, if one was; what stands in it stays."""
    found = reviewing.draft(here.db, view.id, viewer)
    told = report(publication.turn(here.db, view.id, view.turn, viewer), language)
    texts = {entry.told[-1]: flat(entry.sentence) for entry in _entries(told) if entry.told}
    purposes = {
        roll.address: " · ".join(filter(None, (roll.caption, flat(entry.sentence))))
        for entry in _entries(told)
        for roll in entry.rolls
    }
    action, address, event = (typed.get(name, "") for name in ("action", "address", "event"))
    sent = Why(typed.get("reason", ""), typed.get("rule", ""))
    return DraftForms(
        turn=found.turn,
        of=len(found.events),
        may_reroll=found.may_reroll,
        dice=tuple(
            Die(one, f"{' '.join(map(str, faces))} · {purposes.get(one, one)}", one == address)
            for one, faces in found.dice.items()
        ),
        events=tuple(
            Undoable(place, texts[place], action == "set-aside" and str(place) == event)
            for place in found.undoable
            if place in texts
        ),
        reroll=sent if action == "reroll" else Why(),
        aside=sent if action == "set-aside" else Why(),
    )


def _entries(told: Report) -> Iterator[Entry]:
    return (entry for section in told.sections for group in section.groups for entry in group.entries)
