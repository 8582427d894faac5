"""A battle through the API from its making to its end, as another program would play it."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.referee import verification
from app.rulesets.registry import RULESETS

CHECKED = {"digest", "commitment", "seed", "before", "orders", "dice", "events", "after", "points", "winner"}
RULES = RULESETS["cohesion"]


def _random_orders(state: Any, seat: str, chance: random.Random) -> Any:
    """A legal sheet for a seat, by the ruleset's own choice, from the public state."""
    position = RULES.load_state(state)
    request = next(r for r in RULES.requests(position) if r.seat == seat)
    return RULES.dump_order(RULES.choose(position, request, chance.randrange))


def _play(game: Any, chance: random.Random, most: int = 60) -> list[Any]:
    """Plays until it is over; the records of all turns."""
    for _turn in range(most):
        stands = game.public("GET", game.path).json()
        if stands["status"] == "over":
            break
        for told in stands["seats"]:
            if told["awaited"]:
                orders = _random_orders(stands["state"], told["seat"], chance)
                entered = game.enter(told["seat"], orders, ready=True)
                assert entered.status_code == 200, entered.text
        after = game.public("GET", game.path).json()
        assert (after["turn"], after["status"]) != (stands["turn"], "open"), "all are ready, and nothing happened"
    stands = game.public("GET", game.path).json()
    return [game.public("GET", f"{game.path}/turns/{turn}").json() for turn in range(1, stands["last_published"] + 1)]


def test_a_battle_of_random_legal_orders_is_played_to_its_end_and_every_record_holds(new_game: Any) -> None:
    game = new_game(seed="0badf00d")
    records = _play(game, random.Random(5))
    stands = game.public("GET", game.path).json()
    assert stands["status"] == "over"
    assert stands["outcome"]["winner"] in {"north", "south", "draw"}
    assert [r["turn"] for r in records] == list(range(1, len(records) + 1))
    for record in records:
        found = verification.verify(record)
        assert [f for f in found if not f.holds] == []
        assert {f.code for f in found} == (CHECKED if record["sheets"] else CHECKED - {"digest", "orders"})
    assert all(f.holds for f in verification.verify_chain(records))


def test_the_first_scenario_is_played_to_its_end_by_its_six_seats(account: Any, http: Any, new_game: Any) -> None:
    game = new_game(scenario_file=None, scenario="visage-and-throne")
    assert len(game.seats) == 6
    records = _play(game, random.Random(11), most=80)
    assert game.public("GET", game.path).json()["status"] == "over"
    for record in records:
        assert [f for f in verification.verify(record) if not f.holds] == []
    assert all(f.holds for f in verification.verify_chain(records))


@pytest.fixture(scope="module")
def kept() -> dict[str, Any]:
    return {}


def _records(kept: dict[str, Any], new_game: Any) -> list[Any]:
    """A battle of three turns or more: how long one lasts is up to its dice."""
    while len(kept.get("records", ())) < 3:
        kept["records"] = _play(new_game(), random.Random(3))
    return kept["records"]


def _leaves(value: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    if isinstance(value, dict) and value:
        return [leaf for key, inner in value.items() for leaf in _leaves(inner, (*way, key))]
    if isinstance(value, list) and value:
        return [leaf for index, inner in enumerate(value) for leaf in _leaves(inner, (*way, index))]
    return [way]


PROVEN = (
    "format",
    "battle",
    "ruleset",
    "version",
    "turn",
    "seed",
    "seed_commitment",
    "before",
    "events",
    "dice",
    "after",
    "points",
    "winner",
)
SHEET = ("seat", "revision", "orders", "nonce", "digest")


def _is_proven(way: tuple[Any, ...]) -> bool:
    """What the record proves. When a sheet was entered and by whom, when a turn was resolved, what the game master said
    in a ruling's reason: these are told, not proven."""
    return way[0] in PROVEN or (way[0] == "sheets" and way[2] in SHEET)


def _changed(value: Any, draw: Any) -> Any:
    """Another value of the same kind or of another."""
    if isinstance(value, bool) or value is None:
        return draw(st.sampled_from([True, False, 0, 1, "", "north"]).filter(lambda v: (type(v), v) != (type(value), value)))
    if isinstance(value, int):
        return draw(st.sampled_from([value + 1, value - 1, float(value), str(value), None, -value - 7]))
    if isinstance(value, str):
        return draw(
            st.sampled_from([value + "0", value[:-1] + ("1" if value[-1:] != "1" else "2"), value.upper() + "x", None, 1])
        )
    return draw(st.sampled_from([None, 1, "x"]))


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_record_with_any_one_thing_changed_is_refused(kept: dict[str, Any], new_game: Any, data: st.DataObject) -> None:
    record = copy.deepcopy(data.draw(st.sampled_from(_records(kept, new_game)), label="turn"))
    way = data.draw(st.sampled_from([w for w in _leaves(record) if _is_proven(w)]), label="leaf")
    holder = record
    for step in way[:-1]:
        holder = holder[step]
    holder[way[-1]] = _changed(holder[way[-1]], data.draw)
    assert not all(f.holds for f in verification.verify(record)), way


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_record_with_anything_left_out_is_refused(kept: dict[str, Any], new_game: Any, data: st.DataObject) -> None:
    record = copy.deepcopy(data.draw(st.sampled_from(_records(kept, new_game)), label="turn"))
    optional = {"format", "request"}
    way = data.draw(st.sampled_from([w for w in _leaves(record) if _is_proven(w) and w[-1] not in optional]), label="leaf")
    holder = record
    for step in way[:-1]:
        holder = holder[step]
    del holder[way[-1]]
    assert not all(f.holds for f in verification.verify(record)), way


def test_the_same_battle_with_one_turn_taken_out_is_no_chain(kept: dict[str, Any], new_game: Any) -> None:
    records = _records(kept, new_game)
    found = verification.verify_chain([records[0], *records[2:]])
    assert [f.code for f in found if not f.holds] == ["chain-gap"]


def test_a_turn_that_does_not_begin_where_the_last_one_ended_is_no_chain(kept: dict[str, Any], new_game: Any) -> None:
    records = copy.deepcopy(_records(kept, new_game))
    records[1]["before"]["points"]["north"] += 1
    assert [f.code for f in verification.verify_chain(records) if not f.holds] == ["chain"]
