"""Strangers' pictures: looked at before they are decoded, written anew, refused if they are anything else."""

from __future__ import annotations

import struct
import zlib
from typing import Any

import pytest

from app.drawing import arms, raster

KINDS = ("png", "jpg", "webp", "gif")


def ground(wide: int, high: int, *colour: int) -> Any:
    plain = raster.vips().Image.black(wide, high, bands=3)
    return plain.linear([1, 1, 1], list(colour)).cast("uchar").copy(interpretation="srgb")


def picture(kind: str, wide: int = 60, high: int = 40, **options: Any) -> bytes:
    return bytes(ground(wide, high, 200, 30, 20).write_to_buffer(f".{kind}", **options))


def loaded(body: bytes) -> Any:
    return raster.vips().Image.new_from_buffer(body, "")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [(60, 40), (1, 1), (300, 900), (128, 128)])
def test_a_picture_becomes_a_square(kind: str, size: tuple[int, int]) -> None:
    made = loaded(arms.redrawn(picture(kind, *size)))
    assert (made.width, made.height, made.get("vips-loader")) == (128, 128, "webpload_buffer")
    red, green, blue = made.extract_band(0, n=3).resize(1 / 128).getpoint(0, 0)
    assert red > 150 > 60 > max(green, blue)


@pytest.mark.parametrize("size", [(4000, 1), (1, 4000), (300, 200)])
def test_what_is_cut_away_is_not_enlarged_first(size: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    """A line of pixels, made as high as the picture that is kept, would be half a million pixels long."""
    vips, seen = raster.vips(), []

    def thumbnail(picture: Any, *given: Any, **more: Any) -> Any:
        seen.append((picture.width, picture.height))
        return vips.Operation.call("thumbnail_image", picture, *given, **more)

    monkeypatch.setattr(vips.Image, "thumbnail_image", thumbnail, raising=False)
    made = loaded(arms.redrawn(picture("png", *size)))
    assert (made.width, made.height) == (arms.SIZE, arms.SIZE)
    assert seen == [(min(size), min(size))]


def test_nothing_but_the_picture_is_kept() -> None:
    vips = raster.vips()
    marked = loaded(picture("png")).copy()
    marked.set_type(vips.GValue.gstr_type, "exif-ifd0-Artist", "Ann, at home")
    body = bytes(marked.jpegsave_buffer())
    assert b"at home" in body
    assert b"at home" not in arms.redrawn(body)
    assert not [name for name in loaded(arms.redrawn(body)).get_fields() if name.startswith(("exif", "xmp", "iptc", "icc"))]


def test_a_picture_that_was_taken_upright_stays_so() -> None:
    vips = raster.vips()
    both = ground(40, 80, 255, 0, 0).join(ground(40, 80, 0, 0, 255), "horizontal").copy()
    both.set_type(vips.GValue.gint_type, "orientation", 6)
    made = loaded(arms.redrawn(bytes(both.jpegsave_buffer(Q=95))))
    above, below = made.getpoint(64, 20), made.getpoint(64, 108)
    assert above[0] > 200 > 60 > above[2]
    assert below[2] > 200 > 60 > below[0]


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_broken_or_more_than_a_picture_is_refused(kind: str) -> None:
    whole = picture(kind, 200, 200)
    for body in (
        whole[: len(whole) // 2],
        whole[:20],
        whole[:-4],
        whole + b"PK\x03\x04" + bytes(30),
        whole + b"<script>alert(1)</script>",
        b"\x00" + whole,
    ):
        with pytest.raises(arms.NoPicture):
            arms.redrawn(body)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"GIF89a",
        b"\xff\xd8\xff",
        b"\x89PNG\r\n\x1a\n",
        b"RIFF\x00\x00\x00\x00WEBP",
        b'<svg xmlns="http://www.w3.org/2000/svg"/>',
        b"%PDF-1.7",
        b"BM" + bytes(100),
        bytes(3_000_000),
        b"\xff\xd8" + b"\xff\xe1\xff\xff" * 1000,
        b"\xff" * 5000,
    ],
)
def test_no_picture_is_refused(body: bytes) -> None:
    with pytest.raises(arms.NoPicture):
        arms.redrawn(body)


@pytest.mark.parametrize("flipped", range(0, 400, 7))
@pytest.mark.parametrize("kind", KINDS)
def test_a_flipped_byte_is_refused_or_harmless(kind: str, flipped: int) -> None:
    whole = bytearray(picture(kind))
    whole[flipped % len(whole)] ^= 0xFF
    try:
        made = arms.redrawn(bytes(whole))
    except arms.NoPicture:
        return
    assert loaded(made).width == 128


def _png_that_says(wide: int, high: int) -> bytes:
    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", wide, high, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(1_000_000))) + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize("size", [(50_000, 50_000), (10_001, 1), (5000, 5000), (0, 10), (2**31 - 1, 2**31 - 1)])
def test_a_bomb_is_refused_before_it_is_decoded(size: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    def decoded(*given: Any) -> bytes:
        raise AssertionError("it was decoded")

    monkeypatch.setattr(arms, "_made", decoded)
    with pytest.raises(arms.NoPicture):
        arms.redrawn(_png_that_says(*size))


@pytest.mark.parametrize("kind", KINDS)
def test_the_size_is_read_from_the_head(kind: str) -> None:
    body = picture(kind, 301, 117)
    found = arms.kind_of(body)
    assert found is not None
    assert arms._SIZES[found](body) == (301, 117)
    lossless = picture("webp", 301, 117, lossless=True)
    assert arms._SIZES["webp"](lossless) == (301, 117)
