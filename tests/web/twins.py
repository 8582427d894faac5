"""Two battles alike in all but what one side keeps to itself: made once, copied, and led on with other secrets."""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.config import Settings
from app.engine.ruleset import Ruling
from app.referee import (
    accounts,
    arms,
    askings,
    battles,
    campaignbattles,
    campaigns,
    deadlines,
    doctrines,
    freshness,
    keys,
    moderation,
    openings,
    orders,
    plans,
    proof,
    publication,
    rewinding,
    sayings,
    scenarios,
    talk,
    turns,
)
from app.referee.channels import Where
from app.referee.openings import Opening
from app.referee.options import Options
from app.referee.views import Viewer
from app.web.api.service import FILES, ApiRoutes
from app.web.app import create_app
from tests import walking
from tests.times import HOUR, NOW
from tests.web.conftest import Post
from tests.web.test_side_plan import FIELD

HOST_KEY = "the-host-opens-with-this-key-alone"
HOUSE = "http://here.example"
ARMS = (
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x02\x00\x00\x00\x90wS\xde"
    b"\x00\x00\x00\x0cIDATx\x9cc\xf8\xcf\xc0\x00\x00\x03\x01\x01\x00\xc9\xfe\x92\xef\x00\x00\x00\x00IEND\xaeB`\x82"
)


@dataclass(frozen=True)
class Secret:
    """What the seat `right`, its side, and the game master keep to themselves."""

    cell: str
    doctrine: str
    drawn: tuple[str, ...] = ()
    words: str = ""
    to_side: tuple[str, ...] = ()
    to_master: tuple[str, ...] = ()
    points: int = 0
    reason: str = "A slip."


ONE = Secret("C4", "hold")
OTHER = Secret(
    "D5",
    "hold-and-fight",
    drawn=("over here", "and there"),
    words="Forward!",
    to_side=("Let us go.", "@Left, when?"),
    to_master=("May I?",),
    points=2,
    reason="Another slip, and a long one.",
)


@dataclass(frozen=True)
class Cast:
    """Who looks, by what they hold."""

    battle: str
    campaign: str
    ticket: str
    keys: Mapping[str, str]
    arms: str


ONLY: dict[str, tuple[str, ...]] = {"page:leader": ("/c/",), "page:host": ("/host", "/canary")}
"""Whose cookies go with these addresses alone: elsewhere they are the public."""
OF_BATTLES = ("/b/", "/c/", "/api/v1/battles/", "/api/v1/campaigns/", "/account", "/q/")
"""What may tell somebody more than the public."""

Told = dict[tuple[str, str], tuple[int, Any, bytes]]
"""By onlooker and address: status, headers, body."""


@dataclass
class Twin:
    post: Post
    cast: Cast
    clients: dict[str, TestClient] = field(default_factory=dict)

    def viewer(self, who: str) -> Viewer:
        return keys.viewer_by_key(self.post.house.db, self.cast.keys[who])

    def client(self, who: str) -> TestClient:
        """`who`: a name of the cast with the way in which he comes: `page:` a browser that followed his link, `token:` a
        program that shows his key."""
        if who not in self.clients:
            self.clients[who] = self._client(*who.split(":"))
        return self.clients[who]

    def _client(self, way: str, name: str) -> TestClient:
        client = self.post.visitor("ru" if name == "public" else "en")
        if name == "public":
            return client
        if way == "token":
            client.headers["authorization"] = f"Bearer {self.cast.keys[name]}"
        elif name == "host":
            assert client.post("/host", data={"action": "open", "key": HOST_KEY}).status_code == 303
        elif name == "account":
            client.cookies.set("fp_account", self.cast.keys["signed in"])
        elif name == "gone":
            client.cookies.set("fp_seat_right", self.cast.keys["gone"], path=f"/b/{self.cast.battle}")
        else:
            assert client.get(f"/k/{self.cast.keys[name]}").status_code == 303
        return client

    def told(self, onlookers: tuple[str, ...], asked: tuple[str, ...]) -> Told:
        """Of each what he opens more of than the public: pages by cookies, the API by keys, the host his own page."""
        walking.forget(self.post.app)
        found: Told = {}
        for who in onlookers:
            for address in asked:
                if is_for(who, address):
                    found[who, address] = _plain(self.client(who).get(address))
        pulse = freshness.pulses(self.post.house.db, (self.cast.battle,))
        found["all", "/follow"] = (0, sorted(pulse.items()), b"")
        return found


