"""Orders as text on the pages: read while somebody writes, read over the form when it is saved, answered at the desk."""

from __future__ import annotations

import html
from dataclasses import replace
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.referee.orders import LONGEST_TEXT
from app.referee.views import NewBattle
from app.web.pace import Pace
from tests.web.conftest import Post, choices_of, text_of, value_of

EMPTY = {"turn": "1", "revision": "0", "unit:S1": "1", "unit:S2": "1", "text-taken": ""}
WORDS = {
    "en": ("LM B3 shots at LM B2", "shoots", "LM B3: shoot LM B2\nLR D4: move C4"),
    "ru": ("Л.М В3 стрелет в Л.М В2", "стреляет", "Л.М B3: стреляет в Л.М B2\nЛ.Вс D4: движется в C4"),
}


def _read(client: TestClient, battle: NewBattle, way: str = "seat/south", **fields: str) -> Any:
    return client.post(f"/b/{battle.id}/{way}/read", data={**EMPTY, "from": "text", **fields})


def _save(client: TestClient, battle: NewBattle, action: str = "save", way: str = "seat/south", **fields: str) -> Any:
    return client.post(f"/b/{battle.id}/{way}", data={**EMPTY, "action": action, **fields})


def _revision(client: TestClient, battle: NewBattle) -> str:
    return value_of(client.get(f"/b/{battle.id}/seat/south").text, "revision")


@pytest.mark.parametrize("language", WORDS)
def test_a_text_is_answered_with_every_place_and_what_may_be_meant(post: Post, language: str) -> None:
    written, suggestion, _ = WORDS[language]
    battle = post.battle()
    client = post.holder(battle.seat_keys["south"], language)
    answer = _read(client, battle, text=f"\n{written}\nS2 hold hodl")
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"
    told = answer.json()
    assert [(f["line"], f["column"], f["length"]) for f in told["faults"]] == [
        (2, 7 if language == "en" else 8, len(written.split()[2])),
        (3, 9, 4),
    ]
    assert suggestion in [one["words"] for one in told["faults"][0]["suggestions"]]
    assert not any(one["follows"] for one in told["faults"][0]["suggestions"])
    assert bool(set("аеио") & set(told["says"] + told["faults"][0]["words"])) == (language == "ru")
    assert "units" not in told
    assert _revision(client, battle) == "0"


@pytest.mark.parametrize("language", WORDS)
def test_form_and_text_say_the_same(post: Post, language: str) -> None:
    canonical = WORDS[language][2]
    battle = post.battle()
    client = post.holder(battle.seat_keys["south"], language)
    read = _read(client, battle, text=canonical.replace(": ", " - ")).json()
    assert read["text"] == canonical
    assert read["orders"] == {"S1": {"shoot": "N1"}, "S2": {"move": ["C4"]}}
    assert read["units"]["S1"]["shoot"]["value"] == "N1"
    assert read["units"]["S2"]["move"]["value"] == "C4"
    written = _read(client, battle, **{"from": "form", "text": "anything", "shoot:S1": "N1", "move:S2": "C4"}).json()
    assert written["text"] == canonical
    assert "units" not in written


def test_what_is_missing_is_suggested_behind_the_piece(post: Post) -> None:
    battle = post.battle()
    told = _read(post.holder(battle.seat_keys["south"]), battle, text="LM B3").json()
    assert {one["words"] for one in told["faults"][0]["suggestions"]} >= {"hold"}
    assert all(one["follows"] for one in told["faults"][0]["suggestions"])


def test_units_that_may_be_meant_are_named_by_code_and_cell(post: Post) -> None:
    battle = post.battle()
    told = _read(post.holder(battle.seat_keys["south"]), battle, text="S1 shoot LM D2").json()
    assert "XS D2" in [one["words"] for one in told["faults"][0]["suggestions"]]


def test_what_the_rules_refuse_is_told_with_its_place_in_the_form(post: Post) -> None:
    battle = post.battle()
    told = _read(post.holder(battle.seat_keys["south"]), battle, text="S2 melee N2\nN1 hold").json()
    assert {(one["unit"], one["part"]) for one in told["refused"]} == {("S2", "fight"), ("N1", "unit")}
    assert told["units"]["S2"]["fight"]["value"] == "melee:N2"
    assert "Some of them cannot be given." in told["says"]


