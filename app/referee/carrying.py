"""Units brought over from an earlier battle: which could take which place, and the scenario with their values in it.

What is known of the earlier battle is what all know after its last published turn.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec
from sqlalchemy import select

from app.engine.ruleset import AnyRuleset, Carried, Json, Problem, Refused, Rest
from app.referee.errors import RefereeError
from app.referee.rows import battle_row, loads, position, shown_turn
from app.store.db import Database
from app.store.models import Battle


@dataclass(frozen=True)
class Earlier:
    """A battle as it was left after its last published turn. `units`: those of its scenario, and whoever stands in it
    now, by id (`type`, where the scenario says it, and `contingent`); `standing`: those that still do."""

    id: str
    title: str
    turn: int
    ruleset: AnyRuleset
    state: Any
    scenario: Json
    units: Mapping[str, Json]
    standing: frozenset[str]


@dataclass(frozen=True)
class Choice:
    """What the game master chose: by place of the new scenario a unit of the earlier battle; `back`: strengths of those
    that were destroyed and come back."""

    battle: str
    units: Mapping[str, str]
    rest: Rest = "as-is"
    back: Mapping[str, int] = field(default_factory=dict)

    def as_json(self) -> Json:
        return {"battle": self.battle, "rest": self.rest, "units": dict(self.units), "back": dict(self.back)}


def earlier(db: Database, battle_id: str) -> Earlier:
    """Raises `RefereeError("no-battle")`."""
    with db.read() as session:
        row = battle_row(session, battle_id)
        number = shown_turn(row)
        state = row.ruleset.view(position(session, row, number), None)
        scenario = loads(session.execute(select(Battle.scenario).where(Battle.id == battle_id)).scalar_one())
    stand = row.ruleset.owners(state) if row.ruleset.owners else {}
    units = {**{unit: {"contingent": seat} for unit, seat in stand.items()}, **scenario.get("units", {})}
    return Earlier(row.id, row.title, number - 1, row.ruleset, state, scenario, units, frozenset(stand))


def suggested(scenario: Json, before: Earlier) -> Mapping[str, str]:
    """By place: the unit of the same id, else the first of the same type and contingent that is not taken yet."""
    places = scenario.get("units", {})
    found = {place: place for place, form in places.items() if place in before.units and _alike(form, before.units[place])}
    free = [unit for unit in before.units if unit not in found.values()]
    for place, form in places.items():
        if place in found:
            continue
        match = next((u for u in free if _alike(form, before.units[u], by_contingent=True)), None)
        if match is not None:
            found[place] = match
            free.remove(match)
    return {place: found[place] for place in places if place in found}


def is_open(ruleset: AnyRuleset | None) -> bool:
    """Whether a game lets units come over at all."""
    return ruleset is not None and ruleset.carry is not None


def settled(db: Database, ruleset: AnyRuleset, scenario: Json) -> Json:
    """A frozen scenario with what its section `carry` asks for: units with the values that they bring, without those that
    are left out, and what was done told in `carry`. Without that section the scenario itself; where it was settled before,
    for another battle, its units stay and nothing is claimed. Raises `RefereeError("bad-scenario")` with every mistake."""
    asked = scenario.get("carry")
    if asked is None:
        return scenario
    rest = {key: part for key, part in scenario.items() if key != "carry"}
    if "turn" in asked:
        return rest
    try:
        before = earlier(db, asked["battle"])
    except RefereeError:
        raise _bad([Problem("carry-no-battle", ("battle",), {"battle": str(asked["battle"])[:40]})]) from None
    if ruleset.carry is None or before.ruleset.key != ruleset.key:
        raise _bad([Problem("carry-other-game", ("battle",))])
    unknown = [
        Problem("carry-unknown-unit", ("units", place), {"unit": unit})
        for place, unit in asked["units"].items()
        if unit not in before.units
    ]
    if unknown:
        raise _bad(unknown)
    carried = [Carried(place, unit, asked["back"].get(place)) for place, unit in asked["units"].items()]
    try:
        brought = ruleset.carry(before.state, rest, carried, asked["rest"])
    except Refused as refused:
        raise _bad([msgspec.structs.replace(p, field=("units", *p.field)) for p in refused.problems]) from None
    units = {
        place: brought.get(place, form) for place, form in rest["units"].items() if brought.get(place, form) is not None
    }
    _somebody_is_left(rest, units)
    title = "".join(sign for sign in before.title if sign.isprintable()).strip() or before.id
    told = {
        "battle": before.id,
        "rest": asked["rest"],
        "units": {place: unit for place, unit in asked["units"].items() if brought[place] is not None},
        "back": {place: strength for place, strength in asked["back"].items() if place in asked["units"]},
        "turn": before.turn,
        "title": title,
        "gone": {place: unit for place, unit in asked["units"].items() if brought[place] is None},
    }
    return {**rest, "units": units, "carry": told}


def _somebody_is_left(scenario: Json, units: Mapping[str, Json]) -> None:
    side_of = {seat: form["side"] for seat, form in scenario["contingents"].items()}
    before = {side_of[form["contingent"]] for form in scenario["units"].values()}
    after = {side_of[form["contingent"]] for form in units.values()}
    problems = [Problem("carry-empty-side", ("units",), {"side": side}) for side in sorted(before - after)]
    if problems:
        raise _bad(problems)


def _alike(form: Json, other: Json, *, by_contingent: bool = False) -> bool:
    return form.get("type") == other.get("type") and (not by_contingent or form.get("contingent") == other.get("contingent"))


def _bad(problems: list[Problem]) -> RefereeError:
    placed = [
        msgspec.structs.replace(p, field=("carry", *p.field), params={"key": ".".join(("carry", *p.field)), **p.params})
        for p in problems
    ]
    return RefereeError("bad-scenario", problems=tuple(placed))
