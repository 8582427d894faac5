"""`fieldpost parse --battle --seat`: a message read against the open turn of a stored battle; nothing is kept."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
import typer
from babel.messages.extract import extract_from_file
from typer.testing import CliRunner

from app.cli import parse
from app.cli.store import opened
from app.config import load_settings
from app.language import translated
from app.referee import battles, orders, scenarios, turns
from app.referee.keys import viewer_by_key
from app.referee.orders import LONGEST_TEXT
from tests.web.conftest import SKIRMISH

ROOT = Path(__file__).parents[2]


@pytest.fixture
def host(tmp_path):
    """A host's folder with one battle: (folder, battle)."""
    with opened(load_settings({}, data=tmp_path)) as db:
        made = battles.create(db, scenario=scenarios.read_file(SKIRMISH), now=datetime.now(UTC))
    return tmp_path, made


def ran(host, text, *words, seat="south", battle=None):
    line = typer.Typer()
    parse.register(line)
    folder, made = host
    given = ["--battle", battle or made.id, "--seat", seat, "--data", str(folder), *words]
    return CliRunner().invoke(line, given, input=text)


@pytest.mark.parametrize(
    ("language", "text", "canonical"),
    [
        ("en", "1. LM B3 shoots at LM B2\nLR D4 goes to C4", "LM B3: shoot LM B2\nLR D4: move C4\n"),
        ("ru", "[b]Л.М[/b] В3 стреляет в Л.М В2!", "Л.М B3: стреляет в Л.М B2\n"),
    ],
)
def test_a_message_is_printed_as_canonical_text(host, language, text, canonical):
    result = ran(host, text, "--lang", language)
    assert result.exit_code == 0, result.output
    assert result.stdout == canonical


@pytest.mark.parametrize(("language", "word"), [("en", "is not understood"), ("ru", "непонятно")])
def test_errors_are_told_with_their_places_and_candidates(host, language, word):
    result = ran(host, "LM B3: hold\nЛ.Р D4 стрелет в N2", "--lang", language)
    assert result.exit_code == 1
    assert "2:8: Л.Р D4 стрелет в N2" in result.stderr
    assert word in result.stderr
    assert "стреляет" in result.stderr
    assert result.stdout == ""


def test_what_is_understood_but_not_allowed_is_told_as_such(host):
    result = ran(host, "LM B3: move Z9\nS2: shoot S1", "--lang", "en")
    assert result.exit_code == 1
    told = ran(host, "S2: shoot S1\nS1: move D5", "--json", "--lang", "ru")
    assert told.exit_code == 1
    found = json.loads(told.stdout)
    assert found["ok"] is False
    assert found["errors"] == []
    assert {problem["code"] for problem in found["problems"]} >= {"own-target"}
    assert any("а" <= sign <= "я" for sign in found["problems"][0]["text"])


def test_json_holds_orders_text_and_errors(host):
    _, made = host
    found = json.loads(ran(host, "S1 hold", "--json", "--lang", "en").stdout)
    assert (found["battle"], found["seat"], found["turn"], found["ok"]) == (made.id, "south", 1, True)
    assert found["orders"] == {"S1": {}}
    assert found["text"] == "LM B3: hold"
    wrong = json.loads(ran(host, "S1 hodl", "--json", "--lang", "en").stdout)
    assert wrong["ok"] is False
    assert "orders" not in wrong
    assert wrong["errors"][0] | {"text": ""} == {
        "line": 1,
        "column": 4,
        "code": "unknown-word",
        "fragment": "hodl",
        "candidates": ["hold"],
        "text": "",
    }


def test_a_message_may_lie_in_a_file(host, tmp_path):
    file = tmp_path / "letter.txt"
    file.write_bytes("\ufeffS1 hold\r\nS2 hold\r\n".encode())
    assert ran(host, "", str(file), "--lang", "en").stdout == "LM B3: hold\nLR D4: hold\n"
    assert ran(host, "S2 hold", "-", "--lang", "en").stdout == "LR D4: hold\n"


def test_nothing_is_kept(host):
    folder, made = host
    ran(host, "S1 hold")
    with opened(load_settings({}, data=folder)) as db:
        sheet = orders.sheet(db, made.id, "south", viewer_by_key(db, made.seat_keys["south"]))
    assert sheet.revision == 0


def test_it_reads_against_the_open_turn(host):
    folder, made = host
    with opened(load_settings({}, data=folder)) as db:
        turns.resolve_now(db, made.id, viewer_by_key(db, made.master_key), turn=1, now=datetime.now(UTC))
    assert json.loads(ran(host, "S1 hold", "--json").stdout)["turn"] == 2


@pytest.mark.parametrize(("language", "words"), [("en", "too long: at most 50000"), ("ru", "слишком длинное")])
def test_a_message_that_is_too_long_is_refused(host, language, words):
    for length in (LONGEST_TEXT + 1, 5 * LONGEST_TEXT):
        result = ran(host, "я" * length, "--lang", language)
        assert result.exit_code == 2
        assert words in result.stderr
    assert ran(host, "S1 hold\n---\n" + "я" * (LONGEST_TEXT - 12)).exit_code == 0


def test_what_is_not_there_ends_with_2(host, tmp_path):
    assert "no such battle" in ran(host, "S1 hold", "--lang", "en", battle="nothing").stderr
    assert "Такого места" in ran(host, "S1 hold", "--lang", "ru", seat="west").stderr
    assert ran(host, "", str(tmp_path / "none.txt")).exit_code == 2
    bad = tmp_path / "bad.txt"
    bad.write_bytes(b"\xff\xfe")
    assert ran(host, "", str(bad)).exit_code == 2
    for words in (["--battle", "x"], ["--seat", "x"], [], ["--battle", "x", "--seat", "y", "a", "b"]):
        line = typer.Typer()
        parse.register(line)
        assert CliRunner().invoke(line, words).exit_code == 2


def test_every_sentence_has_its_russian():
    told = {found[1] for found in extract_from_file("python", ROOT / "app/cli/message.py")}
    assert len(told) >= 7
    assert {text for text in told if translated(text, "ru") == text} == set()


@pytest.mark.parametrize(("language", "words"), [("en", "No orders"), ("ru", "Не приказы")])
def test_lines_that_are_no_orders_are_named(host, language, words):
    text = "Всем привет!\nLM B3: hold\nRegards, Leo"
    told = ran(host, text, "--lang", language)
    assert told.exit_code == 1
    assert words in told.stderr
    assert "1, 3" in told.stderr
    assert json.loads(ran(host, text, "--json").stdout)["asides"] == [1, 3]
    assert json.loads(ran(host, "LM B3: hold", "--json").stdout)["asides"] == []
