"""Where the story is played: a whole server in this process over a real database, a clock that the story moves, a postman
who brings letters to a real mail server."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from itertools import product
from pathlib import Path
from typing import Any
from unittest import mock

from anyio.from_thread import BlockingPortal
from fastapi import FastAPI
from sqlalchemy import select
from starlette.testclient import TestClient

from app.config import Settings
from app.engine.ruleset import Json
from app.posting.wire import Wire
from app.referee import battles, deadlines, freshness, keys, orders, publication, subscriptions
from app.referee.posting import Postman, mail_server
from app.referee.turnviews import Entered
from app.referee.views import PUBLIC, BattleView, NewBattle, Viewer
from app.store.db import Database
from app.store.models import OUTBOX, SUBSCRIPTIONS
from app.web.api.service import ApiRoutes
from app.web.app import create_app
from app.web.house import House
from tests import walking
from tests.posting.postoffice import PostOffice, postoffice
from tests.story.cast import MASTER, SEATED, SIDES, Person
from tests.story.clock import Clock
from tests.story.mailbox import Mailbox

HERE = "http://here.example"
OUTAGE = timedelta(hours=12)
"""Twice the step of the story's clock."""
OF_BATTLES = ("/b/", "/api/v1/battles", "/api/v1/campaigns", "/c/", "/campaigns", "/precedents", "/canary")
"""Beginnings of addresses that tell of battles; at the others there is nothing that one side could know alone."""
DRAWN_ALIKE = (".gif", "/film.webp")
"""Films of published turns, slow to draw, by the very code that draws the one of a turn that is looked at."""
_SEALS = re.compile(r'[0-9a-f]{64}|"revision":[0-9]+')
_VERSIONS = re.compile(r'SEQUENCE:[0-9]+|data-pulse="[0-9]+|"version":[0-9]+')
"""How often anything at all was done in a battle, by whomever."""


