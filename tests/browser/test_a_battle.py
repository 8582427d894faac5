"""Issue 2's "Done when": three turns of the first scenario with six seats and a game master, all by the pages alone."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Opened

pytestmark = pytest.mark.browser
TURNS = 3


@dataclass(frozen=True)
class Words:
    """What the buttons say."""

    make: str
    save: str
    ready: str
    resolve: str
    yes: str
    publish: str
    saved: str
    report: str
    shooting: str
    behalf: str
    text: str
    text_ready: str
    resolved: str
    hold_line: str


WORDS = {
    "en": Words(
        make="Make the battle",
        save="Save",
        ready="Save, and I am ready",
        resolve="Resolve turn {}",
        yes="Yes, resolve turn {}",
        publish="Publish turn {}",
        saved="Saved as revision",
        report="Report of turn {}",
        shooting="Shooting",
        behalf="Enter orders on behalf",
        text="Write orders as text instead",
        text_ready="Save the text, and I am ready",
        resolved="the turn has been resolved",
        hold_line="{} hold",
    ),
    "ru": Words(
        make="Создать битву",
        save="Сохранить",
        ready="Сохранить, и я готов",
        resolve="Разыграть ход {}",
        yes="Да, разыграть ход {}",
        publish="Опубликовать ход {}",
        saved="Сохранено, редакция",
        report="Отчёт о ходе {}",
        shooting="Стрельба",
        behalf="Приказы за него",
        text="Написать приказы текстом",
        text_ready="Сохранить текст, и я готов",
        resolved="ход разыгран",
        hold_line="{} стоит",
    ),
}


@pytest.mark.parametrize(
    ("language", "width", "script"),
    [("en", 1280, True), ("ru", 390, True), ("ru", 1280, False)],
    ids=["english", "russian-on-a-phone", "russian-without-scripts"],
)
def test_six_commanders_and_a_master_play_three_turns(opened: Opened, language: str, width: int, script: bool) -> None:
    words = WORDS[language]
    master = opened(language=language, width=width, script=script)
    master.goto("/battles/new")
    master.locator('input[value="visage-and-throne"]').check()
    master.locator("#review").check()
    master.get_by_role("button", name=words.make).click()
    keys = re.findall(r'value="(http://[^"]+/k/[^"]+)"', master.content())
    assert len(keys) == 7
    desk, seats = master.url, []
    for link in keys[:6]:
        page = opened(language=language, width=width, script=script)
        page.goto(link)
        seats.append(page)
    spectator = opened(language=language, width=width, script=script)
    battle = desk.removesuffix("/desk")
    assert not seats[0].url.startswith(keys[0])
    for turn in range(1, TURNS + 1):
        for place, page in enumerate(seats):
            page.goto(page.url)
            if place == 5 and turn == 2:
                _on_behalf(master, desk, words)
            elif place == 4:
                _by_text(page, words)
            else:
                _by_choice(page, words, place + turn)
        _resolve(master, desk, words, turn)
        spectator.goto(f"{battle}/t/{turn}")
        assert spectator.locator("h1").inner_text() != words.report.format(turn), "not published yet"
        _publish(master, desk, words, turn)
        spectator.goto(f"{battle}/t/{turn}")
        expect(spectator.locator("h1")).to_have_text(words.report.format(turn))
        expect(spectator.get_by_role("heading", name=words.shooting)).to_be_visible()
        assert _fits(spectator)
    spectator.goto(battle)
    assert spectator.locator(".turns li").count() == TURNS
    assert _fits(spectator)
    record = spectator.request.get(f"{battle}/t/{TURNS}.json").json()
    assert record["turn"] == TURNS
    assert len(record["sheets"]) == 6


def _by_choice(page: Page, words: Words, taste: int) -> None:
    """Opens each unit's card, chooses what is offered, saves, and looks at what stands in the form then."""
    wanted: dict[str, str] = {}
    for card in page.locator("[data-card]").all():
        if card.get_attribute("open") is None:
            card.locator("> summary").click()
        for part in ("shoot", "fight", "move"):
            select = card.locator(f'select[data-part="{part}"]')
            if not select.count() or (part == "move" and wanted.get(_name(card, "shoot"))):
                continue
            offered = select.locator("option").evaluate_all("all => all.map(one => one.value)")
            value = offered[taste % len(offered)] if part != "fight" else offered[min(1, len(offered) - 1)]
            if part == "fight" and value.startswith("withdraw:"):
                value = ""
            select.select_option(value)
            wanted[_name(card, part)] = value
    page.get_by_role("button", name=words.save, exact=True).click()
    expect(page.locator(".notice:visible")).to_contain_text(words.saved)
    for name, value in wanted.items():
        assert page.locator(f'[name="{name}"]').input_value() == value, name
    assert _fits(page)


def _name(card, part: str) -> str:  # type: ignore[no-untyped-def]
    return f"{part}:{card.get_attribute('data-card')}"


def _by_text(page: Page, words: Words) -> None:
    """Writes a line for each unit into the box, with a mistake first."""
    units = [card.get_attribute("data-card") for card in page.locator("[data-card]").all()]
    lines = "\n".join(words.hold_line.format(unit) for unit in units)
    box = page.locator("#orders-text")
    if not box.is_visible():
        page.locator("#text > summary").click()
    box.fill(lines + "\nQQ 7\n")
    page.get_by_role("button", name=words.text_ready).click()
    expect(page.locator("#faults li").first).to_be_visible()
    assert box.input_value().startswith(lines)
    box.fill(lines)
    page.get_by_role("button", name=words.text_ready).click()
    expect(page.locator(".mark.ready")).to_be_visible()


def _on_behalf(master: Page, desk: str, words: Words) -> None:
    master.goto(desk)
    master.get_by_role("link", name=words.behalf).last.click()
    for card in master.locator("[data-card]").all():
        if card.get_attribute("open") is None:
            card.locator("> summary").click()
        card.locator('[data-part="hold"]').check()
    master.get_by_role("button", name=words.save, exact=True).click()
    expect(master.locator(".notice.good")).to_be_visible()


def _resolve(master: Page, desk: str, words: Words, turn: int) -> None:
    master.goto(desk)
    master.locator("summary", has_text=words.resolve.format(turn)).click()
    master.get_by_role("button", name=words.yes.format(turn)).click()
    expect(master.locator("#review")).to_be_visible()
    assert _fits(master)


def _publish(master: Page, desk: str, words: Words, turn: int) -> None:
    master.get_by_role("button", name=words.publish.format(turn)).click()
    expect(master.locator("#review")).to_have_count(0)


def _fits(page: Page) -> bool:
    """Nothing sticks out of the page sideways."""
    return int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")) <= 0
