"""Pictures of pixels: texts are really drawn, sizes are kept, films are films. No picture is compared byte by byte."""

from __future__ import annotations

import os
from typing import Any

import pytest

from app.drawing import raster
from app.drawing.scene import Scene, SideMark
from app.drawing.svg import extent, svg

SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" class="board"'
    ' font-family="PT Sans"><rect class="plate" width="{width}" height="{height}" fill="#fbf6e9"/>{more}</svg>'
)


def _svg(more: str = "", width: int = 200, height: int = 100) -> str:
    return SVG.format(width=width, height=height, more=more)


def _text(words: str, weight: int = 400) -> str:
    return f'<text class="heading" x="10" y="60" font-size="40" font-weight="{weight}">{words}</text>'


def _opened(body: bytes, **options: Any) -> Any:
    return raster._vips().Image.new_from_buffer(body, "", **options)


def _dark(body: bytes) -> int:
    """How many pixels are nearly black."""
    picture = _opened(body).colourspace("b-w")
    return round((picture < 80).avg() / 255 * picture.width * picture.height)


@pytest.mark.parametrize("words", ["Turn 3", "Ход 3", "Щука ѐж"])
@pytest.mark.parametrize("weight", [400, 700])
def test_texts_are_drawn_in_both_alphabets(words: str, weight: int) -> None:
    assert _dark(raster.png(_svg(_text(words, weight)))) > 150
    assert _dark(raster.png(_svg())) == 0


def test_the_two_weights_are_two_fonts_and_letters_are_not_boxes() -> None:
    plain, bold = (raster.png(_svg(_text("Ш", weight))) for weight in (400, 700))
    assert _dark(bold) > _dark(plain)
    assert len({_dark(raster.png(_svg(_text(letter)))) for letter in "ЖШЙДЯ"}) >= 4


@pytest.mark.parametrize(("scale", "wide", "high"), [(1, 200, 100), (2, 400, 200), (3, 600, 300)])
def test_a_scale_multiplies_the_size(scale: int, wide: int, high: int) -> None:
    picture = _opened(raster.png(_svg(_text("A")), scale=scale))
    assert (picture.width, picture.height) == (wide, high)


def test_a_huge_board_is_drawn_smaller_than_asked() -> None:
    picture = _opened(raster.png(_svg(width=6000, height=5000), scale=3))
    assert picture.width * picture.height <= raster.LARGEST + 12_000
    assert picture.width / picture.height == pytest.approx(1.2, abs=0.01)


def test_the_dark_theme_changes_paper_and_ink() -> None:
    light, dark = raster.png(_svg(_text("A"))), raster.png(_svg(_text("A")), theme="dark")
    assert _opened(light).colourspace("b-w").avg() > 200
    assert _opened(dark).colourspace("b-w").avg() < 80
    assert _opened(dark).colourspace("b-w").max() > 180


def test_a_thumbnail_has_the_width_that_was_asked_for() -> None:
    picture = _opened(raster.thumbnail(_svg(_text("A")), width=50))
    assert (picture.width, picture.height) == (50, 25)


def test_the_same_svg_gives_the_same_bytes() -> None:
    drawn = _svg(_text("A"))
    assert raster.png(drawn) == raster.png(drawn)
    frames = [(drawn, 0.5), (_svg(), 1.0)]
    assert raster.animation(frames, width=100) == raster.animation(frames, width=100)


@pytest.mark.parametrize("kind", ["webp", "gif"])
def test_a_film_has_its_frames_and_their_times_and_runs_for_ever(kind: raster.Animation) -> None:
    frames = [(_svg(_text("1")), 0.5), (_svg(_text("2")), 1.0), (_svg(_text("3"), height=120), 1.5)]
    film = _opened(raster.animation(frames, width=200, kind=kind), n=-1)
    assert film.get("n-pages") == 3
    assert film.get("delay") == [500, 1000, 1500]
    assert (film.width, film.get("page-height")) == (200, 120)
    assert film.get("loop") == 0


def test_a_film_that_is_too_large_is_made_smaller() -> None:
    dots = "".join(f'<circle cx="{i * 37 % 200}" cy="{i * 53 % 100}" r="3" fill="#{i * 4111:06x}"/>' for i in range(300))
    frames = [(_svg(dots + _text(str(i))), 0.1) for i in range(6)]
    whole = raster.animation(frames, width=600, kind="gif")
    less = raster.animation(frames, width=600, kind="gif", largest=len(whole) * 2 // 3)
    assert len(less) <= len(whole) * 2 // 3
    assert _opened(less, n=-1).get("n-pages") == 6


def test_a_film_without_frames_is_refused() -> None:
    with pytest.raises(ValueError, match="frame"):
        raster.animation([], width=100)


def test_nothing_of_the_font_setting_is_left_for_other_programs() -> None:
    raster.png(_svg(_text("A")))
    assert "fieldpost" not in os.environ.get("FONTCONFIG_FILE", "")


def test_the_font_is_shipped_with_its_licence() -> None:
    assert {"PTS55F.ttf", "PTS75F.ttf", "LICENSE.txt"} <= {file.name for file in raster.FONTS.iterdir()}
    assert "ParaType" in (raster.FONTS / "LICENSE.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("columns", [3, 15, 60])
def test_the_extent_of_a_scene_is_the_size_that_its_svg_says(language: str, columns: int) -> None:
    marks = tuple(SideMark(side_index=i, colour="#ccc", text="Царство " * (i + 1)) for i in range(4))
    scene = Scene(title=language, width=columns * 1.7, height=10.5, sides=marks)
    assert raster.size(svg(scene)) == pytest.approx(extent(scene), abs=0.1)
