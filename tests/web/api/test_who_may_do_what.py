"""Every call by everybody: public, stranger's account, other seat, own seat, game master by key and by account."""

from __future__ import annotations

from typing import Any

import pytest

CALLERS = ("public", "stranger", "other seat", "own seat", "master", "account")
EVERYBODY = dict.fromkeys(CALLERS, 200)
KEEPER = {"public": 401, "stranger": 403, "other seat": 403, "own seat": 403, "master": 200, "account": 200}
SHEET = {"turn": 1, "revision": 0, "orders": {}}
RULING = {"changes": [{"unit": "S1", "cohesion": 2}], "reason": "A test."}

SAID = {"text": "To the bridge!"}

MATRIX: dict[str, tuple[str, str, Any, dict[str, int]]] = {
    "scenarios": ("GET", "/api/v1/scenarios", None, EVERYBODY),
    "battle": ("GET", "{battle}", None, EVERYBODY),
    "record": ("GET", "{battle}/turns/1", None, dict.fromkeys(CALLERS, 404)),
    "sheet": (
        "GET",
        "{battle}/seats/south/sheet",
        None,
        {"public": 401, "stranger": 403, "other seat": 403, "own seat": 200, "master": 403, "account": 403},
    ),
    "plan": (
        "GET",
        "{battle}/seats/south/plan",
        None,
        {"public": 401, "stranger": 403, "other seat": 403, "own seat": 200, "master": 403, "account": 403},
    ),
    "draw": (
        "POST",
        "{battle}/seats/south/plan/drawings",
        {"turn": 1, "kind": "note", "cells": ["B2"], "text": "Here."},
        {"public": 401, "stranger": 403, "other seat": 403, "own seat": 201, "master": 403, "account": 403},
    ),
    "erase": (
        "DELETE",
        "{battle}/seats/south/plan/drawings/5f0c?turn=1",
        None,
        {"public": 401, "stranger": 403, "other seat": 403, "own seat": 200, "master": 403, "account": 403},
    ),
    "enter": (
        "PUT",
        "{battle}/seats/south/sheet",
        SHEET,
        {"public": 401, "stranger": 403, "other seat": 403, "own seat": 200, "master": 200, "account": 200},
    ),
    "check": (
        "POST",
        "{battle}/seats/south/check",
        SHEET,
        {"public": 401, "stranger": 403, "other seat": 403, "own seat": 200, "master": 200, "account": 200},
    ),
    "resolve": ("POST", "{battle}/turns/1/resolve", None, KEEPER),
    "publish": ("POST", "{battle}/turns/1/publish", None, KEEPER | {"master": 409, "account": 409}),
    "rule": ("POST", "{battle}/rulings", RULING, KEEPER),
    "rewind": ("POST", "{battle}/rewind", {"to": 1, "reason": "The map was wrong."}, KEEPER),
    "branches": ("GET", "{battle}/branches", None, EVERYBODY),
    "branch record": ("GET", "{battle}/branches/1/turns/1", None, dict.fromkeys(CALLERS, 404)),
    "take up": ("POST", "{battle}/branches/1/take-up", {"reason": "So."}, KEEPER | {"master": 404, "account": 404}),
    "schedule": ("GET", "{battle}/schedule", None, EVERYBODY),
    "set schedule": ("PUT", "{battle}/schedule", {"hours": 72}, KEEPER),
    "deadline": ("POST", "{battle}/deadline", {"deadline": None}, KEEPER),
    "pause": ("POST", "{battle}/pause", {}, KEEPER),
    "answer pause": (
        "POST",
        "{battle}/pause/answer",
        {"agree": True},
        {"public": 401, "stranger": 403, "other seat": 409, "own seat": 409, "master": 409, "account": 409},
    ),
    "go on": ("POST", "{battle}/go-on", None, KEEPER | {"master": 409, "account": 409}),
    "thread": ("GET", "{battle}/talk", None, EVERYBODY),
    "write publicly": (
        "POST",
        "{battle}/talk",
        SAID,
        {"public": 401, "stranger": 403, "other seat": 201, "own seat": 201, "master": 201, "account": 201},
    ),
    "side's channel": (
        "GET",
        "{battle}/seats/south/talk/side",
        None,
        {"public": 401, "stranger": 403, "other seat": 403, "own seat": 200, "master": 403, "account": 403},
    ),
    "write to the side": (
        "POST",
        "{battle}/seats/south/talk/side",
        SAID,
        {"public": 401, "stranger": 403, "other seat": 403, "own seat": 201, "master": 403, "account": 403},
    ),
    "words with the master": (
        "GET",
        "{battle}/seats/south/talk/master",
        None,
        {"public": 401, "stranger": 403, "other seat": 403, "own seat": 200, "master": 200, "account": 200},
    ),
    "write to the master": (
        "POST",
        "{battle}/seats/south/talk/master",
        SAID,
        {"public": 401, "stranger": 403, "other seat": 403, "own seat": 201, "master": 201, "account": 201},
    ),
    "words": (
        "GET",
        "{battle}/seats/south/words",
        None,
        {"public": 401, "stranger": 403, "other seat": 403, "own seat": 200, "master": 403, "account": 403},
    ),
    "say": (
        "PUT",
        "{battle}/seats/south/words",
        {"turn": 1, "text": "To the bridge!"},
        {"public": 401, "stranger": 403, "other seat": 403, "own seat": 200, "master": 403, "account": 403},
    ),
    "make": (
        "POST",
        "/api/v1/battles",
        {"scenario": "visage-and-throne"},
        {"public": 401, "stranger": 201, "other seat": 403, "own seat": 403, "master": 403, "account": 201},
    ),
    "record file": ("GET", "/b/{id}/t/1.json", None, dict.fromkeys(CALLERS, 404)),
    "picture": ("GET", "/b/{id}/t/0.svg", None, EVERYBODY),
}


