"""The first page, a new battle, links, the language."""

from __future__ import annotations

import pytest

from app.config import Settings
from app.referee import accounts
from tests.web.conftest import SKIRMISH, Post, choices_of, text_of, value_of

NEW = {"scenario": "own", "scenario_text": SKIRMISH, "zone": "Europe/Moscow", "early": "yes"}


def test_a_battle_is_made_from_a_pasted_scenario_and_leads_to_its_desk(post: Post) -> None:
    client = post.visitor()
    answer = client.post("/battles/new", data={**NEW, "title": "Our <first> battle", "hours": "48", "ruling:tie": "on"})
    assert answer.status_code == 303
    desk = client.get(answer.headers["location"])
    assert desk.status_code == 200
    assert "Our &lt;first&gt; battle" in desk.text
    assert text_of(desk.text).count("Copy") == 4
    assert "Moscow, UTC+3" in text_of(desk.text)
    battle = answer.headers["location"].removesuffix("/desk")
    assert "the battle goes on" in text_of(client.get(battle).text)


def test_a_battle_is_made_from_a_known_scenario_as_it_is_offered(post: Post) -> None:
    client = post.visitor()
    page = client.get("/battles/new").text
    assert 'value="visage-and-throne" checked' in page
    answer = client.post("/battles/new", data={"scenario": "visage-and-throne", "zone": "UTC", "early": "yes"})
    assert answer.status_code == 303
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert f"Path={answer.headers['location'].removesuffix('/desk')}" in cookie
    assert "Secure" not in cookie


def test_every_mistake_of_a_scenario_is_shown_by_its_line_and_nothing_is_lost(post: Post) -> None:
    broken = SKIRMISH.replace("at: B2", "at: Z9").replace("goal: 1", "goal: many").replace("type: LR", "type: QQ")
    given = {
        **NEW,
        "scenario_text": broken,
        "title": 'A "title"',
        "hours": "24",
        "review": "yes",
        "ruling:cohesion:reroll": "counted",
    }
    answer = post.visitor().post("/battles/new", data=given)
    assert answer.status_code == 422
    page = answer.text
    for piece in ("goal: many", "Z9", "QQ"):
        line = next(i for i, text in enumerate(broken.splitlines(), 1) if piece in text)
        assert f"<tr><td>{line}</td>" in page, piece
    assert "at: Z9" in page
    assert value_of(page, "title") == 'A "title"'
    assert value_of(page, "hours") == "24"
    assert choices_of(page, "ruling:cohesion:reroll")["counted"]
    assert 'name="review" value="yes" checked' in page


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("deadline", "2001-01-01T10:00"),
        ("deadline", "soon"),
        ("zone", "Mars/Olympus"),
        ("hours", "0"),
        ("hours", "9999999"),
        ("hours", "½"),
        ("title", "x" * 201),
        ("title", "turned \u202e round"),
        ("scenario", "no-such"),
        ("scenario_text", "- a: [b"),
        ("scenario_text", ""),
    ],
)
def test_what_cannot_be_is_told_and_kept_in_the_form(post: Post, field: str, value: str) -> None:
    answer = post.visitor("ru").post("/battles/new", data={**NEW, field: value})
    assert 400 <= answer.status_code < 500
    assert "Битва ещё не создана" in answer.text
    if field in {"deadline", "zone", "hours", "title"}:
        assert value in text_of(answer.text.replace('value="', ">").replace('" ', "<"))


def test_the_first_page_lists_battles_and_scenarios_in_both_languages(post: Post) -> None:
    post.battle(title="Ёж & <Co>")
    english, russian = post.visitor().get("/").text, post.visitor("ru").get("/").text
    assert "Ёж &amp; &lt;Co&gt;" in english
    assert '<html lang="en">' in english
    assert '<html lang="ru">' in russian
    assert "28 units, 6 seats" in english
    assert "28 отрядов, 6 командиров" in russian