def test_a_text_counts_for_the_units_that_it_names(post: Post) -> None:
    battle = post.battle()
    client = post.holder(battle.seat_keys["south"])
    told = _read(client, battle, text="S1 hold", **{"shoot:S1": "N1", "move:S2": "C4"}).json()
    assert told["orders"] == {"S1": {}, "S2": {"move": ["C4"]}}
    assert "left as the form has them: LR D4" in told["says"]
    alone = _read(client, battle, text="S1 hold", **{"move:S2": "C4", "text-drop": "yes"}).json()
    assert alone["orders"] == {"S1": {}}
    assert alone["units"]["S2"]["move"] == {"value": ""}


@pytest.mark.parametrize("action", ["save", "text"])
def test_a_text_that_is_new_is_read_whichever_button_saves(post: Post, action: str) -> None:
    battle = post.battle()
    client = post.holder(battle.seat_keys["south"])
    assert _save(client, battle, action, text="S1 shoot N1", **{"move:S2": "C4"}).status_code == 303
    page = client.get(f"/b/{battle.id}/seat/south").text
    assert choices_of(page, "shoot:S1")["N1"]
    assert choices_of(page, "move:S2")["C4"]


def test_a_text_that_was_taken_in_before_leaves_the_form_its_last_word(post: Post) -> None:
    battle = post.battle()
    client = post.holder(battle.seat_keys["south"])
    given = {"text": "S1 shoot N1", "text-taken": "S1 shoot N1\n", "hold:S1": "yes"}
    assert _save(client, battle, **given).status_code == 303
    assert not choices_of(client.get(f"/b/{battle.id}/seat/south").text, "shoot:S1")["N1"]


def test_a_text_that_is_not_understood_saves_nothing_and_loses_nothing(post: Post) -> None:
    battle = post.battle()
    client = post.holder(battle.seat_keys["south"])
    answer = _save(client, battle, text="S1 dances <b>", **{"move:S2": "C4"})
    assert answer.status_code == 422
    assert "S1 dances &lt;b&gt;</textarea>" in answer.text
    assert choices_of(answer.text, "move:S2")["C4"]
    assert value_of(answer.text, "text-taken") == ""
    assert _revision(client, battle) == "0"


def test_what_is_understood_is_shown_before_it_is_saved(post: Post) -> None:
    battle = post.battle()
    client = post.holder(battle.seat_keys["south"])
    typed = "[quote]hm[/quote] 1. lm b3 fires at B2!"
    answer = _save(client, battle, "text-read", text=typed, **{"move:S2": "C4"})
    assert answer.status_code == 200
    assert "LM B3: shoot LM B2 LR D4: move C4" in text_of(answer.text)
    assert "left as the form has them: LR D4" in text_of(answer.text)
    assert f"{typed}</textarea>" in answer.text
    assert value_of(answer.text, "text-taken") == typed
    assert choices_of(answer.text, "shoot:S1")["N1"]
    assert answer.text.count('class="route ') == 2
    assert _revision(client, battle) == "0"


def test_refused_orders_of_a_text_stand_in_the_form(post: Post) -> None:
    battle = post.battle()
    client = post.holder(battle.seat_keys["south"])
    answer = _save(client, battle, text="S2 melee N2; move A1")
    assert answer.status_code == 422
    assert choices_of(answer.text, "fight:S2")["melee:N2"]
    assert 'href="#f-S2-fight"' in answer.text
    assert 'href="#f-S2-move"' in answer.text


@pytest.mark.parametrize("language", WORDS)
def test_at_the_desk_a_list_of_what_is_wrong_can_be_sent_back(post: Post, language: str) -> None:
    written = WORDS[language][0]
    battle = post.battle()
    client = post.holder(battle.master_key, "en")
    told = _read(client, battle, "desk/orders/south", text=f"{written}\n{written}").json()
    first = told["replies"][0]
    assert [reply["language"] for reply in told["replies"]] == sorted(WORDS, key=lambda one: one != language)
    assert first["text"].count(f"> {written}") == 2
    assert ("(Column 7.)" if language == "en" else "(Столбец 8.)") in first["text"]
    page = _save(client, battle, "text", "desk/orders/south", text=written).text
    assert f"&gt; {written}" in page
    refused = _read(client, battle, "desk/orders/south", text="S2 melee N2").json()
    assert "S2: " in refused["replies"][0]["text"]
    assert _read(client, battle, "desk/orders/south", text="S2 hold").json()["replies"] == []
    assert _save(client, battle, "text", "desk/orders/south", text="S2 hold").status_code == 303
    assert "South" in text_of(post.visitor().get(f"/b/{battle.id}").text.split('id="log"')[1])


