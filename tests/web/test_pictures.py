"""Pictures of turns: what they are, who may see which, and that drawing one holds up nothing else."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import anyio
import httpx2
import pytest
from starlette.testclient import TestClient

from app.drawing import raster
from app.engine.play import pick_from
from app.referee import battles, orders, publication, scenarios, turns
from app.referee.views import NewBattle, Viewer
from app.rulesets.registry import RULESETS
from app.web.exhibits import LARGEST_FILM
from app.web.gallery import Gallery
from tests.web.conftest import Post

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
FORMS = (
    "t/1.png",
    "t/latest.png",
    "t/0.png",
    "t/thumb.png",
    "t/1/thumb.png",
    "t/1.webp",
    "t/1.gif",
    "film.webp",
    "film.gif",
)


def _opened(body: bytes, **options: Any) -> Any:
    return raster._vips().Image.new_from_buffer(body, "", **options)


def _master(made: NewBattle) -> Viewer:
    return Viewer("master", battle_id=made.id)


def _resolve(post: Post, made: NewBattle, count: int = 1) -> None:
    for turn in range(1, count + 1):
        turns.resolve_now(post.house.db, made.id, _master(made), turn=turn, now=NOW)


@pytest.fixture(autouse=True)
def gallery(post: Post) -> Iterator[Gallery]:
    """One of its own for each test."""
    before, own = post.app.state.gallery, Gallery()
    post.app.state.gallery = own
    yield own
    own.close()
    post.app.state.gallery = before


@pytest.fixture
def made(post: Post) -> NewBattle:
    """A battle of which one turn is published."""
    made = post.battle()
    _resolve(post, made)
    return made


@pytest.fixture
def anyone(post: Post) -> TestClient:
    return post.visitor()


@pytest.mark.parametrize("form", FORMS)
def test_a_picture_is_what_its_address_says(anyone: TestClient, made: NewBattle, form: str) -> None:
    answer = anyone.get(f"/b/{made.id}/{form}")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == f"image/{form.rpartition('.')[2]}"
    assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
    assert _opened(answer.content).width > 300


@pytest.mark.parametrize("form", FORMS)
def test_who_has_a_picture_is_told_so_and_sent_nothing(anyone: TestClient, made: NewBattle, form: str) -> None:
    first = anyone.get(f"/b/{made.id}/{form}")
    again = anyone.get(f"/b/{made.id}/{form}", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", first.headers["etag"])
    other = anyone.get(f"/b/{made.id}/{form}", headers={"if-none-match": '"something-else"'})
    assert (other.status_code, other.content) == (200, first.content)


def test_a_reader_who_has_a_picture_costs_no_drawing_even_after_a_restart(
    post: Post, anyone: TestClient, made: NewBattle, monkeypatch: pytest.MonkeyPatch
) -> None:
    tag = anyone.get(f"/b/{made.id}/t/1.png").headers["etag"]
    post.app.state.gallery = Gallery()
    monkeypatch.setattr(raster, "png", lambda *args, **options: pytest.fail("drawn again"))
    assert anyone.get(f"/b/{made.id}/t/1.png", headers={"if-none-match": tag}).status_code == 304


def test_a_picture_is_drawn_once_and_kept_when_the_battle_goes_on(
    post: Post, anyone: TestClient, made: NewBattle, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[int] = []
    real = raster.png
    monkeypatch.setattr(raster, "png", lambda *args, **options: drawn.append(1) or real(*args, **options))
    first = anyone.get(f"/b/{made.id}/t/1.png")
    moment = NOW + timedelta(days=300)
    battles.set_deadline(post.house.db, made.id, _master(made), moment, NOW)
    monkeypatch.setattr(Gallery, "fresh_tag", lambda *args: None)
    assert anyone.get(f"/b/{made.id}/t/1.png").content == first.content
    assert len(drawn) == 1


@pytest.mark.parametrize(("scale", "times"), [("1", 1), ("2", 2), ("3", 3)])
def test_a_scale_from_1_to_3_makes_it_larger(anyone: TestClient, made: NewBattle, scale: str, times: int) -> None:
    plain = _opened(anyone.get(f"/b/{made.id}/t/1.png").content)
    larger = _opened(anyone.get(f"/b/{made.id}/t/1.png?scale={scale}").content)
    assert abs(larger.width - plain.width * times) <= 3


def test_a_parameter_that_a_forum_adds_is_passed_over(anyone: TestClient, made: NewBattle) -> None:
    plain = anyone.get(f"/b/{made.id}/t/1.png?lang=en")
    assert anyone.get(f"/b/{made.id}/t/1.png?lang=en&v=3&utm_source=forum").content == plain.content


@pytest.mark.parametrize(
    "query", ["scale=0", "scale=4", "scale=1.5", "scale=-1", "scale=one", "scale=٢", "theme=pink", "lang=de", "still=yes"]
)
def test_what_there_is_not_is_refused_in_words(post: Post, made: NewBattle, query: str) -> None:
    for language, words in (("en", "A picture has scale 1, 2 or 3"), ("ru", "У картинки бывает scale 1, 2 или 3")):
        answer = post.visitor(language).get(f"/b/{made.id}/t/1.png?{query}")
        assert answer.status_code == 422
        assert words in answer.text


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/b/nobody/t/1.png", "no such battle"),
        ("/b/nobody/film.webp", "no such battle"),
        ("/b/{id}/t/2.png", "no such turn"),
        ("/b/{id}/t/02.png", "no such turn"),
        ("/b/{id}/t/-1.png", "no such turn"),
        ("/b/{id}/t/film.webp", "no such turn"),
        ("/b/{id}/t/0.webp", "no such turn"),
        ("/b/{id}/t/9999999999999999999.gif", "no such turn"),
        ("/b/{id}/t/x/thumb.png", "no such turn"),
    ],
)
def test_an_unknown_battle_or_turn_is_refused_as_everywhere(
    anyone: TestClient, made: NewBattle, path: str, code: str
) -> None:
    answer = anyone.get(path.format(id=made.id))
    assert answer.status_code == 404
    assert code in answer.text


def test_the_language_is_the_one_asked_for_else_the_readers(post: Post, made: NewBattle) -> None:
    english, russian = (post.visitor(language).get(f"/b/{made.id}/t/1.png") for language in ("en", "ru"))
    asked = post.visitor("en").get(f"/b/{made.id}/t/1.png?lang=ru")
    assert english.content != russian.content
    assert asked.content == russian.content
    assert (english.headers["content-language"], asked.headers["content-language"]) == ("en", "ru")
    assert english.headers["vary"] == "Accept-Language, Cookie"
    assert "vary" not in asked.headers


def test_the_dark_theme_is_dark(anyone: TestClient, made: NewBattle) -> None:
    light, dark = (anyone.get(f"/b/{made.id}/t/1.png?theme={theme}").content for theme in ("light", "dark"))
    assert _opened(light).colourspace("b-w").avg() > 180 > 90 > _opened(dark).colourspace("b-w").avg()


@pytest.mark.parametrize("form", ["t/1.webp", "t/1.gif", "film.webp", "t/1.webp?still=1", "t/1/thumb.png"])
def test_films_and_small_pictures_are_dark_too(anyone: TestClient, made: NewBattle, form: str) -> None:
    light, dark = (
        anyone.get(f"/b/{made.id}/{form}", params={"theme": theme, "still": "1" if "still" in form else ""})
        for theme in ("light", "dark")
    )
    assert light.headers["etag"] != dark.headers["etag"]
    assert _opened(light.content).colourspace("b-w")[0].avg() > 160 > 100 > _opened(dark.content).colourspace("b-w")[0].avg()


@pytest.mark.parametrize("turn", ["0", "1", "latest"])
@pytest.mark.parametrize(
    ("language", "moments"),
    [("en", ("before the first turn", "after turn 1")), ("ru", ("перед первым ходом", "после хода 1"))],
)
def test_picture_and_drawing_name_the_same_moment(
    post: Post, made: NewBattle, monkeypatch: pytest.MonkeyPatch, turn: str, language: str, moments: tuple[str, str]
) -> None:
    drawn: list[str] = []
    real = raster.png
    monkeypatch.setattr(raster, "png", lambda text, **options: drawn.append(text) or real(text, **options))
    reader = post.visitor(language)
    assert reader.get(f"/b/{made.id}/t/{turn}.png").status_code == 200
    plain = reader.get(f"/b/{made.id}/t/{turn}.svg").text
    moment = moments[0] if turn == "0" else moments[1]
    for text in (plain, *drawn):
        assert moment in text
        assert not {"turn 2", "ход 2"} & {word for word in ("turn 2", "ход 2") if word in text}


def test_before_any_turn_is_published_the_latest_picture_is_the_start(post: Post, anyone: TestClient) -> None:
    made = post.battle()
    start, latest = (anyone.get(f"/b/{made.id}/t/{turn}.png") for turn in ("0", "latest"))
    assert start.status_code == latest.status_code == 200
    assert start.content == latest.content
    assert latest.headers["cache-control"] == "public, no-cache"
    for film in ("t/latest.webp", "film.webp"):
        assert anyone.get(f"/b/{made.id}/{film}").status_code == 404


def test_a_turn_under_review_is_shown_to_its_master_alone(post: Post, anyone: TestClient) -> None:
    made = post.battle(review=True)
    _resolve(post, made)
    master, other = post.holder(made.master_key), post.holder(post.battle().master_key)
    seat = post.holder(made.seat_keys["north"])
    for form in ("t/1.png", "t/1/thumb.png", "t/1.webp", "t/1.gif"):
        shown = master.get(f"/b/{made.id}/{form}")
        assert shown.status_code == 200
        assert shown.headers["cache-control"] == "private, no-store"
        for reader in (anyone, seat, other):
            assert reader.get(f"/b/{made.id}/{form}").status_code == 404
    start = anyone.get(f"/b/{made.id}/t/0.png").content
    assert all(reader.get(f"/b/{made.id}/t/latest.png").content == start for reader in (master, anyone))
    assert master.get(f"/b/{made.id}/film.webp").status_code == 404
    publication.publish(post.house.db, made.id, _master(made), turn=1, now=NOW)
    assert anyone.get(f"/b/{made.id}/t/1.png").headers["cache-control"] == "public, no-cache"


def test_a_film_of_a_turn_is_below_a_megabyte_and_moves(anyone: TestClient, made: NewBattle) -> None:
    for kind in ("webp", "gif"):
        film = anyone.get(f"/b/{made.id}/t/1.{kind}").content
        assert len(film) < LARGEST_FILM
        assert _opened(film, n=-1).get("n-pages") > 1


def test_a_film_of_28_units_on_the_large_board_is_below_a_megabyte(post: Post, anyone: TestClient) -> None:
    scenario = scenarios.frozen("visage-and-throne")
    made, db = post.battle(scenario=scenario), post.house.db
    ruleset, pick = RULESETS["cohesion"], pick_from(b"film", "everybody")
    for turn in (1, 2, 3):
        state = battles.battle(db, made.id, _master(made), NOW).state
        for request in ruleset.requests(state):
            fields = ruleset.dump_order(ruleset.choose(state, request, pick))
            orders.enter(
                db, made.id, request.seat, _master(made), turn=turn, revision=0, fields=fields, ready=False, now=NOW
            )
        turns.resolve_now(db, made.id, _master(made), turn=turn, now=NOW)
    for kind in ("webp", "gif"):
        film = anyone.get(f"/b/{made.id}/t/3.{kind}?lang=ru").content
        assert len(film) < LARGEST_FILM
        assert _opened(film, n=-1).get("n-pages") > 10


def test_a_thumbnail_is_small_and_its_heading_can_still_be_read(anyone: TestClient, made: NewBattle) -> None:
    small = _opened(anyone.get(f"/b/{made.id}/t/thumb.png").content)
    assert small.width == 400
    heading = small.crop(0, 0, small.width, round(small.height * 0.13)).colourspace("b-w")
    assert (heading < 110).avg() / 255 * heading.width * heading.height > 300


def test_only_the_headers_of_a_picture_can_be_asked_for(anyone: TestClient, made: NewBattle) -> None:
    head, whole = anyone.head(f"/b/{made.id}/t/1.png"), anyone.get(f"/b/{made.id}/t/1.png")
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["etag"] == whole.headers["etag"]
    assert head.headers["content-length"] == str(len(whole.content))


def test_who_asks_for_less_motion_gets_a_still(anyone: TestClient, made: NewBattle) -> None:
    for kind in ("t/1.webp", "t/1.gif", "film.webp"):
        still = _opened(anyone.get(f"/b/{made.id}/{kind}?still=1").content, n=-1)
        assert "n-pages" not in still.get_fields() or still.get("n-pages") == 1


def test_a_slow_picture_holds_up_no_other_request(post: Post, made: NewBattle, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both threads for pictures hang; pages, and a picture that is kept, are served meanwhile. Twelve who ask for the same
    picture wait for one drawing."""
    gate, hanging, drawn = threading.Event(), threading.Semaphore(0), []
    real = raster.png

    def slow(svg: str, **options: Any) -> bytes:
        drawn.append(svg)
        hanging.release()
        assert gate.wait(20)
        return real(svg, **options)

    async def meanwhile() -> None:
        transport = httpx2.ASGITransport(app=post.app)
        async with httpx2.AsyncClient(transport=transport, base_url="http://here.example") as client:
            kept = await client.get(f"/b/{made.id}/t/0.png")
            monkeypatch.setattr(raster, "png", slow)
            answers: list[Any] = []

            async def ask(path: str) -> None:
                answers.append(await client.get(path))

            async with anyio.create_task_group() as group:
                for _ in range(12):
                    group.start_soon(ask, f"/b/{made.id}/t/1.png?scale=2")
                group.start_soon(ask, f"/b/{made.id}/t/1.png?scale=3")
                for _ in range(2):
                    assert await anyio.to_thread.run_sync(lambda: hanging.acquire(timeout=20))
                try:
                    assert (await client.get(f"/b/{made.id}")).status_code == 200
                    assert (await client.get(f"/b/{made.id}/t/0.png")).content == kept.content
                    assert (await client.get(f"/b/{made.id}/t/1.webp")).status_code == 200
                    assert answers == []
                finally:
                    gate.set()
            assert [answer.status_code for answer in answers] == [200] * 13
            assert len({answer.content for answer in answers}) == 2

    anyio.run(meanwhile)
    assert len(drawn) == 2
