"""Bad input, sent to every call that takes it: a clear refusal in the reader's language, nothing half kept, never a 500."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from app.referee.orders import LONGEST_TEXT

HEBREW_MARK, HALF_A_PAIR = "\u202e", "\ud800"
NAMES = [
    "'; DROP TABLE battles; --",
    '"quoted"',
    "<script>alert(1)</script>",
    f"north{HEBREW_MARK}htuos",
    "🐉",
    "\u0000",
    "x" * 300,
    "%",
    "\u0085",
]
LANGUAGES = ["en", "ru"]
RUSSIAN = re.compile("[а-яё]", re.IGNORECASE)


def _kept(game: Any) -> Any:
    """All that a mistake could have changed."""
    return (game.public("GET", game.path).json(), game.sheet("south"), game.sheet("north"))


def _refused(answer: Any, language: str, *statuses: int) -> Any:
    assert answer.status_code in statuses, (answer.status_code, answer.text[:500])
    told = answer.json()
    assert {"code", "text", "params", "id"} <= told.keys()
    assert told["text"].strip()
    assert bool(RUSSIAN.search(told["text"])) == (language == "ru"), told["text"]
    assert answer.headers["content-language"] == language
    return told


def _bodies(game: Any) -> list[tuple[str, str, Any]]:
    """Every call with a body: method, path, who may call it."""
    sheet = f"{game.path}/seats/south"
    return [
        ("PUT", f"{sheet}/sheet", game.seats["south"]),
        ("POST", f"{sheet}/check", game.seats["south"]),
        ("POST", f"{game.path}/rulings", game.master),
        ("POST", "/api/v1/battles", game.account),
    ]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("body", "key"),
    [
        (b'{"turn": 1, "revision": 0, "orders": {"S1": {}, "S1": {"shoot": "N1"}}}', "S1"),
        (b'{"turn": 1, "revision": 0, "orders": {}, "turn": 2}', "turn"),
        (b'{"turn": 1, "revision": 0, "orders": {"S1": {"move": ["C3"], "move": ["B4"]}}}', "move"),
        (b'[{"\\ud800": 1, "\\ud800": 2}]', None),
    ],
)
def test_a_key_that_stands_twice_is_refused_since_one_of_the_two_would_be_lost(
    game: Any, language: str, body: bytes, key: str | None
) -> None:
    before = _kept(game)
    for method, path, caller in _bodies(game):
        caller.language = language
        answer = caller(method, path, content=body, headers={"Content-Type": "application/json"})
        told = _refused(answer, language, 422)
        assert (told["code"], [problem["code"] for problem in told["problems"]]) == ("bad-body", ["twice"])
        if key:
            said = {"en": "stands twice", "ru": "дважды"}[language]
            assert said in told["problems"][0]["text"]
            assert told["problems"][0]["field"] == [key]
    assert _kept(game) == before


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[1,",
        b'{"turn": 1, "revision": 0, "orders": {}',
        b"turn=1&revision=0",
        b"\xff\xfe\x00",
        b"{'turn': 1}",
        b'{"turn": ' + b"9" * 5000 + b"}",
        b"[" * 100_000,
    ],
)
def test_a_body_that_is_not_JSON_gets_400(game: Any, language: str, body: bytes) -> None:
    before = _kept(game)
    for method, path, caller in _bodies(game):
        for kind in ("application/json", "text/plain"):
            caller.language = language
            answer = caller(method, path, content=body, headers={"Content-Type": kind})
            assert _refused(answer, language, 400)["code"] in {"not-json", "bad-request"}
    assert _kept(game) == before


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "body",
    [
        None,
        1,
        "x",
        [],
        True,
        {},
        {"turn": 1},
        {"turn": "1", "revision": 0, "orders": {}},
        {"turn": True, "revision": 0, "orders": {}},
        {"turn": 1.5, "revision": 0, "orders": {}},
        {"turn": -1, "revision": 0, "orders": {}},
        {"turn": 10**30, "revision": 0, "orders": {}},
        {"turn": 1, "revision": 0},
        {"turn": 1, "revision": 0, "orders": {}, "text": ""},
        {"turn": 1, "revision": 0, "orders": []},
        {"turn": 1, "revision": 0, "orders": {}, "ready": "yes"},
        {"turn": 1, "revision": 0, "orders": {}, "colour": "red"},
        {"turn": 1, "revision": 0, "text": 5},
        {"turn": 1, "revision": 0, "text": "S1 hold \u0000"},
        {"turn": 1, "revision": 0, "text": HALF_A_PAIR},
        {"turn": 1, "revision": 0, "orders": {HALF_A_PAIR: {}}},
        {"turn": 1, "revision": 0, "orders": {"S1": {"move": [HALF_A_PAIR]}}},
        {"turn": 1, "revision": 0, "orders": {}, HALF_A_PAIR: 1},
        {"turn": 1, "revision": 0, "orders": {}, "nonce": "0123"},
        {"turn": 1, "revision": 0, "orders": {}, "nonce": "0" * 65},
        {"turn": 1, "revision": 0, "orders": {}, "nonce": "X" * 32},
        {"changes": [], "reason": "x"},
        {"changes": [{}], "reason": ""},
        {"changes": "all", "reason": "x"},
        {"changes": [{"unit": "S1", "cohesion": 10**40}], "reason": "x"},
        {"scenario": None},
        {"scenario": "skirmish", "scenario_file": ""},
        {"scenario": "visage-and-throne", "deadlines": {"first": "tomorrow"}},
        {"scenario": "visage-and-throne", "deadlines": {"first": "2027-01-01T00:00:00"}},
        {"scenario": "visage-and-throne", "deadlines": {"first": 1893456000}},
        {"scenario": "visage-and-throne", "deadlines": {"hours": 0}},
        {"scenario": "visage-and-throne", "review": "maybe"},
        {"scenario": "visage-and-throne", "rulings": {"tie": 1}},
    ],
)
def test_a_body_of_another_shape_gets_422_and_every_fault_at_once(game: Any, language: str, body: Any) -> None:
    before = _kept(game)
    sent = json.dumps(body).encode()
    for method, path, caller in _bodies(game):
        caller.language = language
        answer = caller(method, path, content=sent, headers={"Content-Type": "application/json"})
        told = _refused(answer, language, 422)
        assert told["code"] == "bad-body"
        assert told["problems"]
        for problem in told["problems"]:
            assert bool(RUSSIAN.search(problem["text"])) == (language == "ru"), problem
    assert _kept(game) == before


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("orders", "code"),
    [
        ({"S1": {"move": ["Z99"]}}, "off-board"),
        ({"S1": {"move": ["A1"]}}, "path-broken"),
        ({"N1": {}}, "not-yours"),
        ({"Q7": {}}, "unknown-unit"),
        ({"<b>": {}}, "unknown-unit"),
        ({"S1": {"shoot": "Q7"}}, "target-gone"),
        ({"S1": {"melee": "S2"}}, "own-target"),
        ({"S1": 1}, None),
        ({"S1": {"move": 7}}, None),
        ({"S1": {"fly": "B3"}}, None),
        ({"S1": {"move": [1, None, {}]}}, None),
        ({"S1": {"shoot": ["N1"]}}, None),
        ({"S1": {"move": ["B3"] * 500}}, None),
        ({f"U{n}": {} for n in range(3000)}, None),
    ],
)
def test_an_order_that_cannot_be_taken_names_unit_part_and_code(
    game: Any, language: str, orders: Any, code: str | None
) -> None:
    before, seat = _kept(game), game.seats["south"]
    seat.language = language
    for method, call in (("PUT", "sheet"), ("POST", "check")):
        answer = seat(method, f"{game.path}/seats/south/{call}", {"turn": 1, "revision": 0, "orders": {"S2": {}} | orders})
        told = _refused(answer, language, 422)
        assert told["code"] == "bad-orders"
        problem = told["problems"][0]
        assert {"unit", "part", "code", "text", "params"} <= problem.keys()
        assert problem["unit"] == next(iter(orders))
        assert bool(RUSSIAN.search(problem["text"])) == (language == "ru"), problem
        if code is not None:
            assert problem["code"] == code
    assert _kept(game) == before


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_that_is_not_understood_names_line_and_column(game: Any, language: str) -> None:
    before, seat = _kept(game), game.seats["south"]
    seat.language = language
    for method, call in (("PUT", "sheet"), ("POST", "check")):
        body = {"turn": 1, "revision": 0, "text": "S1 hold\nS2 flies to B3\n<script> \u202e🐉"}
        told = _refused(seat(method, f"{game.path}/seats/south/{call}", body), language, 422)
        assert told["code"] == "bad-orders"
        fault = told["faults"][0]
        assert (fault["line"], fault["fragment"]) == (2, "flies")
        assert fault["column"] >= 1
        assert fault["text"]
        assert isinstance(fault["candidates"], list)
    assert _kept(game) == before


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_beyond_the_bound_is_refused_whole(game: Any, language: str) -> None:
    before, seat = _kept(game), game.seats["south"]
    seat.language = language
    for method, call in (("PUT", "sheet"), ("POST", "check")):
        body = {"turn": 1, "revision": 0, "text": "S1 hold\n---\n" + "x" * LONGEST_TEXT}
        told = _refused(seat(method, f"{game.path}/seats/south/{call}", body), language, 422)
        assert told["code"] == "long-text"
        assert told["params"] == {"most": LONGEST_TEXT}
        assert str(LONGEST_TEXT) in told["text"]
    assert _kept(game) == before


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_of_1_MB_gets_413(game: Any, language: str) -> None:
    before = _kept(game)
    for method, path, caller in _bodies(game):
        caller.language = language
        for body in ({"text": "S1 hold\n" * 131_072}, {"scenario_file": "#" * 1_048_576}):
            assert _refused(caller(method, path, body), language, 413)["code"] == "too-large"
    assert _kept(game) == before


def test_a_text_of_1_MB_that_does_not_say_its_length_gets_413(game: Any) -> None:
    def pieces() -> Any:
        yield b'{"turn": 1, "revision": 0, "text": "'
        for _ in range(1024):
            yield b"x" * 1024
        yield b'"}'

    headers = {"Content-Type": "application/json"}
    answer = game.seats["south"]("PUT", f"{game.path}/seats/south/sheet", content=pieces(), headers=headers)
    assert _refused(answer, "en", 413)["code"] == "too-large"


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_old_revision_and_another_turn_are_stale(game: Any, language: str) -> None:
    game.enter("south", {"S1": {}})
    before, seat = _kept(game), game.seats["south"]
    seat.language = language
    for turn, revision in ((1, 0), (1, 2), (0, 1), (2, 1), (999_999, 1)):
        for method, call in (("PUT", "sheet"), ("POST", "check")):
            body = {"turn": turn, "revision": revision, "orders": {}}
            told = _refused(seat(method, f"{game.path}/seats/south/{call}", body), language, 409)
            assert (told["code"], told["current"]) == ("stale", {"turn": 1, "revision": 1})
    assert _kept(game) == before


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_turn_whose_deadline_has_passed_is_closed(new_game: Any, clock: Any, language: str) -> None:
    game = new_game(deadlines={"hours": 1})
    before, seat = _kept(game), game.seats["south"]
    clock.forward(hours=1)
    seat.language = language
    for method, call in (("PUT", "sheet"), ("POST", "check")):
        body = {"turn": 1, "revision": 0, "orders": {}}
        assert _refused(seat(method, f"{game.path}/seats/south/{call}", body), language, 409)["code"] == "closed"
    clock.forward(hours=-1)
    assert _kept(game) == before


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_unknown_scenario_and_a_scenario_with_mistakes_make_no_battle(game: Any, language: str) -> None:
    game.account.language = language
    for name in ("no-such", *NAMES[:5]):
        answer = game.account("POST", "/api/v1/battles", {"scenario": name})
        assert _refused(answer, language, 404)["code"] == "no-scenario"
    for file in (
        "",
        "a: [",
        "format: 1\nruleset: chess",
        "- x",
        "format: &a 1\nkey: *b",
        "!!python/object:os.system x",
        {},
        {"format": 1},
    ):
        told = _refused(game.account("POST", "/api/v1/battles", {"scenario_file": file}), language, 422)
        assert told["code"] == "bad-scenario"
        assert told["problems"]
        for problem in told["problems"]:
            assert problem["text"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"title": ""}, "bad-title"),
        ({"title": "a\nb"}, "bad-title"),
        ({"title": HEBREW_MARK + "x"}, "bad-title"),
        ({"seed": "xyz"}, "bad-seed"),
        ({"seed": ""}, "bad-seed"),
        ({"seed": "é"}, "bad-seed"),
        ({"rulings": {"gravity": "off"}}, "bad-ruling"),
        ({"rulings": {"tie": "<b>"}}, "bad-ruling"),
        ({"deadlines": {"first": "2020-01-01T00:00:00Z"}}, "bad-deadline"),
        ({"deadlines": {"first": "9999-12-31T23:59:59Z"}}, "bad-deadline"),
        ({"deadlines": {"zone": "Atlantis/Centre"}}, "bad-deadline"),
        ({"deadlines": {"zone": "../../etc/passwd"}}, "bad-deadline"),
    ],
)
def test_a_battle_with_an_impossible_wish_is_not_made(game: Any, language: str, more: Any, code: str) -> None:
    game.account.language = language
    answer = game.account("POST", "/api/v1/battles", {"scenario": "visage-and-throne", **more})
    assert _refused(answer, language, 422)["code"] == code


@pytest.mark.parametrize("title", ["'; DROP TABLE battles; --", '"quoted"', "<script>alert(1)</script>", "שלום", "🐉 & ½"])
def test_a_strange_title_is_kept_as_it_is(new_game: Any, title: str) -> None:
    game = new_game(title=title)
    assert game.public("GET", game.path).json()["title"] == title


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", NAMES)
def test_a_strange_name_in_an_address_leads_nowhere(game: Any, language: str, name: str) -> None:
    from urllib.parse import quote

    odd = quote(name, safe="")
    for caller in (game.public, game.seats["south"], game.master):
        caller.language = language
        for path in (
            f"/api/v1/battles/{odd}",
            f"/api/v1/battles/{odd}/turns/1",
            f"/api/v1/battles/{odd}/seats/south/sheet",
            f"{game.path}/turns/{odd}",
            f"{game.path}/seats/{odd}/sheet",
            f"/b/{odd}/t/1.json",
            f"/b/{odd}/t/latest.svg",
            f"/b/{game.id}/t/{odd}.json",
            f"/b/{game.id}/t/{odd}.svg",
        ):
            _refused(caller("GET", path), language, 401, 403, 404)


@pytest.mark.parametrize("number", ["0", "-1", "2", "999999", "1e3", "1.0", "١", "9" * 30, "latest", "null", " 1"])
def test_a_turn_that_is_not_there_is_not_found(game: Any, number: str) -> None:
    assert _refused(game.public("GET", f"{game.path}/turns/{number}"), "en", 404)["code"] == "no-turn"
    assert _refused(game.public("GET", f"/b/{game.id}/t/{number}.json"), "en", 404)["code"] == "no-turn"
    for call in ("resolve", "publish"):
        assert _refused(game.master("POST", f"{game.path}/turns/{number}/{call}"), "en", 404, 409)["code"] in {
            "no-turn",
            "stale",
            "not-under-review",
        }
    assert game.public("GET", game.path).json()["turn"] == 1


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "changes",
    [
        [1],
        ["x"],
        [{}],
        [[]],
        [None],
        [{"unit": "Q7", "cohesion": 1}],
        [{"unit": "S1", "at": "Z99"}],
        [{"unit": "S1", "at": "B2"}],
        [{"unit": "S1", "cohesion": -5}],
        [{"unit": "S1", "cohesion": 10**9}],
        [{"points": {"west": 1}}],
        [{"<b>": HEBREW_MARK}],
    ],
)
def test_a_ruling_that_cannot_be_carried_out_changes_nothing(game: Any, language: str, changes: Any) -> None:
    before = _kept(game)
    game.master.language = language
    answer = game.master("POST", f"{game.path}/rulings", {"changes": changes, "reason": "A test."})
    assert _refused(answer, language, 422)["code"] == "bad-ruling"
    assert _kept(game) == before


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_unknown_address_and_a_wrong_method_have_the_same_shape(game: Any, language: str) -> None:
    game.public.language = language
    for path in ("/api", "/api/", "/api/v2/battles", "/api/v1/nothing", "/api/v1/battles/", f"{game.path}/"):
        assert _refused(game.public("GET", path), language, 404)["code"] == "no-page"
    for method, path in (("DELETE", game.path), ("POST", f"{game.path}/turns/1"), ("PATCH", "/api/v1/battles")):
        answer = game.public(method, path)
        assert _refused(answer, language, 405)["code"] == "no-method"
        assert answer.headers["allow"]
