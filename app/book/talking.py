"""The public thread of a battle as a page of its book, and its coats of arms as files."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from datetime import datetime

from app.book.pages import Cover, TalkLine, TalkPage
from app.drawing.arms import digest
from app.engine.ruleset import Json
from app.language import Translator, capital, translator
from app.referee.views import BattleView
from app.reports import prose


def arms_files(tree: Json) -> Mapping[str, tuple[str, bytes]]:
    """By seat, of a public archive: the name of a file and its bytes."""
    bodies = {seat["seat"]: base64.b64decode(seat["arms"]) for seat in tree["seats"] if "arms" in seat}
    return {seat: (f"arms/{digest(body)[:16]}.webp", body) for seat, body in bodies.items()}


def talk_page(battle: BattleView, cover: Cover, tree: Json) -> TalkPage:
    words, arms = translator(cover.language), arms_files(tree)
    return TalkPage(cover=cover, lines=tuple(_line(battle, one, words, arms, cover.last) for one in tree["talk"]))


def _line(battle: BattleView, one: Json, words: Translator, arms: Mapping[str, tuple[str, bytes]], last: int) -> TalkLine:
    who, role = _who(battle, one, words)
    names = [name for _, name in one["mentions"]]
    return TalkLine(
        number=one["number"],
        who=who,
        role=role,
        arms=arms.get(one["writer"].removeprefix("seat/"), ("", b""))[0],
        turn=one["turn"],
        at=datetime.fromisoformat(one["written_at"]),
        is_changed=one["edited_at"] is not None,
        text=prose.message(one["text"], turn_link="turn-{}.html", turns=last, mentions=names),
        state="deleted" if one["deleted_at"] else "hidden" if one["hidden_at"] else "",
        reason=one["hidden_reason"] or "",
    )


def _who(battle: BattleView, one: Json, words: Translator) -> tuple[str, str]:
    kind, _, of = one["writer"].partition("/")
    if kind == "seat":
        name = next((words.text(seat.name) for seat in battle.seats if seat.seat == of), of)
        role = capital(name)
    else:
        role = words.gettext("Game master") if kind == "master" else words.gettext("spectator")
    return (one["name"], role) if one["name"] else (role, "")