def _caller(game: Any, who: str) -> Any:
    return {
        "public": game.public,
        "stranger": game.stranger,
        "other seat": game.seats["north"],
        "own seat": game.seats["south"],
        "master": game.master,
        "account": game.account,
    }[who]


@pytest.mark.parametrize("call", MATRIX)
@pytest.mark.parametrize("who", CALLERS)
def test_a_call_is_answered_to_whom_it_belongs(game: Any, call: str, who: str) -> None:
    method, path, body, statuses = MATRIX[call]
    answer = _caller(game, who)(method, path.format(battle=game.path, id=game.id), body)
    assert answer.status_code == statuses[who], answer.text
    if answer.status_code >= 400:
        assert {"code", "text", "params", "id"} <= answer.json().keys()


def test_a_refused_stranger_has_changed_nothing(game: Any) -> None:
    before = game.public("GET", game.path).json()
    for who in ("public", "stranger", "other seat"):
        for method, path, body, statuses in MATRIX.values():
            if statuses[who] in (401, 403):
                _caller(game, who)(method, path.format(battle=game.path, id=game.id), body)
    assert game.public("GET", game.path).json() == before


def test_a_key_of_another_battle_opens_nothing(new_game: Any) -> None:
    ours, theirs = new_game(), new_game()
    for caller in (*theirs.seats.values(), theirs.master):
        assert caller("GET", f"{ours.path}/seats/south/sheet").status_code == 403
        assert caller("PUT", f"{ours.path}/seats/south/sheet", SHEET).status_code == 403
        assert caller("POST", f"{ours.path}/turns/1/resolve").status_code == 403
        assert caller("GET", ours.path).json() == ours.public("GET", ours.path).json()


def test_cookies_open_nothing_here(game: Any, http: Any) -> None:
    key = game.made["seats"][1]["key"]
    http.cookies.set(f"fp_seat_{game.made['seats'][1]['seat']}", key)
    http.cookies.set("fp_master", game.made["desk"]["key"])
    assert game.public("GET", f"{game.path}/seats/south/sheet").status_code == 401
    assert game.public("POST", f"{game.path}/turns/1/resolve").status_code == 401


@pytest.mark.parametrize(
    "header", ["Bearer", "Bearer ", "Basic dTpw", "Bearer wrong", "Bearer fp_wrong", "bearer \u00e9", "x"]
)
def test_a_wrong_token_is_told_so_and_not_taken_for_the_public(game: Any, header: str) -> None:
    answer = game.public("GET", game.path, headers={"Authorization": header.encode("latin-1")})
    assert (answer.status_code, answer.json()["code"]) == (401, "no-key")
    assert answer.headers["www-authenticate"] == "Bearer"


def test_an_address_with_many_wrong_tokens_waits(game: Any, house: Any) -> None:
    from dataclasses import replace

    from starlette.testclient import TestClient

    from app.web.api.service import service
    from app.web.tries import Tries

    time = [0.0]
    strict = TestClient(service(replace(house, tries=Tries(most=3, seconds=60, clock=lambda: time[0]))))
    own = game.seats["south"].token

    def status(token: str) -> Any:
        return strict.get(f"{game.path}/seats/south/sheet", headers={"Authorization": f"Bearer {token}"})

    assert [status(f"wrong{number}").status_code for number in range(4)] == [401, 401, 401, 429]
    waiting = status(own)
    assert (waiting.status_code, waiting.json()["code"]) == (429, "too-often")
    assert 1 <= int(waiting.headers["retry-after"]) <= 61
    assert strict.get(game.path).status_code == 200, "who shows no token is not hindered"
    time[0] = 61
    assert status(own).status_code == 200


def test_a_seat_sees_no_other_seats_orders_before_they_are_published(game: Any) -> None:
    game.enter("south", {"S1": {"move": ["B3"]}})
    everybody = [game.public, game.seats["north"], game.master, game.account]
    for caller in everybody:
        told = caller("GET", game.path).text
        assert "B3" not in told.replace('"B3":', "")
        assert "nonce" not in told
    digest = game.sheet("south")["receipt"]["digest"]
    seat = next(s for s in game.public("GET", game.path).json()["seats"] if s["seat"] == "south")
    assert (seat["digest"], seat["entered"], seat["ready"]) == (digest, True, False)
