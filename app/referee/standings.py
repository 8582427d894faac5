"""Standings of a campaign: worked out from what is published of its battles alone, each number with all that it is made of.

Whatever a battle is counted for is read from its published turns: points from their scores, units from the events that all
were told. A turn under review counts when it is published.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import lru_cache

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.engine.ruleset import Fallen
from app.referee.errors import RefereeError
from app.referee.rows import BattleRow, battle_row, loads, position
from app.referee.views import Texts
from app.rulesets.registry import RULESETS
from app.store.db import Database
from app.store.models import Battle, Events, Turn

KEPT = 256
"""Battles whose facts are kept in memory, as long as they do not change."""


@dataclass(frozen=True)
class TurnFacts:
    """What one turn gave. `turn` of `BattleFacts.rulings`: the open one, on which the game master has ruled."""

    turn: int
    gains: Mapping[str, int]
    fallen: tuple[Fallen, ...] = ()


@dataclass(frozen=True)
class BattleFacts:
    """What all may know of a battle. `tells_units`: whether its ruleset tells who fell."""

    id: str
    title: str
    status: str
    winner: str | None
    sides: tuple[str, ...]
    seats: Mapping[str, str]
    """Each seat's side."""
    turns: tuple[TurnFacts, ...]
    last: int
    tells_units: bool

    @property
    def is_over(self) -> bool:
        return self.status == "over" and self.winner is not None


@dataclass(frozen=True)
class Score:
    """`made` and `given`: points; of a commander, what the units were worth that fell to his, and that he lost."""

    battles: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    made: int = 0
    given: int = 0
    destroyed: int = 0
    fallen: int = 0

    def __add__(self, other: Score) -> Score:
        return Score(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(Score)))


@dataclass(frozen=True)
class Item:
    """One thing that counted. `what`: `won`, `drawn`, `lost`, `under-way` (the whole battle), `points` (of a turn), `unit`
    (one fell to it), `loss` (one of its own fell), `ruling`. `turn`: 0 where it is not of a turn."""

    what: str
    score: Score
    battle: str = ""
    turn: int = 0
    unit: str = ""
    reason: str = ""


@dataclass(frozen=True)
class Standing:
    """`key`: a side of the campaign, or a commander's name. `name`: of a side, by language."""

    key: str
    items: tuple[Item, ...]
    name: Texts = field(default_factory=dict)
    colour: str = ""

    @property
    def score(self) -> Score:
        return sum((item.score for item in self.items), Score())


@dataclass(frozen=True)
class Commander:
    """A seat and who held it: `account` tells two people of one name apart, and is shown to nobody."""

    seat: str
    name: str
    account: int | None


@dataclass(frozen=True)
class Added:
    """A ruling of the campaign's game master."""

    kind: str
    subject: str
    score: Score
    reason: str


@dataclass(frozen=True)
class Counted:
    """A battle as it counts: whose side each of its sides is, and who commands its seats."""

    facts: BattleFacts
    sides: Mapping[str, str]
    commanders: tuple[Commander, ...]


def facts(db: Database, battle_id: str, version: int) -> BattleFacts:
    """Of a battle at a version. Raises `RefereeError("no-battle")`."""
    return _facts(db, battle_id, version)


@lru_cache(maxsize=KEPT)
def _facts(db: Database, battle_id: str, _version: int) -> BattleFacts:
    with db.read() as session:
        columns = (Battle.id, Battle.title, Battle.status, Battle.turn, Battle.ruleset, Battle.scenario, Battle.points)
        stored = session.execute(select(*columns, Battle.winner).where(Battle.id == battle_id)).one_or_none()
        if stored is None:
            raise RefereeError("no-battle")
        scenario, points, ruleset = loads(stored.scenario), loads(stored.points), RULESETS.get(stored.ruleset)
        battle = battle_row(session, battle_id) if ruleset is not None and ruleset.fallen is not None else None
        told = list(_turns(session, stored.id, battle, dict.fromkeys(scenario["sides"], 0)))
    so_far = {side: sum(turn.gains.get(side, 0) for turn in told) for side in scenario["sides"]}
    ruled = {side: points.get(side, 0) - score for side, score in so_far.items() if points.get(side, 0) != score}
    if ruled:
        told.append(TurnFacts(stored.turn, ruled))
    return BattleFacts(
        id=stored.id,
        title=stored.title,
        status=stored.status,
        winner=stored.winner,
        sides=tuple(scenario["sides"]),
        seats={seat: form["side"] for seat, form in scenario["contingents"].items()},
        turns=tuple(told),
        last=max((turn.turn for turn in told), default=0),
        tells_units=battle is not None,
    )


