"""Scenario files: what they become, and every mistake with its line, its column and its key."""

from __future__ import annotations

from typing import Any

import pytest

from app.rulesets.cohesion.setup import setup
from app.scenario import read_scenario
from tests.scenario.files import GOOD, changed


def mistakes(text: Any) -> list[tuple[str, int, int, str]]:
    reading = read_scenario(text)
    assert reading.frozen is None
    return [(p.code, int(p.params["line"]), int(p.params["column"]), str(p.params["key"])) for p in reading.problems]


def test_a_good_file_is_frozen_whole() -> None:
    reading = read_scenario(GOOD)
    assert reading.problems == ()
    assert reading.warnings == ()
    frozen = reading.frozen
    assert list(frozen) == [
        *(
            "format",
            "ruleset",
            "key",
            "title",
            "notes",
            "goal",
            "board",
            "types",
            "sides",
            "contingents",
            "units",
            "rulings",
        ),
    ]
    assert frozen["notes"] == {"en": "First line.\n\nSecond *line*.", "ru": "Строка."}
    assert frozen["board"] == {
        "size": "5x3",
        "layout": "pointy",
        "home": {"north": "top", "south": "bottom"},
        "terrain": {"D1": "marsh", "B2": "building", "C2": "rough", "D3": "impassable"},
        "kinds": {
            "marsh": {"name": {"en": "marsh", "ru": "болото"}, "must_stop": True, "half_melee": True, "colour": "#7a8"}
        },
    }
    assert frozen["types"]["SW"]["cohesion"] == {"max": 5, "start": 2}
    assert frozen["sides"]["south"] == {"name": {"en": "South", "ru": "Юг"}, "home": "bottom", "colour": "#5f9e4f"}
    assert frozen["contingents"]["west"] == {"side": "south", "name": {"en": "the west", "ru": "запад"}}
    assert frozen["units"]["N-WS1"] == {"type": "WS", "contingent": "north", "at": "C1", "upper": 4, "lower": 0}
    assert frozen["units"]["W-CC1"] == {"type": "CC", "contingent": "west", "at": "C3"}
    assert frozen["rulings"]["tie"] == "on"
    assert frozen["rulings"]["uncontrolled-catch"] == "no"
    assert frozen["rulings"]["missing-orders"] == "holds"


def test_a_frozen_scenario_can_be_set_up() -> None:
    state = setup(read_scenario(GOOD).frozen).state
    assert state.units["N-WS1"].strength == 4
    assert state.types["SW"].speed == "half(strength)"
    assert state.board.kinds["marsh"].half_melee


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("format: 1", "format: 2", ("unknown-format", 1, 9, "format")),
        ("ruleset: cohesion", "ruleset: chess", ("not-one-of", 2, 10, "ruleset")),
        ("key: two-hills", "key: Two Hills", ("bad-scenario-key", 3, 6, "key")),
        ("key: two-hills\n", "", ("missing-key", 1, 1, "key")),
        ("title: {en: Two Hills, ru: Два холма}", "title: 5", ("not-a-mapping", 4, 8, "title")),
        ("ru: Два холма", "ру: Два холма", ("unknown-key", 4, 24, "title.ру")),
        ("goal: 2", "goal: 0", ("out-of-bounds", 11, 7, "goal")),
        ("goal: 2", "goal: six", ("not-a-number", 11, 7, "goal")),
        ("goal: 2", "goal: 0x2", ("not-a-number", 11, 7, "goal")),
        ("goal: 2", "gaol: 2", ("unknown-key", 11, 1, "gaol")),
        ("layout: pointy", "layout: round", ("not-one-of", 13, 11, "board.layout")),
        ("     . B r . .", "     . B r .", ("row-length", 16, 12, "board.map")),
        ("     . B r . .", "     . B q . .", ("sign-not-in-legend", 16, 10, "board.map")),
        ("r: rough", "r: ruff", ("not-one-of", 18, 26, "board.legend.r")),
        ("r: rough", "r: rough, xx: open", ("bad-sign", 18, 33, "board.legend.xx")),
        ("  marsh: {name", "  open: {name", ("open-is-fixed", 20, 3, "terrain.open")),
        ("must_stop: yes", "must_stop: 1", ("not-yes-or-no", 20, 53, "terrain.marsh.must_stop")),
        ('"#7A8"', "red", ("not-a-colour", 20, 83, "terrain.marsh.colour")),
        ("strength: 4", "strength: 400", ("out-of-bounds", 25, 15, "types.SW.strength")),
        ("speed: half(strength)", "speed: half(strenth)", ("bad-formula", 28, 12, "types.SW.speed")),
        ("en: SW", "en: LM", ("code-twice", 24, 11, "types.SW.code")),
        ("home: bottom", "home: below", ("not-one-of", 32, 44, "sides.south.home")),
        ("side: south", "side: east", ("not-one-of", 35, 16, "contingents.west.side")),
        ("at: A1", "at: C14", ("off-board", 37, 44, "units.N-SW1.at")),
        ("at: A1", "at: 0412", ("not-a-cell", 37, 44, "units.N-SW1.at")),
        ("at: A1", "at: C1", ("cell-taken", 38, 44, "units.N-WS1.at")),
        ("at: A1", "at: D3", ("cell-impassable", 37, 44, "units.N-SW1.at")),
        ("{type: SW", "{type: SX", ("not-one-of", 37, 17, "units.N-SW1.type")),
        ("type: LM, contingent: west", "type: LM, contingent: east", ("not-one-of", 39, 33, "units.W-LM1.contingent")),
        ("cohesion: 1}", "cohesion: 9}", ("out-of-bounds", 39, 57, "units.W-LM1.cohesion")),
        ("cohesion: 1}", "upper: 1}", ("value-of-another-type", 39, 54, "units.W-LM1.upper")),
        ("upper: 4", "strength: 4", ("value-of-another-type", 38, 58, "units.N-WS1.strength")),
        ("  W-ET1:", "  W/ET1:", ("bad-name", 40, 3, "units.W/ET1")),
        ("  W-ET1:", "  n-sw1:", ("id-twice", 40, 3, "units.n-sw1")),
        ("  W-ET1:", "  B1:", ("id-is-a-cell", 40, 3, "units.B1")),
        ("  W-ET1:", "  W-LM1:", ("duplicate-key", 40, 3, "units.W-LM1")),
        ("tie: on", "tie: maybe", ("not-one-of", 42, 16, "rulings.tie")),
        ("{tie: on, ", "{luck: on, ", ("unknown-key", 42, 11, "rulings.luck")),
    ],
)
def test_a_mistake_is_told_by_line_column_and_key(old: str, new: str, expected: tuple[str, int, int, str]) -> None:
    found = mistakes(changed(old, new))
    assert expected in found
    consequences = {"missing-key", "not-one-of", "bad-code"}
    assert all(code in consequences for code, *_ in found if code != expected[0]), found


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("strength: 4", "strength: 400", "out-of-bounds"),
        ("strength: 4", "strength: four", "not-a-number"),
        ("    strength: 4\n", "", "strength-or-sections"),
        ("{max: 5, start: 2}", "{max: 500, start: 2}", "out-of-bounds"),
        ("{max: 5, start: 2}", "{max: five, start: 2}", "not-a-number"),
        ("first: 3, second: 5", "first: 6, second: 9", "out-of-bounds"),
        ("first: 3, second: 5", "first: three, second: 5", "not-a-number"),
        ("  south: {name", "  draw: {name", "side-called-draw"),
    ],
)
def test_a_mistake_is_not_told_again_of_what_hangs_on_it(old: str, new: str, code: str) -> None:
    text = changed(old, new).replace("at: A1}", "at: A1, strength: 3, cohesion: 4}").replace("side: south", "side: draw", 1)
    if code != "side-called-draw":
        text = text.replace("side: draw", "side: south")
    assert [found for found, *_ in mistakes(text)] == [code]


