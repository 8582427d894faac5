"""The page of a game that has no form of its own: one box for the orders as text."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest
from playwright.sync_api import expect

from app.engine.ruleset import Request
from app.referee import battles
from app.reports import TELLERS
from app.rulesets.registry import RULESETS
from app.scenario.forms import FORMS
from tests.browser.conftest import Opened, Site
from tests.contracts.duel.ruleset import FILE, RULESET, scenario
from tests.contracts.duel.words import TELLER


def _until_a_deadline(state: Any) -> tuple[Request, ...]:
    """What is asked, not resolved as soon as it is answered."""
    return tuple(msgspec.structs.replace(one, sealed=True, pace="deadline") for one in RULESET.requests(state))


pytestmark = pytest.mark.browser


def test_a_sheet_that_is_sent_whole_is_sealed_by_the_senders_browser(
    opened: Opened, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(RULESETS, "duel", replace(RULESET, requests=_until_a_deadline))
    monkeypatch.setitem(TELLERS, "duel", TELLER)
    seats = {"ash": "red", "elm": "green"}
    battle = battles.create(site.app.state.house.db, scenario=scenario(seats=seats), now=datetime.now(UTC))
    page = opened()
    page.goto(f"{site.address}/k/{battle.seat_keys['ash']}")
    page.goto(f"{site.address}/b/{battle.id}/seat/ash")
    page.get_by_label("Your orders").fill("pass")
    page.get_by_role("button", name="Save", exact=True).click()
    page.locator("#receipt > summary").click()
    expect(page.locator("[data-nonce-own]")).to_be_visible()
    page.goto(f"{site.address}/b/{battle.id}")
    expect(page.locator(".board-scroll")).to_have_attribute("aria-describedby", "board-hint-0")  # the card's script is there
    page.locator(".board [data-unit=A1]").hover()
    expect(page.locator(".board-card")).to_have_text("A1, nerve: 1.")


def test_the_rulings_of_the_chosen_game_alone_are_shown(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RULESETS, "duel", RULESET)
    monkeypatch.setitem(FORMS, "duel", FILE)
    page = opened()
    page.goto("/battles/new?scenario=first-skirmish")
    ours, theirs = (page.locator(f'details[data-rulings="{game}"]') for game in ("cohesion", "duel"))
    expect(theirs).to_be_hidden()
    expect(ours).to_be_visible()
    page.get_by_label("A scenario of your own").check()
    expect(theirs).to_be_visible()
    page.locator("#scenario-text").fill("format: 1\nruleset: duel\n")
    expect(ours).to_be_hidden()
    expect(theirs).to_be_visible()
