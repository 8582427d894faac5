"""What a picture shows: the wish of an address, and what is to be drawn for it. A picture is for everybody, so it shows
what the public may know; the game master alone sees a turn that is under review."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, NamedTuple, cast

import msgspec

from app.drawing import raster
from app.drawing.scene import Scene
from app.drawing.svg import svg
from app.engine import film
from app.engine.film import Frame, Telling
from app.engine.ruleset import AnyRuleset, Json
from app.language import LANGUAGES, Translator, capital, translator
from app.referee import battles, freshness, publication, published, turns
from app.referee.errors import RefereeError
from app.referee.turnviews import TurnView
from app.referee.views import PUBLIC, Viewer
from app.web.house import House
from app.web.parts import battle_title

Form = Literal["png", "thumb", "webp", "gif"]
MEDIA = {"png": "image/png", "thumb": "image/png", "webp": "image/webp", "gif": "image/gif"}
SCALES = ("1", "2", "3")
THEMES = ("light", "dark")
WHOLE = ""
"""In the place of a turn: the whole battle."""
THUMB_WIDTH = 400
FILM_WIDTH, BATTLE_WIDTH = 800, 640
LARGEST_FILM = 1_000_000
"""Bytes of the film of one turn; of a battle three times as many."""
MOST_TURNS = 60
"""Turns in the film of a battle; of a longer one evenly chosen, the last one always."""


class Wish(NamedTuple):
    """`turn`: a number, `latest`, or `WHOLE`."""

    battle_id: str
    turn: str
    form: Form
    language: str
    scale: int = 1
    theme: raster.Theme = "light"
    still: bool = False

    @property
    def is_film(self) -> bool:
        return self.form in ("webp", "gif")


@dataclass(frozen=True)
class Exhibit:
    """`tag`: a digest of everything that is drawn. `version`: of the battle, when it was looked at; None: under review."""

    tag: str
    draw: Callable[[], bytes]
    version: int | None


@dataclass(frozen=True)
class Board:
    ruleset: AnyRuleset
    state: Any
    scenario: Json
    title: str
    turn: int
    is_over: bool
    is_draft: bool


def read(battle_id: str, turn: str, form: Form, language: str, query: Mapping[str, str]) -> Wish:
    """Raises `RefereeError("bad-picture")` where the query asks for what there is not."""
    scale, theme, spoken, still = (query.get(key, "") for key in ("scale", "theme", "lang", "still"))
    known = (scale in ("", *SCALES), theme in ("", *THEMES), spoken in ("", *LANGUAGES), still in ("", "0", "1"))
    if not all(known):
        raise RefereeError("bad-picture")
    return Wish(
        battle_id=battle_id,
        turn=turn,
        form=form,
        language=spoken or language,
        scale=int(scale or 1) if form == "png" else 1,
        theme=cast(raster.Theme, theme or "light"),
        still=still == "1" and form in ("webp", "gif"),
    )


def exhibit(house: House, wish: Wish, master: Callable[[], Viewer | None]) -> Exhibit:
    """What is to be drawn. `master`: tells the game master of the battle, if it is he who asks.
    Raises `RefereeError`: no-battle, no-turn."""
    version = freshness.version(house.db, wish.battle_id)
    if wish.turn == WHOLE:
        frames, is_draft = _battle_film(house, wish), False
    elif wish.is_film:
        frames, is_draft = _turn_film(house, wish, master)
    else:
        board = board_of(house, wish.battle_id, wish.turn, master)
        return _picture(wish, headed(board, wish.language, wish.form), None if board.is_draft else version)
    return _film(wish, frames, None if is_draft else version)


def headed(board: Board, language: str, form: Form = "png") -> Scene:
    """The field with a heading that says of which battle and when; a small one, which has no legend, says when and the
    score."""
    words = translator(language)
    moment = when(board.turn, board.is_over, words)
    if form == "thumb":
        points = board.ruleset.outcome(board.state).points
        score = " : ".join(str(points.get(side, 0)) for side in board.scenario["sides"])
        heading = f"{capital(moment)} · {score}"
    else:
        heading = f"{battle_title(board.title, board.scenario.get('title'), words)} · {moment}"
    drawn = board.ruleset.scene(board.ruleset.view(board.state, None), language, board.scenario)
    return msgspec.structs.replace(drawn, title=heading)


def when(turn: int, is_over: bool, words: Translator) -> str:
    """`after turn 3`, `before the first turn`."""
    if turn == 0:
        return words.gettext("before the first turn")
    if is_over:
        return words.gettext("after turn %(turn)s, the last one", turn=turn)
    return words.gettext("after turn %(turn)s", turn=turn)


def board_of(house: House, battle_id: str, turn: str, master: Callable[[], Viewer | None]) -> Board:
    """The field after a turn; 0, or `latest` before any is published: the field as it was set up."""
    try:
        view = _turn(house, battle_id, "1" if turn == "0" else turn, master)
    except RefereeError as missing:
        if missing.code != "no-turn" or turn not in ("0", "latest"):
            raise
        battle = battles.battle(house.db, battle_id, PUBLIC, house.now())
        if battle.turn != 1:
            raise
        return Board(battle.ruleset, battle.state, battle.scenario, battle.title, 0, is_over=False, is_draft=False)
    is_start = turn == "0"
    return Board(
        view.ruleset,
        view.before if is_start else view.after,
        view.scenario,
        view.title,
        0 if is_start else view.turn,
        is_over=view.winner is not None and not is_start,
        is_draft=view.published_at is None,
    )


def _turn(house: House, battle_id: str, turn: str, master: Callable[[], Viewer | None]) -> TurnView:
    """As the public sees it; one under review, asked for by its number, as its game master does."""
    if turn == "latest":
        return publication.turn(house.db, battle_id, "latest", PUBLIC)
    if not (turn.isascii() and turn.isdigit() and len(turn) < 7 and turn[0] != "0"):
        raise RefereeError("no-turn")
    try:
        return publication.turn(house.db, battle_id, int(turn), PUBLIC)
    except RefereeError as missing:
        viewer = master() if missing.code == "no-turn" else None
        if viewer is None:
            raise
        return publication.turn(house.db, battle_id, int(turn), viewer)


def _turn_film(house: House, wish: Wish, master: Callable[[], Viewer | None]) -> tuple[tuple[Frame, ...], bool]:
    view = _turn(house, wish.battle_id, wish.turn, master)
    title = battle_title(view.title, view.scenario.get("title"), translator(wish.language))
    return film.turn_frames(view.ruleset, _told(view), wish.language, view.scenario, title), view.published_at is None


def _battle_film(house: House, wish: Wish) -> tuple[Frame, ...]:
    numbers = [line.turn for line in turns.history(house.db, wish.battle_id, PUBLIC)]
    if not numbers:
        raise RefereeError("no-turn")
    if len(numbers) > MOST_TURNS:
        step = (len(numbers) - 1) / (MOST_TURNS - 1)
        numbers = [numbers[round(i * step)] for i in range(MOST_TURNS)]
    words = translator(wish.language)
    views = published.in_a_row(house.db, wish.battle_id, numbers)
    if not views:  # a rewind came between
        raise RefereeError("no-turn")
    told = [(_told(view), words.gettext("turn %(turn)s", turn=view.turn)) for view in views]
    last = views[-1]
    title = battle_title(last.title, last.scenario.get("title"), words)
    return film.battle_frames(last.ruleset, told, wish.language, last.scenario, title)


def _told(view: TurnView) -> Telling:
    return Telling(before=view.before, events=view.events, after=view.after)


def _picture(wish: Wish, drawn: Scene, version: int | None) -> Exhibit:
    text = svg(drawn, legend=wish.form == "png")
    draw = (
        partial(raster.thumbnail, text, width=THUMB_WIDTH, theme=wish.theme)
        if wish.form == "thumb"
        else partial(raster.png, text, scale=wish.scale, theme=wish.theme)
    )
    return Exhibit(_digest(wish.form, str(wish.scale), wish.theme, text), draw, version)


def _film(wish: Wish, frames: Sequence[Frame], version: int | None) -> Exhibit:
    """`still`: the last frame alone."""
    shown = [(svg(frame.scene), frame.seconds) for frame in (frames[-1:] if wish.still else frames)]
    is_battle = wish.turn == WHOLE
    draw = partial(
        raster.animation,
        shown,
        width=BATTLE_WIDTH if is_battle else FILM_WIDTH,
        kind=cast(raster.Animation, wish.form),
        theme=wish.theme,
        largest=LARGEST_FILM * (3 if is_battle else 1),
    )
    parts = [part for text, seconds in shown for part in (text, f"{seconds:.2f}")]
    return Exhibit(_digest(wish.form, str(is_battle), wish.theme, *parts), draw, version)


def _digest(*parts: str) -> str:
    known = hashlib.sha256(raster.VERSION.encode("ascii"))
    for part in parts:
        known.update(b"\x00" + part.encode("utf-8", "replace"))
    return known.hexdigest()[:32]
