"""Rulings, rewinds, looks, options and the log as pages, without a script."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.referee import battles, keys, orders, turns
from app.referee.options import Options
from app.referee.views import PUBLIC, NewBattle
from tests.web.conftest import Post, choices_of, text_of, value_of


def sealed(post: Post, battle: NewBattle, seat: str, sheet: dict, turn: int = 1) -> None:  # type: ignore[type-arg]
    viewer = keys.viewer_by_key(post.house.db, battle.seat_keys[seat])
    orders.enter(post.house.db, battle.id, seat, viewer, turn=turn, revision=0, fields=sheet, now=datetime.now(UTC))


def under_review(post: Post) -> tuple[NewBattle, TestClient]:
    """N1 and S1 have struck each other."""
    battle = post.battle(review=True, seed="07")
    sealed(post, battle, "north", {"N1": {"melee": "S1"}})
    sealed(post, battle, "south", {"S1": {"melee": "N1"}})
    master = post.holder(battle.master_key)
    assert master.post(f"/b/{battle.id}/desk", data={"action": "resolve", "turn": "1"}).status_code == 303
    return battle, master


def test_a_draft_without_dice_says_so_where_the_desk_leads_to(post: Post) -> None:
    battle = post.battle(review=True)
    master = post.holder(battle.master_key)
    assert master.post(f"/b/{battle.id}/desk", data={"action": "resolve", "turn": "1"}).status_code == 303
    page = master.get(f"/b/{battle.id}/desk/rulings").text
    assert "No dice were rolled in this turn." in page[page.index('id="dice"') :]


def rulings(client: TestClient, battle: NewBattle, action: str, **fields: str):  # type: ignore[no-untyped-def]
    return client.post(f"/b/{battle.id}/desk/rulings", data={"action": action, **fields})


def test_the_desk_tells_what_has_changed_in_the_draft(post: Post) -> None:
    battle, master = under_review(post)
    page = text_of(master.get(f"/b/{battle.id}/desk").text)
    assert "What has changed" in page
    assert re.search(r"S1.*: .*→", page)


@pytest.mark.parametrize("is_draft", [False, True])
def test_a_unit_is_amended_by_form_and_nothing_is_made_before_it_was_seen(post: Post, is_draft: bool) -> None:
    battle, master = under_review(post) if is_draft else (b := post.battle(), post.holder(b.master_key))
    chosen = rulings(master, battle, "choose", pick="N2")
    assert value_of(chosen.text, "at") == "D2"
    previewed = rulings(
        master, battle, "preview", unit="N2", at="D1", cohesion="1", reason="The map was wrong.", rule="MOVE-4"
    )
    assert previewed.status_code == 200
    assert "What would change" in text_of(previewed.text)
    assert "cohesion" in text_of(previewed.text)
    gathered = value_of(previewed.text, "changes")
    more = rulings(master, battle, "preview", changes=gathered, cell="A5", kind="rough", reason="The map was wrong.")
    assert "A5" in text_of(more.text)
    before = post.visitor().get(f"/b/{battle.id}/log").text
    assert "The map was wrong." not in before
    gathered = value_of(more.text, "changes")
    made = rulings(master, battle, "make", changes=gathered, reason="The map was wrong.", rule="MOVE-4")
    assert made.headers["location"].endswith("?told=made")
    desk = text_of(master.get(f"/b/{battle.id}/desk").text)
    if is_draft:
        assert "Your rulings on it" in desk
        assert "The map was wrong." not in post.visitor().get(f"/b/{battle.id}/log").text
        master.post(f"/b/{battle.id}/desk", data={"action": "publish", "turn": "1"})
        told = text_of(post.visitor().get(f"/b/{battle.id}/t/1").text)
        assert "Rulings of the game master" in told
        assert "The map was wrong." in told
        assert "The map was wrong." in post.visitor().get(f"/b/{battle.id}/t/1.txt").text
    assert "The map was wrong." in text_of(post.visitor().get(f"/b/{battle.id}/log").text)


def test_a_ruling_on_the_open_turn_stands_in_its_report_in_every_format(post: Post) -> None:
    battle = post.battle()
    master = post.holder(battle.master_key)
    changes = '[{"unit": "N2", "remove": true}]'
    assert rulings(master, battle, "make", changes=changes, reason="N2 never came.").status_code == 303
    master.post(f"/b/{battle.id}/desk", data={"action": "resolve", "turn": "1"})
    for form in ("", ".bbcode", ".md", ".html", ".txt"):
        assert "N2 never came." in post.visitor().get(f"/b/{battle.id}/t/1{form}").text, form


def test_mistakes_are_told_and_what_was_typed_stays(post: Post) -> None:
    battle, master = under_review(post)
    wrong = rulings(master, battle, "preview", unit="N2", at="Z99", cohesion="many", reason="So it is.")
    assert wrong.status_code == 422
    assert value_of(wrong.text, "at") == "Z99"
    assert "So it is." in wrong.text
    given = {"unit": "N2", "remove": "yes", "cell": "Z99", "kind": "rough", "points-north": "2"}
    wrong = rulings(master, battle, "preview", **given)
    assert wrong.status_code == 422
    assert 'id="remove" name="remove" value="yes" checked' in wrong.text
    points = wrong.text[: wrong.text.index('id="points-1"')]
    assert points[points.rindex("<details") :].startswith('<details class="sheet" open>')
    nothing = rulings(master, battle, "make", changes='[{"unit": "N2", "cohesion": 1}]', reason=" ")
    assert nothing.status_code == 422
    assert "A ruling needs a reason" in text_of(nothing.text)
    for bad in ("{", "7", "x" * 200_000):
        assert rulings(master, battle, "make", changes=bad, reason="x").status_code == 400
    assert rulings(master, battle, "nonsense").status_code == 400
    assert rulings(post.visitor(), battle, "make").status_code == 403


def test_a_die_is_rolled_again_and_a_line_set_aside_at_the_desk(post: Post) -> None:
    battle, master = under_review(post)
    page = master.get(f"/b/{battle.id}/desk/rulings").text
    assert "1/melee/N1/attack" in page
    again = rulings(master, battle, "reroll", address="1/melee/N1/attack", reason="It fell off the table.")
    assert again.headers["location"].endswith("?told=rerolled")
    page = master.get(f"/b/{battle.id}/desk/rulings").text
    event, of = re.findall(r'name="event" value="(\d+)"', page)[0], value_of(page, "of")
    aside = rulings(master, battle, "set-aside", event=event, of=of, reason="Out of reach.")
    assert aside.headers["location"].endswith("?told=set-aside")
    assert rulings(master, battle, "set-aside", event=event, of=of, reason="Out of reach.").status_code == 409
    assert "no die beneath an amendment" in text_of(master.get(f"/b/{battle.id}/desk/rulings").text)
    master.post(f"/b/{battle.id}/desk", data={"action": "publish", "turn": "1"})
    told = text_of(post.visitor().get(f"/b/{battle.id}/t/1").text)
    assert "Dice rolled again at 1/melee/N1/attack" in told
    assert "A line set aside" in told


def test_what_the_log_tells_the_game_master_alone_says_so(post: Post) -> None:
    battle, master = under_review(post)
    given = {"address": "1/melee/N1/attack", "reason": "It fell off the table."}
    assert rulings(master, battle, "reroll", **given).status_code == 303
    desk, log = (master.get(f"/b/{battle.id}{page}").text for page in ("/desk", "/log"))
    for page in (desk[desk.index('id="log"') :], log):
        (line,) = [one for one in page.split("<li>") if "It fell off the table." in one]
        assert "game masters alone see this" in line
        assert page.count("game masters alone see this") == 1
    master.post(f"/b/{battle.id}/desk", data={"action": "publish", "turn": "1"})
    assert "game masters alone see this" not in master.get(f"/b/{battle.id}/log").text


def test_dice_are_chosen_by_what_the_report_says_of_them(post: Post) -> None:
    battle, master = under_review(post)
    page = master.get(f"/b/{battle.id}/desk/rulings", headers={"accept-language": "ru"}).text
    told = next(line for line in re.findall(r"<option[^>]*>([^<]*)", page) if "N1 (B2) бьёт" in line)
    assert re.match(r"[1-6]( [1-6])* · атака · Л\.М N1 \(B2\) бьёт Л\.М S1 \(B3\)", told)


def test_what_was_typed_for_dice_or_a_line_stays_when_another_was_quicker(post: Post) -> None:
    battle, master = under_review(post)
    page = master.get(f"/b/{battle.id}/desk/rulings").text
    dice, event = {"address": "1/melee/S1/attack"}, re.findall(r'name="event" value="(\d+)"', page)[1]
    sent = {"seen": value_of(page, "seen"), "of": value_of(page, "of"), "reason": "Two of them\nsaw it.", "rule": "ATTACK-2"}
    assert rulings(master, battle, "make", changes='[{"unit": "N2", "cohesion": 5}]', reason="Misprint.").status_code == 303

    late = rulings(master, battle, "set-aside", event=event, **sent)
    assert late.status_code == 409
    form = late.text[late.text.index('id="events"') :]
    assert re.findall(r'name="event" value="(\d+)" checked', form) == [event]
    assert ">\nTwo of them\nsaw it.</textarea>" in form
    assert value_of(form, "rule") == "ATTACK-2"

    battle, master = under_review(post)
    late = rulings(master, battle, "reroll", **dice, **sent | {"reason": "It fell.", "seen": "old"})
    assert late.status_code == 409
    form = late.text[late.text.index('id="dice"') : late.text.index('id="events"')]
    assert choices_of(form, "address")["1/melee/S1/attack"]
    assert ">\nIt fell.</textarea>" in form
    assert value_of(form, "rule") == "ATTACK-2"


def test_a_finger_that_comes_down_twice_rolls_once(post: Post) -> None:
    battle, master = under_review(post)
    page = master.get(f"/b/{battle.id}/desk/rulings").text
    seen, address = value_of(page, "seen"), re.findall(r'value="(1/melee[^"]+)"', page)[0]
    given = {"address": address, "reason": "It fell.", "seen": seen}
    assert rulings(master, battle, "reroll", **given).status_code == 303
    again = rulings(master, battle, "reroll", **given)
    assert again.status_code == 409
    assert "The battle has gone on since you looked" in text_of(again.text)
    assert value_of(again.text, "reason") == "It fell."
    draft = value_of(page, "seen")
    late = master.post(f"/b/{battle.id}/desk", data={"action": "publish", "turn": "1", "seen": draft})
    assert late.status_code == 409
    now = value_of(late.text, "seen")
    assert master.post(f"/b/{battle.id}/desk", data={"action": "publish", "turn": "1", "seen": now}).status_code == 303


def test_a_rewind_is_asked_told_and_what_was_left_can_be_read_by_all(post: Post) -> None:
    battle = post.battle()
    master, reader = post.holder(battle.master_key), post.visitor()
    sealed(post, battle, "north", {"N1": {"melee": "S1"}})
    master.post(f"/b/{battle.id}/desk", data={"action": "resolve", "turn": "1"})
    old = reader.get(f"/b/{battle.id}/t/1.json")
    rewind = f"/b/{battle.id}/desk/rewind"
    assert "Nothing is deleted" in text_of(master.get(rewind).text)
    assert master.post(rewind, data={"action": "rewind", "to": "1", "reason": " "}).status_code == 422
    assert reader.post(rewind, data={"action": "rewind", "to": "1", "reason": "x"}).status_code == 403
    done = master.post(rewind, data={"action": "rewind", "to": "1", "reason": "The map was wrong."})
    assert done.headers["location"].endswith("?told=rewound")
    shown = reader.get(f"/b/{battle.id}").text
    assert "The map was wrong." in shown
    assert f"/b/{battle.id}/lines" in shown
    assert "Line 1" in text_of(reader.get(f"/b/{battle.id}/lines").text)
    assert f"/b/{battle.id}/lines/1/t/1" in reader.get(f"/b/{battle.id}/lines/1").text
    left = reader.get(f"/b/{battle.id}/lines/1/t/1")
    assert "This turn was played and then left" in text_of(left.text)
    record = reader.get(f"/b/{battle.id}/lines/1/t/1.json")
    assert record.json()["sheets"][0]["orders"]["N1"] == {"melee": "S1"}
    for missing in ("lines/9", "lines/x", "lines/1/t/2", "lines/1/t/0", "lines/1/t/2.json"):
        assert reader.get(f"/b/{battle.id}/{missing}").status_code == 404, missing
    master.post(f"/b/{battle.id}/desk", data={"action": "resolve", "turn": "1"})
    new = reader.get(f"/b/{battle.id}/t/1.json", headers={"if-none-match": old.headers["etag"]})
    assert (new.status_code, new.headers["etag"] != old.headers["etag"]) == (200, True)
    assert "This turn was played before in another way" in text_of(reader.get(f"/b/{battle.id}/t/1").text)
    assert "turn 1" in reader.get(f"/b/{battle.id}/feed.atom").text.lower()
    back = master.post(rewind, data={"action": "take-up", "line": "1", "reason": "The first one counts."})
    assert back.headers["location"].endswith("?told=taken-up")
    again = post.visitor().get(f"/b/{battle.id}/t/1.json").json()
    assert again["sheets"] == record.json()["sheets"]


def test_sealed_orders_are_read_only_where_the_options_have_it_and_all_are_told_first(post: Post) -> None:
    battle = post.battle()
    master = post.holder(battle.master_key)
    sealed(post, battle, "north", {"N1": {"melee": "S1"}})
    page = f"/b/{battle.id}/desk/looks/north"
    assert "do not let you read" in text_of(master.get(page).text)
    assert master.post(page).status_code == 403
    viewer = keys.viewer_by_key(post.house.db, battle.master_key)
    battles.set_options(post.house.db, battle.id, viewer, Options(looks="always"), datetime.now(UTC))
    asked = master.get(page).text
    assert "Tell all, and read it" in asked
    assert "S1" not in text_of(asked)
    assert "sealed while a stricter option held" in text_of(master.post(page).text)
    north = keys.viewer_by_key(post.house.db, battle.seat_keys["north"])
    anew: dict[str, Any] = {"turn": 1, "revision": 1, "fields": {"N1": {"melee": "S1"}}, "now": datetime.now(UTC)}
    orders.enter(post.house.db, battle.id, "north", north, **anew)
    seen = master.post(page)
    assert seen.status_code == 200
    assert "no-store" in seen.headers["cache-control"]
    assert "melee LM B3" in text_of(seen.text)
    log = text_of(post.visitor().get(f"/b/{battle.id}/log?what=looks").text)
    assert "North: the game master read its sealed orders (revision 2)." in log
    assert post.holder(battle.seat_keys["south"]).post(page).status_code == 403
    assert master.post(f"/b/{battle.id}/desk/looks/south").status_code == 409


def test_options_are_chosen_at_the_desk_and_told_to_all(post: Post) -> None:
    battle = post.battle()
    master = post.holder(battle.master_key)
    page = f"/b/{battle.id}/desk/options"
    assert master.get(page).status_code == 200
    given = {
        "option:looks": "always",
        "option:extend_hours": "12",
        "option:offer_after": "0",
        "option:remind_hours": "24",
        "option:grace_minutes": "0",
    }
    bad = master.post(page, data={**given, "option:extend_hours": "99999"})
    assert bad.status_code == 422
    assert 'value="99999"' in bad.text
    assert master.post(page, data=given).headers["location"].endswith("?told=kept")
    view = battles.battle(post.house.db, battle.id, keys.viewer_by_key(post.house.db, battle.master_key), datetime.now(UTC))
    assert view.options == Options(shared_plan=False, looks="always", extend_hours=12)
    told = text_of(post.visitor().get(f"/b/{battle.id}").text)
    assert "The game master may read sealed orders: always" in told
    assert post.visitor().get(page).status_code == 403


def test_options_stand_on_the_page_of_a_new_battle(post: Post) -> None:
    client = post.visitor()
    page = client.get("/battles/new").text
    assert 'name="option:looks"' in page
    fields = {
        "scenario": "first-skirmish",
        "zone": "UTC",
        "early": "yes",
        "option:looks": "always",
        "option:shared_plan": "yes",
    }
    numbers = {f"option:{name}": "0" for name in ("extend_hours", "offer_after", "remind_hours", "grace_minutes")}
    made = client.post("/battles/new", data={**fields, **numbers})
    assert made.status_code == 303
    assert "may read sealed orders: always" in text_of(client.get(made.headers["location"].removesuffix("/desk")).text)


def test_precedents_are_found_by_words_and_by_rule(post: Post) -> None:
    battle, master = under_review(post)
    reason = "Стрелок стоял за зданием"
    assert (
        rulings(master, battle, "make", changes='[{"unit": "N2", "cohesion": 1}]', reason=reason, rule="SHOOT-2").status_code
        == 303
    )
    reader = post.visitor()
    assert reason not in reader.get("/precedents?q=СТРЕЛОК").text, "a draft is nobody's business"
    master.post(f"/b/{battle.id}/desk", data={"action": "publish", "turn": "1"})
    for query in ("q=стрелок", "q=ЗДАНИЕМ+стоял", "rule=shoot-2", "q=стрелок&rule=SHOOT-2"):
        found = text_of(reader.get(f"/precedents?{query}").text)
        assert reason in found, query
        assert "cohesion" in found
    for query in ("q=стрелок+кавалерия", "rule=MOVE-4&q=стрелок"):
        assert reason not in reader.get(f"/precedents?{query}").text
    for odd in ("before=x", "q=%00%ff", "rule=" + "x" * 5000, "before=99999999999"):
        assert reader.get(f"/precedents?{odd}").status_code == 200


def test_the_log_is_whole_and_filtered(post: Post) -> None:
    battle = post.battle()
    viewer = keys.viewer_by_key(post.house.db, battle.master_key)
    turns.resolve_now(post.house.db, battle.id, viewer, turn=1, now=datetime.now(UTC))
    page = text_of(post.visitor().get(f"/b/{battle.id}/log").text)
    assert "The battle was made." in page
    assert "The turn was resolved" in page
    assert post.visitor().get(f"/b/{battle.id}/log?what=nonsense").status_code == 200
    assert "The turn was resolved" not in text_of(post.visitor().get(f"/b/{battle.id}/log?what=looks").text)


def test_the_log_names_each_game_master_on_every_page_that_has_it(post: Post) -> None:
    battle = post.battle()
    first = post.holder(battle.master_key)
    made = first.post(f"/b/{battle.id}/desk/people", data={"action": "add", "name": "Vera <i>"})
    vera = post.holder(re.findall(r'value="[^"]*/k/([^"]+)"', made.text)[0])
    vera.post(f"/b/{battle.id}/desk/seats", data={"action": "renew", "seat": "north"})
    for page in (f"/b/{battle.id}", f"/b/{battle.id}/log"):
        told = post.visitor().get(page).text
        line = next(part for part in told.split("<li>") if "a new secret link was made" in part)
        assert "Vera &lt;i&gt;" in line, page


def test_the_rules_lead_to_what_was_ruled_on_them(post: Post) -> None:
    battle = post.battle()
    master = post.holder(battle.master_key)
    changes = '[{"unit": "N2", "cohesion": 1}]'
    assert rulings(master, battle, "make", changes=changes, reason="So.", rule="rout-3").status_code == 303
    for page in ("/rules/cohesion", f"/b/{battle.id}/rules"):
        told = post.visitor().get(page).text
        assert 'href="/precedents?rule=ROUT-3"' in told
        assert 'href="/precedents?rule=BOARD-1"' not in told


def test_orders_on_behalf_of_a_seat_are_marked_in_every_format_and_in_the_record(post: Post) -> None:
    battle = post.battle()
    viewer = keys.viewer_by_key(post.house.db, battle.master_key)
    given = {"turn": 1, "revision": 0, "fields": {"N1": {"melee": "S1"}}, "now": datetime.now(UTC)}
    orders.enter(post.house.db, battle.id, "north", viewer, **given)
    turns.resolve_now(post.house.db, battle.id, viewer, turn=1, now=datetime.now(UTC))
    for form in ("", ".bbcode", ".md", ".html", ".txt"):
        told = text_of(post.visitor().get(f"/b/{battle.id}/t/1{form}").text)
        assert "North: the orders were entered by the game master." in told, form
    record = post.visitor().get(f"/b/{battle.id}/t/1.json").json()
    assert [sheet["entered_by"] for sheet in record["sheets"]] == ["master"]


def test_two_who_change_options_at_once_undo_nothing_of_each_other(post: Post) -> None:
    battle = post.battle()
    master = post.holder(battle.master_key)
    path = f"/b/{battle.id}/desk/options"
    page = master.get(path).text
    kept = dict(re.findall(r'name="(was:option:\w+)" value="(\w*)"', page))
    given = {name.removeprefix("was:"): value for name, value in kept.items()}
    assert (
        master.post(path, data={**kept, **given, "option:looks": "after-deadline", "option:doctrine": "yes"}).status_code
        == 303
    )
    other = {**kept, **given, "option:extend_hours": "many"}
    refused = master.post(path, data=other)
    assert refused.status_code == 422
    again = dict(re.findall(r'name="(was:option:\w+)" value="(\w*)"', refused.text))
    assert again == kept
    assert master.post(path, data={**given, **again, "option:extend_hours": "12"}).status_code == 303
    options = battles.battle(post.house.db, battle.id, PUBLIC, datetime.now(UTC)).options
    assert (options.looks, options.doctrine, options.extend_hours) == ("after-deadline", True, 12)


def test_how_turns_come_out_is_changed_at_the_desk_and_a_turn_that_waited_for_it_is_resolved(post: Post) -> None:
    battle = post.battle(early=False)
    for seat in ("north", "south"):
        viewer, now = keys.viewer_by_key(post.house.db, battle.seat_keys[seat]), datetime.now(UTC)
        orders.enter(post.house.db, battle.id, seat, viewer, turn=1, revision=0, fields={}, ready=True, now=now)
    master = post.holder(battle.master_key)
    page = f"/b/{battle.id}/desk/options"
    assert master.post(page, data={"action": "flow", "early": "yes", "review": "yes"}).status_code == 303
    shown = master.get(page).text
    assert re.search(r'id="early"[^>]* checked', shown)
    assert re.search(r'id="review"[^>]* checked', shown)
    assert "waits for you" in master.get(f"/b/{battle.id}/desk").text
    told = text_of(post.visitor().get(f"/b/{battle.id}/log").text)
    assert "The game master sees each result first, and publishes it: yes (before: no)." in told


def test_a_browser_of_the_desk_opens_no_seat_before_all_are_told_that_its_holder_plays_it(post: Post) -> None:
    battle = post.battle(options=Options(looks="always"))
    sealed(post, battle, "north", {"N1": {}})
    master = post.holder(battle.master_key)
    here = f"/b/{battle.id}/seat/north"
    assert master.get(f"{here}/taking").status_code == 403
    assert master.get(f"/k/{battle.seat_keys['north']}").headers["location"] == here
    assert master.get(here).headers["location"] == f"{here}/taking"
    for path in ("/absence", "/plan", "/notices", "/commander"):
        assert "a seat is closed to you" in text_of(master.get(here + path).text) or path == "/plan"
        assert master.get(here + path).status_code == 403
    assert master.post(here, data={"action": "save", "turn": "1", "revision": "1"}).status_code == 403
    assert f"/b/{battle.id}/talk/side" not in master.get(f"/b/{battle.id}").text
    page = master.get(f"{here}/taking")
    assert page.status_code == 200
    assert f"/b/{battle.id}/desk/looks/north" in page.text
    assert "plays this seat himself" not in text_of(post.visitor().get(f"/b/{battle.id}/log").text)
    assert master.post(f"{here}/taking").headers["location"] == here
    assert master.get(here).status_code == 200
    assert "plays this seat himself" in text_of(post.visitor().get(f"/b/{battle.id}/log").text)
    assert f"/b/{battle.id}/talk/side" in master.get(f"/b/{battle.id}").text
    assert master.get(f"{here}/taking").headers["location"] == here
    assert master.post(f"/b/{battle.id}/desk/looks/north").status_code == 403
    master.get(f"/k/{battle.seat_keys['south']}")
    assert master.get(f"/b/{battle.id}/seat/south").headers["location"].endswith("/seat/south/taking")
    assert post.holder(battle.seat_keys["south"]).get(f"/b/{battle.id}/seat/south/taking").status_code == 303
