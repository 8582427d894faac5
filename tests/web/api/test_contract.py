"""What docs/api.md promises, call by call."""

from __future__ import annotations

import hashlib
import json
from typing import Any
from xml.etree import ElementTree

import pytest

from app.referee import verification


def test_the_scenarios_that_this_server_knows(game: Any) -> None:
    known = game.public("GET", "/api/v1/scenarios").json()["scenarios"]
    assert "visage-and-throne" in {s["key"] for s in known}
    for scenario in known:
        assert scenario["ruleset"] == "cohesion"
        assert {"en", "ru"} <= scenario["titles"].keys()
        assert scenario["title"] == scenario["titles"]["en"]
    game.public.language = "ru"
    russian = game.public("GET", "/api/v1/scenarios").json()["scenarios"]
    assert all(s["title"] == s["titles"]["ru"] for s in russian)


def test_a_new_battle_tells_its_links_once(game: Any) -> None:
    base = "https://fieldpost.example"
    assert game.made["url"] == f"{base}/b/{game.id}"
    assert [s["seat"] for s in game.made["seats"]] == ["north", "south"]
    for seat in (*game.made["seats"], game.made["desk"]):
        assert seat["url"] == f"{base}/k/{seat['key']}"
        assert seat["key"] not in game.public("GET", game.path).text


def test_a_battle_as_the_public_sees_it(new_game: Any) -> None:
    game = new_game(title="Spring", deadlines={"first": "2026-12-01T20:00:00+03:00", "zone": "Europe/Moscow"})
    told = game.public("GET", game.path).json()
    assert (told["id"], told["title"], told["ruleset"]) == (game.id, "Spring", "cohesion")
    assert (told["status"], told["turn"], told["last_published"]) == ("open", 1, 0)
    assert (told["deadline"], told["zone"]) == ("2026-12-01T17:00:00Z", "Europe/Moscow")
    assert [s["side"] for s in told["sides"]] == ["north", "south"]
    assert told["seats"][0] == {
        "seat": "north",
        "side": "north",
        "name": "North",
        "holder": None,
        "awaited": True,
        "entered": False,
        "ready": False,
        "digest": None,
        "revision": 0,
    }
    assert told["state"]["units"]["S1"]["at"] == "B4"
    assert told["outcome"] == {"winner": None, "points": {"north": 0, "south": 0}, "goal": 1}
    assert len(told["seed_commitment"]) == 64
    assert told["rulings"]["tie"] == "draw"
    game.public.language = "ru"
    assert game.public("GET", game.path).json()["sides"][0]["name"] == "Север"


def test_hours_alone_count_from_now(new_game: Any) -> None:
    game = new_game(deadlines={"hours": 48})
    assert game.public("GET", game.path).json()["deadline"] == "2026-12-02T12:00:00Z"


def test_a_sheet_begins_empty_and_offers_what_each_unit_may_choose(game: Any) -> None:
    sheet = game.sheet("south")
    assert (sheet["turn"], sheet["revision"], sheet["ready"], sheet["orders"], sheet["receipt"]) == (1, 0, False, {}, None)
    assert [u["id"] for u in sheet["units"]] == ["S1", "S2"]
    options = sheet["units"][0]["options"]
    assert set(options) == {"shoot", "melee", "withdraw", "move"}
    assert ["C3"] in options["move"]


def test_UNIT_2_each_unit_that_a_sheet_names_may_be_told_to_hold(game: Any) -> None:
    ruling = {"changes": [{"unit": "S1", "cohesion": 0}], "reason": "A trial."}
    assert game.master("POST", f"{game.path}/rulings", ruling).status_code == 200
    named = [unit["id"] for unit in game.sheet("south")["units"]]
    assert named == ["S2"]
    assert game.enter("south", {unit: {} for unit in named}).status_code == 200
    refused = game.enter("south", {"S1": {}}, revision=1)
    assert (refused.status_code, refused.json()["problems"][0]["code"]) == (422, "uncontrolled")


def test_orders_entered_are_a_new_revision_with_a_receipt(game: Any) -> None:
    way = game.sheet("south")["units"][0]["options"]["move"][0]
    first = game.enter("south", {"S1": {"move": way}, "S2": {}}).json()
    assert (first["revision"], first["ready"], first["problems"], first["resolved"]) == (1, False, [], False)
    receipt = first["receipt"]
    assert hashlib.sha256(receipt["canonical"].encode()).hexdigest() == receipt["digest"]
    sealed = json.loads(receipt["canonical"])
    assert sealed == {
        "battle": game.id,
        "nonce": receipt["nonce"],
        "orders": first["orders"],
        "revision": 1,
        "seat": "south",
        "turn": 1,
    }
    second = game.enter("south", {"S1": {}}).json()
    assert second["revision"] == 2
    sheet = game.sheet("south")
    assert (sheet["revision"], sheet["orders"], sheet["receipt"]) == (2, {"S1": {}}, second["receipt"])


