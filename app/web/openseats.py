"""Open seats as pages show them: battles that look for players, what may be asked for, what a side has on its table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from app.engine.ruleset import Json
from app.language import Translator, pick
from app.language import marked as _
from app.referee import openings, scenarios
from app.referee.askingrows import AskingView
from app.referee.choosing import Table
from app.referee.openings import Opening, OpenSeat
from app.referee.schedule import Schedule, plain
from app.reports import schedulewords
from app.web.house import House
from app.web.parts import battle_title, capital

STANDINGS: Mapping[str, str] = {
    "asked": _("asked"),
    "listed": _("on the waiting list"),
    "offered": _("a seat is offered"),
    "accepted": _("accepted"),
    "declined": _("declined"),
    "withdrawn": _("taken back"),
    "lapsed": _("the offer was let pass"),
}


@dataclass(frozen=True)
class SoughtCard:
    """A battle that looks for players. `words`: by line."""

    id: str
    title: str
    words: tuple[str, ...]
    open: str
    size: str
    pace: str
    turn: int
    deadline: datetime | None
    zone: str
    zone_name: str
    since: datetime


@dataclass(frozen=True)
class SeatChoice:
    """`value`: as a form sends it, `seat:…`, `side:…`, `any`."""

    value: str
    name: str
    hint: str
    is_on: bool


@dataclass(frozen=True)
class Seeking:
    """What a battle's page says of its open seats. `seats`: by name, with their sides."""

    words: tuple[str, ...]
    seats: tuple[tuple[str, str], ...]
    may_exchange: bool


@dataclass(frozen=True)
class SeatOnTable:
    seat: str
    name: str
    claimed_by: tuple[str, ...]
    is_mine: bool
    may_claim: bool


@dataclass(frozen=True)
class MemberCard:
    id: int
    name: str
    is_me: bool
    agreed: bool


@dataclass(frozen=True)
class ProposalCard:
    id: int
    by: str
    seat: str
    other: str
    is_own: bool


@dataclass(frozen=True)
class TableCard:
    """What a side has on its table. `mine`, `theirs`: claims that may be exchanged, as a form sends them and by name."""

    side: str
    name: str
    seats: tuple[SeatOnTable, ...]
    members: tuple[MemberCard, ...]
    proposals: tuple[ProposalCard, ...]
    mine: tuple[tuple[str, str], ...]
    theirs: tuple[tuple[str, str], ...]
    is_contested: bool
    agreed: bool
    settle_by: datetime | None


def lines(text: str) -> tuple[str, ...]:
    return tuple(text.split("\n")) if text else ()


def sought(here: House, words: Translator, *, limit: int = openings.LISTED) -> tuple[SoughtCard, ...]:
    titles = {line.key: line.title for line in scenarios.known()}
    return tuple(
        SoughtCard(
            id=line.id,
            title=battle_title(line.title, titles.get(line.scenario_key), words),
            words=lines(line.words),
            open=words.ngettext("%(num)s open seat", "%(num)s open seats", line.open),
            size=", ".join(
                (
                    words.ngettext("%(num)s unit", "%(num)s units", line.units),
                    words.ngettext("%(num)s seat", "%(num)s seats", line.seats),
                )
            ),
            pace=pace(line.schedule, words),
            turn=line.turn,
            deadline=line.deadline,
            zone=line.zone,
            zone_name=words.zone(line.zone, line.deadline),
            since=line.since,
        )
        for line in openings.looking(here.db, limit=limit)
    )


def pace(schedule: Schedule, words: Translator) -> str:
    return schedulewords.words(plain(schedule), words.language)


def seeking(opening: Opening, seats: tuple[OpenSeat, ...], words: Translator) -> Seeking:
    told = tuple((capital(words.text(seat.name)), capital(words.text(seat.side_name))) for seat in seats)
    return Seeking(lines(opening.words) if opening.is_open else (), told, opening.swaps or opening.choosing)


def choices(seats: tuple[OpenSeat, ...], words: Translator, chosen: str) -> tuple[SeatChoice, ...]:
    """All that may be asked for: anything, a side, a seat; of a side that chooses among itself the side alone."""
    found = [("any", words.gettext("Whatever is free"), "")]
    sides = {seat.side: capital(words.text(seat.side_name)) for seat in seats}
    choosing = {seat.side for seat in seats if seat.choosing}
    for side, name in sides.items():
        hint = words.gettext("The side settles itself who has which contingent.") if side in choosing else ""
        if len(sides) > 1 or hint:
            found.append((f"side:{side}", words.gettext("Side: %(name)s", name=name), hint))
        free = [seat for seat in seats if seat.side == side and not seat.choosing]
        for seat in free:
            hint = words.gettext("It was another's, who is silent or gone.") if seat.offered else ""
            found.append((f"seat:{seat.seat}", f"{capital(words.text(seat.name))} · {name}", hint))
    return tuple(SeatChoice(value, name, hint, value == chosen) for value, name, hint in found)


def wanted(value: str) -> tuple[str, str]:
    """What a form sent, apart: what is wanted, and which."""
    want, _sign, what = value.partition(":")
    return want, what


def wish(view: AskingView, scenario: Json, words: Translator) -> str:
    """What somebody asked for, in words."""
    if view.want == "any":
        return words.gettext("Whatever is free")
    if view.want == "side":
        return words.gettext("Side: %(name)s", name=side_name(view.what, scenario, words.language))
    return seat_name(view.what, scenario, words.language)


def seat_name(seat: str, scenario: Json, language: str) -> str:
    return capital(pick(scenario["contingents"].get(seat, {}).get("name"), language) or seat)


def side_name(side: str, scenario: Json, language: str) -> str:
    return capital(pick(scenario["sides"].get(side, {}).get("name"), language) or side)


def table_card(table: Table, scenario: Json, language: str, me: int | None = None) -> TableCard:
    """`me`: whose page it is; None: a game master's."""
    names = {member.id: member.name for member in table.members}
    seats = {seat: seat_name(seat, scenario, language) for seat in table.seats}
    own = next((member for member in table.members if member.id == me), None)
    claims = own.claims if own else ()
    return TableCard(
        side=table.side,
        name=side_name(table.side, scenario, language),
        seats=tuple(
            SeatOnTable(
                seat=seat,
                name=name,
                claimed_by=tuple(member.name for member in table.members if seat in member.claims),
                is_mine=seat in claims,
                may_claim=own is not None and seat not in claims and len(claims) < table.most,
            )
            for seat, name in seats.items()
        ),
        members=tuple(MemberCard(member.id, member.name, member.id == me, member.agreed) for member in table.members),
        proposals=tuple(
            ProposalCard(p.id, names.get(p.by, ""), seats.get(p.seat, p.seat), seats.get(p.other, p.other), p.by == me)
            for p in table.proposals
            if me in (p.by, p.to)
        ),
        mine=tuple((seat, seats[seat]) for seat in claims),
        theirs=tuple(
            (f"{member.id}:{seat}", f"{seats[seat]} · {member.name}")
            for member in table.members
            for seat in member.claims
            if own is not None and member.id != me
        ),
        is_contested=bool(table.contested),
        agreed=own.agreed if own else False,
        settle_by=table.settle_by,
    )
