"""A battle -> the files of its book. Reads what the public may read, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from importlib import resources
from typing import Any

import msgspec
import nh3
from markdown_it import MarkdownIt
from markupsafe import Markup

from app.book.pages import (
    Board,
    Cover,
    IndexPage,
    LogLine,
    Orders,
    ProofsPage,
    RulesPage,
    SeatLine,
    Sign,
    SwitchLine,
    TurnLine,
    TurnPage,
    written,
)
from app.book.talking import arms_files, talk_page
from app.drawing import raster
from app.drawing.scene import Legend, Scene, SideMark
from app.drawing.svg import svg, swatch
from app.engine import film
from app.engine.film import Frame, Telling
from app.engine.ruleset import Json
from app.language import LANGUAGES, Translator, capital, pick, translator
from app.referee import archive, battles, moderation, publication
from app.referee.exporting import export
from app.referee.turnviews import TurnView
from app.referee.views import PUBLIC, BattleView
from app.reports import headline
from app.reports.html import turn_report
from app.reports.logwords import log_words, who_words
from app.reports.rules import book as rules_of
from app.reports.rulings import switches_words
from app.reports.scores import scores
from app.store.db import Database

SHARED = ("fieldpost.css", "board.css", "icon.svg")
"""The house's own files that every page needs."""
FILM_WIDTH, BATTLE_WIDTH = 800, 640
LARGEST_FILM = 1_000_000
"""Bytes of the film of a turn; of the battle three times as many."""
MOST_TURNS = 60
"""Turns in the film of a battle; of a longer one evenly chosen, the last one always."""

PROGRAM = """\
import hashlib, hmac, json, sys

record = json.load(open(sys.argv[1], encoding="utf-8"))
sha = lambda data: hashlib.sha256(data).hexdigest()
for sheet in record["sheets"]:
    sealed = {key: sheet[key] for key in ("nonce", "orders", "revision", "seat")}
    sealed |= {"battle": record["battle"], "turn": record["turn"]}
    text = json.dumps(sealed, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert sha(text.encode()) == sheet["digest"], sheet["seat"]
for doctrine in record.get("doctrines", []):
    sealed = {key: doctrine[key] for key in ("doctrine", "nonce", "seat")} | {"battle": record["battle"]}
    text = json.dumps(sealed, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert sha(text.encode()) == doctrine["digest"], doctrine["seat"]
secret, seed = record["seed"]["secret"], record["seed"]["seed"]
digests = ",".join(sheet["digest"] for sheet in record["sheets"])
assert sha(bytes.fromhex(secret)) == record["seed_commitment"]
assert sha(f"fieldpost/1:{secret}:{digests}".encode()) == seed
again = [ruling["facts"]["address"] for ruling in record["rulings"] if ruling.get("kind") == "reroll"]
sides = {}
for event in record["events"]:
    if event["event"] == "rolled":
        sides.setdefault(event["address"], []).extend([event.get("sides", 6)] * len(event["faces"]))


def die(name, faces, block=0):
    mac = hmac.digest(bytes.fromhex(seed), f"{name}/{block}".removesuffix("/0").encode(), "sha256")
    for place in range(0, 32, 4):
        number = int.from_bytes(mac[place : place + 4], "big")
        if number < 2**32 - 2**32 % faces:
            return number % faces + 1
    return die(name, faces, block + 1)


for address, faces in record["dice"].items():
    name = f"{address}~{again.count(address)}" if address in again else address
    assert faces == [die(f"{name}#{number}", many) for number, many in enumerate(sides[address])], address
print("holds")
"""
"""The check of a record in a few lines, as `docs/proof.md` has it."""