def _turns(session: Session, battle_id: str, battle: BattleRow | None, before: Mapping[str, int]) -> Iterable[TurnFacts]:
    """The published turns, in order. `battle`: where its rules tell of the fallen, and this server has them."""
    query = (
        select(Turn.turn, Turn.points, Events.body)
        .join(Events, (Events.battle_id == Turn.battle_id) & (Events.turn == Turn.turn))
        .where(Turn.battle_id == battle_id, Turn.published_at.is_not(None), Turn.points.is_not(None))
        .order_by(Turn.turn)
    )
    score = before
    for number, points, body in session.execute(query).all():
        now = loads(points or "{}")
        gains = {side: now[side] - score.get(side, 0) for side in now if now[side] != score.get(side, 0)}
        yield TurnFacts(number, gains, _fallen(session, battle, number, body) if battle is not None else ())
        score = now


def _fallen(session: Session, battle: BattleRow, turn: int, body: str) -> tuple[Fallen, ...]:
    ruleset = battle.ruleset
    if ruleset.fallen is None:
        return ()
    events = [event for event in map(ruleset.load_event, loads(body)) if ruleset.audience(event) is None]
    before = ruleset.view(position(session, battle, turn), None)
    return ruleset.fallen(before, events, ruleset.evolve(before, events))


def by_side(sides: Mapping[str, Mapping[str, object]], battles: Sequence[Counted], added: Sequence[Added]) -> list[Standing]:
    """In the order of the sides."""
    items: dict[str, list[Item]] = {side: [] for side in sides}
    for battle in battles:
        for side in dict.fromkeys(battle.sides.values()):
            if side in items:
                items[side] += _of_side(battle, side)
    for ruling in added:
        if ruling.kind == "side" and ruling.subject in items:
            items[ruling.subject].append(Item("ruling", ruling.score, reason=ruling.reason))
    return [
        Standing(side, tuple(items[side]), name=form["name"], colour=str(form["colour"]))  # type: ignore[arg-type]
        for side, form in sides.items()
    ]


def by_commander(battles: Sequence[Counted], added: Sequence[Added]) -> list[Standing]:
    """Of all that have a name; who made most stands first. Two people of one name are told apart by their accounts."""
    items: dict[tuple[str, int | None], list[Item]] = {}
    accounts: dict[str, set[int]] = {}
    for battle in battles:
        for commander in battle.commanders:
            if commander.account is not None:
                accounts.setdefault(commander.name.casefold(), set()).add(commander.account)
    shown: dict[tuple[str, int | None], str] = {}
    for battle in battles:
        held: dict[tuple[str, int | None], list[str]] = {}
        for commander in battle.commanders:
            known = accounts.get(commander.name.casefold(), set())
            one = next(iter(known)) if len(known) == 1 else commander.account
            key = (commander.name.casefold(), one)
            held.setdefault(key, []).append(commander.seat)
            shown[key] = commander.name
        for key, seats in held.items():
            items.setdefault(key, []).extend(_of_seats(battle.facts, frozenset(seats)))
    for ruling in added:
        if ruling.kind == "commander":
            name = ruling.subject.casefold()
            key = next((key for key in items if key[0] == name), (name, None))
            shown.setdefault(key, ruling.subject)
            items.setdefault(key, []).append(Item("ruling", ruling.score, reason=ruling.reason))
    made = [Standing(shown[key], tuple(found)) for key, found in items.items()]
    return sorted(made, key=lambda one: (-one.score.made, -one.score.won, one.score.lost, one.key.casefold()))


def _of_side(battle: Counted, side: str) -> Iterable[Item]:
    told = battle.facts
    ours = {key for key, to in battle.sides.items() if to == side}
    yield _result(told, ours)
    for turn in told.turns:
        made = sum(gain for key, gain in turn.gains.items() if key in ours)
        given = sum(gain for key, gain in turn.gains.items() if key not in ours)
        if made or given:
            yield Item("points", Score(made=made, given=given), told.id, turn.turn)
        for fall in turn.fallen:
            if told.seats.get(fall.seat) in ours:
                yield Item("loss", Score(fallen=1), told.id, turn.turn, fall.unit)
            elif fall.scorer in ours:
                yield Item("unit", Score(destroyed=1), told.id, turn.turn, fall.unit)


def _of_seats(told: BattleFacts, seats: frozenset[str]) -> Iterable[Item]:
    yield _result(told, {told.seats[seat] for seat in seats if seat in told.seats})
    for turn in told.turns:
        for fall in turn.fallen:
            if fall.seat in seats:
                yield Item("loss", Score(fallen=1, given=fall.value), told.id, turn.turn, fall.unit)
            elif seats & set(fall.by):
                yield Item("unit", Score(destroyed=1, made=fall.value), told.id, turn.turn, fall.unit)


def _result(told: BattleFacts, ours: set[str]) -> Item:
    if not told.is_over:
        return Item("under-way", Score(), told.id)
    if told.winner == "draw":
        return Item("drawn", Score(battles=1, drawn=1), told.id, told.last)
    won = told.winner in ours
    return Item("won" if won else "lost", Score(battles=1, won=int(won), lost=int(not won)), told.id, told.last)