def test_a_scenario_has_its_picture_in_the_readers_language(post: Post) -> None:
    english, russian = (post.visitor(lang).get("/scenarios/visage-and-throne.svg") for lang in ("en", "ru"))
    assert english.headers["content-type"].startswith("image/svg+xml")
    assert english.content != russian.content
    again = post.visitor().get("/scenarios/visage-and-throne.svg", headers={"if-none-match": english.headers["etag"]})
    assert again.status_code == 304
    assert post.visitor().get("/scenarios/none.svg").status_code == 404


def test_a_server_may_keep_battles_to_its_host(post: Post) -> None:
    object.__setattr__(post.house, "settings", Settings(data=post.house.settings.data, open_battles=False))
    client = post.visitor()
    assert "/battles/new" not in client.get("/").text.split("<main")[1]
    assert "<form" not in client.get("/battles/new").text
    assert client.post("/battles/new", data=NEW).status_code == 403


def test_a_link_puts_its_key_into_a_cookie_of_its_battle_and_no_further(post: Post) -> None:
    battle = post.battle()
    client = post.visitor()
    answer = client.get(f"/k/{battle.seat_keys['south']}")
    assert answer.status_code == 303
    assert answer.headers["location"] == f"/b/{battle.id}/seat/south"
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("fp_seat_south=")
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert f"Path=/b/{battle.id}" in cookie
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["referrer-policy"] == "strict-origin"
    assert client.get(f"/b/{battle.id}/seat/north").status_code == 403
    assert client.get(f"/b/{battle.id}/desk").status_code == 403
    assert post.visitor().get(f"/b/{battle.id}/seat/south").status_code == 403


def test_behind_https_cookies_are_secure(post: Post) -> None:
    object.__setattr__(post.house, "settings", Settings(data=post.house.settings.data, base_url="https://post.example"))
    battle = post.battle()
    assert "Secure" in post.visitor().get(f"/k/{battle.master_key}").headers["set-cookie"]
    assert "Secure" in post.visitor().get("/language/ru").headers["set-cookie"]


def test_a_wrong_key_is_told_kindly_and_too_many_are_refused(post: Post) -> None:
    client = post.visitor("ru")
    answer = client.get("/k/wrong-key")
    assert answer.status_code == 401
    assert "скопируйте её целиком" in answer.text
    assert "wrong-key" not in answer.text.split("<main")[1]
    for _ in range(40):
        assert client.get("/k/wrong-key").status_code == 401, "the same again is no guess"
    for number in range(40):
        last = client.get(f"/k/another-{number}")
    assert last.status_code == 429
    assert int(last.headers["retry-after"]) > 0


def test_an_accounts_token_opens_no_page(post: Post) -> None:
    from datetime import UTC, datetime

    token = accounts.make_token(post.house.db, "Host", datetime.now(UTC))
    assert post.visitor().get(f"/k/{token}").status_code == 401


def test_the_choice_of_a_language_is_kept_and_leads_back(post: Post) -> None:
    client = post.visitor("ru")
    page = client.get("/rules/cohesion?x=1").text
    assert 'href="/language/en?to=%2Frules%2Fcohesion%3Fx%3D1"' in page
    answer = client.get("/language/en?to=%2Frules%2Fcohesion%3Fx%3D1")
    assert answer.headers["location"] == "/rules/cohesion?x=1"
    assert '<html lang="en">' in client.get("/").text


@pytest.mark.parametrize("to", ["//evil.example", "https://evil.example", "/\\evil.example", "\\\\evil", "/a\r\nb: c", ""])
def test_the_switch_of_language_leads_nowhere_else(post: Post, to: str) -> None:
    answer = post.visitor().get("/language/ru", params={"to": to})
    assert answer.headers["location"] == "/"


def test_an_unknown_language_is_not_kept(post: Post) -> None:
    answer = post.visitor().get("/language/tlh?to=/")
    assert answer.status_code == 303
    assert "set-cookie" not in answer.headers


def test_the_rules_come_first_and_what_a_battle_may_change_after_them(post: Post) -> None:
    page = post.visitor().get("/rules/cohesion").text
    assert page.index("<h1") < page.index('id="rulings"')
    battle = post.battle()
    page = post.visitor().get(f"/b/{battle.id}/rules").text
    assert page.index('id="rulings"') < page.index('id="section-1"'), "of a battle its own rulings are asked for first"
