"""Leave, deputies, doctrine and who holds a seat, on the pages: what each browser sees, and what it does not."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.referee import battles
from app.referee.options import Options
from app.referee.verification import verify
from app.referee.views import PUBLIC, NewBattle, SeatView
from tests.web.conftest import Post, text_of, value_of


def seat_of(post: Post, battle: NewBattle, seat: str = "south") -> SeatView:
    view = battles.battle(post.house.db, battle.id, PUBLIC, datetime.now(UTC))
    return next(one for one in view.seats if one.seat == seat)


def absence(client: TestClient, battle: NewBattle, action: str, **fields: str) -> Any:
    return client.post(f"/b/{battle.id}/seat/south/absence", data={"action": action, **fields})


def desk(client: TestClient, battle: NewBattle, action: str, **fields: str) -> Any:
    return client.post(f"/b/{battle.id}/desk/seats", data={"action": action, "seat": "south"} | fields)


def link_in(page: str) -> str:
    """The key of the link that a page shows this once."""
    found = re.search(r'value="[^"]*/k/([^"]+)"', page)
    assert found is not None
    return found[1]


def local(**step: float) -> str:
    return (datetime.now(UTC) + timedelta(**step)).strftime("%Y-%m-%dT%H:%M")


PAGES = ("", "/absence", "/notices")


def closed(client: TestClient, battle: NewBattle) -> bool:
    """Whether no page of the seat opens in a browser, nor any of its actions."""
    here = f"/b/{battle.id}/seat/south"
    reads = [client.get(f"{here}{page}").status_code for page in PAGES]
    reads += [client.get(f"{here}/{part}").status_code for part in ("plan", "sheet", "unit/S1")]
    writes = [client.post(here, data={"action": "save", "turn": "1", "revision": "0"}).status_code]
    is_named = f"/b/{battle.id}/seat/south" in client.get(f"/b/{battle.id}").text
    return {*reads, *writes} == {403} and not is_named


def test_a_deputy_by_link_acts_in_his_time_and_leaves_his_name(post: Post) -> None:
    battle = post.battle()
    south, north, visitor = post.holder(battle.seat_keys["south"]), post.holder(battle.seat_keys["north"]), post.visitor()
    answer = absence(south, battle, "leave", ends=local(days=2), zone="UTC", deputy="link", **{"deputy-name": "Dora"})
    assert answer.status_code == 200
    dora = post.holder(link_in(answer.text))
    page = dora.get(f"/b/{battle.id}/seat/south").text
    assert "You stand in for the commander" in text_of(page)
    assert "Your name" not in text_of(page)
    saved = dora.post(f"/b/{battle.id}/seat/south", data={"action": "save", "turn": "1", "revision": "0", "S1:hold": "yes"})
    assert saved.status_code == 303
    for client in (south, north, visitor):
        assert "Standing in: Dora" in text_of(client.get(f"/b/{battle.id}").text)
        assert "a deputy stands in until" in text_of(client.get(f"/b/{battle.id}/log").text)
    assert "Отсутствует до" in text_of(post.visitor("ru").get(f"/b/{battle.id}").text)
    mine = dora.get(f"/b/{battle.id}/seat/south/absence").text
    assert "Give it back now" in mine
    assert 'value="share"' not in mine
    for action in ("share", "leave", "doctrine", "hand-over", "unshare"):
        fields = {"name": "X", "holder": "X", "orders": "keep", "ends": local(days=1), "zone": "UTC", "sharer": "1"}
        assert absence(dora, battle, action, **fields).status_code == 403
    assert absence(south, battle, "back").status_code == 303
    assert closed(dora, battle)
    assert seat_of(post, battle).leave is None


def test_dates_of_a_leave_that_cannot_be_are_told_as_such(post: Post) -> None:
    battle = post.battle()
    south = post.holder(battle.seat_keys["south"])
    for dates in ({"begins": local(days=2), "ends": local(days=1)}, {"begins": "", "ends": ""}, {"ends": "soon"}):
        answer = absence(south, battle, "leave", zone="UTC", deputy="link", **dates, **{"deputy-name": "Dora"})
        assert answer.status_code == 422
        assert "come back later than you leave" in text_of(answer.text)
        assert value_of(answer.text, "deputy-name") == "Dora"


def test_a_link_that_is_followed_too_early_says_when_it_works(post: Post) -> None:
    battle = post.battle()
    south = post.holder(battle.seat_keys["south"])
    fields = {"begins": local(days=1), "ends": local(days=2), "zone": "UTC", "deputy": "link", "deputy-name": "Dora"}
    key = link_in(absence(south, battle, "leave", **fields).text)
    early = post.visitor().get(f"/k/{key}")
    assert early.status_code == 403
    assert "This link works from" in text_of(early.text)
    year = datetime.now(UTC).year
    assert re.search(rf"from [0-9]+ [A-Z][a-z]+ ({year}|{year + 1}), [0-9:]+ to [^.]+ \(UTC\)", text_of(early.text))
    dora = post.visitor()
    dora.cookies.set("fp_seat_south", key)
    assert closed(dora, battle)
    reply = post.visitor().get(f"/api/v1/battles/{battle.id}/seats/south/sheet", headers={"authorization": f"Bearer {key}"})
    assert reply.status_code == 403


@pytest.mark.parametrize(
    "wrong",
    [
        {"ends": ""},
        {"ends": "soon"},
        {"zone": "Moon/Sea"},
        {"begins": "never"},
        {"ends": "2020-01-01T10:00"},
        {"deputy": "seat", "deputy-seat": "north"},
        {"deputy": "account", "deputy-account": "Nobody At All"},
        {"deputy": "link", "deputy-name": "\u202e"},
    ],
)
def test_a_leave_that_cannot_be_says_why_and_keeps_what_was_typed(post: Post, wrong: dict[str, str]) -> None:
    battle = post.battle()
    south = post.holder(battle.seat_keys["south"])
    fields = {"ends": local(days=2), "zone": "UTC", "deputy": "nobody", "deputy-account": "Kept <words>", **wrong}
    answer = absence(south, battle, "leave", **fields)
    assert answer.status_code == 422
    assert value_of(answer.text, "ends") == fields["ends"]
    assert value_of(answer.text, "deputy-account") == fields["deputy-account"]
    assert seat_of(post, battle).leave is None


def test_a_leave_is_named_in_the_readers_zone_unless_he_has_named_another(post: Post) -> None:
    battle = post.battle()
    south = post.holder(battle.seat_keys["south"])
    assert "data-reader-zone" in south.get(f"/b/{battle.id}/seat/south/absence").text
    refused = absence(south, battle, "leave", ends=local(days=-2), zone="Asia/Tokyo", deputy="nobody")
    assert value_of(refused.text, "zone") == "Asia/Tokyo"
    assert "data-reader-zone" not in refused.text


def test_a_doctrine_is_chosen_on_the_seats_own_page_and_nobody_else_sees_which(post: Post) -> None:
    battle = post.battle(options=Options(doctrine=True))
    south, north, master = (
        post.holder(key) for key in (battle.seat_keys["south"], battle.seat_keys["north"], battle.master_key)
    )
    assert absence(south, battle, "doctrine", doctrine="hold-and-fight").status_code == 303
    own = south.get(f"/b/{battle.id}/seat/south/absence").text
    assert re.search(r'value="hold-and-fight" checked', own)
    assert "melees the weakest enemy beside it" in text_of(south.get(f"/b/{battle.id}/seat/south").text)
    assert absence(south, battle, "doctrine", doctrine="charge").status_code == 400
    paths = ("", "/log", "/desk", "/desk/seats", "/stand", "/feed.atom", "/seat/north", "/seat/north/absence")
    for client in (post.visitor(), north, master):
        told = [client.get(f"/b/{battle.id}{path}").text for path in paths]
        assert not any('value="hold-and-fight" checked' in text for text in told)
        assert not any("melees the weakest" in text_of(text) for text in told[:-1])
    assert "Has a standing doctrine" in text_of(post.visitor().get(f"/b/{battle.id}").text)
    assert north.get(f"/b/{battle.id}/seat/south/absence").status_code == 403
    assert master.get(f"/b/{battle.id}/seat/south/absence").status_code == 403
    assert master.post(f"/b/{battle.id}/desk", data={"action": "resolve", "turn": "1"}).status_code == 303
    report = text_of(post.visitor().get(f"/b/{battle.id}/t/1").text)
    assert "standing doctrine: hold and fight" in report
    assert "Standing doctrine of" in report


def test_a_seat_is_replaced_at_the_desk_with_a_stated_choice_and_the_old_link_is_dead(post: Post) -> None:
    battle = post.battle()
    south, master = post.holder(battle.seat_keys["south"]), post.holder(battle.master_key)
    refused = desk(master, battle, "give", holder="Kept <words>")
    assert refused.status_code == 400
    assert 'value="Kept &lt;words&gt;"' in refused.text
    answer = desk(master, battle, "give", holder="Zoe", orders="empty")
    assert answer.status_code == 200
    assert closed(south, battle)
    headers = {"authorization": f"Bearer {battle.seat_keys['south']}"}
    old = post.visitor().get(f"/api/v1/battles/{battle.id}/seats/south/sheet", headers=headers)
    assert old.status_code == 401
    assert post.visitor().get(f"/k/{battle.seat_keys['south']}").status_code == 401
    zoe = post.holder(link_in(answer.text))
    assert zoe.get(f"/b/{battle.id}/seat/south").status_code == 200
    assert "Zoe" in text_of(post.visitor().get(f"/b/{battle.id}").text)


def test_the_desk_removes_offers_shares_and_seats_a_program(post: Post) -> None:
    battle = post.battle()
    master, south = post.holder(battle.master_key), post.holder(battle.seat_keys["south"])
    ann = post.holder(link_in(desk(master, battle, "share", name="Ann").text))
    assert ann.get(f"/b/{battle.id}/seat/south").status_code == 200
    number = re.search(r'name="sharer" value="(\d+)"', master.get(f"/b/{battle.id}/desk/seats").text)
    assert number is not None
    assert desk(master, battle, "unshare", sharer=number[1]).status_code == 303
    assert closed(ann, battle)
    assert desk(master, battle, "offer").status_code == 303
    assert desk(master, battle, "program", program="random").status_code == 303
    assert desk(master, battle, "remove", orders="keep").status_code == 303
    assert closed(south, battle)
    page = text_of(post.visitor().get(f"/b/{battle.id}").text)
    for told in ("No commander.", "Offered to others.", "A program fills it: the random player."):
        assert told in page
    assert desk(master, battle, "doctrine", doctrine="hold").status_code == 303
    assert desk(master, battle, "withdraw").status_code == 303
    assert desk(master, battle, "program", program="clever").status_code == 400
    assert desk(master, battle, "dance").status_code == 400
    for stranger in (post.visitor(), south, post.holder(battle.seat_keys["north"])):
        assert stranger.get(f"/b/{battle.id}/desk/seats").status_code == 403
        assert desk(stranger, battle, "offer").status_code == 403
    russian = text_of(post.holder(battle.master_key, "ru").get(f"/b/{battle.id}/desk/seats").text)
    assert "Играет программа: случайный игрок" in russian


def test_a_commander_hands_his_seat_over_himself(post: Post) -> None:
    battle = post.battle()
    south, master = post.holder(battle.seat_keys["south"]), post.holder(battle.master_key)
    assert "Handing the seat over" not in south.get(f"/b/{battle.id}/seat/south/absence").text
    assert absence(south, battle, "hand-over", holder="Zoe", orders="keep").status_code == 403
    form = {"action": "", "option:shared_plan": "yes", "option:looks": "never", "option:hand_over": "yes"}
    numbers = {f"option:{name}": "0" for name in ("extend_hours", "offer_after", "remind_hours", "grace_minutes")}
    assert master.post(f"/b/{battle.id}/desk/options", data={**form, **numbers}).status_code == 303
    answer = absence(south, battle, "hand-over", holder="Zoe", orders="keep")
    assert answer.status_code == 200
    assert "The seat is not yours any more" in text_of(answer.text)
    assert closed(south, battle)
    assert post.holder(link_in(answer.text)).get(f"/b/{battle.id}/seat/south").status_code == 200
    assert "a link that only he knows" in text_of(master.get(f"/b/{battle.id}/desk/seats").text)


def test_a_commander_makes_his_own_link_and_goes_on_in_the_same_browser(post: Post) -> None:
    battle = post.battle()
    south, elsewhere, master = (
        post.holder(key) for key in (battle.seat_keys["south"], battle.seat_keys["south"], battle.master_key)
    )
    answer = absence(south, battle, "renew")
    assert answer.status_code == 200
    assert "This browser has it already" in text_of(answer.text)
    assert not closed(south, battle)
    assert closed(elsewhere, battle)
    assert not closed(post.holder(link_in(answer.text)), battle)
    assert "a link that only he knows" in text_of(master.get(f"/b/{battle.id}/desk/seats").text)
    assert "made a link of his own" in text_of(post.visitor().get(f"/b/{battle.id}/log").text)


def test_who_gave_orders_in_anothers_place_is_told_in_every_format(post: Post) -> None:
    battle = post.battle(options=Options(doctrine=True))
    master, south = post.holder(battle.master_key), post.holder(battle.seat_keys["south"])
    absence(south, battle, "doctrine", doctrine="hold")
    ann = post.holder(link_in(absence(south, battle, "share", name="Ann").text))
    hold = {"action": "save", "turn": "1", "revision": "0", "S1:hold": "yes"}
    assert ann.post(f"/b/{battle.id}/seat/south", data=hold).status_code == 303
    assert desk(master, battle, "program", seat="north", program="random").status_code == 303
    assert master.post(f"/b/{battle.id}/desk", data={"action": "resolve", "turn": "1"}).status_code == 303
    for form in ("", ".bbcode", ".md", ".html", ".txt"):
        told = text_of(post.visitor().get(f"/b/{battle.id}/t/1{form}").text)
        assert "South: the orders were entered by Ann, who shares the seat." in told, form
        assert "North: the orders are those of a program." in told, form
        assert "they followed its standing doctrine: hold." in told, form
    record = post.visitor().get(f"/b/{battle.id}/t/1.json").json()
    assert [(sheet["entered_by"], sheet.get("entered_name")) for sheet in record["sheets"]] == [
        ("program", None),
        ("seat", "Ann"),
    ]
    assert [(one["seat"], one["doctrine"]) for one in record["doctrines"]] == [("south", "hold")]
    assert all(finding.holds for finding in verify(record))
