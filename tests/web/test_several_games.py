"""A server with two games: a new battle of either, with the rulings that its own rules leave open."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.referee import accounts, battles, scenarios
from app.referee.scenarios import ScenarioLine
from app.referee.views import PUBLIC, BattleView
from app.reports import TELLERS
from app.rulesets.registry import RULESETS
from app.scenario.forms import FORMS
from tests.contracts.duel.ruleset import FILE, RULESET, scenario
from tests.contracts.duel.words import TELLER
from tests.web.conftest import Post, choices_of, text_of, value_of
from tests.web.test_campaigns import Led

MEADOW = scenario(seats={"ash": "red", "elm": "green"})
FILE_JSON = {key: part for key, part in MEADOW.items() if key != "notes"}
TEXT = json.dumps(FILE_JSON)


@pytest.fixture
def two_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RULESETS, "duel", RULESET)
    monkeypatch.setitem(TELLERS, "duel", TELLER)
    monkeypatch.setitem(FORMS, "duel", FILE)
    title: Any = MEADOW["title"]
    line = ScenarioLine("meadow", "duel", title, {}, MEADOW, "7x7", seats=2, units=4)
    shipped = {line.key: line for line in (*scenarios.known(), line)}
    monkeypatch.setattr(scenarios, "_shipped", lambda: shipped)


def _made(post: Post, given: dict[str, str]) -> BattleView:
    answer = post.visitor().post("/battles/new", data={"zone": "UTC", "early": "yes", **given})
    assert answer.status_code == 303, text_of(answer.text)
    return battles.battle(post.house.db, answer.headers["location"].split("/")[2], PUBLIC, post.house.now())


@pytest.mark.usefixtures("two_games")
def test_the_rulings_of_each_game_are_offered_under_its_name(post: Post) -> None:
    page = post.visitor().get("/battles/new?scenario=meadow").text
    assert 'value="meadow" checked' in page
    assert list(choices_of(page, "ruling:duel:counter")) == ["", "free", "paid"]
    assert list(choices_of(page, "ruling:cohesion:tie")) == ["", "draw", "on"]
    assert 'href="/rules/duel#REACT-3"' in page
    assert "These count in a battle of this game: Cohesion." in text_of(page)
    assert "duel, 4 units, 2 seats" in text_of(page)
    russian = text_of(post.visitor("ru").get("/battles/new").text)
    assert "Собранность, 28 отрядов" in russian
    assert "Действуют в битве по этой игре: «Собранность»." in russian


def test_where_one_game_is_played_it_is_not_named(post: Post) -> None:
    page = post.visitor().get("/battles/new").text
    assert list(choices_of(page, "ruling:cohesion:tie")) == ["", "draw", "on"]
    assert "These count" not in page
    assert "games.js" not in page


@pytest.mark.usefixtures("two_games")
@pytest.mark.parametrize("given", [{"scenario": "meadow"}, {"scenario": "own", "scenario_text": TEXT}], ids=["known", "own"])
def test_a_battle_has_the_rulings_of_its_own_game_alone(post: Post, given: dict[str, str]) -> None:
    made = _made(post, {**given, "ruling:duel:counter": "paid", "ruling:duel:reserve": "", "ruling:cohesion:tie": "on"})
    assert dict(made.rulings) == {"reserve": "lost", "counter": "paid"}
    other = _made(post, {"scenario": "first-skirmish", "ruling:duel:counter": "paid", "ruling:cohesion:tie": "on"})
    assert (other.ruleset.key, dict(other.rulings)["tie"]) == ("cohesion", "on")


@pytest.mark.usefixtures("two_games")
def test_what_was_chosen_for_either_game_stays_in_a_form_that_is_refused(post: Post) -> None:
    chosen = {"ruling:duel:counter": "paid", "ruling:cohesion:tie": "on", "title": "x" * 201}
    answer = post.visitor().post("/battles/new", data={"scenario": "meadow", "zone": "UTC", **chosen})
    assert answer.status_code == 422
    assert choices_of(answer.text, "ruling:duel:counter")["paid"]
    assert choices_of(answer.text, "ruling:cohesion:tie")["on"]
    assert value_of(answer.text, "title") == "x" * 201
    assert answer.text.count('<details class="sheet" data-rulings') == answer.text.count('" open>\n<summary>Rulings')


@pytest.mark.usefixtures("two_games")
def test_a_ruling_that_the_chosen_game_does_not_know_is_refused(post: Post) -> None:
    for name in ("ruling:duel:tie", "ruling:tie"):
        answer = post.visitor().post("/battles/new", data={"scenario": "meadow", "zone": "UTC", name: "on"})
        assert answer.status_code == 422, name


@pytest.mark.usefixtures("two_games")
def test_the_api_says_what_each_game_leaves_open_and_takes_it(post: Post) -> None:
    reader = post.visitor()
    told = {one["key"]: one for one in reader.get("/api/v1/scenarios").json()["scenarios"]}
    assert told["meadow"]["rulings"] == [
        {"key": "reserve", "rule": "ROUND-1", "values": ["lost", "kept"], "holds": "lost"},
        {"key": "counter", "rule": "REACT-3", "values": ["free", "paid"], "holds": "free"},
    ]
    assert {one["key"] for one in told["first-skirmish"]["rulings"]} >= {"tie", "reroll"}
    token = accounts.make_token(post.house.db, "lead", post.house.now())
    head = {"Authorization": f"Bearer {token}"}
    for body in ({"scenario": "meadow"}, {"scenario_file": FILE_JSON}, {"scenario_file": TEXT}):
        made = reader.post("/api/v1/battles", json={**body, "rulings": {"counter": "paid"}}, headers=head)
        assert made.status_code == 201, made.text
        assert reader.get(f"/api/v1/battles/{made.json()['id']}").json()["rulings"]["counter"] == "paid"
    wrong = reader.post("/api/v1/battles", json={"scenario": "meadow", "rulings": {"tie": "on"}}, headers=head)
    assert (wrong.status_code, wrong.json()["code"]) == (422, "bad-ruling")


@pytest.mark.usefixtures("two_games")
def test_no_unit_comes_over_from_a_battle_of_another_game(post: Post) -> None:
    led = Led(post)
    path = f"{led.path}/new"
    answer = led.client.post(path, data={"scenario": "meadow", "zone": "UTC"})
    assert answer.status_code == 303
    before = answer.headers["location"].split("/")[2]
    sent = {"scenario": "first-skirmish", "zone": "UTC", "title": "The bridge", "carry_battle": before}
    why = "Units come over only from a battle of the same rules"
    shown = led.client.post(path, data={**sent, "carry_show": "yes"})
    assert (shown.status_code, why in text_of(shown.text), 'name="carry:' in shown.text) == (422, True, False)
    assert value_of(shown.text, "title") == "The bridge"
    refused = led.client.post(path, data=sent)
    assert (refused.status_code, why in text_of(refused.text)) == (422, True)
    again = led.client.post(path, data={**sent, "scenario": "meadow", "carry_show": "yes"})
    assert 'name="carry:A1"' in again.text