def is_for(who: str, address: str) -> bool:
    if who in ONLY:
        return address.startswith(ONLY[who])
    is_call = address.startswith("/api/") or FILES.fullmatch(address) is not None
    return who.startswith("token:") == is_call and (who.endswith(":public") or address.startswith(OF_BATTLES))


def _plain(answer: Any) -> tuple[int, Any, bytes]:
    """All of an answer but its number, which is drawn anew for each."""
    number = answer.headers.pop("x-request-id")
    return answer.status_code, sorted(answer.headers.items()), answer.content.replace(number.encode(), b"-")


def values(cast: Cast) -> dict[str, tuple[str, ...]]:
    """What stands in the addresses, by the name of the parameter."""
    return {
        "battle_id": (cast.battle,),
        "id": (cast.battle,),
        "campaign_id": (cast.campaign,),
        "campaign": (cast.campaign,),
        "seat": ("north", "right"),
        "unit": ("S2", "N1"),
        "channel": ("side", "master"),
        "turn": ("1", "2"),
        "n": ("2", "latest"),
        "line": ("1", "2"),
        "language": ("en",),
        "digest": (cast.arms,),
        "ticket": (cast.ticket,),
        "ruleset": ("cohesion",),
        "key": (cast.keys["north"],),
        "name": ("1",),
    }


@contextmanager
def twins(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Twin, Twin]]:
    """Two servers, over one database and its copy."""
    digest = proof.digest

    def blind(text: str) -> str:
        """The seal alone tells of what is sealed, and is meant to: here it does not."""
        return digest(json.dumps({**json.loads(text), "orders": {}, "doctrine": ""}, sort_keys=True))

    monkeypatch.setattr(proof, "digest", blind)
    for name in ("one", "other"):
        (folder / name).mkdir()
    with _served(folder / "one", upgrade=True) as one:
        cast = _prepared(one)
        with closing(sqlite3.connect(folder / "one" / "fieldpost.db")) as source:
            source.execute("VACUUM INTO ?", (str(folder / "other" / "fieldpost.db"),))
        with _served(folder / "other", upgrade=False) as other:
            # a picture is kept by the digest of all that is drawn: it is drawn once for both
            other.app.state.gallery._drawn = one.app.state.gallery._drawn
            yield Twin(one, cast), Twin(other, cast)


@contextmanager
def _served(folder: Path, *, upgrade: bool) -> Iterator[Post]:
    app = create_app(Settings(data=folder, embedded=False, base_url=HOUSE, host_key=HOST_KEY), upgrade=upgrade)
    house = replace(app.state.house, now=lambda: NOW)
    app.state.house = house
    for route in app.router.routes:
        if isinstance(route, ApiRoutes):
            route.api.state.house = house
    with TestClient(app) as client:
        yield Post(app, client.portal)


