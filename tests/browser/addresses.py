"""Every page of the site, by the path of its route, and the addresses at which it is looked at.

Who adds a page adds its addresses to `PAGES`; a route that gives no page (a picture, a file, an answer for a script) goes to
`NO_PAGES`. A test fails, and names the route, until one of the two is done.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from playwright.sync_api import Page
from sqlalchemy import text, update

from app.referee import (
    accounts,
    askings,
    battles,
    campaignbattles,
    campaigns,
    carrying,
    choosing,
    entries,
    holding,
    masters,
    openings,
    pausing,
    persons,
    rewinding,
    scenarios,
    subscriptions,
    talk,
    turns,
)
from app.referee.askingrows import Asker
from app.referee.channels import Where
from app.referee.keys import key_hash, viewer_by_key
from app.referee.openings import Opening
from app.referee.views import NewBattle, Viewer
from app.reports.noticewords import TOPICS
from app.store.db import Database
from app.store.models import ENTRIES, SUBSCRIPTIONS
from app.web.security import ACCOUNT_COOKIE
from tests.browser import eventful, make_pictures

HOST_KEY = "host-key-of-the-tests"
SUFFIXES = (".json", ".svg", ".png", ".webp", ".gif", ".bbcode", ".md", ".html", ".txt", ".atom", ".ics", ".jpg")
"""Endings of routes that give files."""

PAGES: Mapping[str, tuple[str, ...]] = {
    "/": ("/",),
    "/open": ("/open",),
    "/q/{ticket}": ("/q/{ticket}", "!/q/nothing"),
    "/host": ("/host",),
    "/battles/new": ("/battles/new", "/battles/new?scenario=first-skirmish"),
    "/guide": ("/guide",),
    "/rules": ("/rules",),
    "/rules/{ruleset}": ("/rules/cohesion", "!/rules/nothing"),
    "/k/{key}": ("/k/{master_key}", "!/k/wrong"),
    "/account": ("/account",),
    "/account/notices": ("/account/notices",),
    "/e/{key}": ("/e/{entry}", "/e/anything"),
    "/precedents": ("/precedents", "/precedents?q=nothing"),
    "/notices/{what}/{token}": ("!/notices/stop/nothing", "/notices/confirm/nothing"),
    "/campaigns/new": ("/campaigns/new",),
    "/c/{campaign_id}": ("/c/{campaign}", "!/c/nothing"),
    "/c/{campaign_id}/standings": ("/c/{campaign}/standings",),
    "/c/{campaign_id}/calendar": ("/c/{campaign}/calendar",),
    "/c/{campaign_id}/log": ("/c/{campaign}/log",),
    "/c/{campaign_id}/desk": ("/c/{campaign}/desk",),
    "/c/{campaign_id}/new": ("/c/{campaign}/new",),
    "/b/{battle_id}": (
        "/b/{carried}",
        "/b/{open}",
        "/b/{fresh}",
        "/b/{review}",
        "/b/{held}",
        "/b/{paused}",
        "/b/{over}",
        "/b/{strange}",
        "!/b/nothing",
    ),
    "/b/{battle_id}/rules": ("/b/{open}/rules",),
    "/b/{battle_id}/film": ("/b/{open}/film", "/b/{over}/film?unit=N6#t1-melee-5", "/b/{fresh}/film"),
    "/b/{battle_id}/t/{turn}": (
        "/b/{over}/t/1",
        "/b/{over}/t/1?unit=mine",
        "/b/{review}/t/1",
        "/b/{late}/t/4",
        "!/b/{open}/t/9",
    ),
    "/b/{battle_id}/t/{turn}/post": ("/b/{open}/t/1/post",),
    "/b/{battle_id}/desk": (
        "/b/{open}/desk",
        "/b/{review}/desk",
        "/b/{held}/desk",
        "/b/{paused}/desk",
        "/b/{over}/desk",
        "!/b/{strange}/desk",
    ),
    "/b/{battle_id}/desk/time": ("/b/{open}/desk/time", "/b/{paused}/desk/time"),
    "/b/{battle_id}/desk/rulings": ("/b/{open}/desk/rulings",),
    "/b/{battle_id}/desk/rewind": ("/b/{open}/desk/rewind", "/b/{rewound}/desk/rewind"),
    "/b/{battle_id}/desk/seats": ("/b/{open}/desk/seats", "/b/{over}/desk/seats"),
    "/b/{battle_id}/desk/people": ("/b/{open}/desk/people",),
    "/b/{battle_id}/desk/options": ("/b/{open}/desk/options",),
    "/b/{battle_id}/desk/looks/{seat}": ("/b/{open}/desk/looks/{seat}",),
    "/b/{battle_id}/open": ("/b/{fresh}/open", "/b/{open}/open", "/b/{over}/open"),
    "/b/{battle_id}/asking": ("/b/{fresh}/asking",),
    "/b/{battle_id}/desk/openings": ("/b/{open}/desk/openings",),
    "/b/{battle_id}/seat/{seat}/exchange": ("/b/{open}/seat/{seat}/exchange",),
    "/b/{battle_id}/keep": ("/b/{open}/keep",),
    "/b/{battle_id}/log": ("/b/{open}/log", "/b/{rewound}/log"),
    "/b/{battle_id}/lines": ("/b/{open}/lines", "/b/{rewound}/lines"),
    "/b/{battle_id}/lines/{line}": ("/b/{rewound}/lines/1", "!/b/{rewound}/lines/9"),
    "/b/{battle_id}/lines/{line}/t/{turn}": ("/b/{rewound}/lines/1/t/1",),
    "/b/{battle_id}/desk/ties": ("/b/{open}/desk/ties",),
    "/b/{battle_id}/desk/notices": ("/b/{open}/desk/notices",),
    "/b/{battle_id}/desk/orders/{seat}": ("/b/{open}/desk/orders/{seat}", "/b/{late}/desk/orders/{late_seat}"),
    "/b/{battle_id}/seat/{seat}": (
        "/b/{open}/seat/{seat}",
        "/b/{paused}/seat/{seat}",
        "/b/{over}/seat/{seat}",
        "/b/{late}/seat/{late_seat}",
        "!/b/{strange}/seat/{seat}",
    ),
    "/b/{battle_id}/seat/{seat}/more-time": ("/b/{open}/seat/{seat}/more-time", "/b/{over}/seat/{seat}/more-time"),
    "/b/{battle_id}/seat/{seat}/taking": ("/b/{review}/seat/{seat}/taking",),
    "/b/{battle_id}/seat/{seat}/absence": ("/b/{open}/seat/{seat}/absence", "/b/{over}/seat/{seat}/absence"),
    "/b/{battle_id}/talk": ("/b/{open}/talk", "/b/{open}/talk?edit=1", "/b/{fresh}/talk"),
    "/b/{battle_id}/talk/side": ("/b/{open}/talk/side?seat={seat}", "!/b/{strange}/talk/side"),
    "/b/{battle_id}/talk/master": ("/b/{open}/talk/master?seat={seat}",),
    "/b/{battle_id}/seat/{seat}/commander": ("/b/{open}/seat/{seat}/commander", "/b/{over}/seat/{seat}/commander"),
    "/b/{battle_id}/seat/{seat}/notices": ("/b/{open}/seat/{seat}/notices",),
    "/b/{battle_id}/unit/{unit}": ("/b/{open}/unit/N1", "/b/{open}/unit/S1", "!/b/{open}/unit/nobody"),
}
"""Names in braces are those of `World`. With a `!` before it: an address that is refused."""

NO_PAGES: Mapping[str, str] = {
    "/canary": "numbers for a watchman",
    "/healthz": "a word for a watchman",
    "/oembed": "an answer for a forum",
    "/language/{language}": "leads back to where the reader was",
    "/b/{battle_id}/stand": "a piece of the pages that follow a battle",
    "/b/{battle_id}/follow": "a stream",
    "/b/{battle_id}/seat/{seat}/plan": "an answer for the orders page",
    "/b/{battle_id}/seat/{seat}/sheet": "an answer for the orders page",
    "/b/{battle_id}/seat/{seat}/unit/{unit}": "an answer for the orders page",
    "/b/{battle_id}/desk/orders/{seat}/unit/{unit}": "an answer for the orders page",
}
"""Routes that give no page, and what they give."""

NOWHERE = "!/nothing/at/all"


@dataclass(frozen=True)
class World:
    """Battles in every state, by id. `strange`: one whose keys the browser does not hold."""

    open: str
    fresh: str
    review: str
    held: str
    paused: str
    over: str
    rewound: str
    """One turn of it was left."""
    late: str
    """A large one, amid its fifth turn."""
    strange: str
    campaign: str
    carried: str
    """Units of it come from an earlier battle."""
    seat: str
    late_seat: str
    ticket: str
    entry: str
    """Of a link that was mailed to the account."""
    secret: str
    """Of a browser that is signed in to it."""
    """Of one whose side chooses its contingents."""
    master_key: str
    keys: tuple[str, ...]
    """All that are opened before anything is looked at."""

    def addresses(self) -> list[str]:
        return [NOWHERE, *(address.format(**vars(self)) for all_of in PAGES.values() for address in all_of)]


def world(db: Database) -> World:
    now = datetime.now(UTC)
    deadline = now + timedelta(days=2)
    opened = eventful.played(db, deadline=deadline, zone="Asia/Yekaterinburg", early=False)
    review = eventful.played(db, review=True)
    _talked(db, opened, now)
    over = eventful.played(db, goal=3)
    held = battles.create(db, scenario=scenarios.frozen("first-skirmish"), now=now)
    with db.engine.begin() as connection:
        connection.execute(text("UPDATE battles SET status = 'held' WHERE id = :id"), {"id": held.id})
    paused = eventful.played(db, deadline=deadline, early=False)
    pausing.pause(
        db, paused.id, viewer_by_key(db, paused.master_key), now, until=now + timedelta(days=5), reason="*Holidays*"
    )
    late = make_pictures.played(db)
    fresh = battles.create(db, scenario=scenarios.frozen("visage-and-throne"), now=now)
    rewound = eventful.played(db)
    rewinding.rewind(
        db, rewound.id, viewer_by_key(db, rewound.master_key), to=1, reason="The map was not the one agreed upon", now=now
    )
    strange = eventful.made(db)
    turns.resolve_now(db, strange.id, viewer_by_key(db, strange.master_key), turn=1, now=now)
    campaign = campaigns.create(db, title="The river war", description={"en": "A *war*.", "ru": "*Война*."}, now=now)
    scenario = {**scenarios.frozen("first-skirmish"), "carry": {"battle": over.id, "units": {}, "rest": "half", "back": {}}}
    before = carrying.earlier(db, over.id)
    scenario["carry"]["units"] = dict(carrying.suggested(scenario, before))
    scenario["carry"]["back"] = {
        place: 1 for place, unit in scenario["carry"]["units"].items() if unit not in before.standing
    }
    carried = battles.create(db, scenario=scenario, now=now)
    leader = viewer_by_key(db, campaign.key)
    for number, joined in enumerate((over, opened, carried), start=1):
        master = viewer_by_key(db, joined.master_key)
        campaignbattles.add_battle(db, campaign.id, leader, joined.id, master, now=now, label=f"Battle {number}: the ford")
    campaignbattles.rule(
        db, campaign.id, leader, kind="side", subject="north", changes={"made": 2}, reason="It was agreed", now=now
    )
    holds: tuple[NewBattle, ...] = (opened, review, over, held, paused, late, rewound)
    for battle, seat in ((opened, "south"), (paused, "south"), (over, "south"), (late, make_pictures.SEAT)):
        masters.play(db, battle.id, seat, viewer_by_key(db, battle.master_key), now)
    return World(
        open=opened.id,
        fresh=fresh.id,
        review=review.id,
        held=held.id,
        late=late.id,
        late_seat=make_pictures.SEAT,
        paused=paused.id,
        over=over.id,
        rewound=rewound.id,
        strange=strange.id,
        campaign=campaign.id,
        carried=carried.id,
        seat="south",
        ticket=chooses(db, opened, fresh, now),
        entry=ENTRY,
        secret=signed_in(db, held, paused, carried, now),
        master_key=opened.master_key,
        keys=(campaign.key, *(key for battle in holds for key in (battle.master_key, *battle.seat_keys.values()))),
    )


def _talked(db: Database, battle: NewBattle, now: datetime) -> None:
    """Every kind of message, in every channel."""
    master = viewer_by_key(db, battle.master_key)
    first, second = (viewer_by_key(db, key) for key in list(battle.seat_keys.values())[:2])
    for who, words in (
        (second, "See #1: **late**.\n\n- one\n\n> two"),
        (first, "Rude."),
        (first, "Oops."),
        (master, "@South, so."),
    ):
        talk.write(db, battle.id, Where(), who, text=words, now=now)
    talk.hide(db, battle.id, master, 2, reason="Be kind", now=now)
    talk.take_back(db, battle.id, Where(), first, 3, now)
    talk.write(db, battle.id, Where("side"), second, text="At dawn.", now=now)
    talk.write(db, battle.id, Where("master"), second, text="May I?", now=now)


def enter(page: Page, seen: World) -> None:
    """The browser is given every key: of the battles, and of the host."""
    for key in seen.keys:
        page.goto(f"/k/{key}")
    page.context.add_cookies([{"name": ACCOUNT_COOKIE, "value": seen.secret, "url": page.url}])
    page.goto("/host")
    page.locator('[name="key"]').fill(HOST_KEY)
    page.locator('[name="key"]').press("Enter")
    page.wait_for_url("**/host")


ENTRY = "a-link-that-was-mailed"


def signed_in(db: Database, kept: NewBattle, hushed: NewBattle, given: NewBattle, now: datetime) -> str:
    """An account that keeps seats, has left a battle out, and was given a seat that has no link; ways by which it is told,
    one of them stopped; a link on its way to it. The secret of its browser."""
    anna = Viewer("account", account_id=accounts.sign_up(db, "Anna", "a horse, a battery", now, language="en"), name="Anna")
    for battle in (kept, hushed):
        holding.take_up(db, battle.id, anna, viewer_by_key(db, battle.seat_keys["south"]), now)
    persons.hush(db, anna, hushed.id, now, is_quiet=True)
    master = viewer_by_key(db, given.master_key)
    openings.set_up(db, given.id, master, Opening(is_open=True, seats=("south",)), now)
    askings.ask(db, given.id, now, account=anna)
    (asking,) = askings.of_battle(db, given.id, master)
    askings.accept(db, given.id, master, asking.id, now, seat="south")
    wishes = subscriptions.Wishes("en", "Europe/Moscow", tuple(TOPICS), quiet_from=0, quiet_to=420)
    how: dict[str, Any] = {"kind": "mail", "wishes": wishes, "allow_private": False, "has_mail": True, "now": now}
    subscriptions.add(db, None, anna, given={"address": "anna@example.org"}, **how)
    made = subscriptions.add(db, None, anna, given={"address": "another@example.org"}, **how)
    entries.ask_mail(db, anna, "third@example.org", now)
    with db.write() as session:
        session.execute(
            update(SUBSCRIPTIONS).where(SUBSCRIPTIONS.c.id == made).values(confirm=None, stopped='{"code":"timeout"}')
        )
        session.execute(update(ENTRIES).values(hash=key_hash(ENTRY)))
    return accounts.signed_in(db, anna.account_id or 0, "Firefox", now)


def chooses(db: Database, opened: NewBattle, fresh: NewBattle, now: datetime) -> str:
    """Both battles look for players; of one the first side chooses: the ticket of somebody there."""
    wanted = Opening(is_open=True, words="Somebody who writes each week", seats=("north",), offer_hours=24)
    openings.set_up(db, opened.id, viewer_by_key(db, opened.master_key), wanted, now)
    askings.ask(db, opened.id, now, name="Vera", reach="vera@example.org", words="I play at night.")
    master = viewer_by_key(db, fresh.master_key)
    seats = tuple(fresh.seat_keys)
    openings.set_up(db, fresh.id, master, Opening(is_open=True, seats=seats, choosing=True), now)
    side = openings.of_battle(db, fresh.id)[1][0].side
    tickets = [askings.ask(db, fresh.id, now, name=name) for name in ("Oleg", "Ira")]
    for line in askings.of_battle(db, fresh.id, master):
        askings.accept(db, fresh.id, master, line.id, now, side=side)
    for ticket in tickets:
        choosing.claim(db, Asker(ticket=ticket), seats[0], now)
    return tickets[0]