def files(
    db: Database, battle_id: str, language: str, now: datetime, *, with_films: bool = True
) -> Iterator[tuple[str, bytes]]:
    """Every file of a book: its name (folders with `/`) and bytes, one after the other, so that they need not all be held.
    Raises `RefereeError("no-battle")`."""
    battle = battles.battle(db, battle_id, PUBLIC, now)
    tree = export(db, battle_id, whole=False, now=now)
    numbers = [part["record"]["turn"] for part in tree["turns"]]
    cover = _cover(battle, language, now, len(numbers), with_films=with_films and bool(numbers))
    cover = replace(cover, has_talk=bool(tree["talk"]))
    arms = arms_files(tree)
    yield from dict(arms.values()).items()
    for name in (*SHARED, *(["talk.css"] if cover.has_talk else [])):
        yield name, resources.files("app").joinpath("web", "static", name).read_bytes()
    yield "battle.json", archive.packed(tree)
    lines, told = [], []
    for part in tree["turns"]:
        record = part["record"]
        view = publication.turn(db, battle_id, record["turn"], PUBLIC)
        lines.append(_line(battle, view, language))
        yield from _turn_files(battle, cover, view, record)
        if with_films:
            told.append((_telling(view), translator(language).gettext("turn %(turn)s", turn=view.turn)))
    if told:
        yield "film.webp", _battle_film(battle, told, cover)
    position = battle.ruleset.scene(battle.state, language, battle.scenario)
    yield "board.png", raster.png(svg(_headed(position, cover.title), legend=True))
    yield (
        "index.html",
        _page(_index(db, battle, cover, tuple(lines), position, {seat: file for seat, (file, _) in arms.items()})),
    )
    if cover.has_talk:
        yield "talk.html", _page(talk_page(battle, cover, tree))
    for spoken in LANGUAGES:
        yield f"rules-{spoken}.html", _page(_rules(battle, cover, spoken))
    yield "proofs.html", _page(ProofsPage(cover=cover, program=PROGRAM, turns=tuple(numbers)))
    yield "check.py", PROGRAM.encode()


def _cover(battle: BattleView, language: str, now: datetime, last: int, *, with_films: bool) -> Cover:
    words = translator(language)
    own = battle.scenario.get("title") or {}
    return Cover(
        language=language,
        title=words.text(own) if battle.title in own.values() else battle.title,
        battle=battle.id,
        last=last,
        zone=battle.zone,
        zone_name=words.zone(battle.zone),
        written_at=now,
        has_film=with_films,
    )


def _turn_files(battle: BattleView, cover: Cover, view: TurnView, record: Json) -> Iterator[tuple[str, bytes]]:
    language, name = cover.language, f"turn-{view.turn}"
    after = battle.ruleset.scene(view.after, language, view.scenario)
    before = battle.ruleset.scene(view.before, language, view.scenario)
    orders = _orders(battle, view, record, language)
    page = TurnPage(
        cover=cover,
        turn=view.turn,
        resolved_at=view.resolved_at or cover.written_at,
        sides=scores(battle.scenario, battle.ruleset.outcome(view.after), translator(language)),
        after=_board(after, "b-"),
        before=_board(before, "a-"),
        report=turn_report(view, language, rules_url=f"rules-{language}.html"),
        orders=orders,
        commitment=record["seed_commitment"],
        secret=record["seed"]["secret"],
        seed=record["seed"]["seed"],
    )
    yield f"{name}.html", _page(page)
    heading = f"{cover.title} · {translator(language).gettext('turn %(turn)s', turn=view.turn)}"
    yield f"{name}.png", raster.png(svg(_headed(after, heading), legend=True))
    yield f"{name}.txt", "\n".join(f"{sheet.seat}\n{sheet.text or '-'}\n" for sheet in orders).encode()
    yield f"records/{name}.json", json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    if cover.has_film:
        frames = film.turn_frames(battle.ruleset, _telling(view), language, view.scenario, cover.title)
        yield f"{name}.webp", _film(frames, FILM_WIDTH, LARGEST_FILM)


def _index(
    db: Database,
    battle: BattleView,
    cover: Cover,
    turns: tuple[TurnLine, ...],
    position: Scene,
    arms: Mapping[str, str],
) -> IndexPage:
    words = translator(cover.language)
    sides = {side.side: pick(side.name, cover.language) for side in battle.sides}
    return IndexPage(
        cover=cover,
        result=_result(battle, sides, words),
        notes=_prose(words.text(battle.scenario.get("notes"))),
        sides=scores(battle.scenario, battle.outcome, words),
        seats=tuple(
            SeatLine(capital(words.text(seat.name)), sides[seat.side], seat.holder or "", arms.get(seat.seat, ""))
            for seat in battle.seats
        ),
        turns=turns,
        board=_board(position, "b-"),
        log=tuple(
            LogLine(
                line.at,
                who_words(line.who, cover.language, line.name),
                log_words(line.what, line.params, cover.language, scenario=battle.scenario, zone=battle.zone),
            )
            for line in moderation.log(db, battle.id)
        ),
    )


