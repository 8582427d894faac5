"""`fieldpost verify`: what holds and what does not, in plain words, with the exit code that scripts ask for."""

from __future__ import annotations

import copy
import gzip
import json
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from app.cli import verify
from app.cli.findings import WORDS
from app.engine.dice import SeededDice
from app.engine.ruleset import Ruling
from app.language import translated
from app.referee import proof
from app.rulesets.registry import RULESETS

RULES = RULESETS["cohesion"]
CASE = {
    "board": {"size": "5x5", "layout": "pointy", "home": {"north": "top", "south": "bottom"}},
    "goal": 1,
    "units": {
        "N1": {"type": "LM", "side": "north", "at": "B2"},
        "N2": {"type": "XS", "side": "north", "at": "D2"},
        "S1": {"type": "LM", "side": "south", "at": "B4"},
        "S2": {"type": "LR", "side": "south", "at": "D4"},
    },
}


def a_record(position: Any, *, rulings: tuple[Any, ...] = (), chance: int = 1) -> Any:
    """A turn played from a position with random legal orders, written down as a server would."""
    state = RULES.load_state(position)
    turn, pick = position["turn"], random.Random(chance).randrange
    secret = random.Random(chance).randbytes(32)
    answers, sheets = {}, []
    for request in RULES.requests(state):
        answers[request.id] = RULES.choose(state, request, pick)
        sealed = {"battle": "k3xw7yqzma", "nonce": f"n{request.seat}", "orders": RULES.dump_order(answers[request.id])}
        sealed |= {"revision": 1, "seat": request.seat, "turn": turn}
        digest = proof.digest(proof.canonical(**sealed))
        told = {key: sealed[key] for key in ("seat", "revision", "orders", "nonce")}
        sheets.append({**told, "request": request.id, "digest": digest, "entered_at": "2026-11-30T12:00:00Z"})
    seed = proof.dice_seed(secret, [sheet["digest"] for sheet in sheets])
    dice = SeededDice(seed)
    step = RULES.advance(state, answers, dice)
    events, state = list(step.events), step.state
    for ruling in rulings:
        amended = RULES.amend(state, Ruling(tuple(ruling["changes"]), ruling["reason"]))
        events, state = [*events, *amended.events], amended.state
    outcome = RULES.outcome(state)
    return {
        "format": 1,
        "battle": "k3xw7yqzma",
        "ruleset": RULES.key,
        "version": RULES.version,
        "turn": turn,
        "seed": {"secret": secret.hex(), "seed": seed.hex()},
        "seed_commitment": proof.commitment(secret),
        "sheets": sheets,
        "before": position,
        "events": [RULES.dump_event(event) for event in events],
        "dice": dice.rolled,
        "after": RULES.dump_state(state),
        "points": dict(outcome.points),
        "winner": outcome.winner,
        "rulings": [{**ruling, "rule": None, "stage": "review"} for ruling in rulings],
    }


@pytest.fixture(scope="module")
def records() -> list[Any]:
    first = a_record(RULES.dump_state(RULES.load_state(CASE)), chance=4)
    second = a_record(first["after"], chance=9)
    return [first, second]


@pytest.fixture
def run(tmp_path: Path) -> Any:
    line = typer.Typer()
    line.callback()(lambda: None)
    verify.register(line)

    def called(*contents: Any, options: tuple[str, ...] = ()) -> Any:
        files = []
        for number, content in enumerate(contents, start=1):
            file = tmp_path / f"turn-{number}.json"
            file.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
            files.append(str(file))
        return CliRunner().invoke(line, ["verify", "--language", "en", *options, *files])

    return called


def test_a_true_record_holds(run: Any, records: list[Any]) -> None:
    result = run(records[0])
    assert result.exit_code == 0, result.output
    assert "turn-1.json: battle k3xw7yqzma, turn 1" in result.output
    assert "holds: every die is the one that the seed gives" in result.output
    assert result.output.endswith("Everything holds.\n")
    assert "NOT" not in result.output


def test_the_answer_is_given_in_russian_too(run: Any, records: list[Any]) -> None:
    result = run(records[0], options=("--language", "ru"))
    assert result.exit_code == 0
    assert "сходится: каждый кубик — тот, который даёт зерно" in result.output


def test_several_records_of_one_battle_chain(run: Any, records: list[Any]) -> None:
    result = run(*reversed(records))
    assert result.exit_code == 0, result.output
    assert "holds: turn 2 begins where turn 1 ended" in result.output


