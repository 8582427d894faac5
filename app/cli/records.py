"""Records of turns from files: JSON that means the same to every program, or a clear word why not."""

from __future__ import annotations

import gzip
import json
import zlib
from pathlib import Path
from typing import Any

from app.referee.archive import PACKED

LARGEST = 64 * 1024 * 1024


class BadFile(Exception):
    """A file that cannot be read as JSON; says where and why."""


def read(file: Path) -> list[Any]:
    """The records in a file: one, a list of them, or those of a battle's archive. Raises `BadFile`."""
    try:
        found = json.loads(_bytes(file), object_pairs_hook=_once, parse_constant=_no_constant)
    except (EOFError, zlib.error):
        raise BadFile("packed, and broken") from None
    except OSError as error:
        raise BadFile(error.strerror or str(error)) from None
    except json.JSONDecodeError as error:
        raise BadFile(f"not JSON: line {error.lineno}, column {error.colno}: {error.msg}") from None
    except RecursionError:
        raise BadFile("not JSON: nested too deep") from None
    except ValueError as error:
        raise BadFile(f"not JSON: {error}") from None
    if found == []:
        raise BadFile("there is no record in it")
    if _is_archive(found):
        found = [turn["record"] for turn in found["turns"]]
    return found if isinstance(found, list) else [found]


def _bytes(file: Path) -> bytes:
    """As they are, or unpacked. Raises `BadFile`: more than anybody needs."""
    with file.open("rb") as opened:
        is_packed = opened.read(len(PACKED)) == PACKED
    with gzip.open(file) if is_packed else file.open("rb") as opened:
        found = opened.read(LARGEST + 1)
    if len(found) > LARGEST:
        raise BadFile(f"larger than {LARGEST // 1024 // 1024} MB")
    return found


def _is_archive(found: Any) -> bool:
    turns = found.get("turns") if isinstance(found, dict) and "record" not in found else None
    return isinstance(turns, list) and bool(turns) and all(isinstance(turn, dict) and "record" in turn for turn in turns)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Of a key that stands twice, one program takes the first and another the last: then a proof proves nothing."""
    found = dict(pairs)
    if len(found) != len(pairs):
        twice = next(key for index, (key, _) in enumerate(pairs) if key in dict(pairs[:index]))
        raise ValueError(f"the key {twice!r} stands twice in one object")
    return found


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")
