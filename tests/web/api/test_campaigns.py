"""Campaigns by the JSON API: made, seen, joined by battles of who leads both."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

PATH = "/api/v1/campaigns"


@pytest.fixture
def made(account: Any) -> Any:
    answer = account("POST", PATH, {"title": "The river war", "description": {"en": "A *war*.", "ru": "Война."}})
    assert answer.status_code == 201
    assert answer.headers["cache-control"] == "no-store"
    return answer.json()


def test_a_campaign_is_made_by_an_account_and_seen_by_all(game: Any, account: Any, made: Any) -> None:
    assert made["desk"]["url"].endswith(f"/k/{made['desk']['key']}")
    told = game.public("GET", f"{PATH}/{made['id']}")
    assert told.json()["description"] == "A *war*."
    assert made["desk"]["key"] not in told.text
    game.public.language = "ru"
    assert game.public("GET", f"{PATH}/{made['id']}").json()["description"] == "Война."
    for caller, status in ((game.public, 401), (game.master, 403), (game.seats["north"], 403)):
        assert caller("POST", PATH, {"title": "War"}).status_code == status
    assert account("POST", PATH, {"title": " "}).json()["code"] == "bad-title"
    assert game.public("GET", f"{PATH}/nothing").json()["code"] == "no-campaign"


def test_a_battle_joins_by_who_leads_both(game: Any, account: Any, made: Any) -> None:
    path = f"{PATH}/{made['id']}/battles"
    desk = replace(game.public, token=made["desk"]["key"])
    for caller in (game.master, game.seats["north"], game.stranger):
        assert caller("POST", path, {"battle": game.id}).status_code == 403
    assert desk("POST", path, {"battle": game.id}).status_code == 403
    assert desk("POST", path, {"battle": game.id, "key": game.made["seats"][0]["key"]}).status_code == 403
    assert desk("POST", path, {"battle": game.id, "key": "nothing"}).status_code == 401
    joined = desk("POST", path, {"battle": game.id, "key": game.made["desk"]["url"], "label": "Battle 1"})
    assert joined.status_code == 201, joined.text
    assert (joined.json()["label"], joined.json()["counts_as"]) == ("Battle 1", {"north": "north", "south": "south"})
    assert account("POST", path, {"battle": game.id}).json()["code"] == "in-campaign"
    told = game.public("GET", f"{PATH}/{made['id']}").json()
    assert [one["id"] for one in told["battles"]] == [game.id]
    assert [one["side"] for one in told["standings"]["sides"]] == ["north", "south"]


def test_a_campaigns_key_opens_nothing_in_its_battles(game: Any, made: Any) -> None:
    desk = replace(game.public, token=made["desk"]["key"])
    body = {"battle": game.id, "key": game.made["desk"]["key"]}
    assert desk("POST", f"{PATH}/{made['id']}/battles", body).status_code == 201
    assert desk("POST", f"{game.path}/turns/1/resolve").status_code == 403
    assert desk("GET", f"{game.path}/seats/north/sheet").status_code == 403
    assert desk("GET", game.path).json() == game.public("GET", game.path).json()