def test_records_in_one_file_are_read_as_a_list(run: Any, records: list[Any]) -> None:
    assert run(records).exit_code == 0


@pytest.mark.parametrize("packed", [bytes, gzip.compress], ids=["as it is", "packed"])
def test_the_archive_of_a_battle_is_read_as_its_records(run: Any, packed: Any) -> None:
    exported = (Path(__file__).parents[1] / "corpus" / "exports" / "1" / "ended-by-ruling.json").read_bytes()
    result = run(packed(exported))
    assert result.exit_code == 0, result.output
    assert "holds: turn 2 begins where" in result.output
    assert run(packed(exported.replace(b'"faces": [6', b'"faces": [5').replace(b'"faces":[6', b'"faces":[5'))).exit_code == 1


def test_a_packed_file_that_is_broken_is_told_so_with_code_2(run: Any) -> None:
    for broken in (gzip.compress(b"[]" * 999)[:-12], b"\x1f\x8b", b"\x1f\x8bnothing"):
        result = run(broken)
        assert result.exit_code == 2, result.output
        assert result.exception is None or isinstance(result.exception, SystemExit)


def test_records_of_another_battle_do_not_chain(run: Any, records: list[Any]) -> None:
    other = copy.deepcopy(records[1])
    other["battle"] = "another"
    other["sheets"] = []
    result = run(records[0], other)
    assert result.exit_code == 1
    assert "DOES NOT HOLD: these are records of several battles" in result.output


def test_a_ruling_on_a_turn_under_review_is_played_too(run: Any) -> None:
    ruling = {"changes": [{"unit": "N2", "cohesion": 1}], "reason": "A slip."}
    record = a_record(RULES.dump_state(RULES.load_state(CASE)), rulings=(ruling,))
    assert record["after"]["units"]["N2"]["cohesion"] == 1
    assert run(record).exit_code == 0, run(record).output
    record["rulings"][0]["changes"][0]["cohesion"] = 2
    assert run(record).exit_code == 1


def _die(record: Any) -> None:
    address, faces = next(iter(record["dice"].items()))
    faces[0] = faces[0] % 6 + 1
    assert address


def _order(record: Any) -> None:
    sheet = record["sheets"][0]
    sheet["orders"] = {unit: {} for unit in sheet["orders"]}


def _seed(record: Any) -> None:
    record["seed"]["seed"] = "0" * 64


def _secret(record: Any) -> None:
    record["seed"]["secret"] = "0" * 64


def _nonce(record: Any) -> None:
    record["sheets"][0]["nonce"] += "x"


def _revision(record: Any) -> None:
    record["sheets"][0]["revision"] += 1


def _event(record: Any) -> None:
    del record["events"][-1]


def _state(record: Any) -> None:
    record["after"]["units"]["N2"]["strength"] -= 1


def _points(record: Any) -> None:
    record["points"]["north"] += 1


def _winner(record: Any) -> None:
    record["winner"] = "north" if record["winner"] != "north" else "south"


def _swapped(record: Any) -> None:
    record["sheets"].reverse()


def _left_out(record: Any) -> None:
    del record["sheets"][0]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_die, "dice are not those that the seed gives"),
        (_order, "the digest is not that of the orders shown"),
        (_seed, "the seed of the dice does not follow"),
        (_secret, "the secret is not the one that was promised"),
        (_nonce, "the digest is not that of the orders shown"),
        (_revision, "the digest is not that of the orders shown"),
        (_event, "the turn tells other events, from event"),
        (_state, "the turn ends in another position"),
        (_points, "the points are wrong"),
        (_winner, "the result is wrong"),
        (_swapped, "the seed of the dice does not follow"),
        (_left_out, "the seed of the dice does not follow"),
    ],
)
def test_a_changed_record_is_refused_and_told_why(run: Any, records: list[Any], change: Any, said: str) -> None:
    record = copy.deepcopy(records[0])
    change(record)
    result = run(record)
    assert result.exit_code == 1
    assert re.search(f"DOES NOT HOLD: .*{said}", result.output), result.output
    assert "Everything holds" not in result.output


def test_orders_that_were_never_legal_are_refused_though_every_digest_is_right(run: Any, records: list[Any]) -> None:
    record = copy.deepcopy(records[0])
    sheet = record["sheets"][0]
    sheet["orders"] = {"S1": {"move": ["E5", "A1"]}}
    sealed = {key: sheet[key] for key in ("seat", "revision", "orders", "nonce")}
    sheet["digest"] = proof.digest(proof.canonical(battle=record["battle"], turn=record["turn"], **sealed))
    result = run(record)
    assert result.exit_code == 1
    assert "these orders could not have been taken" in result.output


