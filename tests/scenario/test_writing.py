"""What is written reads back to the very same."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from app.config import shipped
from app.engine.ruleset import Json
from app.rulesets.cohesion.setup import SWITCHES
from app.rulesets.cohesion.typeform import type_form
from app.rulesets.cohesion.types import unit_types
from app.scenario import read_scenario, write_scenario
from tests.scenario.files import GOOD

TEXTS = st.text(alphabet=st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=20)
NOTES = st.lists(
    TEXTS | st.sampled_from(["", "  indented", "- list: {a}", "# head", "trailing ", "tab\there", "'\"\\"]), max_size=6
).map("\n".join)


def made(chance: Random, words: list[str], notes: str) -> Json:
    """A scenario of chance, as the JSON of a scenario file."""
    columns, rows = chance.randint(2, 12), chance.randint(2, 12)
    signs = {".": "open", "r": "rough", "#": "impassable", "B": "building", "я": "bog", "!": "wood-2"}
    drawn = [[chance.choice("....r#Bя!") for _ in range(columns)] for _ in range(rows)]
    drawn[0][0] = "."
    free = [(x, y) for y in range(rows) for x in range(columns) if drawn[y][x] != "#"]
    chance.shuffle(free)
    texts = iter(words * 20)
    own = {"Q-1": type_form(unit_types()[chance.choice(["PR", "WS", "CC"])]) | {"code": "Q.1", "name": next(texts)}}
    units = {
        f"u{n}": {
            "type": chance.choice([*unit_types(), "Q-1"]),
            "contingent": chance.choice("abc"),
            "at": f"{chr(65 + x)}{y + 1}",
        }
        for n, (x, y) in enumerate(free[:9])
    }
    for unit in units.values():
        if chance.random() < 0.3:
            unit["cohesion"] = chance.randint(0, 2)
    return {
        "format": 1,
        "ruleset": "cohesion",
        "key": "made-by-chance",
        "title": {"en": next(texts), "ru": next(texts)},
        "goal": chance.randint(1, 20),
        "board": {
            "layout": chance.choice(["pointy", "flat"]),
            "map": "\n".join(" ".join(row) for row in drawn),
            "legend": signs,
        },
        "terrain": {
            "bog": {"name": next(texts), "must_stop": True, "colour": "#abc"},
            "wood-2": {"name": next(texts), "blocks_sight": chance.random() < 0.5, "special_toughness": True},
        },
        "types": own,
        "sides": {
            "a": {"name": next(texts), "home": "left"},
            "b": {"name": next(texts), "home": "right", "colour": "#123456"},
        },
        "contingents": {seat: {"side": chance.choice("ab"), "name": next(texts)} for seat in "abc"},
        "units": units,
        "rulings": {s.key: chance.choice(s.values) for s in SWITCHES if chance.random() < 0.5},
    } | ({"notes": {"en": notes, "ru": "x"}} if notes.strip() else {})


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32), st.lists(TEXTS, min_size=1, max_size=5), NOTES)
def test_a_written_scenario_reads_back_to_the_same(seed: int, words: list[str], notes: str) -> None:
    reading = read_scenario(made(Random(seed), words, notes))
    assert reading.problems == ()
    again = read_scenario(write_scenario(reading.frozen))
    assert again.problems == ()
    assert again.frozen == reading.frozen


def test_the_shipped_files_and_the_good_one_are_written_back() -> None:
    for text in [GOOD, *(file.read_text(encoding="utf-8") for file in shipped("scenarios").glob("*/*.yaml"))]:
        frozen = read_scenario(text).frozen
        assert read_scenario(write_scenario(frozen)).frozen == frozen


def test_a_map_is_drawn_as_it_lies() -> None:
    written = write_scenario(read_scenario(GOOD).frozen)
    assert "    . . . a .\n     . B r . .\n    . . . # .\n" in written
