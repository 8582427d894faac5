"""What one unit of a seat may do, as the field asks for it: for its own seat alone, in the reader's words."""

from __future__ import annotations

import pytest

from app.referee import turns
from app.referee.keys import viewer_by_key
from app.web.fieldwords import percent
from app.web.orderform import filled_from
from tests.web.conftest import Post


def test_a_seat_is_told_targets_odds_and_ways(post: Post) -> None:
    made = post.battle()
    client = post.holder(made.seat_keys["south"])
    answer = client.get(f"/b/{made.id}/seat/south/unit/S1")
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "private, no-cache"
    told = answer.json()
    assert (told["unit"], told["cell"], told["steps"], told["turn"]) == ("S1", "B3", 2, 1)
    near = next(target for target in told["targets"] if target["unit"] == "N1")
    assert (near["name"], near["range"], near["far"]) == ("LM B2", 1, "1 cell away")
    assert near["melee"]["stays"]["says"] == (
        "3 dice: 3+ takes cohesion, 5+ strength too. "
        "On average 2 cohesion and 1 strength; breaks it: 30\u00a0%; destroys it: 0\u00a0%."
    )
    assert near["shoot"]["still"]["rules"] == ["SHOOT-5", "ATTACK-5", "ATTACK-6"]
    assert near["shoot"]["moving"]["dice"] == 2
    ways = {way[-1]: way for way in told["moves"]}
    assert "C3" in told["stop"]
    assert all(cell in told["near"] for way in ways.values() for cell in way)
    assert told["held"] == {"B2": "N1", "D4": "S2"}


def test_words_are_in_the_readers_language(post: Post) -> None:
    made = post.battle()
    told = post.holder(made.seat_keys["south"], "ru").get(f"/b/{made.id}/seat/south/unit/S1").json()
    near = next(target for target in told["targets"] if target["unit"] == "N1")
    assert near["name"] == "Л.М B2"
    assert near["melee"]["stays"]["says"].startswith("3 кубика: 3+ отнимает собранность, 5+ ещё и силу. В среднем")


def test_a_key_opens_the_units_of_its_own_seat_alone(post: Post) -> None:
    made = post.battle()
    south = post.holder(made.seat_keys["south"])
    place = f"/b/{made.id}/seat"
    assert south.get(f"{place}/north/unit/N1").status_code == 403
    assert south.get(f"{place}/south/unit/N1").status_code == 403
    assert south.get(f"{place}/south/unit/nobody").status_code == 403
    assert post.visitor().get(f"{place}/south/unit/S1").status_code == 403
    assert south.get(f"/b/{made.id}/desk/orders/south/unit/S1").status_code == 403
    assert post.holder(made.master_key).get(f"/b/{made.id}/desk/orders/south/unit/S1").json()["unit"] == "S1"


def test_nothing_is_told_while_no_orders_are_awaited(post: Post) -> None:
    made = post.battle(review=True)
    client = post.holder(made.seat_keys["south"])
    db, house = post.house.db, post.house
    turns.resolve_now(db, made.id, viewer_by_key(db, made.master_key), turn=1, now=house.now())
    assert client.get(f"/b/{made.id}/seat/south/unit/S1").status_code == 409


@pytest.mark.parametrize(
    ("chance", "told"), [(0, "0"), (0.001, "<1"), (0.01, "1"), (0.254, "25"), (0.99, "99"), (0.994, ">99"), (1, "100")]
)
def test_nothing_uncertain_is_told_as_certain(chance: float, told: str) -> None:
    assert percent(chance) == f"{told}\u00a0%"


def test_a_path_after_a_withdrawal_stands_as_it_was_drawn() -> None:
    """A move that is offered starts from the unit's own cell, and only its last cell would be read."""
    filled = filled_from({"withdraw": "C7", "move": ["C8", "D8"]}, ("C8-D8",))
    assert (filled.move, filled.path) == ("", "C8-D8")
    assert filled_from({"move": ["C8", "D8"]}, ("C8-D8",)).move == "C8-D8"