def test_a_seat_may_seal_its_sheet_with_a_nonce_of_its_own(game: Any) -> None:
    own = {"turn": 1, "revision": 0, "orders": {"S1": {}}, "nonce": "feedbeef" * 8}
    receipt = game.seats["south"]("PUT", f"{game.path}/seats/south/sheet", own).json()["receipt"]
    assert json.loads(receipt["canonical"])["nonce"] == receipt["nonce"] == own["nonce"]


def test_check_answers_as_PUT_would_and_keeps_nothing(game: Any) -> None:
    before = game.sheet("south")
    body = {"turn": 1, "revision": 0, "orders": {"S1": {}}}
    checked = game.seats["south"]("POST", f"{game.path}/seats/south/check", body).json()
    assert (checked["revision"], checked["receipt"], checked["orders"]) == (0, None, {"S1": {}})
    assert game.sheet("south") == before


def test_a_new_revision_clears_ready(game: Any) -> None:
    game.enter("south", {}, ready=True)
    assert game.sheet("south")["ready"] is True
    game.enter("south", {"S1": {}})
    assert game.sheet("south")["ready"] is False


def test_orders_as_text_are_the_same_orders(game: Any) -> None:
    body = {"turn": 1, "revision": 0, "text": "S1 hold\nS2 hold"}
    entered = game.seats["south"]("PUT", f"{game.path}/seats/south/sheet", body)
    assert entered.status_code == 200, entered.text
    assert entered.json()["orders"] == {"S1": {}, "S2": {}}


@pytest.mark.parametrize("text", ["S1: hold; shoot N1\nS2 moves to C4", "S1: стоит; стреляет в N1\nS2 идёт на С4"])
def test_a_text_in_either_language_is_checked_as_it_is_entered(game: Any, text: str) -> None:
    answers = []
    for method, call in (("POST", "check"), ("PUT", "sheet")):
        body = {"turn": 1, "revision": 0, "text": text}
        answers.append(game.seats["south"](method, f"{game.path}/seats/south/{call}", body).json())
    assert [answer.get("code") for answer in answers] == [None, None], answers
    assert answers[0]["orders"] == answers[1]["orders"] == game.sheet("south")["orders"]
    assert answers[0]["orders"]["S2"]["move"]


def test_when_all_are_ready_the_turn_is_resolved_and_its_record_is_there(game: Any) -> None:
    assert game.public("GET", f"{game.path}/turns/1").status_code == 404
    promised = game.public("GET", game.path).json()["seed_commitment"]
    game.enter("north", {"N1": {}}, ready=True)
    last = game.enter("south", {"S1": {}}, ready=True).json()
    assert last["resolved"] is True
    record = game.public("GET", f"{game.path}/turns/1").json()
    assert record["seed_commitment"] == promised
    assert [s["seat"] for s in record["sheets"]] == ["north", "south"]
    assert record["sheets"][1]["digest"] == last["receipt"]["digest"]
    assert [f for f in verification.verify(record) if not f.holds] == []
    assert game.public("GET", game.path).json()["turn"] == 2


def test_the_game_master_resolves_reviews_rules_and_publishes(new_game: Any) -> None:
    game = new_game(review=True)
    game.enter("south", {"S1": {}})
    assert game.master("POST", f"{game.path}/turns/1/resolve").json() == {"id": game.id, "status": "review", "turn": 1}
    for who in (game.public, game.stranger, *game.seats.values()):
        assert who("GET", f"{game.path}/turns/1").json()["code"] == "no-turn"
    draft = game.account("GET", f"{game.path}/turns/1").json()
    ruling = {"changes": [{"unit": "N1", "cohesion": 1}], "reason": "The dice fell off the table.", "rule": "LOSS-1"}
    ruled = game.account("POST", f"{game.path}/rulings", ruling)
    assert ruled.status_code == 200, ruled.text
    published = game.account("POST", f"{game.path}/turns/1/publish").json()
    assert published == {"id": game.id, "status": "open", "turn": 2}
    record = game.public("GET", f"{game.path}/turns/1").json()
    assert record["after"]["units"]["N1"]["cohesion"] == 1
    assert record["events"][: len(draft["events"])] == draft["events"]
    assert (record["rulings"][0]["reason"], record["rulings"][0]["stage"]) == ("The dice fell off the table.", "review")
    assert [f for f in verification.verify(record) if not f.holds] == []
    again = game.account("POST", f"{game.path}/turns/1/publish")
    assert (again.status_code, again.json()["code"]) == (409, "not-under-review")


