"""`fieldpost parse`: case files of text orders, in words and as JSON, with its exit codes."""

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from app.cli import parse

BASIC = Path(__file__).parents[1] / "cases" / "text-orders" / "basic.yaml"
ITEM = """
- position: {units: {S1: {type: LM, side: south, at: C5}}}
  seat_units: [S1]
  cases:
"""


def ran(*words):
    line = typer.Typer()
    parse.register(line)
    return CliRunner().invoke(line, [str(word) for word in words])


@pytest.fixture
def file(tmp_path):
    def write(text):
        path = tmp_path / "cases.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_all_as_expected_ends_with_0():
    result = ran(BASIC)
    assert result.exit_code == 0
    assert "14 of 14" in result.output


def test_json_is_one_object_a_line():
    lines = [json.loads(line) for line in ran("--json", BASIC).output.splitlines()]
    assert [(line["file"], line["index"], line["ok"]) for line in lines] == [(str(BASIC), i, True) for i in range(14)]
    assert lines[0]["orders"] == {"S-LM1": {"shoot": "N-XS1", "melee": "N-HM1", "move": ["B5"]}}
    assert lines[6]["errors"][0] | {"candidates": []} == {
        "line": 1,
        "column": 1,
        "code": "ambiguous",
        "fragment": "LM",
        "candidates": [],
    }
    assert all(("orders" in line) != ("errors" in line) for line in lines)


def test_a_case_that_differs_is_shown_and_ends_with_1(file):
    path = file(ITEM + "    - {text: 'C5 hold', orders: {S1: {move: [C4]}}}\n    - {text: 'C5 hold', orders: {S1: {}}}\n")
    result = ran(path)
    assert result.exit_code == 1
    assert 'expected: {"S1": {"move": ["C4"]}}' in result.output
    assert "1 of 2" in result.output
    assert [json.loads(line)["ok"] for line in ran("--json", path).output.splitlines()] == [False, True]


def test_what_is_refused_by_the_check_is_told_by_unit_and_part(file):
    path = file(ITEM + "    - {text: 'C5 move C9', refused: {S1: {move: path-too-long}}}\n")
    line = json.loads(ran("--json", path).output)
    assert line["ok"]
    assert line["errors"] == [{"unit": "S1", "part": "move", "code": "path-too-long"}]


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "3",
        "- 3",
        "- {position: {}, seat_units: [S1]}",
        ITEM + "    - {text: 3, orders: {}}",
        ITEM + "    - {text: a}",
        ITEM + "    - {text: a, orders: {}, errors: []}",
        ITEM + "    - {text: a, errors: 3}",
        ITEM + "    - {text: a, errors: [{lien: 1}]}",
        ITEM + "    - {text: a, orders: []}",
        ITEM.replace("seat_units: [S1]", "seat_units: [S2]") + "    - {text: a, orders: {}}",
        ITEM.replace("at: C5", "at: Z99") + "    - {text: a, orders: {}}",
    ],
)
def test_a_file_that_cannot_be_read_ends_with_2_and_says_where(file, text):
    path = file(text)
    result = ran(path)
    assert result.exit_code == 2
    assert str(path) in result.stderr
    assert "Traceback" not in result.output


def test_a_file_that_is_not_there_ends_with_2(tmp_path):
    assert ran(tmp_path / "none.yaml").exit_code == 2
