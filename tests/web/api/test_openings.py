"""Open seats by the API: listed, asked for, given."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.referee import askings, openings
from app.referee.keys import viewer_by_key
from app.referee.openings import Opening
from app.store.db import Database


@pytest.fixture
def opened(game: Any, db: Database, clock: Any) -> Any:
    master = viewer_by_key(db, game.master.token)
    openings.set_up(db, game.id, master, Opening(is_open=True, seats=("south",), words="Somebody patient"), clock.now)
    return game


def test_open_battles_and_their_seats_are_listed(opened: Any, document: Any) -> None:
    told = opened.public("GET", "/api/v1/open").json()
    (line,) = told["battles"]
    assert (line["id"], line["open"], line["seats"], line["words"]) == (opened.id, 1, 2, "Somebody patient")
    seats = opened.public("GET", f"{opened.path}/open").json()
    assert seats["seats"] == [{"seat": "south", "side": "south", "name": "South", "choosing": False, "offered": False}]
    for answer, path in ((told, "/api/v1/open"), (seats, "/api/v1/battles/{id}/open")):
        shown = document["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]["example"]
        assert shown.keys() == answer.keys()


@pytest.fixture
def document(game: Any) -> Any:
    return game.public("GET", "/api/v1/openapi.json").json()


def test_a_seat_is_asked_for_and_given(opened: Any, db: Database, document: Any) -> None:
    asked = opened.public("POST", f"{opened.path}/askings", {"seat": "south", "name": "Vera", "words": "Please"})
    assert asked.status_code == 201
    assert asked.headers["cache-control"] == "no-store"
    told = asked.json()
    assert told["url"].endswith(f"/q/{told['ticket']}")
    (line,) = opened.master("GET", f"{opened.path}/askings").json()["askings"]
    assert (line["name"], line["want"], line["what"], line["status"]) == ("Vera", "seat", "south", "asked")
    shown = document["paths"]["/api/v1/battles/{id}/askings"]["get"]["responses"]["200"]["content"]["application/json"]
    assert shown["example"]["askings"][0].keys() == line.keys()
    path = f"{opened.path}/askings/{line['id']}"
    given = opened.master("POST", path, {"do": "accept", "seat": "south", "words": "Welcome"})
    assert given.json()["askings"][0]["seats"] == ["south"]
    assert opened.seats["south"]("GET", f"{opened.path}/seats/south/sheet").status_code == 401
    key = askings.seat_links(db, told["ticket"])["south"]
    south = replace(opened.seats["south"], token=key)
    assert south("GET", f"{opened.path}/seats/south/sheet").status_code == 200
    assert opened.master("POST", path, {"do": "decline"}).json()["code"] == "asking-over"


def test_an_account_asks_as_itself_and_once(opened: Any) -> None:
    told = opened.stranger("POST", f"{opened.path}/askings", {})
    assert told.status_code == 201
    assert told.json()["ticket"] is None
    assert opened.stranger("POST", f"{opened.path}/askings", {}).json()["code"] == "asked-already"
    (line,) = opened.account("GET", f"{opened.path}/askings").json()["askings"]
    assert (line["name"], line["account"]) == ("Stranger", True)
    listed = opened.account("POST", f"{opened.path}/askings/{line['id']}", {"do": "list"}).json()
    assert (listed["askings"][0]["status"], listed["askings"][0]["place"]) == ("listed", 1)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"seat": "south", "side": "south", "name": "Vera"}, "bad-body"),
        ({"name": "Vera", "words": "x" * 601}, "bad-body"),
        ({"name": ""}, "bad-name"),
        ({"seat": "north", "name": "Vera"}, "not-sought"),
    ],
)
def test_what_is_asked_badly_is_refused(opened: Any, body: Any, code: str) -> None:
    assert opened.public("POST", f"{opened.path}/askings", body).json()["code"] == code


def test_askings_are_for_the_master_alone(opened: Any) -> None:
    opened.public("POST", f"{opened.path}/askings", {"name": "Quite secret"})
    assert opened.public("GET", f"{opened.path}/askings").status_code == 401
    for caller in (opened.stranger, opened.seats["north"]):
        assert caller("GET", f"{opened.path}/askings").status_code == 403
        assert caller("POST", f"{opened.path}/askings/1", {"do": "decline"}).status_code == 403
    assert "secret" not in opened.public("GET", opened.path).text
    assert opened.master("POST", f"{opened.path}/askings/7", {"do": "decline"}).json()["code"] == "no-asking"
    assert opened.master("POST", f"{opened.path}/askings/x", {"do": "decline"}).json()["code"] == "no-asking"
