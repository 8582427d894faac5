"""The film that a page plays: it leads through every line of the report, from the board before to the board after."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest

from app.engine.ruleset import Ruling
from app.referee import keys, moderation, orders, publication, turns
from app.reports import report
from app.rulesets.registry import RULESETS
from app.web import filmstrip
from app.web.filmstrip import END, START, Film, filmed
from tests.reports.turns import Told, from_battle, from_cases
from tests.web.conftest import Post

NAMED = {told.name.split(" ")[1]: told for told in from_cases()}


def _view(told: Told) -> Any:
    return SimpleNamespace(
        ruleset=RULESETS["cohesion"],
        before=told.before,
        after=told.after,
        events=told.events,
        scenario=told.scenario,
        turn=told.before.turn,
        opening=None,
        corrections=(),
    )


def _film(told: Told, language: str = "en") -> Film:
    return filmed(_view(told), language)


def _played(told: Told, film: Film) -> tuple[dict[str, str], dict[str, str]]:
    """Where everybody stands when the film is over, and where the turn left him: unit -> cell."""
    start = RULESETS["cohesion"].scene(told.before, "en", told.scenario)
    end = RULESETS["cohesion"].scene(told.after, "en", told.scenario)
    shown = {counter.id: f"{counter.cell} {counter.values}" for counter in start.counters}
    for moment in film.moments:
        for unit in moment.gone:
            del shown[unit]
        for unit, piece in moment.set.items():
            cell, values = re.search(r'data-cell="([^"]*)"', piece), re.search(r'class="values"[^>]*>([^<]*)<', piece)
            assert cell
            assert values
            shown[unit] = f"{cell[1]} {values[1]}"
    return shown, {counter.id: f"{counter.cell} {counter.values}" for counter in end.counters}


@pytest.mark.parametrize("told", from_cases(), ids=lambda told: told.name)
def test_every_case_leads_from_before_to_after_through_every_line(told: Told) -> None:
    film = _film(told)
    assert [moment.id for moment in film.moments[1:-1]] == [entry.id for entry in report(told, "en").entries]
    assert (film.moments[0].id, film.moments[-1].id) == (START, END)
    shown, after = _played(told, film)
    assert shown == after


def test_whole_battles_do_too_and_their_films_are_small() -> None:
    for told in from_battle():
        film = _film(told, "ru")
        shown, after = _played(told, film)
        assert shown == after
        assert len(film.json()) < 200_000


def test_a_unit_that_falls_is_crossed_out_and_then_gone() -> None:
    told = next(told for told in from_battle() if len(told.after.units) < len(told.before.units))
    film = _film(told)
    fallen = set(told.before.units) - set(told.after.units)
    for unit in fallen:
        last = max(i for i, moment in enumerate(film.moments) if unit in moment.set)
        assert "fallen" in film.moments[last].set[unit]
        gone = next(i for i, moment in enumerate(film.moments) if unit in moment.gone)
        assert gone == last + 1


def test_who_moves_goes_along_his_way_and_lines_go_with_their_entry() -> None:
    film = _film(NAMED["MOVE-01"])
    moved = next(moment for moment in film.moments if "S1" in moment.paths)
    assert len(moved.paths["S1"]) == 4
    assert moved.routes.count('class="route move"') == 1
    caught = next(moment for moment in film.moments if moment.units[:1] == ("N1",))
    assert "caught" in caught.set["N1"]
    contest = _film(NAMED["MOVE-03"])
    first = next(moment for moment in contest.moments if set(moment.units) == {"N1", "S1"})
    assert first.routes.count('class="route move"') == 2


def test_a_very_large_turn_is_told_group_by_group(monkeypatch: pytest.MonkeyPatch) -> None:
    told = from_battle()[4]
    monkeypatch.setattr(filmstrip, "MOST_DRAWN", 0)
    film = _film(told)
    assert len(film.moments) < len(list(report(told, "en").entries))
    assert [line for moment in film.moments for line in moment.lines] == [entry.id for entry in report(told, "en").entries]
    shown, after = _played(told, film)
    assert shown == after


def test_a_film_is_kept_and_told_to_whoever_has_it(post: Post) -> None:
    made = post.battle()
    post.holder(made.master_key).post(f"/b/{made.id}/desk", data={"action": "resolve", "turn": "1"})
    path = f"/b/{made.id}/t/1/film.json"
    first = post.visitor().get(path)
    assert first.headers["content-type"] == "application/json"
    assert first.headers["vary"] == "Accept-Language, Cookie"
    again = post.visitor().get(path, headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    russian = post.visitor("ru").get(path)
    assert russian.headers["content-language"] == "ru"
    assert json.loads(russian.content)["chapters"] != json.loads(first.content)["chapters"]
    ids = {moment["id"] for moment in json.loads(first.content)["moments"]} - {START, END}
    page = post.visitor().get(f"/b/{made.id}/t/1").text
    assert f'data-film="{path}"' in page
    assert all(f'id="{line}"' in page for line in ids)


def test_a_reel_is_a_turn_with_all_that_a_page_needs(post: Post) -> None:
    made = post.battle()
    post.holder(made.master_key).post(f"/b/{made.id}/desk", data={"action": "resolve", "turn": "1"})
    first = post.visitor("ru").get(f"/b/{made.id}/t/1/reel.json")
    reel = json.loads(first.content)
    assert set(reel["opening"]) == {"N1", "N2", "S1", "S2"}
    assert reel["board"].startswith("<svg")
    assert "data-unit" not in reel["board"]
    ids = {line for moment in reel["film"]["moments"] for line in moment["lines"]}
    assert ids
    assert all(f'id="{line}"' in reel["report"] for line in ids)
    assert 'lang="ru"' in reel["report"]
    again = post.visitor("ru").get(f"/b/{made.id}/t/1/reel.json", headers={"if-none-match": first.headers["etag"]})
    assert again.status_code == 304


def test_each_reader_is_told_which_units_are_his_own(post: Post) -> None:
    made = post.battle()
    post.holder(made.master_key).post(f"/b/{made.id}/desk", data={"action": "resolve", "turn": "1"})

    def mine(client: Any) -> list[str]:
        return json.loads(client.get(f"/b/{made.id}/t/1/film.json").content)["mine"]  # type: ignore[no-any-return]

    both = post.holder(made.seat_keys["north"])
    assert mine(both) == ["N1", "N2"]
    both.get(f"/k/{made.seat_keys['south']}")
    assert mine(both) == ["N1", "N2", "S1", "S2"]
    assert mine(post.holder(made.seat_keys["south"])) == ["S1", "S2"]
    assert mine(post.visitor()) == mine(post.holder(made.master_key)) == []


@pytest.mark.parametrize("turn", ["0", "2", "x", "latest", "-1", "99999999"])
def test_a_film_that_is_not_there_is_refused(post: Post, turn: str) -> None:
    made = post.battle()
    assert post.visitor().get(f"/b/{made.id}/t/{turn}/film.json").status_code == 404


def test_a_turn_under_review_is_shown_to_its_master_alone_and_never_kept(post: Post) -> None:
    made = post.battle(review=True)
    master = post.holder(made.master_key)
    master.post(f"/b/{made.id}/desk", data={"action": "resolve", "turn": "1"})
    path = f"/b/{made.id}/t/1/film.json"
    seen = master.get(path)
    assert seen.status_code == 200
    assert seen.headers["cache-control"] == "private, no-store"
    assert post.visitor().get(path).status_code == 404
    assert post.holder(made.seat_keys["north"]).get(path).status_code == 404


def test_a_turn_with_rulings_before_it_and_dice_rolled_again_has_a_film_of_all_its_lines(post: Post) -> None:
    """Such lines tell of no event of the turn."""
    made, now = post.battle(review=True), datetime.now(UTC)
    db, master = post.house.db, keys.viewer_by_key(post.house.db, made.master_key)
    moderation.rule(db, made.id, master, Ruling(({"unit": "N2", "remove": True},), "N2 never came"), now)
    south = keys.viewer_by_key(db, made.seat_keys["south"])
    orders.enter(db, made.id, "south", south, turn=1, revision=0, fields={"S1": {"melee": "N1"}}, now=now)
    turns.resolve_now(db, made.id, master, turn=1, now=now)
    again = "1/melee/S1/attack"
    moderation.reroll(db, made.id, master, address=again, reason="It fell off the table", rule=None, now=now)
    publication.publish(db, made.id, master, turn=1, now=now)
    answer = post.visitor().get(f"/b/{made.id}/t/1/film.json")
    assert answer.status_code == 200
    told = [line for moment in answer.json()["moments"] for line in moment["lines"]]
    assert "start-1" in told
    assert sum(line.startswith("end-") for line in told) >= 2
    assert post.visitor().get(f"/b/{made.id}/film").status_code == 200