def test_every_mistake_is_told_at_once_and_in_the_order_of_the_file() -> None:
    text = GOOD
    for old, new in [("format: 1", "format: x"), ("goal: 2", "goal: -1"), ("at: A1", "at: Z9"), ("tie: on", "tie: off")]:
        text = text.replace(old, new)
    assert [code for code, *_ in mistakes(text)] == ["unknown-format", "out-of-bounds", "off-board", "not-one-of"]


def test_an_empty_mapping_says_all_that_is_missing() -> None:
    missing = [key for code, _, _, key in mistakes("{}") if code == "missing-key"]
    assert missing == ["format", "ruleset", "key", "title", "goal", "board", "sides", "contingents", "units"]


@pytest.mark.parametrize(
    ("size", "holds"), [((100, 100), True), ((101, 3), False), ((3, 101), False), ((1, 5), False), ((5, 1), False)]
)
def test_BOARD_1_boards_are_from_2_to_100_cells_wide_and_high(size: tuple[int, int], holds: bool) -> None:
    columns, rows = size
    drawn = "\n".join("    " + "." * columns for _ in range(rows))
    text = GOOD[: GOOD.index("    . . . m")] + drawn + GOOD[GOOD.index("\n  legend") :]
    reading = read_scenario(text)
    assert ("board-size" in [p.code for p in reading.problems]) is not holds


def test_a_side_more_or_less_is_refused() -> None:
    third = changed("contingents:\n", "  east: {name: East, home: left}\ncontingents:\n")
    assert ("not-two-sides", 30, 1, "sides") in mistakes(third)


def test_the_winner_of_a_draw_cannot_be_a_side() -> None:
    assert ("side-called-draw", 31, 3, "sides.draw") in mistakes(changed("  north: {name", "  draw: {name"))


def test_built_in_ground_may_be_changed_and_one_text_may_stand_for_both_languages() -> None:
    frozen = read_scenario(
        changed("terrain:\n", "terrain:\n  impassable: {name: cliff, enter: no, blocks_sight: yes}\n")
    ).frozen
    assert frozen["board"]["kinds"]["impassable"] == {
        "name": {"en": "cliff", "ru": "cliff"},
        "blocks_sight": True,
        "enter": False,
    }


def test_a_scenario_may_come_as_json_and_then_has_no_lines() -> None:
    frozen = {
        "format": 1,
        "ruleset": "cohesion",
        "key": "json",
        "title": "J",
        "goal": 1,
        "board": {"map": ". .\n. .", "legend": {".": "open"}},
        "sides": {"a": {"name": "A", "home": "top"}, "b": {"name": "B", "home": "bottom"}},
        "contingents": {"a": {"side": "a", "name": "A"}, "b": {"side": "b", "name": "B"}},
        "units": {
            "A-1": {"type": "LM", "contingent": "a", "at": "A1"},
            "B-1": {"type": "LM", "contingent": "b", "at": "B2"},
        },
    }
    assert read_scenario(frozen).frozen["board"]["size"] == "2x2"
    (problem,) = read_scenario(frozen | {"goal": 54.0}).problems
    assert (problem.code, problem.field, dict(problem.params)) == (
        "not-a-number",
        ("goal",),
        {"key": "goal", "value": "54.0", "low": 1, "high": 999},
    )
