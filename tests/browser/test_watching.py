"""A turn is watched on its page, and pages follow the battle."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from app.referee import battles, orders, publication, turns
from app.referee.keys import viewer_by_key
from tests.browser import eventful, eyes
from tests.browser.conftest import Opened, Site

pytestmark = pytest.mark.browser
READERS = pytest.mark.parametrize(
    ("language", "width", "scheme"), [("en", 1280, "light"), ("ru", 390, "dark")], ids=["english", "russian-dark-phone"]
)


@dataclass(frozen=True)
class Words:
    on: str
    back: str
    play: str
    pause: str
    why: str
    details: str
    entered: str
    ready: str
    deadline: str
    resolved: str
    published: str
    again: str
    hide: str


WORDS = {
    "en": Words(
        "One moment on",
        "One moment back",
        "Play the turn",
        "Pause",
        "Why?",
        "Details",
        "Orders are in: North.",
        "Ready: North.",
        "The deadline has been moved.",
        "Turn 1 has been resolved.",
        "Turn 1 has been published.",
        "Load the page again",
        "Hide",
    ),
    "ru": Words(
        "На миг вперёд",
        "На миг назад",
        "Показать ход",
        "Пауза",
        "Почему?",
        "Подробности",
        "Приказы внесены: Север.",
        "Готовность: Север.",
        "Срок изменён.",
        "Ход 1 разыгран.",
        "Ход 1 опубликован.",
        "Обновить страницу",
        "Скрыть",
    ),
}
TOLD = {"destroyed": "S1", "caught": "N5", "contested": "N4", "retreated": "N6"}
"""A kind of line in the report of the eventful turn, and a unit that it is about."""
RULES = {
    "destroyed": {"LOSS-2", "POINTS-1", "UNIT-6"},
    "caught": {"MOVE-7"},
    "contested": {"MOVE-5", "DICE-2"},
    "retreated": {"ROUT-1", "ROUT-2"},
}
"""The rules whose words the reason must give."""


def _turn(page: Page, site: Site, moment: str = "") -> Locator:
    """The page of the eventful turn, and the board on it."""
    battle = eventful.played(site.app.state.house.db)
    page.goto(f"/b/{battle.id}/t/1{moment}")
    expect(page.locator("#player")).to_be_visible()
    return page.locator("[data-stage] .board")


def _unit(board: Locator, unit: str) -> Locator:
    return board.locator(f'.counters > [data-unit="{unit}"]')


@READERS
def test_a_turn_is_stepped_through_from_beginning_to_end(
    opened: Opened, site: Site, language: str, width: int, scheme: str
) -> None:
    words = WORDS[language]
    page = opened(language=language, width=width, scheme=scheme)
    board = _turn(page, site, "#film-start")
    expect(_unit(board, "S1")).to_have_attribute("data-cell", "C5")
    expect(page.get_by_role("button", name=words.back)).to_be_disabled()
    on, seen = page.get_by_role("button", name=words.on), set()
    while on.is_enabled():
        on.click()
        line = page.evaluate("location.hash.slice(1)")
        if line == "film-end":
            break
        entry = page.locator(f"#{line}")
        expect(entry).to_have_class(re.compile(r"\bshowing\b"))
        expect(page.locator(".entry.showing")).to_have_count(1)
        kind = (entry.get_attribute("class") or "").split()[1]
        seen.add(kind)
        if kind == "destroyed":
            expect(_unit(board, "S1")).to_have_class(re.compile("fallen"))
        elif kind == "caught":
            expect(_unit(board, "N5")).to_have_class(re.compile("caught"))
        elif kind == "contested":
            expect(board.locator(".route.move")).to_have_count(2)
        elif kind == "retreated":
            expect(_unit(board, "N6")).to_have_class(re.compile("uncontrolled"))
            expect(_unit(board, "N6")).not_to_have_attribute("data-cell", "J4")
            expect(_unit(board, "N6")).to_be_in_viewport()
        expect(page.locator("[data-stage] .board-scroll")).to_be_in_viewport(ratio=0.9)
    assert set(TOLD) <= seen
    expect(on).to_be_disabled()
    expect(_unit(board, "S1")).to_have_count(0)
    expect(_unit(board, "S2")).to_have_attribute("data-cell", "G5")
    page.get_by_role("button", name=words.back).click()
    assert page.evaluate("location.hash") == "#end-1"


@READERS
@pytest.mark.parametrize("kind", TOLD)
def test_a_link_to_a_moment_opens_the_board_as_it_was_and_says_why(
    opened: Opened, site: Site, language: str, width: int, scheme: str, kind: str
) -> None:
    words = WORDS[language]
    page = opened(language=language, width=width, scheme=scheme)
    board = _turn(page, site)
    line = page.locator(f"article .entry.{kind}").get_attribute("id")
    page.goto(page.url.partition("#")[0] + "?again#" + str(line))
    expect(page.locator("#player")).to_be_visible()
    expect(_unit(board, TOLD[kind])).to_be_in_viewport()
    expect(page.locator(f"#{line}")).to_have_class(re.compile(r"\bshowing\b"))
    moment = page.locator("[data-moment]")
    expect(moment).to_contain_text(TOLD[kind])
    why = moment.locator("details.why")
    expect(why.locator("dl")).to_be_hidden()
    why.locator("summary").filter(has_text=re.compile(f"{re.escape(words.why)}|{words.details}")).click()
    numbers = why.locator("dt").all_inner_texts()
    assert RULES[kind] <= set(numbers)
    for text in why.locator("dd").all():
        expect(text).to_be_visible()
        assert len(text.inner_text()) > 20
    expect(why.locator("li").first).to_be_visible()
    assert eyes.faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


@pytest.mark.parametrize("read_on", [False, True])
@pytest.mark.parametrize("width", [390, 1280])
def test_the_board_stays_in_sight_while_the_rest_of_the_page_arrives(
    opened: Opened, site: Site, width: int, read_on: bool
) -> None:
    page = opened(width=width)
    board = _turn(page, site)
    line = page.locator("article .entry.retreated").get_attribute("id")
    late: list[Route] = []
    page.route("**/cards.js*", lambda asked: late.append(asked))
    page.goto(page.url.partition("#")[0] + "?again#" + str(line), wait_until="commit")
    expect(page.locator("#player")).to_be_visible()
    expect(_unit(board, "N6")).to_be_in_viewport()
    if read_on:
        page.mouse.wheel(0, 3000)
        expect(_unit(board, "N6")).not_to_be_in_viewport()
    for one in late:
        one.continue_()
    page.wait_for_load_state("load")
    page.evaluate("new Promise(done => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done))))")
    if read_on:
        expect(_unit(board, "N6")).not_to_be_in_viewport()
    else:
        expect(_unit(board, "N6")).to_be_in_viewport()


def test_a_turn_plays_by_itself_and_stops(opened: Opened, site: Site) -> None:
    page = opened()
    _turn(page, site, "#melee-5")
    page.locator("[data-speed]").select_option("4")
    page.get_by_role("button", name="Play the turn").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.wait_for_url("**#movement-2")
    page.get_by_role("button", name="Pause").click()
    stopped = page.evaluate("location.hash")
    page.wait_for_timeout(900)
    assert page.evaluate("location.hash") == stopped


def test_whoever_allows_motion_sees_units_go(opened: Opened, site: Site) -> None:
    page = opened()
    page.emulate_media(reduced_motion="no-preference")
    page.clock.install(time=0)
    board = _turn(page, site, "#melee-5")
    page.clock.pause_at(3_600)
    before = "m => document.querySelector('[data-stage] [data-unit=S3]').getAttribute('transform')"
    page.get_by_role("button", name="One moment on").click()
    went = []
    for _ in range(4):
        page.clock.run_for(40)
        went.append(page.evaluate(before))
    page.clock.run_for(3_000)
    end = page.evaluate(before)
    assert len({*went, end}) == 5
    assert _unit(board, "S3").get_attribute("data-cell") == "L5"
    page.get_by_role("button", name="One moment back").click()
    page.get_by_role("button", name="One moment on").click()
    page.get_by_role("button", name="One moment on").click()
    assert page.evaluate(before).strip() == end.strip()


def test_one_unit_alone_is_watched(opened: Opened, site: Site) -> None:
    page = opened()
    board = _turn(page, site, "#film-start")
    _unit(board, "S1").click(position={"x": 8, "y": 30})
    expect(page.locator("[data-only]")).to_have_value("S1")
    expect(_unit(board, "S1")).to_have_class(re.compile("picked"))
    expect(_unit(board, "S1").locator("> use").first).to_have_css("stroke", "rgb(156, 42, 28)")
    visible = page.locator("article .entry:visible")
    assert all("S1" in (line.get_attribute("data-units") or "").split() for line in visible.all())
    assert page.url.partition("?")[2].startswith("unit=S1")
    expect(page.locator("[data-filter-name]")).to_contain_text("S1")
    passed = []
    while page.get_by_role("button", name="One moment on").is_enabled():
        page.get_by_role("button", name="One moment on").click()
        passed.append(page.evaluate("location.hash"))
    assert passed == ["#start-2", "#melee-1", "#melee-2", "#melee-3", "#melee-4", "#melee-5", "#film-end"]
    page.get_by_role("button", name="Show all").click()
    expect(page.locator("article .entry.aside")).to_have_count(0)
    expect(page.locator("[data-only]")).to_be_focused()
    assert "unit=" not in page.url


def test_a_link_shows_one_unit_alone(opened: Opened, site: Site) -> None:
    page = opened(language="ru", width=390, scheme="dark")
    battle = eventful.played(site.app.state.house.db)
    page.goto(f"/b/{battle.id}/t/1?unit=N5#movement-2")
    expect(page.locator("[data-only]")).to_have_value("N5")
    for line in page.locator("article .entry:visible").all():
        assert "N5" in (line.get_attribute("data-units") or "").split()
    expect(page.locator("[data-here]")).to_have_attribute("href", "?unit=N5#movement-2")
    page.goto(f"/b/{battle.id}/t/1?unit=nobody")
    expect(page.locator("[data-filter-empty]")).to_be_visible()
    expect(page.locator("article .entry:visible")).to_have_count(0)


@READERS
def test_my_units_are_those_whose_keys_the_browser_holds(
    opened: Opened, site: Site, language: str, width: int, scheme: str
) -> None:
    page = opened(language=language, width=width, scheme=scheme)
    battle = eventful.played(site.app.state.house.db)
    page.goto(f"/b/{battle.id}/t/1")
    expect(page.locator("#player")).to_be_visible()
    assert page.locator('[data-only] option[value="mine"]').is_disabled()
    page.goto(f"/k/{battle.seat_keys['north']}")
    page.goto(f"/b/{battle.id}/t/1")
    page.locator("[data-only]").select_option("mine")
    shown = page.locator("article .entry:visible")
    expect(shown.first).to_be_visible()
    assert all(" N" in f" {line.get_attribute('data-units')}" for line in shown.all())
    page.goto(f"/k/{battle.seat_keys['south']}")
    page.goto(f"/b/{battle.id}/t/1?unit=mine")
    expect(page.locator("#player")).to_be_visible()
    both = page.locator("article .entry:visible")
    assert {unit[0] for line in both.all() for unit in (line.get_attribute("data-units") or "").split()} == {"N", "S"}


def test_a_reason_is_opened_by_the_keyboard_and_the_film_waits(opened: Opened, site: Site) -> None:
    page = opened()
    _turn(page, site, "#melee-4")
    page.get_by_role("button", name="Play the turn").click()
    page.locator("[data-moment] .why summary").focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-moment] .why dd").first).to_be_visible()
    expect(page.get_by_role("button", name="Play the turn")).to_be_visible()
    page.get_by_role("button", name="One moment on").click()
    expect(page.locator("[data-moment] .why dd").first).to_be_visible()


def test_a_reason_is_opened_by_touch(opened: Opened, site: Site) -> None:
    page = opened(width=390, touch=True)
    _turn(page, site, "#melee-4")
    page.locator("[data-moment] .why summary").tap()
    expect(page.locator("[data-moment] .why dd").first).to_be_visible()


def test_phases_are_leafed_through_by_the_keyboard(opened: Opened, site: Site) -> None:
    page = opened()
    _turn(page, site, "#film-start")
    seen = []
    for _ in range(3):
        page.keyboard.press("Shift+ArrowRight")
        seen.append(page.evaluate("location.hash").split("-")[0])
    assert seen == ["#start", "#shooting", "#melee"]
    page.keyboard.press("Shift+ArrowLeft")
    assert page.evaluate("location.hash") == "#shooting-1"


def test_the_keyboard_alone_is_enough_and_each_moment_is_said(opened: Opened, site: Site) -> None:
    page = opened()
    _turn(page, site, "#melee-4")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("location.hash") == "#melee-5"
    expect(page.locator("#player [role=status]")).to_contain_text("S1 (C5) is destroyed")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("location.hash") == "#melee-3"
    page.locator("[data-scrub]").focus()
    page.keyboard.press("End")
    assert page.evaluate("location.hash") == "#film-end"
    page.locator("[data-chapter]").select_option("Shooting")
    assert page.evaluate("location.hash") == "#shooting-1"


def test_a_line_of_the_report_leads_to_its_moment(opened: Opened, site: Site) -> None:
    page = opened(width=390)
    board = _turn(page, site)
    expect(_unit(board, "S1")).to_have_count(0)
    page.locator("#melee-2 .self").click()
    expect(_unit(board, "S1")).to_be_in_viewport()
    expect(board.locator(".route.melee")).to_have_count(1)


def test_without_a_script_the_page_is_as_it_was(opened: Opened, site: Site) -> None:
    page = opened(script=False)
    battle = eventful.played(site.app.state.house.db)
    page.goto(f"/b/{battle.id}/t/1#melee-5")
    expect(page.locator("#player")).to_be_hidden()
    expect(page.locator("#melee-5")).to_be_in_viewport()
    expect(page.locator(".board").first).to_be_visible()
    page.locator("#melee-5 .why summary").click()
    expect(page.locator("#melee-5 .why dd").first).to_be_visible()


@READERS
def test_pages_follow_the_battle(opened: Opened, site: Site, language: str, width: int, scheme: str) -> None:
    words, db = WORDS[language], site.app.state.house.db
    battle = eventful.made(db, review=True, early=False)
    master = viewer_by_key(db, battle.master_key)
    watcher = opened(language=language, width=width, scheme=scheme)
    watcher.goto(f"/b/{battle.id}")
    commander = opened(language=language, width=width, scheme=scheme)
    commander.goto(f"/k/{battle.seat_keys['south']}")
    commander.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")
    name = commander.locator("#holder")
    name.fill("typed and not saved")
    news, told = watcher.locator("[data-follow] [role=status]"), commander.locator("[data-follow] [role=status]")

    eventful.enter(db, battle, "north")
    expect(news).to_contain_text(words.entered)
    expect(told).to_contain_text(words.entered)
    expect(watcher.locator(".seats .mark.entered")).to_have_count(1)

    now = datetime.now(UTC)
    orders.set_ready(db, battle.id, "north", viewer_by_key(db, battle.seat_keys["north"]), turn=1, ready=True, now=now)
    expect(told).to_contain_text(words.ready)
    expect(watcher.locator(".seats .mark.ready")).to_have_count(1)

    battles.set_deadline(db, battle.id, master, now + timedelta(days=9), now)
    expect(told).to_contain_text(words.deadline)
    expect(watcher.locator(".page-head time")).to_have_count(1)

    turns.resolve_now(db, battle.id, master, turn=1, now=now)
    expect(told).to_contain_text(words.resolved)
    expect(watcher.locator(".page-head .stamp.review")).to_be_visible()
    expect(watcher.locator(".turns li")).to_have_count(0)

    publication.publish(db, battle.id, master, turn=1, now=now)
    expect(told).to_contain_text(words.published)
    expect(news).to_contain_text(words.published)
    expect(watcher.locator(".turns li a")).to_have_attribute("href", f"/b/{battle.id}/t/1")
    fresh = opened(language=language, width=width, scheme=scheme)
    fresh.goto(f"/b/{battle.id}")
    for part in ("head", "scores", "seats", "turns", "log"):
        expect(watcher.locator(f"[data-live={part}]")).to_have_text(
            fresh.locator(f"[data-live={part}]").inner_text(), use_inner_text=True
        )

    expect(name).to_have_value("typed and not saved")
    expect(commander.locator("h1")).to_be_visible()
    watcher.get_by_role("button", name=words.hide).click()
    expect(watcher.locator("[data-follow] .notice")).to_be_hidden()
    commander.on("dialog", lambda dialog: dialog.accept())
    commander.get_by_role("link", name=words.again).click()
    expect(commander.locator("[data-follow] .notice")).to_be_hidden()
    assert eyes.faults(watcher) == []


def test_a_page_out_of_sight_does_not_listen(opened: Opened, site: Site) -> None:
    battle = eventful.made(site.app.state.house.db)
    page = opened()

    def listeners(expected: int) -> None:
        for _ in range(200):
            if len(site.app.state.following._ears.get(battle.id, ())) == expected:
                return
            page.wait_for_timeout(50)
        raise AssertionError(f"not {expected} of them listen")

    page.goto(f"/b/{battle.id}")
    listeners(1)
    page.goto("/rules/cohesion")
    listeners(0)


def test_what_was_missed_while_away_is_told_on_return(opened: Opened, site: Site) -> None:
    db = site.app.state.house.db
    battle = eventful.made(db)
    page = opened()
    page.goto(f"/b/{battle.id}")
    expect(page.locator(".seats .mark.entered")).to_have_count(0)
    page.context.set_offline(True)
    page.evaluate("dispatchEvent(new Event('pagehide'))")
    eventful.enter(db, battle, "south")
    page.wait_for_timeout(1500)
    expect(page.locator(".seats .mark.entered")).to_have_count(0)
    page.context.set_offline(False)
    page.evaluate("dispatchEvent(new Event('pageshow'))")
    expect(page.locator(".seats .mark.entered")).to_have_count(1)


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_board_stays_where_it_is_from_moment_to_moment(opened: Opened, site: Site, language: str) -> None:
    """The name of a moment takes one line or two; a phone's board does not jump with it."""
    page = opened(language=language, width=390)
    _turn(page, site, "#film-start")
    on, title, places, high = page.locator('[data-do="on"]'), page.locator("[data-board-title]"), set(), set()
    while True:
        places.add(page.evaluate("document.querySelector('[data-stage] .board').getBoundingClientRect().y + scrollY"))
        high.add(title.text_content())
        if not on.is_enabled():
            break
        on.click()
    assert len(high) > 3
    assert len(places) == 1


def test_a_bracket_stays_with_the_unit_that_it_tells_of(opened: Opened, site: Site) -> None:
    page = opened(width=390)
    _turn(page, site)
    inline = "one => getComputedStyle(one, '::before').position"
    assert page.locator(".turn-report .unit").first.evaluate(inline) == "absolute", "no box in the line, no break before it"