@dataclass
class Stage:
    """`keys`: of each seat, as its holder has it now."""

    app: FastAPI
    clock: Clock
    box: Mailbox
    made: NewBattle
    keys: dict[str, str]
    portal: BlockingPortal | None
    secrets: list[tuple[str, str]] = field(default_factory=list)
    """What was drawn and said for one side alone: by whom, and the text."""
    campaign: str = ""
    joined: dict[str, str] = field(default_factory=dict)
    """Addresses of people who came later, and their side."""
    former: dict[str, int] = field(default_factory=dict)
    """Addresses of people who have gone, and how many letters had come there."""

    @property
    def house(self) -> House:
        house: House = self.app.state.house
        return house

    @property
    def db(self) -> Database:
        return self.house.db

    @property
    def id(self) -> str:
        return self.made.id

    @property
    def master(self) -> Viewer:
        return keys.viewer_by_key(self.db, self.made.master_key)

    def viewer(self, seat: str) -> Viewer:
        return keys.viewer_by_key(self.db, self.keys[seat], self.clock.now)

    def show(self, viewer: Viewer = PUBLIC) -> BattleView:
        return battles.battle(self.db, self.id, viewer, self.clock.now)

    def client(self, key: str | None = None, *, language: str = "en", token: str | None = None) -> TestClient:
        """A browser that has followed a link (the pages know it by its cookie), a program that shows a token (the API knows
        it by that), or both."""
        headers = {"accept-language": language} | ({"authorization": f"Bearer {token}"} if token else {})
        client = TestClient(self.app, base_url=HERE, headers=headers, follow_redirects=False)
        client.portal = self.portal
        if key is not None:
            assert client.get(f"/k/{key}").status_code == 303
        return client

    def ring(self) -> None:
        """A second of the server's life: what is due is resolved, reminded of, delivered."""
        deadlines.sweep(self.db, self.clock.now, outage=OUTAGE)
        self.post()

    def post(self) -> None:
        settings = self.house.settings
        wire = Wire(allow_private=True, seconds=2)
        postman = Postman(self.db, HERE, self.clock, wire, mail_server(settings))
        while postman.deliver_next():
            pass

    def subscribe(self, person: Person, viewer: Viewer, *more: str) -> None:
        """His address, confirmed by the link that he was sent there."""
        subscriptions.add(
            self.db,
            self.id,
            viewer,
            kind="mail",
            given={"address": person.address},
            wishes=person.wishes(*more),
            allow_private=True,
            has_mail=True,
            now=self.clock.now,
        )
        self.post()
        assert self.client().post(self.box.link(person.address, "confirm"), data={}).status_code in {200, 303}

    def enter(self, seat: str, fields: Json, *, ready: bool | None = None, by: Viewer | None = None) -> Entered:
        """Upon whatever stands there. `ready` None: as he has said before."""
        last = next(one for one in self.show().seats if one.seat == seat)
        return orders.enter(
            self.db,
            self.id,
            seat,
            by or self.viewer(seat),
            turn=self.show().turn,
            revision=last.revision,
            fields=fields,
            ready=last.ready if ready is None else ready,
            now=self.clock.now,
        )

    def ways(self, seat: str) -> dict[str, Json]:
        """What each unit of a seat may do."""
        options = orders.sheet(self.db, self.id, seat, self.viewer(seat)).options_json
        return {unit["id"]: unit["options"] for unit in options or ()}

    def marching(self, seat: str) -> Json:
        """One unit of a seat takes its first step."""
        unit, path = next((unit, ways["move"][0]) for unit, ways in self.ways(seat).items() if ways["move"])
        return {unit: {"move": path}}

    def all_enter(self, *but: str, ready: bool = False) -> None:
        """Everybody lets his units stand, and that is entered."""
        for seat in self.keys:
            if seat not in but:
                self.enter(seat, {}, ready=ready)

    def to_the_deadline(self) -> None:
        deadline = self.show().deadline
        assert deadline is not None
        self.clock.to(deadline)

    def publish(self, expected: int) -> None:
        """The game master publishes the draft of a turn."""
        assert (self.show().status, self.show().turn) == ("review", expected)
        publication.publish(self.db, self.id, self.master, turn=expected, now=self.clock.now)

    def addresses(self, side: str) -> set[str]:
        """Where a side's people get their letters."""
        later = {address for address, of in self.joined.items() if of == side}
        return later | {SEATED[seat].address for seat in SIDES.get(side, ())}

    def asked(self, side: str, seat: str) -> Iterator[str]:
        """Every address that tells something of the battle, of a side and of a seat."""
        shown = self.show()
        here = SIDES[side][0]
        last = max((line.turn for line in shown.turns), default=1)
        values = {
            "battle_id": [self.id],
            "id": [self.id],
            "campaign_id": [self.campaign],
            "campaign": [self.campaign],
            "seat": list(dict.fromkeys((here, seat))),
            "side": [side],
            "unit": ["N-LM1" if side == "north" else "S-LM1"],
            "turn": [str(turn) for turn in dict.fromkeys((last, shown.turn))],
            "language": ["en"],
            "ruleset": ["cohesion"],
            "kind": ["public", "side", "master"],
            "channel": ["public", f"side/{side}", f"master/{here}"],
        }
        every = walking.addresses(self.app, values)
        return (one for one in every if one.startswith(OF_BATTLES) and not one.endswith(DRAWN_ALIKE))

    def shown_to_others(self, side: str) -> walking.Seen:
        """All that the other side, the public and their programs can fetch, and all that is on its way to them. Of what
        belongs to no side, both are the others."""
        others = [one for one in SIDES if one != side]
        found: walking.Seen = {}
        mine = SIDES.get(side, ())
        for other in others:
            there = SIDES[other][0]
            onlookers = {other: self.client(self.keys[there], token=self.keys[there])}
            if other == others[-1]:
                onlookers["public"] = self.client()
            for client, kind in product(onlookers.values(), ("public", "side", "master")):
                client.get(f"/b/{self.id}/talk/{kind}")  # what was new to him is not any more when he has seen it
            asked = list(self.asked(side if mine else other, there))
            found |= walking.seen(self.app, onlookers, asked, plain=self._plain if mine else self._without_versions)
        assert sum(status == 200 for status, _ in found.values()) > 40
        if mine:
            found["all", "pulse"] = (0, str(freshness.pulses(self.db, (self.id,))))
        found["all", "post"] = (0, repr(self.on_its_way(*mine)))
        found["all", "letters"] = (0, repr(self.box.all_but(*self.addresses(side))))
        return found

    @staticmethod
    def _plain(text: str) -> str:
        """Without what all may know of an act: its seal and its number."""
        return _SEALS.sub("SEAL", text)

    def _without_versions(self, text: str) -> str:
        """Of what the game master does with a draft also that he does something."""
        return _VERSIONS.sub("VERSION", self._plain(text))

    def on_its_way(self, *but: str) -> list[Any]:
        """What stands in the outbox for anybody else than these seats."""
        with self.db.read() as session:
            rows = session.execute(
                select(*OUTBOX.c, SUBSCRIPTIONS.c.seat)
                .outerjoin(SUBSCRIPTIONS, SUBSCRIPTIONS.c.id == OUTBOX.c.subscription_id)
                .order_by(OUTBOX.c.id)
            ).all()
        return [tuple(row) for row in rows if row.seat is None or row.seat not in but]

    @contextmanager
    def unseen(self, side: str) -> Iterator[None]:
        """What is done in here is done by one side for itself: nobody else is given another byte than before."""
        self.post()
        before = self.shown_to_others(side)
        yield
        self.post()
        changed = walking.differences(before, self.shown_to_others(side))
        assert not changed, "\n".join(changed[:9])


@contextmanager
def staged(database_url: str, data: Path, clock: Clock, make: Callable[[Database, Clock], NewBattle]) -> Iterator[Stage]:
    """A server that stands; what it would do by itself once a second is done at each step of the clock."""
    with postoffice() as office:
        yield from _stage(database_url, data, clock, make, office)


def _stage(
    database_url: str, data: Path, clock: Clock, make: Callable[[Database, Clock], NewBattle], office: PostOffice
) -> Iterator[Stage]:
    settings = Settings(
        data=data,
        database_url=database_url,
        base_url=HERE,
        embedded=False,
        smtp_host="127.0.0.1",
        smtp_port=office.port,
        smtp_from="post@battles.example",
        smtp_security="none",
        log_level="error",
    )
    # What was looked at a second ago is served unasked; in the story a second may hold a month.
    never_fresh = mock.patch("app.web.cache.FRESH_SECONDS", -1.0)
    app = create_app(settings)
    house = replace(app.state.house, now=clock)
    app.state.house = house
    (api,) = (route.api for route in app.router.routes if isinstance(route, ApiRoutes))
    api.state.house = house
    with never_fresh, TestClient(app) as server:
        made = make(house.db, clock)
        stage = Stage(app, clock, Mailbox(office), made, dict(made.seat_keys), server.portal)
        clock.rings.append(stage.ring)
        for seat, person in SEATED.items():
            battles.name_holder(house.db, made.id, seat, stage.viewer(seat), person.name, clock.now)
            stage.subscribe(person, stage.viewer(seat))
        stage.subscribe(MASTER, stage.master, "desk")
        yield stage