def test_a_ruling_on_the_open_turn_explains_the_chain(game: Any) -> None:
    game.master("POST", f"{game.path}/turns/1/resolve")
    ruled = game.master("POST", f"{game.path}/rulings", {"changes": [{"unit": "N1", "at": "A1"}], "reason": "A slip."})
    assert ruled.status_code == 200, ruled.text
    game.master("POST", f"{game.path}/turns/2/resolve")
    records = [game.public("GET", f"{game.path}/turns/{turn}").json() for turn in (1, 2)]
    assert records[0]["after"]["units"]["N1"]["at"] != records[1]["before"]["units"]["N1"]["at"] == "A1"
    assert [f for r in records for f in verification.verify(r) if not f.holds] == []
    assert [(f.code, f.holds) for f in verification.verify_chain(records)] == [("chain", True)]
    records[1]["rulings"] = []
    assert [(f.code, f.holds) for f in verification.verify_chain(records)] == [("chain", False)]


def test_the_game_masters_orders_on_behalf_of_a_seat_count(game: Any) -> None:
    body = {"turn": 1, "revision": 0, "orders": {"S1": {}}}
    entered = game.master("PUT", f"{game.path}/seats/south/sheet", body)
    assert (entered.status_code, entered.json()["revision"]) == (200, 1)
    assert game.sheet("south")["orders"] == {"S1": {}}


def test_a_published_turn_as_files(game: Any) -> None:
    game.master("POST", f"{game.path}/turns/1/resolve")
    record = game.public("GET", f"{game.path}/turns/1")
    for name in ("1", "latest"):
        file = game.public("GET", f"/b/{game.id}/t/{name}.json")
        assert file.json() == record.json()
        assert file.headers["content-type"] == "application/json"
        again = game.public("GET", f"/b/{game.id}/t/{name}.json", headers={"If-None-Match": file.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")


def test_the_picture_of_a_turn_in_the_language_asked(game: Any) -> None:
    start = {name: game.public("GET", f"/b/{game.id}/t/{name}.svg") for name in ("0", "latest")}
    assert start["0"].content == start["latest"].content
    assert start["0"].headers["content-type"].startswith("image/svg+xml")
    assert ElementTree.fromstring(start["0"].content).tag == "{http://www.w3.org/2000/svg}svg"
    assert game.public("GET", f"/b/{game.id}/t/1.svg").json()["code"] == "no-turn"
    game.public.language = "ru"
    russian = game.public("GET", f"/b/{game.id}/t/0.svg")
    assert russian.content != start["0"].content
    assert russian.headers["content-language"] == "ru"
    game.enter("south", {"S1": {"move": game.sheet("south")["units"][0]["options"]["move"][0]}})
    game.master("POST", f"{game.path}/turns/1/resolve")
    after = game.public("GET", f"/b/{game.id}/t/1.svg").content
    assert after == game.public("GET", f"/b/{game.id}/t/latest.svg").content != russian.content
    assert game.public("GET", f"/b/{game.id}/t/0.svg").content == russian.content


def test_a_rewind_that_is_sent_twice_leaves_one_line(game: Any) -> None:
    game.enter("south", {"S1": {}})
    line = game.public("GET", f"{game.path}/branches").json()["line"]
    body = {"to": 1, "reason": "A slip.", "played": line}
    sent = [game.master("POST", f"{game.path}/rewind", body) for _ in range(2)]
    assert [answer.status_code for answer in sent] == [200, 409]
    assert (sent[1].json()["code"], sent[1].json()["current"]["turn"]) == ("stale", 1)
    assert len(game.public("GET", f"{game.path}/branches").json()["branches"]) == 1
    back = {"reason": "It was none.", "played": line + 1}
    sent = [game.master("POST", f"{game.path}/branches/{line}/take-up", back) for _ in range(2)]
    assert [answer.status_code for answer in sent] == [200, 409]
    assert len(game.public("GET", f"{game.path}/branches").json()["branches"]) == 2
