"""A battle as one file: its bytes and digest, and how older forms become today's. Pure: no database, no clock.

`docs/archive.md` tells the same to other programs. A public archive holds what everybody may know; a whole one, for the
host, also what is sealed, the secrets and the hashes of keys, by which the battle goes on elsewhere.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import zlib
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from app.engine.ruleset import Json
from app.referee.archiveparts import Archive

FORMAT = 1
LARGEST = 256 * 1024 * 1024
"""Bytes of an archive that is read, unpacked."""
PACKED = b"\x1f\x8b"

UPGRADES: Mapping[int, Callable[[Json], Json]] = {}
"""An older format -> what makes of it the next one. Every format that was ever written has its way to today's."""


class ArchiveError(Exception):
    """An archive that is not taken in. Codes: `bad-archive` (`why`, `where`), `newer-archive`, `changed-archive`,
    `here-already`."""

    def __init__(self, code: str, *, params: Mapping[str, str | int] | None = None, current: Any = None) -> None:
        self.code = code
        self.params = dict(params or {})
        self.current = current
        """With `here-already` the battle's id here; with `why` "record" what does not hold."""
        super().__init__(code)


def sealed(archive: Json) -> Json:
    """An archive with its digest."""
    return {**archive, "digest": _digest(archive)}


def packed(archive: Json, *, compressed: bool = False) -> bytes:
    """The bytes of a file; the same archive gives the same bytes."""
    body = json.dumps(archive, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode() + b"\n"
    return gzip.compress(body, mtime=0) if compressed else body


def read(body: bytes) -> Archive:
    """The archive in a file, of any format that ever was.

    Raises `ArchiveError`: bad-archive (`why`: large, packed, json, format, shape; `where`), newer-archive, changed-archive.
    """
    tree = _tree(_unpacked(body))
    if not isinstance(tree, dict) or type(tree.get("format")) is not int or tree["format"] < 1:
        raise ArchiveError("bad-archive", params={"why": "format", "where": ""})
    if tree["format"] > FORMAT:
        raise ArchiveError("newer-archive", params={"format": tree["format"], "known": FORMAT})
    if tree.get("digest") != _digest(tree):
        raise ArchiveError("changed-archive")
    try:
        return msgspec.convert(upgraded(tree), Archive)
    except (msgspec.ValidationError, KeyError, TypeError, RecursionError) as bad:
        raise ArchiveError("bad-archive", params={"why": "shape", "where": str(bad)}) from bad


def upgraded(tree: Json) -> Json:
    """An archive of an older format in today's, with today's digest."""
    if tree["format"] == FORMAT:
        return tree
    while tree["format"] < FORMAT:
        tree = UPGRADES[tree["format"]](tree)
    return sealed({key: value for key, value in tree.items() if key != "digest"})


def _digest(tree: Mapping[str, Any]) -> str:
    told = {key: value for key, value in tree.items() if key != "digest"}
    try:
        text = json.dumps(told, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
        return hashlib.sha256(text.encode("utf-8")).hexdigest()
    except (ValueError, RecursionError):  # half of a surrogate pair, a tree without end
        raise ArchiveError("bad-archive", params={"why": "json", "where": ""}) from None


def _unpacked(body: bytes) -> bytes:
    if not body.startswith(PACKED):
        found = body
    else:
        try:
            with gzip.GzipFile(fileobj=io.BytesIO(body)) as source:
                found = source.read(LARGEST + 1)
        except (OSError, EOFError, zlib.error) as bad:
            raise ArchiveError("bad-archive", params={"why": "packed", "where": str(bad)}) from bad
    if len(found) > LARGEST:
        raise ArchiveError("bad-archive", params={"why": "large", "where": str(LARGEST // 1024 // 1024)})
    return found


def _tree(body: bytes) -> Any:
    try:
        return json.loads(body, object_pairs_hook=_once, parse_constant=_no_constant)
    except json.JSONDecodeError as bad:
        where = f"line {bad.lineno}, column {bad.colno}: {bad.msg}"
        raise ArchiveError("bad-archive", params={"why": "json", "where": where}) from None
    except (ValueError, RecursionError) as bad:
        raise ArchiveError("bad-archive", params={"why": "json", "where": str(bad)}) from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Of a key that stands twice, one program takes the first and another the last: then a digest proves nothing."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return found


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")