def _prepared(post: Post) -> Cast:
    """A battle of a campaign, its first turn published, its second taken back; beside it another battle, an
    account, somebody who asks for a seat, one who has lost his."""
    db = post.house.db
    made = battles.create(
        db, scenario=scenarios.read_file(FIELD), now=NOW, review=True, options=Options(shared_plan=False, doctrine=True)
    )
    beside = battles.create(db, scenario=scenarios.read_file(FIELD), now=NOW)
    master = keys.viewer_by_key(db, made.master_key)
    campaign = campaigns.create(db, title="Autumn", now=NOW)
    leader = keys.viewer_by_key(db, campaign.key)
    campaignbattles.add_battle(db, campaign.id, leader, made.id, master, now=NOW)
    account = accounts.make_token(db, "Ann", NOW)
    person = keys.viewer_by_key(db, account)
    assert person.account_id is not None
    openings.set_up(db, made.id, master, Opening(is_open=True, words="Who comes?", seats=("left",)), NOW)
    askings.ask(db, made.id, NOW, account=person)
    ticket = askings.ask(db, made.id, NOW, name="Bob")
    gone = made.seat_keys["right"]
    renewed = battles.renew_key(db, made.id, "right", made.master_key, NOW)
    right = keys.viewer_by_key(db, renewed)
    shield = arms.give(db, made.id, "right", right, ARMS, NOW)
    for turn in (1, 2):
        turns.resolve_now(db, made.id, master, turn=turn, now=NOW)
        publication.publish(db, made.id, master, turn=turn, now=NOW)
    rewinding.rewind(db, made.id, master, to=2, reason="A die fell off.", now=NOW)
    deadlines.sweep(db, NOW, outage=HOUR)
    held = {
        "right": renewed,
        "gone": gone,
        "north": made.seat_keys["north"],
        "left": made.seat_keys["left"],
        "master": made.master_key,
        "stranger": beside.seat_keys["right"],
        "strange master": beside.master_key,
        "leader": campaign.key,
        "account": account,
        "signed in": accounts.signed_in(db, person.account_id, "a browser", NOW),
    }
    return Cast(made.id, campaign.id, ticket, held, shield)


def sealed(twin: Twin, secret: Secret) -> None:
    """What nobody but the seat `right` knows: orders, a doctrine, drawings, words to be said."""
    db, battle, right = twin.post.house.db, twin.cast.battle, twin.viewer("right")
    fields = {"S2": {"move": [secret.cell]}}
    orders.enter(db, battle, "right", right, turn=2, revision=0, fields=fields, now=NOW)
    doctrines.choose(db, battle, "right", right, secret.doctrine, NOW)
    sayings.say(db, battle, "right", right, turn=2, text=secret.words, now=NOW)
    for text in secret.drawn:
        plans.draw(db, battle, "right", right, turn=2, kind="note", cells=("C3",), text=text, now=NOW)


def drafted(twin: Twin, secret: Secret) -> None:
    """What is said among few, and a turn under review with rulings upon it."""
    db, battle, right, master = twin.post.house.db, twin.cast.battle, twin.viewer("right"), twin.viewer("master")
    for kind, said in (("side", secret.to_side), ("master", secret.to_master)):
        for text in said:
            talk.write(db, battle, Where(kind, "right"), right, text=text, now=NOW)  # type: ignore[arg-type]
    turns.resolve_now(db, battle, master, turn=2, now=NOW)
    if secret.points:
        moderation.rule(db, battle, master, Ruling(({"points": {"south": secret.points}},), secret.reason), NOW)
        moderation.rule(db, battle, master, Ruling(({"unit": "N1", "remove": True},), secret.reason), NOW)


def rewound(twin: Twin, _: Secret) -> None:
    """The draft is left behind, never published."""
    rewinding.rewind(twin.post.house.db, twin.cast.battle, twin.viewer("master"), to=2, reason="a slip", now=NOW)


def led(act: Callable[[Twin, Secret], None], pair: tuple[Twin, Twin], monkeypatch: pytest.MonkeyPatch) -> None:
    """The same act with the secrets of each; chance is the same for both."""
    with monkeypatch.context() as patched:
        for twin, secret in zip(pair, (ONE, OTHER), strict=True):
            chance = Random(act.__name__)
            patched.setattr(secrets, "token_bytes", lambda size=32, chance=chance: chance.randbytes(size or 32))
            patched.setattr(secrets, "choice", chance.choice)
            act(twin, secret)