def test_a_turn_that_still_hides_something_is_not_said_to_hold(run: Any, records: list[Any]) -> None:
    record = copy.deepcopy(records[0])
    record["seed"] = {"secret": "", "seed": ""}
    result = run(record)
    assert result.exit_code == 1
    assert "the record can be checked when the battle is over" in result.output


def test_quiet_prints_only_what_does_not_hold(run: Any, records: list[Any]) -> None:
    assert run(records[0], options=("-q",)).output == "Everything holds.\n"
    record = copy.deepcopy(records[0])
    _points(record)
    assert run(record, options=("-q",)).output.count("\n") == 2


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON: line 1, column 2"),
        (b"\xff\xfe\xfa", "not JSON"),
        (b"[" * 100_000, "nested too deep"),
        (b"[]", "there is no record in it"),
        (b'{"turn": NaN}', "NaN is no JSON"),
        (b'{"turn": 1, "turn": 2}', "the key 'turn' stands twice"),
        (b'{"turn": ' + b"9" * 5000 + b"}", "not JSON"),
    ],
)
def test_a_file_that_is_not_JSON_is_told_so_with_code_2(run: Any, content: bytes, said: str) -> None:
    result = run(content)
    assert result.exit_code == 2
    assert said in result.output


@pytest.mark.parametrize("content", [b"1", b'"x"', b"null", b"{}", b"[[]]", b'{"turn": "1"}', b'{"turn": 1, "sheets": {}}'])
def test_JSON_that_is_no_record_is_told_so_with_code_2(run: Any, content: bytes) -> None:
    result = run(content)
    assert result.exit_code == 2
    assert "this is not a record of a turn" in result.output


@pytest.mark.parametrize("key", ["turn", "seed", "sheets", "dice", "points"])
def test_half_of_a_surrogate_pair_where_something_else_belongs_makes_no_record(
    run: Any, records: list[Any], key: str
) -> None:
    result = run(records[0] | {key: "\ud800"})
    assert isinstance(result.exception, SystemExit)
    assert result.exit_code == 2
    assert "this is not a record of a turn" in result.output


def test_a_file_that_is_not_there_is_told_so_with_code_2(run: Any, tmp_path: Path) -> None:
    result = run(options=(str(tmp_path / "none.json"),))
    assert result.exit_code == 2
    assert "No such file" in result.output


def test_a_hostile_record_gets_an_answer_and_moves_no_cursor(run: Any, records: list[Any]) -> None:
    for key, value in (
        ("ruleset", "\x1b[2J<script>"),
        ("version", "9.9"),
        ("battle", "\x1b]0;x\x07" + "x" * 10_000),
        ("before", {}),
        ("before", {"turn": 1, "board": {"size": "999999999x999999999"}, "units": {}}),
        ("before", {"turn": 1, "units": {"A": {"type": "ZZ", "side": "north", "at": "A1"}}}),
        ("format", 2),
        ("dice", {"\ud800": [1]}),
        ("seed", {"secret": "zz", "seed": "zz"}),
        ("rulings", [{"changes": [1], "reason": "", "stage": "review"}]),
    ):
        record = copy.deepcopy(records[0])
        record[key] = value
        result = run(record)
        assert result.exit_code == 1, (key, result.output)
        assert result.exception is None or isinstance(result.exception, SystemExit)
        assert "\x1b" not in result.output


def test_every_finding_has_words_in_both_languages() -> None:
    for code, pair in WORDS.items():
        for text in filter(None, pair):
            assert translated(text, "ru") != text, code


def test_the_program_in_the_documentation_accepts_a_true_record_and_refuses_a_false_one(
    records: list[Any], tmp_path: Path
) -> None:
    told = (Path(__file__).parents[2] / "docs" / "proof.md").read_text(encoding="utf-8")
    program = re.search(r"```python\n(.*?)```", told, re.DOTALL)
    assert program
    (tmp_path / "check.py").write_text(program[1], encoding="utf-8")
    file = tmp_path / "record.json"

    def checked(record: Any) -> subprocess.CompletedProcess[str]:
        file.write_text(json.dumps(record), encoding="utf-8")
        return subprocess.run([sys.executable, tmp_path / "check.py", file], capture_output=True, text=True, check=False)

    assert checked(records[0]).stdout == "holds\n"
    for change in (_die, _order, _seed, _secret, _nonce, _revision):
        record = copy.deepcopy(records[0])
        change(record)
        assert checked(record).returncode == 1
