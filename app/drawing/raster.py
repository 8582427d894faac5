"""SVG -> PNG; frames -> an animated WebP or GIF. Texts are set in the font that is shipped beside this file, so that a
picture is the same on every machine. All of it may run in threads: libvips lets the interpreter go on."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any, Literal
from xml.sax.saxutils import escape

FONTS = Path(__file__).resolve().parent / "fonts"
LARGEST = 24_000_000
"""Pixels of a picture at most; a larger one is drawn at a smaller scale."""
VERSION = "1"
"""Changes whenever the same SVG would give other bytes: part of every picture's tag."""

Theme = Literal["light", "dark"]
Animation = Literal["webp", "gif"]

_PAPER = {"light": (251, 246, 233), "dark": (31, 29, 25)}
_NIGHT = """
.board .plate { fill: #1f1d19; }
.board .cells { stroke: #56503f; }
.board .ground.open { fill: #35322a; }
.board .ground.rough { fill: #575030; }
.board .ground.building { fill: #41382d; }
.board .ground.impassable { fill: #2a2927; }
.board .ground[class*="custom"] { fill-opacity: .55; }
.board .textures { opacity: .85; }
.board .cell-labels { fill: #c2b690; stroke: #2b2821; }
.board .edge-labels, .board .heading { fill: #e6dcc2; }
.board .legend > text { fill: #e6dcc2; }
.board .halo { stroke: #d9cfae; }
"""
_SMALL = ".board .cell-labels { display: none; }"
_TINY = _SMALL + ".board .heading { font-size: 46px; }"
_STEPS = ((1.0, 80), (1.0, 60), (0.8, 60), (0.6, 55), (0.4, 50))
"""Where a film is too large: part of its size, and quality."""
_loading = Lock()


def png(svg: str, *, scale: float = 1.0, theme: Theme = "light") -> bytes:
    """A picture of 256 colours at most. `scale` 1: as large as the SVG says of itself."""
    drawn = _drawn(svg, scale, _NIGHT if theme == "dark" else "", theme)
    return bytes(drawn.pngsave_buffer(palette=True, effort=1, compression=6, dither=0, keep=0))


def thumbnail(svg: str, *, width: int, theme: Theme = "light") -> bytes:
    """A small picture: without what would be dust at its size, its heading larger than the SVG has it."""
    full, _ = size(svg)
    drawn = _drawn(svg, width / full, (_NIGHT if theme == "dark" else "") + _TINY, theme)
    return bytes(drawn.pngsave_buffer(palette=True, effort=1, compression=6, dither=0, keep=0))


def animation(
    frames: Sequence[tuple[str, float]],
    *,
    width: int,
    kind: Animation = "webp",
    theme: Theme = "light",
    largest: int | None = None,
) -> bytes:
    """Frames (an SVG, the seconds it stands) as a film that runs for ever. Frames of another height are set on paper.

    `largest`: bytes at most; it is made smaller until it is so, or can be made no smaller. Raises ValueError: no frames.
    """
    if not frames:
        raise ValueError("a film needs a frame")
    css = (_NIGHT if theme == "dark" else "") + _SMALL
    drawn = [_drawn(svg, width / size(svg)[0], css, theme) for svg, _ in frames]
    high = max(picture.height for picture in drawn)
    alike = [p.embed(0, 0, width, high, extend="background", background=list(_PAPER[theme])) for p in drawn]
    delays = [max(20, round(seconds * 100) * 10) for _, seconds in frames]
    body = b""
    for part, quality in _STEPS:
        body = _film(alike if part == 1 else [picture.resize(part) for picture in alike], delays, kind, quality)
        if largest is None or len(body) <= largest:
            break
    return body


def size(svg: str) -> tuple[float, float]:
    """The width and height that an SVG says of itself. Raises ValueError where it says none."""
    head = svg[: svg.index(">")]
    width, height = (float(head.partition(f' {name}="')[2].partition('"')[0]) for name in ("width", "height"))
    return width, height


def _drawn(svg: str, scale: float, css: str, theme: Theme) -> Any:
    """An opaque picture in memory."""
    wide, high = size(svg)
    scale = min(scale, (LARGEST / (wide * high)) ** 0.5)
    options = {"stylesheet": css} if css else {}
    loaded = _vips().Image.svgload_buffer(svg.encode("utf-8"), scale=scale, unlimited=True, **options)
    return loaded.flatten(background=list(_PAPER[theme])).copy_memory()


def _film(pictures: list[Any], delays: list[int], kind: Animation, quality: int) -> bytes:
    strip = _vips().Image.arrayjoin(pictures, across=1).copy()
    strip.set_type(_vips().GValue.gint_type, "page-height", pictures[0].height)
    strip.set_type(_vips().GValue.array_int_type, "delay", delays)
    strip.set_type(_vips().GValue.gint_type, "loop", 0)
    if kind == "gif":
        return bytes(strip.gifsave_buffer(effort=3, bitdepth=6, dither=0, interframe_maxerror=4, reuse=False))
    return bytes(strip.webpsave_buffer(Q=quality, effort=2, min_size=False, kmin=1000, kmax=1001, keep=0))


@cache
def _load() -> Any:
    """libvips, with fonts from our folder alone. The setting is taken back, since browsers and others that are started
    from here would take it over; fontconfig, once it has begun, does not look again."""
    folder = Path(tempfile.mkdtemp(prefix="fieldpost-fonts-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    file = folder / "fonts.conf"
    file.write_text(
        f"<fontconfig><dir>{escape(str(FONTS))}</dir><cachedir>{escape(str(folder / 'cache'))}</cachedir>"
        "<config><rescan><int>0</int></rescan></config></fontconfig>",
        encoding="utf-8",
    )
    before = os.environ.get("FONTCONFIG_FILE")
    os.environ["FONTCONFIG_FILE"] = str(file)
    try:
        import pyvips  # type: ignore[import-untyped]

        pyvips.cache_set_max(0)
        word = (
            '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text font-family="PT Sans" y="9">Ж</text></svg>'
        )
        pyvips.Image.svgload_buffer(word.encode("utf-8")).copy_memory()
    finally:
        if before is None:
            del os.environ["FONTCONFIG_FILE"]
        else:
            os.environ["FONTCONFIG_FILE"] = before
    return pyvips


def vips() -> Any:
    """libvips, ready."""
    with _loading:
        return _load()


_vips = vips
