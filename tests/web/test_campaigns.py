"""Campaigns in the browser: made and led, battles made inside and joined, units carried over, calendar and feeds."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from xml.etree import ElementTree

import icalendar
import pytest
from starlette.testclient import TestClient

from app.engine.ruleset import Ruling
from app.referee import battles, campaigns, campaignviews, keys, moderation, publication, turns
from app.referee.views import PUBLIC, NewBattle
from tests.web.conftest import SKIRMISH, Post, choices_of, text_of, value_of

ATOM = "{http://www.w3.org/2005/Atom}"
PAGES = ("", "/standings", "/calendar", "/log", "/feed.atom?lang=en", "/deadlines.ics?lang=en")


class Led:
    """A campaign, and the browser of its game master."""

    def __init__(self, post: Post, **given: str) -> None:
        self.post = post
        self.client = post.visitor()
        answer = self.client.post("/campaigns/new", data={"title": "The river war", "name": "Vera", **given})
        assert answer.status_code == 303, answer.text
        self.desk = str(answer.headers["location"])
        self.path = self.desk.removesuffix("/desk")
        self.id = self.path.removeprefix("/c/")

    def act(self, action: str, **fields: str) -> Any:
        return self.client.post(self.desk, data={"action": action, **fields})

    def join(self, battle: NewBattle, label: str = "") -> None:
        link = self.post.house.link(f"/k/{battle.master_key}")
        assert self.act("join", join=link, join_label=label).headers["location"] == f"{self.desk}?told=joined"

    def page(self, path: str = "", language: str = "en") -> str:
        answer = self.post.visitor(language).get(f"{self.path}{path}")
        assert answer.status_code == 200
        return answer.text


def resolve(post: Post, battle: NewBattle, turn: int = 1) -> None:
    turns.resolve_now(
        post.house.db, battle.id, keys.viewer_by_key(post.house.db, battle.master_key), turn=turn, now=datetime.now(UTC)
    )


def rule(post: Post, battle: NewBattle, *changes: dict[str, Any]) -> None:
    master = keys.viewer_by_key(post.house.db, battle.master_key)
    moderation.rule(post.house.db, battle.id, master, Ruling(changes, "so it was"), datetime.now(UTC))


def form_of(page: str) -> dict[str, str]:
    """The fields of the long form as a browser would send them, but for its buttons."""
    form = page[page.index('class="long"') : page.index("</form>")]
    sent: dict[str, str] = {}
    for tag in re.findall(r"<input [^>]*>", form):
        fields = {name: html.unescape(value) for name, value in re.findall(r'([\w-]+)="([^"]*)"', tag)}
        if fields.get("type") in {"radio", "checkbox"} and " checked" not in tag:
            continue
        if "name" in fields:
            sent[fields["name"]] = fields.get("value", "")
    for name, body in re.findall(r'<textarea [^>]*name="([^"]*)"[^>]*>\n?(.*?)</textarea>', form, re.DOTALL):
        sent[name] = html.unescape(body)
    for name in re.findall(r'<select [^>]*name="([^"]*)"', form):
        offered = choices_of(form, html.unescape(name))
        sent[html.unescape(name)] = next((value for value, chosen in offered.items() if chosen), next(iter(offered)))
    return sent


def test_a_campaign_is_made_and_led_by_its_link(post: Post) -> None:
    led = Led(post, english="A **war** for the *river*.", russian="Война за реку.")
    assert "<strong>war</strong>" in led.page()
    assert "Война за реку" in led.page(language="ru")
    assert "Desk of the campaign" not in led.page()
    desk = led.client.get(led.desk).text
    link = re.search(r'value="[^"]*(/k/[\w-]{43})"', desk)
    assert link is not None
    other = post.visitor()
    assert other.get(led.desk).status_code == 403
    followed = other.get(link[1])
    assert followed.headers["location"] == led.desk
    assert f"Path=/c/{led.id};" in followed.headers["set-cookie"]
    assert other.get(led.desk).status_code == 200
    assert link[1] not in led.page() + led.page("/log")


@pytest.mark.parametrize(("language", "first"), [("en", "english"), ("ru", "russian")])
def test_what_it_is_about_is_asked_in_the_readers_language_first(post: Post, language: str, first: str) -> None:
    led = Led(post)
    led.act("describe", title="The river war", english="Of a river", russian="О реке")
    for path in ("/campaigns/new", led.desk):
        page = led.client.get(path, headers={"accept-language": language}).text
        assert re.findall(r'<textarea id="(english|russian)"', page)[0] == first
        assert len(re.findall(r'<textarea id="(english|russian)"', page)) == 2
    assert "Of a river</textarea>" in page
    assert "О реке</textarea>" in page


def test_a_campaign_without_a_title_is_not_made_and_nothing_is_lost(post: Post) -> None:
    answer = post.visitor().post("/campaigns/new", data={"title": "", "english": "Long & dear"})
    assert answer.status_code == 422
    assert "Long &amp; dear" in answer.text


def test_a_battle_joins_by_the_link_of_its_desk_and_is_shown_with_its_campaign(post: Post) -> None:
    led, battle = Led(post), post.battle()
    for wrong in (battle.seat_keys["north"], f"/b/{battle.id}", "nothing", ""):
        answer = led.act("join", join=wrong, join_label="kept")
        assert answer.status_code in {401, 403}
        assert value_of(answer.text, "join_label") == "kept"
    led.join(battle, "Battle 1: the ford")
    assert "Battle 1: the ford" in led.page()
    russian = post.visitor().get(f"{led.path}/log", headers={"accept-language": "ru"}).text
    assert "Вошла битва: Стычка." in text_of(russian)
    assert re.search(r"[0-9]{2}:[0-9]{2} UTC", text_of(russian))
    shown = post.visitor().get(f"/b/{battle.id}").text
    assert f'<a href="{led.path}" dir="auto">The river war</a>' in shown
    assert "The battle joined the campaign “The river war”." in text_of(shown)
    assert battle.master_key not in led.client.get(led.desk).text
    again = led.act("join", join=f"/k/{battle.master_key}")
    assert again.status_code == 409
    moved = led.act("arrange", battle=battle.id, label="The ford", place="1", **{"side:north": "south", "side:south": ""})
    assert moved.headers["location"] == f"{led.desk}?told=arranged"
    assert "counts for nobody" in led.client.get(led.desk).text
    led.act("remove", battle=battle.id)
    assert "The ford" not in led.page()
    assert led.path not in post.visitor().get(f"/b/{battle.id}").text.split("<h2")[0]


def test_sides_standings_and_rulings_are_set_at_the_desk(post: Post) -> None:
    led, battle = Led(post), post.battle()
    led.join(battle)
    desk = led.client.get(led.desk).text
    assert value_of(desk, "key:0") == "north"
    sides = {"key:0": "north", "english:0": "The Empire", "russian:0": "Империя", "colour:0": "#123"}
    assert led.act("sides", **sides, **{"key:1": "", "english:1": "", "russian:1": ""}).status_code == 303
    assert "Империя" in led.page(language="ru")
    bad = led.act("sides", **{**sides, "colour:0": "blue"})
    assert bad.status_code == 422
    assert value_of(bad.text, "english:0") == "The Empire"
    assert led.act("rule", subject="side:north", reason="It was agreed.", **{"add:made": "+3"}).status_code == 303
    assert (
        led.act("rule", subject="commander:", commander="Anna", reason="Well written.", **{"add:made": "−1"}).status_code
        == 303
    )
    for page in ("", "/standings", "/log"):
        assert "It was agreed." in led.page(page)
    assert "points made +3" in text_of(led.page("/standings"))
    refused = led.act("rule", subject="side:north", reason="Why not", **{"add:made": "many"})
    assert refused.status_code == 422
    assert "Why not" in refused.text
    assert led.act("dance").status_code == 400


def test_helpers_get_a_link_of_their_own(post: Post) -> None:
    led = Led(post)
    shown = led.act("add", name="Boris")
    key = re.search(r"Send it to him alone:</p>\s*<p>.*?/k/([\w-]{43})", shown.text, re.DOTALL)
    assert key is not None
    boris = post.holder(key[1])
    assert boris.get(led.desk).status_code == 200
    for name in ("boris", "Vera"):  # a form sent twice makes one key, and the log tells them apart
        again = led.act("add", name=name)
        assert again.status_code == 409
        assert value_of(again.text, "name") == name
    assert led.act("remove-master", number="2").status_code == 303
    assert boris.get(led.desk).status_code == 403


def test_a_desk_is_kept_in_an_account(post: Post) -> None:
    led = Led(post)
    asked = led.act("keep")
    assert asked.headers["location"] == f"/account?to={led.desk}"
    name = f"Leader of {led.id}"
    signing = {"action": "sign-up", "name": name, "password": "a horse, a battery", "to": led.desk}
    assert led.client.post("/account", data=signing).headers["location"] == led.desk
    assert led.act("keep").status_code == 303
    elsewhere = post.visitor()
    elsewhere.post("/account", data={"action": "sign-in", "name": name, "password": "a horse, a battery"})
    assert f'href="{led.desk}"' in elsewhere.get("/account").text
    assert elsewhere.get(led.desk).status_code == 200
    mine = post.battle()
    leader = elsewhere.get(f"/k/{mine.master_key}")
    assert leader.status_code == 303
    elsewhere.post(f"/b/{mine.id}/keep", data={"seat": ""})
    joined = elsewhere.post(led.desk, data={"action": "join", "join": post.house.link(f"/b/{mine.id}")})
    assert joined.status_code == 303
    assert elsewhere.post(led.desk, data={"action": "let-go"}).headers["location"] == led.path
    assert elsewhere.get(led.desk).status_code == 403


def test_a_battle_is_made_inside_a_campaign(post: Post) -> None:
    led = Led(post)
    path = f"{led.path}/new"
    assert post.visitor().get(path).status_code == 403
    assert post.visitor().post(path, data={"scenario": "first-skirmish"}).status_code == 403
    page = led.client.get(path).text
    assert "Units from an earlier battle" not in page
    sent = {**form_of(page), "scenario": "first-skirmish", "label": "Battle 1"}
    made = led.client.post(path, data=sent)
    assert made.status_code == 303, made.text
    battle_id = made.headers["location"].split("/")[2]
    assert led.client.get(f"/b/{battle_id}/desk").status_code == 200
    assert [one.label for one in campaignviews.campaign(post.house.db, led.id).battles] == ["Battle 1"]
    bad = led.client.post(path, data={**sent, "label": "\u202e"})
    assert bad.status_code == 422
    assert len(campaignviews.campaign(post.house.db, led.id).battles) == 1


@pytest.fixture
def worn(post: Post) -> tuple[Led, NewBattle]:
    led = Led(post)
    battle = post.battle(title="The ford")
    rule(post, battle, {"unit": "N1", "strength": 2, "cohesion": 1}, {"unit": "N2", "remove": True})
    resolve(post, battle)
    led.join(battle)
    return led, battle


def test_units_are_chosen_shown_and_brought_over(post: Post, worn: tuple[Led, NewBattle]) -> None:
    led, battle = worn
    path = f"{led.path}/new"
    sent = {**form_of(led.client.get(path).text), "scenario": "own", "scenario_text": SKIRMISH, "title": "The bridge"}
    unseen = led.client.post(path, data={**sent, "carry_battle": battle.id})
    assert unseen.status_code == 422
    assert "Look at the units" in unseen.text
    shown = led.client.post(path, data={**sent, "carry_battle": battle.id, "carry_show": "yes"})
    assert shown.status_code == 200
    assert choices_of(shown.text, "carry:N1")["N1"]
    assert "N2 · destroyed" in shown.text
    assert value_of(shown.text, "title") == "The bridge"
    sent = form_of(shown.text)
    twice = led.client.post(path, data={**sent, "carry:N1": "S1"})
    assert twice.status_code == 422
    assert "One is chosen twice" in twice.text
    assert choices_of(twice.text, "carry:N1")["S1"]
    bad = led.client.post(path, data={**sent, "back:N2": "99"})
    assert bad.status_code == 422
    assert "N2 can come back with a strength from 1 to" in bad.text
    other = led.client.post(path, data={**sent, "scenario": "first-skirmish"})
    assert other.status_code == 422
    made = led.client.post(path, data={**sent, "carry_rest": "rallied"})
    assert made.status_code == 303, made.text
    battle_id = made.headers["location"].split("/")[2]
    state = battles.battle(post.house.db, battle_id, PUBLIC, datetime.now(UTC)).state
    assert (state.units["N1"].strength, state.units["N1"].cohesion) == (2, state.types["LM"].cohesion_start)
    assert "N2" not in state.units
    told = text_of(post.visitor().get(f"/b/{battle_id}").text)
    assert "Brought over from The ford , as they were after turn 1" in told
    assert "N1, with its losses" in told
    assert "N2 is left out: N2 was destroyed" in told
    back = led.client.post(path, data={**sent, "back:N2": "1", "title": "Again"})
    assert "comes back: 1" in post.visitor().get(f"/b/{back.headers['location'].split('/')[2]}").text


def test_what_comes_back_to_a_form_of_units_is_never_an_error_of_the_server(post: Post, worn: tuple[Led, NewBattle]) -> None:
    led, battle = worn
    for fields in (
        {"carry_battle": "nothing", "carry_for": "x"},
        {"carry_battle": battle.id, "carry_for": "x", "carry:nobody": "N1", "back:nobody": "x", "carry_rest": "?"},
        {"carry_battle": "\ud800", "carry_show": "yes"},
        {"carry_battle": battle.id, "scenario": "own", "scenario_text": "]", "carry_show": "yes"},
    ):
        data = {"scenario": "first-skirmish", **fields}
        answer = led.client.post(f"{led.path}/new", data={k: v.encode("utf-8", "replace").decode() for k, v in data.items()})
        assert answer.status_code in {200, 422}


def test_nothing_of_a_draft_under_review_stands_on_any_page_of_the_campaign(post: Post) -> None:
    led, battle = Led(post), post.battle(review=True)
    led.join(battle)
    everywhere = (post.visitor(), post.holder(battle.seat_keys["north"]), led.client)

    def told() -> list[str]:
        """Without what says that a turn is under review, which is known to all."""
        found = []
        for client in everywhere:
            view = campaignviews.campaign(post.house.db, led.id)
            found.append(repr((view.by_side, view.by_commander, [one.points for one in view.battles])))
            for path in PAGES:
                page = client.get(f"{led.path}{path}").text
                page = re.sub(r'<span class="stamp (open|review)">[^<]*</span>', "", page)
                found.append(re.sub(r"SEQUENCE:\d+|DTSTAMP:\w+", "", page))
        return found

    before = told()
    resolve(post, battle)
    rule(post, battle, {"unit": "N1", "strength": 1}, {"points": {"north": 1}})
    assert told() == before
    master = keys.viewer_by_key(post.house.db, battle.master_key)
    publication.publish(post.house.db, battle.id, master, turn=1, now=datetime.now(UTC))
    assert all(one != other for one, other in zip(told()[1:2], before[1:2], strict=True))


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_feed_tells_turns_rulings_beginnings_and_ends(post: Post, language: str) -> None:
    led, battle = Led(post), post.battle(title="Axes & <Shields>")
    led.join(battle, "Battle 1")
    rule(post, battle, {"unit": "N1", "strength": 1})
    resolve(post, battle)
    rule(post, battle, {"winner": "north"})
    led.act("rule", subject="side:north", reason="It was agreed.", **{"add:made": "1"})
    answer = post.visitor().get(f"{led.path}/feed.atom?lang={language}")
    assert answer.headers["content-type"] == "application/atom+xml; charset=utf-8"
    entries = ElementTree.fromstring(answer.content).findall(ATOM + "entry")
    identities = [entry.findtext(ATOM + "id") or "" for entry in entries]
    assert len(set(identities)) == len(identities)
    url = post.house.link(f"/b/{battle.id}")
    assert {f"{url}#begun", f"{url}#ended", f"{url}/t/1"} <= set(identities)
    titles = [entry.findtext(ATOM + "title") or "" for entry in entries]
    assert sum("so it was" in title for title in titles) == 2
    assert any("It was agreed." in title for title in titles)
    moments = [entry.findtext(ATOM + "updated") or "" for entry in entries]
    assert moments == sorted(moments, reverse=True)
    unchanged = post.visitor().get(
        f"{led.path}/feed.atom?lang={language}", headers={"if-none-match": answer.headers["etag"]}
    )
    assert unchanged.status_code == 304
    for secret in (battle.master_key, *battle.seat_keys.values()):
        assert secret not in answer.text


def test_deadlines_of_all_battles_stand_in_one_calendar(post: Post) -> None:
    led = Led(post)
    soon = datetime.now(UTC).replace(microsecond=0) + timedelta(days=2)
    first = post.battle(deadline=soon + timedelta(days=1), turn_hours=72)
    second = post.battle(deadline=soon, zone="Europe/Moscow")
    for number, battle in enumerate((first, second, post.battle()), start=1):
        led.join(battle, f"Battle {number}")
    page = led.page("/calendar")
    assert page.index("Battle 2") < page.index("Battle 1")
    assert "Battle 3" not in page
    made = icalendar.Calendar.from_ical(led.page("/deadlines.ics?lang=en"))
    events = list(made.walk("VEVENT"))
    assert {str(event["uid"]).split("-turn-")[0] for event in events} == {first.id, second.id}
    starts = {str(event["uid"]).split("@")[0]: event.decoded("dtstart") for event in events}
    assert starts[f"{second.id}-turn-1"] == soon
    assert starts[f"{first.id}-turn-2"] == soon + timedelta(days=4)


def test_a_bare_link_shows_the_campaign(post: Post) -> None:
    led = Led(post)
    assert "og:image" not in led.page()
    url = post.house.link(led.path)
    empty = post.visitor().get("/oembed", params={"url": url}).json()
    assert (empty["type"], empty["title"]) == ("link", "The river war")
    battle = post.battle()
    led.join(battle)
    assert f'<meta property="og:url" content="{url}">' in led.page()
    assert f"/b/{battle.id}/t/0.png" in led.page()
    assert post.visitor().get("/oembed", params={"url": url}).json()["type"] == "photo"
    assert post.visitor().get("/oembed", params={"url": post.house.link("/c/nothing")}).status_code == 404


def test_the_first_page_names_campaigns_that_have_battles(post: Post) -> None:
    led = Led(post)
    assert f'href="{led.path}"' not in post.visitor().get("/").text
    led.join(post.battle())
    assert f'href="{led.path}"' in post.visitor().get("/").text


@pytest.mark.parametrize("path", ["", "/standings", "/calendar", "/log", "/feed.atom", "/deadlines.ics"])
def test_what_is_no_campaign_is_not_there(post: Post, path: str) -> None:
    for name in ("nothing", "%00", "x" * 200):
        assert post.visitor().get(f"/c/{name}{path}").status_code == 404


def test_only_a_host_makes_campaigns_where_only_he_makes_battles(post: Post) -> None:
    house = post.house
    post.app.state.house = replace(house, settings=replace(house.settings, open_battles=False))
    assert "only its host" in post.visitor().get("/campaigns/new").text
    assert post.visitor().post("/campaigns/new", data={"title": "War"}).status_code == 403
    made = campaigns.create(house.db, title="War", now=datetime.now(UTC))
    leader: TestClient = post.holder(made.key)
    assert "New battle in this campaign" not in leader.get(f"/c/{made.id}/desk").text
    assert leader.post(f"/c/{made.id}/new", data={"scenario": "first-skirmish"}).status_code == 403
