"""Names and words that people give: cleaned, or refused."""

from __future__ import annotations

import hashlib
import re
import secrets
import unicodedata
from collections.abc import Iterable

from app.referee.errors import RefereeError

TITLE_MAX = 200
HOLDER_MAX = 80
REASON_MAX = 2000
MESSAGE_MAX = 4000
SAYING_MAX = 500

ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
"""Without the signs that are taken for one another: i, l, o, 0, 1."""

REFUSED = {"Cc", "Cs", "Co", "Cn", "Zl", "Zp"}
"""Controls, halves of a pair, signs that nobody has defined, breaks of a line."""

SEEN = "LNPS"
"""Letters, numbers, punctuation, symbols: without one of them that leaves something on a page, a name cannot be seen, nor a
link of that name pressed."""

TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Signs that turn the direction of whatever follows, beyond the name's own end."""


_ALIKE = str.maketrans(
    "АВЕЅІЈКМНОРСТУХЗавеѕіјкмнорстухз" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαοινρ",
    "ABESIJKMHOPCTYX3abesijkmhopctyx3" + "ABEZHIKMNOPTYXaoivp",
)
"""Cyrillic and Greek letters that are drawn as Latin ones, large or small."""
_UNSEEN = frozenset("\u034f\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols that leave nothing on a page."""


def new_id() -> str:
    """Ten signs for a battle's address: readable aloud, nothing to be guessed from it."""
    return "".join(secrets.choice(ALPHABET) for _ in range(10))


def title(text: str) -> str:
    """Raises `RefereeError("bad-title")`."""
    return _line(text, TITLE_MAX, "bad-title")


def holder(text: str) -> str:
    """A commander's name. Raises `RefereeError("bad-name")`."""
    return _line(text, HOLDER_MAX, "bad-name")


def looks(name: str) -> str:
    """What a reader sees of a name, roughly: two names of the same looks are taken for one another. Large and small letters,
    letters of other alphabets drawn alike, signs that cannot be seen and spaces make no difference."""
    plain = unicodedata.normalize("NFKC", name).translate(_ALIKE).casefold()
    return "".join(sign for sign in plain if sign not in _UNSEEN and not sign.isspace() and not _is_mark(sign))


def told_apart(name: str, others: Iterable[str | None]) -> None:
    """Raises `RefereeError("name-taken")` if one of the others is taken for this name; who has none is like nobody."""
    if looks(name) in {looks(other) for other in others if other}:
        raise RefereeError("name-taken")


def digest_of_looks(name: str) -> str:
    """SHA-256, hex: of equal length however long the name, so that a database can hold it to be the only one."""
    return hashlib.sha256(looks(name).encode("utf-8", "surrogatepass")).hexdigest()


def _is_mark(sign: str) -> bool:
    return unicodedata.category(sign) == "Cf" or "VARIATION SELECTOR" in unicodedata.name(sign, "")


def reason(text: str) -> str:
    """Of a ruling; may have several lines. Raises `RefereeError("bad-ruling")`."""
    lines = text.replace("\r\n", "\n").strip().split("\n")
    if not text.strip() or len(text) > REASON_MAX:
        raise RefereeError("bad-ruling", params={"reason": "length", "max": REASON_MAX})
    return "\n".join(line and _clean(line, "bad-ruling") for line in lines)


def message(text: str) -> str:
    """What is said in a channel: several lines, without control signs. Raises `RefereeError("bad-message")`."""
    return _lines(text, MESSAGE_MAX, "bad-message")


def saying(text: str) -> str:
    """Lines in character; empty: none. Raises `RefereeError("bad-saying")`."""
    return _lines(text, SAYING_MAX, "bad-saying") if text.strip() else ""


def why(text: str) -> str:
    """The reason for hiding something. Raises `RefereeError("bad-reason")`."""
    cleaned = " ".join(_CONTROLS.sub("", text).split())
    if not cleaned or len(cleaned) > REASON_MAX or not _is_seen(cleaned) or TURNING & set(cleaned):
        raise RefereeError("bad-reason", params={"most": REASON_MAX})
    return cleaned


_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufeff]")
"""They are left out; tabs and breaks of line stay."""


def _lines(text: str, longest: int, code: str) -> str:
    whole = unicodedata.normalize("NFC", _CONTROLS.sub("", text.replace("\r\n", "\n"))).replace("\u2028", "\n")
    lines = [line.rstrip() for line in whole.replace("\u2029", "\n").strip("\n").split("\n")]
    cleaned = "\n".join(lines)
    if len(cleaned) > longest or not _is_seen(cleaned) or TURNING & set(cleaned):
        raise RefereeError(code, params={"max": longest})
    return cleaned


def _is_seen(text: str) -> bool:
    return any(unicodedata.category(sign)[0] in SEEN and sign not in _UNSEEN for sign in text)


def description(text: str, longest: int) -> str:
    """Of a campaign; may have several lines, or none. Raises `RefereeError("bad-description")`."""
    whole = text.replace("\r\n", "\n").strip()
    if len(whole) > longest:
        raise RefereeError("bad-description", params={"most": longest})
    return "\n".join(line and _clean(line.replace("\t", "    "), "bad-description") for line in whole.split("\n"))


def _line(text: str, longest: int, code: str) -> str:
    cleaned = _clean(text, code)
    if len(cleaned) > longest or not _is_seen(cleaned):
        raise RefereeError(code, params={"max": longest})
    return cleaned


def _clean(text: str, code: str) -> str:
    cleaned = unicodedata.normalize("NFC", text).strip()
    for sign in cleaned:
        if unicodedata.category(sign) in REFUSED or sign in TURNING:
            raise RefereeError(code, params={"sign": f"U+{ord(sign):04X}"})
    return cleaned
