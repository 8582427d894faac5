"""A coat of arms: a stranger's picture, looked at before it is decoded, and written anew."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable, Mapping
from threading import Semaphore
from typing import Any

from app.drawing import raster

SIZE = 128
"""Pixels of a side of what is kept."""
LARGEST = 2_000_000
"""Bytes of a file that is looked at."""
MOST_PIXELS = 16_000_000
MOST_SIDE = 10_000
_AT_ONCE = Semaphore(2)
"""So many are decoded at a time: each may take a hundred megabytes."""
_FOREIGN = (b"<svg", b"<script", b"<html", b"<?php", b"%PDF-", b"PK\x03\x04", b"<!doctype")


class NoPicture(ValueError):
    """It is not taken."""


def redrawn(body: bytes) -> bytes:
    """The middle square of a PNG, JPEG, WebP or GIF as a WebP of `SIZE` pixels, upright, without whatever else was in the
    file. Raises `NoPicture`: another kind, broken, too large, with something behind its end."""
    kind = kind_of(body)
    if kind is None or len(body) > LARGEST:
        raise NoPicture
    wide, high = _read(_SIZES[kind], body)
    if not (0 < wide <= MOST_SIDE and 0 < high <= MOST_SIDE and wide * high <= MOST_PIXELS):
        raise NoPicture
    tail = _read(_ENDS[kind], body)
    if tail.strip(b"\x00\r\n \xff"):
        raise NoPicture
    with _AT_ONCE:
        return _made(body, kind, (wide, high))


def digest(made: bytes) -> str:
    """By which a picture that was written here is known."""
    return hashlib.sha256(made).hexdigest()


def kind_of(body: bytes) -> str | None:
    """`png`, `jpeg`, `webp` or `gif`, by its first bytes."""
    if body.startswith(b"\x89PNG\r\n\x1a\n"):
        return "png"
    if body.startswith(b"\xff\xd8\xff"):
        return "jpeg"
    if body[:4] == b"RIFF" and body[8:12] == b"WEBP":
        return "webp"
    return "gif" if body[:6] in (b"GIF87a", b"GIF89a") else None


def _made(body: bytes, kind: str, said: tuple[int, int]) -> bytes:
    vips = raster.vips()
    load = getattr(vips.Image, f"{kind}load_buffer")
    try:
        picture = load(body, fail_on="error", access="sequential")
        if (picture.width, picture.height) != said:
            raise NoPicture
        upright = picture.autorot().copy_memory()
        side = min(upright.width, upright.height)
        middle = upright.crop((upright.width - side) // 2, (upright.height - side) // 2, side, side)
        square = middle.thumbnail_image(SIZE, height=SIZE, size="both", export_profile="srgb")
        return bytes(square.webpsave_buffer(Q=88, alpha_q=100, effort=4, keep=0))
    except vips.Error as broken:
        raise NoPicture from broken


def _read(part: Callable[[bytes], Any], body: bytes) -> Any:
    try:
        return part(body)
    except (struct.error, IndexError, ValueError) as broken:
        raise NoPicture from broken


def _png_size(body: bytes) -> tuple[int, int]:
    wide, high = struct.unpack(">II", body[16:24])
    return wide, high


def _gif_size(body: bytes) -> tuple[int, int]:
    wide, high = struct.unpack("<HH", body[6:10])
    return wide, high


def _webp_size(body: bytes) -> tuple[int, int]:
    chunk = body[12:16]
    if chunk == b"VP8X":
        return 1 + int.from_bytes(body[24:27], "little"), 1 + int.from_bytes(body[27:30], "little")
    if chunk == b"VP8L":
        bits = struct.unpack("<I", body[21:25])[0]
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    wide, high = struct.unpack("<HH", body[26:30])
    return wide & 0x3FFF, high & 0x3FFF


def _jpeg_size(body: bytes) -> tuple[int, int]:
    """From the first frame's header."""
    at = 2
    while True:
        while body[at] == 0xFF and body[at + 1] == 0xFF:
            at += 1
        if body[at] != 0xFF:
            raise NoPicture
        marker = body[at + 1]
        (length,) = struct.unpack(">H", body[at + 2 : at + 4])
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            high, wide = struct.unpack(">HH", body[at + 5 : at + 9])
            return wide, high
        if length < 2 or marker == 0xDA:
            raise NoPicture
        at += 2 + length


def _png_end(body: bytes) -> bytes:
    at = 8
    while True:
        (length,) = struct.unpack(">I", body[at : at + 4])
        kind = body[at + 4 : at + 8]
        at += 12 + length
        if kind == b"IEND" and at <= len(body):
            return body[at:]


def _webp_end(body: bytes) -> bytes:
    (length,) = struct.unpack("<I", body[4:8])
    return body[8 + length + length % 2 :]


def _gif_end(body: bytes) -> bytes:
    """Behind the last block."""
    at = 13 + (3 << (body[10] & 7) + 1 if body[10] & 0x80 else 0)
    while body[at] != 0x3B:
        if body[at] == 0x21:
            at += 2
        elif body[at] == 0x2C:
            flags = body[at + 9]
            at += 11 + (3 << (flags & 7) + 1 if flags & 0x80 else 0)
        else:
            raise NoPicture
        while body[at]:
            at += 1 + body[at]
        at += 1
    return body[at + 1 :]


def _jpeg_end(body: bytes) -> bytes:
    """Telephones write notes of their own behind a picture: they are no reason to refuse it, other files are."""
    rest = body[body.index(b"\xff\xd9") + 2 :].lower()
    return b"foreign" if any(sign.lower() in rest for sign in _FOREIGN) else b""


_SIZES: Mapping[str, Callable[[bytes], tuple[int, int]]] = {
    "png": _png_size,
    "jpeg": _jpeg_size,
    "webp": _webp_size,
    "gif": _gif_size,
}
_ENDS: Mapping[str, Callable[[bytes], bytes]] = {"png": _png_end, "jpeg": _jpeg_end, "webp": _webp_end, "gif": _gif_end}