def _prose(text: str) -> Markup:
    """What the scenario's author wrote: paragraphs, lists, emphasis; nothing that could do harm or lead away."""
    tags = {"p", "br", "em", "strong", "ul", "ol", "li", "blockquote", "code", "h3", "h4", "hr"}
    drawn = MarkdownIt("commonmark", {"html": False}).render(text)
    for level in "12":
        drawn = drawn.replace(f"<h{level}>", "<h3>").replace(f"</h{level}>", "</h3>")
    return Markup(nh3.clean(drawn, tags=tags, attributes={}))  # noqa: S704  (cleaned by an explicit list of tags)


def _result(battle: BattleView, sides: dict[str, str], words: Translator) -> str:
    winner = battle.outcome.winner
    if winner == "draw":
        return words.gettext("The battle ended in a draw.")
    if winner:
        return words.gettext("The battle is won by: %(winner)s", winner=sides.get(winner, winner))
    return words.gettext("The battle is not decided yet.")


def _rules(battle: BattleView, cover: Cover, spoken: str) -> RulesPage:
    switches = []
    for told in switches_words(battle.ruleset.switches, spoken):
        value = next((v for v in told.values if v.key == battle.rulings.get(told.key)), None)
        value = value or next(v for v in told.values if v.is_default)
        switches.append(SwitchLine(told.title, told.rule, value.title, value.words, value.is_default))
    rules = rules_of(spoken, battle.ruleset.key)
    text = Markup(rules.page())  # noqa: S704  (cleaned by its reader)
    return RulesPage(cover=cover, spoken=spoken, switches=tuple(switches), sections=rules.sections, text=text)


def _orders(battle: BattleView, view: TurnView, record: Json, language: str) -> tuple[Orders, ...]:
    ruleset = battle.ruleset
    sheets = {sheet["seat"]: sheet for sheet in record["sheets"]}
    found = []
    for request in ruleset.requests(view.before):
        sheet = sheets.get(request.seat)
        name = pick(battle.scenario["contingents"][request.seat]["name"], language)
        if sheet is None:
            found.append(Orders(name, "", "", 0))
            continue
        text = ruleset.write_text(view.before, request, ruleset.load_order(sheet["orders"]), language)
        found.append(Orders(name, text, sheet["digest"], sheet["revision"]))
    return tuple(found)


def _line(battle: BattleView, view: TurnView, language: str) -> TurnLine:
    return TurnLine(view.turn, headline(view, language), " : ".join(str(view.points.get(s.side, 0)) for s in battle.sides))


def _board(scene: Scene, prefix: str) -> Board:
    entries: list[SideMark | Legend] = [*scene.sides, *scene.legend]
    return Board(
        svg=Markup(svg(scene, standalone=False, id_prefix=prefix)),  # noqa: S704  (the only SVG writer escapes every text)
        shape="wide" if scene.width > scene.height * 1.4 else "tall",
        legend=tuple(Sign(Markup(swatch(entry)), entry.text) for entry in entries),  # noqa: S704
        width=round(scene.width),
        height=round(scene.height),
    )


def _headed(scene: Scene, heading: str) -> Scene:
    return msgspec.structs.replace(scene, title=heading)


def _telling(view: TurnView) -> Telling:
    return Telling(before=view.before, events=view.events, after=view.after)


def _battle_film(battle: BattleView, told: list[tuple[Telling, str]], cover: Cover) -> bytes:
    if len(told) > MOST_TURNS:
        step = (len(told) - 1) / (MOST_TURNS - 1)
        told = [told[round(i * step)] for i in range(MOST_TURNS)]
    frames = film.battle_frames(battle.ruleset, told, cover.language, battle.scenario, cover.title)
    return _film(frames, BATTLE_WIDTH, 3 * LARGEST_FILM)


def _film(frames: tuple[Frame, ...], width: int, largest: int) -> bytes:
    return raster.animation([(svg(frame.scene), frame.seconds) for frame in frames], width=width, largest=largest)


def _page(page: Any) -> bytes:
    return written(page).encode("utf-8")
