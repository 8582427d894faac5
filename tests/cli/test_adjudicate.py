"""`fieldpost adjudicate`: what it prints, what it exits with, and what it makes of broken files."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from app.cli import adjudicate
from app.cli.casefiles import MOST_CHARACTERS

BOOK = Path(__file__).parents[1] / "cases" / "cohesion"
HOLDS = """
- case: HOLDS
  rules: [ROUT-2]
  title: it flees
  units: {S1: {type: LM, side: south, at: D4, cohesion: 0}}
  dice: {1/movement/S1/retreat: [4]}
  expect: {units: {S1: {at: E6}}}
"""
DIFFERS = """
- case: DIFFERS
  units: {S1: {type: LM, side: south, at: D4}}
  expect: {units: {S1: {at: E6}}, winner: north}
"""
RUNS = """
- case: RUNS
  seed: "00"
  units: {S1: {type: LM, side: south, at: D4, cohesion: 0}}
"""
SILENT_DIE = """
- case: SILENT
  units: {S1: {type: LM, side: south, at: D4, cohesion: 0}}
"""
OFF_BOARD = """
- case: BROKEN
  units:
    S1: {type: LM, side: south, at: D4}
    S2:
      type: LM
      side: south
      at: Z99
"""
ONE = "- case: X\n  units: {S1: {type: LM, side: south, at: C5}}\n"
BOMB = "".join(f"- &{one} [{', '.join([f'*{before}'] * 9)}]\n" for before, one in pairwise("abcdefghij"))
NOT_YAML = """
- case: TORN
  units: {S1: {type: LM
"""


def run(tmp_path: Path, *texts: str, options: tuple[str, ...] = ()) -> Any:
    line = typer.Typer()
    line.callback()(lambda: None)
    adjudicate.register(line)
    files = []
    for number, text in enumerate(texts):
        file = tmp_path / f"{number}.yaml"
        file.write_text(text, encoding="utf-8")
        files.append(str(file))
    return CliRunner().invoke(line, ["adjudicate", *options, *files])


def lines(result: Any) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_the_whole_book_holds() -> None:
    line = typer.Typer()
    line.callback()(lambda: None)
    adjudicate.register(line)
    result = CliRunner().invoke(line, ["adjudicate", "--json", *(str(file) for file in sorted(BOOK.glob("*.yaml")))])
    told = lines(result)
    assert len(told) >= 100
    assert all(verdict["ok"] and verdict["differences"] == [] for verdict in told)
    assert result.exit_code == 0


def test_json_has_the_shape_that_was_promised(tmp_path: Path) -> None:
    result = run(tmp_path, HOLDS, options=("--json",))
    assert lines(result) == [
        {
            "case": "HOLDS",
            "ok": True,
            "differences": [],
            "result": {
                "units": {"S1": {"at": "E6", "cohesion": 0, "strength": 6}},
                "gone": [],
                "points": {"north": 0, "south": 0},
                "winner": None,
                "rejected": {},
                "dice": {"1/movement/S1/retreat": [4]},
            },
        }
    ]
    assert result.exit_code == 0


def test_a_case_that_differs_says_in_what_and_exits_with_1(tmp_path: Path) -> None:
    result = run(tmp_path, HOLDS + DIFFERS, options=("--json",))
    held, differing = lines(result)
    assert held["ok"]
    assert not differing["ok"]
    assert differing["differences"] == ["S1.at: expected E6, got D4", "winner: expected north, got none"]
    assert result.exit_code == 1
    plain = run(tmp_path, HOLDS + DIFFERS)
    assert "holds    HOLDS: it flees" in plain.stdout
    assert "S1.at: expected E6, got D4" in plain.stdout
    assert "2 cases: 1 hold, 1 differ, 0 cannot be read" in plain.stdout
    assert plain.exit_code == 1


def test_a_case_without_expectations_is_run_and_printed(tmp_path: Path) -> None:
    (verdict,) = lines(run(tmp_path, RUNS, options=("--json",)))
    assert verdict["ok"]
    assert len(verdict["result"]["dice"]["1/movement/S1/retreat"]) == 1
    plain = run(tmp_path, RUNS)
    assert "ran      RUNS" in plain.stdout
    assert '"S1": {"at":' in plain.stdout
    assert plain.exit_code == 0


def test_DICE_3_a_die_that_was_not_given_is_a_difference(tmp_path: Path) -> None:
    result = run(tmp_path, SILENT_DIE + HOLDS, options=("--json",))
    missing, held = lines(result)
    assert missing["differences"] == ["dice: 1/movement/S1/retreat: die 1 is asked for and was not given"]
    assert held["ok"]
    assert result.exit_code == 1


def test_a_broken_case_is_told_with_its_line_and_loses_no_other(tmp_path: Path) -> None:
    result = run(tmp_path, HOLDS + OFF_BOARD + RUNS)
    assert "0.yaml:15: units.S2.at: Z99 is not on the board" in result.stderr
    assert "HOLDS" in result.stdout
    assert "RUNS" in result.stdout
    assert result.exit_code == 2
    broken = lines(run(tmp_path, HOLDS + OFF_BOARD, options=("--json",)))[1]
    assert (broken["case"], broken["ok"], broken["result"]) == ("BROKEN", False, None)
    assert "Z99" in broken["differences"][0]


@pytest.mark.parametrize("text", [HOLDS + NOT_YAML + RUNS, NOT_YAML + HOLDS + RUNS, HOLDS + RUNS + NOT_YAML])
def test_broken_yaml_is_told_with_its_line_and_loses_no_other(tmp_path: Path, text: str) -> None:
    result = run(tmp_path, text)
    assert "this is not YAML" in result.stderr
    assert "holds    HOLDS" in result.stdout
    assert "ran      RUNS" in result.stdout
    assert result.exit_code == 2


def test_a_file_that_differs_and_one_that_cannot_be_read_exit_with_1(tmp_path: Path) -> None:
    assert run(tmp_path, NOT_YAML, DIFFERS).exit_code == 1


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("case: X\nunits: {}\n", "a file of cases is a list"),
        ("- 7\n", "a case is a mapping"),
        ("- case: X\n  case: Y\n", 'found duplicate key "case"'),
        ("- case: X\n  units: &a [*a]\n", "0.yaml:2: units: units are a mapping"),
        ("\x07", "this is not YAML"),
        ("[" * 5000, "this is nested too deep"),
        ("- &a [*a]\n", "this is nested too deep"),
        ('!!python/object/apply:os.system ["id"]\n', "0.yaml:1: a case is a mapping"),
        (
            "- case: X\n  units: {S1: {type: LM, side: south, at: C5}}\n  orders:\n    S1: {dance: C4}\n",
            "0.yaml:4: orders.S1.dance: an order has no such part; it knows shoot, melee, withdraw, move",
        ),
        (
            "- case: X\n  units: {S1: {type: LM, side: south, at: C5}}\n  orders: {S1: {move: C4}}\n",
            "0.yaml:3: orders.S1.move: a move is a list of cells, as [C4, C3]",
        ),
        (
            "- case: X\n  units: {S1: {type: LM, side: south, at: C5}}\n  orders: {S1: {shoot: [N1]}}\n",
            "0.yaml:3: orders.S1.shoot: here the name of a unit or a cell is expected",
        ),
        (
            "- case: X\n  types:\n    XX: {name: {en: X, ru: X}, code: {en: XX, ru: XX}, strength: 6, cohesion: 3,\n"
            "      toughness: {first: 3, second: 5}, melee: {dice: strength},\n      speed: 39}\n  units: {}\n",
            "0.yaml:5: types.XX.speed: 39 is out of bounds: from 0 to 12.",
        ),
        ("- !!map {case: X, units: 7}\n", "0.yaml:1: units: units are a mapping"),
        (ONE + "  rulings: {tie: perhaps}\n", "0.yaml:3: rulings.tie: perhaps is none of draw, on"),
        (ONE + "  rulings: {ties: on}\n", "0.yaml:3: rulings.ties: there is no such key; known are missing-orders, reroll"),
        (ONE + "  rulings: {tie: true}\n", "0.yaml:3: rulings.tie: True is none of draw, on"),
        (ONE + "  board: {terrain: [C4]}\n", "0.yaml:3: board.terrain: here a mapping is expected, not a list"),
        (ONE + "  orders: {1: {move: [C4]}}\n", "0.yaml:3: orders.1: the name of a unit is a text; put it in quotes"),
        (ONE + "  doctrines: {nobody: hold}\n", "0.yaml:3: doctrines.nobody: there is no such seat; known are north, south"),
        (ONE + "  title: [a, b]\n", "0.yaml:3: title: a title is a text"),
        (ONE + "  expect: {units: {S1: {strength: '6'}}}\n", "expect.units.S1.strength: here a whole number is expected"),
        (ONE + "  expect: {units: {S1: {at: 5}}}\n", "expect.units.S1.at: here a cell is expected, as C4"),
        (ONE + "  expect: {units: {1: {at: C5}}}\n", "expect.units.1: the name of a unit is a text; put it in quotes"),
        (ONE + "  expect: {points: {south: one}}\n", "expect.points.south: here a whole number is expected"),
        (
            ONE + "  expect: {rejected: {S1: {shoot: 5}}}\n",
            "expect.rejected.S1.shoot: here a code is expected, as off-board",
        ),
        (
            "- case: X\n  units: {S1: {type: LM, side: east, at: C5}}\n",
            "0.yaml:2: units.S1.side: east is none of north, south",
        ),
        ("- &a [x, x, x, x, x, x, x, x, x]\n" + BOMB, "there is more in this case than can be read"),
        ("- &a {case: X, units: 7}\n- {<<: *a, title: Y}\n", "0.yaml:2: units: units are a mapping"),
    ],
)
def test_what_is_no_file_of_cases_is_refused(tmp_path: Path, text: str, told: str) -> None:
    result = run(tmp_path, text)
    assert told in result.stderr
    assert result.exit_code == 2


def test_a_file_that_is_not_there_or_not_text(tmp_path: Path) -> None:
    result = run(tmp_path, HOLDS, options=(str(tmp_path / "none.yaml"),))
    assert "none.yaml:1: the file cannot be read" in result.stderr
    assert "holds    HOLDS" in result.stdout
    (tmp_path / "bytes.yaml").write_bytes(b"- case: \xff")
    assert "the file is not UTF-8: byte 9" in run(tmp_path, options=(str(tmp_path / "bytes.yaml"),)).stderr


@pytest.mark.parametrize("text", ["", "# later\n", "[]", "null"])
def test_a_file_without_a_case_shows_nothing_and_is_not_said_to_hold(tmp_path: Path, text: str) -> None:
    result = run(tmp_path, HOLDS, text)
    assert "1.yaml:1: there is no case in this file" in result.stderr
    assert "2 cases: 1 hold, 0 differ, 1 cannot be read" in result.stdout
    assert result.exit_code == 2


def test_what_was_only_run_is_not_counted_as_held(tmp_path: Path) -> None:
    assert "2 cases: 1 hold, 1 ran, 0 differ, 0 cannot be read" in run(tmp_path, HOLDS + RUNS).stdout
    assert "1 case: 1 hold, 0 differ" in run(tmp_path, HOLDS).stdout


def test_a_name_that_stands_twice_is_remarked(tmp_path: Path) -> None:
    result = run(tmp_path, HOLDS + HOLDS)
    assert "the name HOLDS is that of the case in line 2, too" in result.stderr
    assert result.exit_code == 0


def test_a_file_too_long_to_be_one_of_cases_is_not_read(tmp_path: Path) -> None:
    result = run(tmp_path, HOLDS + "# " + "x" * MOST_CHARACTERS)
    assert "0.yaml:1: the file has " in result.stderr
    assert "part it" in result.stderr
    assert result.exit_code == 2


MANY = """
- case: MANY
  tilte: a slip
  board: {size: 9x9, terrain: {C4: lava, Z9: rough}}
  rulings: {tie: perhaps, ties: on}
  turn: soon
  units: {S1: {type: LM, side: south, at: Q9}}
  orders:
    S1: {dance: C4, move: C4}
  expect:
    units: {S1: {at: 5, strength: "6"}}
    winner: [south]
- case: UNITS
  rulings: {tie: perhaps}
  units:
    S1: {type: LM, side: south, at: Q9, cohesion: 44}
    N1: {type: QQ, side: north, at: C5}
    N2: {type: LM, side: north}
  dice: {1/shooting/S1/attack: [0], 1/melee/S1/attack: x}
"""


def test_every_mistake_of_a_case_is_told_by_its_line_and_key(tmp_path: Path) -> None:
    result = run(tmp_path, MANY + HOLDS, options=("--json",))
    many, units, holds = lines(result)
    keys = [wrong.split(":", 1)[1].split(": ")[:2] for wrong in many["differences"]]
    assert keys == [
        ["3", "tilte"],
        ["4", "board.terrain.C4"],
        ["4", "board.terrain.Z9"],
        ["5", "rulings.ties"],
        ["6", "turn"],
        ["9", "orders.S1.dance"],
        ["9", "orders.S1.move"],
        ["11", "expect.units.S1.at"],
        ["11", "expect.units.S1.strength"],
        ["12", "expect.winner"],
    ]
    keys = [wrong.split(":", 1)[1].split(": ")[:2] for wrong in units["differences"]]
    assert keys == [
        ["14", "rulings.tie"],
        ["16", "units.S1.at"],
        ["16", "units.S1.cohesion"],
        ["17", "units.N1.type"],
        ["18", "units.N2.at"],
        ["19", "dice.1/shooting/S1/attack"],
        ["19", "dice.1/melee/S1/attack"],
    ]
    assert holds["ok"]
    assert result.stderr.splitlines() == [*many["differences"], *units["differences"]]
    assert result.exit_code == 2
    plain = run(tmp_path, MANY)
    assert plain.stderr.count("cannot be read  ") == 17
    assert "2 cases: 0 hold, 0 differ, 2 cannot be read" in plain.stdout