def test_only_the_seat_and_the_master_may_have_it_read(post: Post) -> None:
    battle, other = post.battle(), post.battle()
    for client in (post.visitor(), post.holder(battle.seat_keys["north"]), post.holder(other.master_key)):
        for way in ("seat/south", "desk/orders/south"):
            assert _read(client, battle, way, text="S1 hold").status_code == 403
    south = post.holder(battle.seat_keys["south"])
    headers = {"origin": "https://elsewhere.example"}
    answer = south.post(f"/b/{battle.id}/seat/south/read", data={**EMPTY, "text": "S1 hold"}, headers=headers)
    assert answer.status_code == 403
    assert _read(south, battle, "seat/nobody", text="").status_code in {403, 404}


def test_another_turn_is_told_as_such(post: Post) -> None:
    battle = post.battle()
    answer = _read(post.holder(battle.seat_keys["south"]), battle, text="S1 hold", turn="2")
    assert answer.status_code == 409
    assert answer.json()["code"] == "stale"
    assert answer.json()["says"]


@pytest.mark.parametrize(("language", "words"), [("en", "at most 50000 characters"), ("ru", "не больше 50000 знаков")])
def test_a_text_that_is_too_long_is_refused_and_not_lost(post: Post, language: str, words: str) -> None:
    battle = post.battle()
    client = post.holder(battle.seat_keys["south"], language)
    long = "я" * (LONGEST_TEXT + 1)
    assert words in _read(client, battle, text=long).json()["says"]
    for action in ("save", "text", "text-read"):
        answer = _save(client, battle, action, text=long)
        assert answer.status_code == 422
        assert words in text_of(answer.text)
        assert f"{long}</textarea>" in answer.text


def test_who_asks_too_much_waits(post: Post) -> None:
    house = post.house
    post.app.state.house = replace(house, readings=Pace(most=3, each_second=1, clock=lambda: 0.0))
    battle = post.battle()
    client = post.holder(battle.seat_keys["south"])
    assert _read(client, battle, text="S1 hold\n---\n" + "x" * 9000).status_code == 200
    assert _read(client, battle, text="S1 hold").status_code == 200
    answer = _read(client, battle, text="S1 hold")
    assert answer.status_code == 429
    assert answer.headers["retry-after"] == "1"
    assert _save(client, battle, "text", text="S1 hold").status_code == 303


def test_a_pace_gives_back_with_time() -> None:
    now = [0.0]
    pace = Pace(most=2, each_second=0.5, clock=lambda: now[0])
    assert [pace.spend("a", 1) for _ in range(3)] == [0, 0, 2]
    assert pace.spend("b", 2) == 0
    now[0] = 2.0
    assert pace.spend("a", 1) == 0
    assert pace.spend("a", 1) == 2


LETTERS = {
    "en": ("Hello!\nTurn 1\nLM B3: shoot LM B2\nRegards, Leo", "Leave out 3 lines that are no orders"),
    "ru": ("Всем привет!\nХод 1\nЛ.М B3: стреляет в Л.М B2\nС уважением, Лев", "Убрать 3 строки, которые не приказы"),
}


@pytest.mark.parametrize("way", ["seat/south", "desk/orders/south"])
@pytest.mark.parametrize("language", LETTERS)
def test_lines_that_are_no_orders_are_left_out_by_one_press_without_scripts(post: Post, language: str, way: str) -> None:
    text, press = LETTERS[language]
    battle = post.battle()
    key = battle.seat_keys["south"] if way.startswith("seat") else battle.master_key
    client = post.holder(key, language)
    refused = _save(client, battle, "text", way, text=text.replace("\n", "\r\n"))
    assert refused.status_code == 422
    assert press in refused.text
    assert refused.text.count("<s>") == 3
    left = _save(client, battle, "text-leave", way, text=text.replace("\n", "\r\n"))
    assert left.status_code == 200
    assert press not in left.text
    quoted = ["> " + line if at != 2 else line for at, line in enumerate(text.split("\n"))]
    assert html.escape("\n".join(quoted), quote=False) in left.text
    assert _revision(post.holder(battle.seat_keys["south"]), battle) == "0"
    told = _read(client, battle, way, text="\n".join(quoted)).json()
    assert told["faults"] == []


@pytest.mark.parametrize("language", LETTERS)
def test_each_such_line_is_one_mistake_for_the_page(post: Post, language: str) -> None:
    text, press = LETTERS[language]
    battle = post.battle()
    told = _read(post.holder(battle.seat_keys["south"], language), battle, text=text + " qwzx").json()
    assert [(fault["line"], fault["column"]) for fault in told["faults"]] == [(1, 1), (2, 1), (4, 1)]
    assert told["asides"]["lines"] == [1, 2, 4]
    assert told["asides"]["press"] == press
    assert told["asides"]["texts"][0] == text.split("\n")[0]
