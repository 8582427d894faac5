"""State, orders and events go through JSON text and come back whole."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.events import event_key
from app.engine.ruleset import AnyRuleset, Refused, Unreadable
from tests.contracts import samples
from tests.contracts.samples import Battle, by_json, text

SIGNS = st.characters()
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False)
    | st.text(SIGNS, max_size=12)
    | st.sampled_from(["\ud800", "A1", "C14", "1x1", "Ж", "0", "\x00", "‮", "", "9" * 400])
)
JSON = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(SIGNS, max_size=8), inner, max_size=4),
    max_leaves=12,
)
"""Whatever a stranger may send: half of a surrogate pair too, which JSON text can spell."""


def test_states_come_back_whole(battle: Battle) -> None:
    ruleset = battle.ruleset
    for state in battle.states:
        stored = ruleset.dump_state(state)
        again = ruleset.load_state(by_json(stored))
        assert again == state
        assert text(ruleset.dump_state(again)) == text(stored)
        assert list(ruleset.requests(again)) == list(ruleset.requests(state))


def test_a_stored_state_names_its_form(battle: Battle) -> None:
    stored = battle.ruleset.dump_state(battle.opening.state)
    assert stored["format"]
    with pytest.raises(Unreadable):
        battle.ruleset.load_state({**stored, "format": 999_999})


def test_orders_come_back_whole(battle: Battle) -> None:
    for _, _, order in battle.asked():
        stored = battle.ruleset.dump_order(order)
        assert battle.ruleset.load_order(by_json(stored)) == order
        assert by_json(stored) == stored


def test_events_come_back_whole_under_their_names(battle: Battle) -> None:
    ruleset = battle.ruleset
    for event in battle.events:
        stored = ruleset.dump_event(event)
        assert stored["event"] == event_key(event)
        again = ruleset.load_event(by_json(stored))
        assert again == event
        assert type(again) is type(event)


def test_a_battle_goes_on_from_what_was_stored(battle: Battle) -> None:
    """The referee loads before each step, and a step from the loaded state is the same step."""
    ruleset = battle.ruleset
    for played in battle.steps[:30]:
        state = ruleset.load_state(by_json(ruleset.dump_state(played.before)))
        orders = {key: ruleset.load_order(by_json(ruleset.dump_order(order))) for key, order in played.orders.items()}
        dice = samples.dice_from(b"0")(played.number)
        assert ruleset.advance(state, orders, dice) == played.step


@pytest.mark.parametrize("key", samples.KEYS)
@given(junk=JSON)
def test_junk_in_place_of_what_was_stored_is_unreadable(key: str, junk: Any) -> None:
    ruleset = samples.sample(key).ruleset
    for load in (ruleset.load_state, ruleset.load_order, ruleset.load_event):
        _loads_or_is_unreadable(load, junk)


@pytest.mark.parametrize("key", samples.KEYS)
@given(data=st.data())
def test_a_stored_state_with_one_thing_changed_loads_or_is_unreadable(key: str, data: st.DataObject) -> None:
    ruleset = samples.sample(key).ruleset
    state = data.draw(st.sampled_from(samples.battle(key).states))
    changed = _changed(by_json(ruleset.dump_state(state)), data)
    loaded = _loads_or_is_unreadable(ruleset.load_state, changed)
    if loaded is not None:
        assert ruleset.load_state(by_json(ruleset.dump_state(loaded))) == loaded


@pytest.mark.parametrize("key", samples.KEYS)
@given(data=st.data())
def test_stored_orders_and_events_with_one_thing_changed_load_or_are_unreadable(key: str, data: st.DataObject) -> None:
    ruleset, battle = samples.sample(key).ruleset, samples.battle(key)
    played = data.draw(st.sampled_from(battle.steps))
    order = data.draw(st.sampled_from(list(played.orders.values())))
    _loads_or_is_unreadable(ruleset.load_order, _changed(by_json(ruleset.dump_order(order)), data))
    event = data.draw(st.sampled_from(played.step.events))
    _loads_or_is_unreadable(ruleset.load_event, _changed(by_json(ruleset.dump_event(event)), data))


@pytest.mark.parametrize("key", samples.KEYS)
@given(data=st.data())
def test_junk_in_a_form_is_refused_or_checked(key: str, data: st.DataObject) -> None:
    ruleset, battle = samples.sample(key).ruleset, samples.battle(key)
    played = data.draw(st.sampled_from(battle.steps))
    request = data.draw(st.sampled_from(played.requests))
    order = by_json(ruleset.dump_order(played.orders[request.id]))
    fields = data.draw(JSON) if data.draw(st.booleans()) else _changed(order, data)
    _is_taken_or_refused(ruleset, played.before, request, lambda: ruleset.read(played.before, request, fields))


@pytest.mark.parametrize("key", samples.KEYS)
@given(data=st.data())
def test_junk_as_text_is_refused_or_checked(key: str, data: st.DataObject) -> None:
    ruleset, battle = samples.sample(key).ruleset, samples.battle(key)
    played = data.draw(st.sampled_from(battle.steps))
    request = data.draw(st.sampled_from(played.requests))
    written = ruleset.write_text(played.before, request, played.orders[request.id], data.draw(st.sampled_from(["en", "ru"])))
    at = data.draw(st.integers(0, len(written)))
    junk = data.draw(st.text(SIGNS, max_size=30))
    told = data.draw(st.sampled_from([junk, written[:at] + junk + written[at:], written[:at] + written[at + 1 :]]))
    _is_taken_or_refused(ruleset, played.before, request, lambda: ruleset.read_text(played.before, request, told))


def _loads_or_is_unreadable(load: Callable[[Any], Any], stored: Any) -> Any:
    """Anything but `Unreadable` fails the test."""
    why = ""
    try:
        return load(stored)
    except Unreadable as bad:
        why = str(bad)
    assert why
    return None


def _is_taken_or_refused(ruleset: AnyRuleset, state: Any, request: Any, read: Callable[[], Any]) -> None:
    """Anything but `Refused`, with reasons, fails the test; so does a taken answer that cannot be stored."""
    refusal = None
    try:
        order = read()
    except Refused as refused:
        refusal = refused
    if refusal is not None:
        assert refusal.problems or refusal.faults
        assert all(isinstance(value, (str, int)) for problem in refusal.problems for value in problem.params.values())
    elif all(problem.warning for problem in ruleset.check(state, request, order)):
        assert ruleset.load_order(by_json(ruleset.dump_order(order))) == order


def _changed(tree: Any, data: st.DataObject) -> Any:
    """The tree with one node, taken by chance, changed to junk, dropped or doubled under another name."""
    if isinstance(tree, dict) and tree and data.draw(st.integers(0, 3)):
        key = data.draw(st.sampled_from(sorted(tree)))
        match data.draw(st.integers(0, 5)):
            case 0:
                return {k: v for k, v in tree.items() if k != key}
            case 1:
                return {**tree, data.draw(st.text(SIGNS, max_size=6)): tree[key]}
        return {**tree, key: _changed(tree[key], data)}
    if isinstance(tree, list) and tree and data.draw(st.integers(0, 3)):
        place = data.draw(st.integers(0, len(tree) - 1))
        return [*tree[:place], _changed(tree[place], data), *tree[place + 1 :]]
    return data.draw(JSON)


def test_junk_holds_what_json_text_can_spell() -> None:
    with pytest.raises(UnicodeEncodeError):
        msgspec.json.encode("\ud800")
