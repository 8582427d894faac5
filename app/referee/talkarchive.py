"""What was said, and coats of arms, as parts of an archive. The public thread and published words are in every one; the
channels, and words that are still sealed, in a whole one alone."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from sqlalchemy import bindparam, insert, select
from sqlalchemy.orm import Session

from app.drawing import arms as pictures
from app.engine.ruleset import Json
from app.referee import names
from app.referee.archiveparts import Archive, MessagePart, SayingPart, WholeBranch
from app.referee.channels import PUBLIC_THREAD
from app.referee.errors import RefereeError
from app.referee.logbook import moment
from app.referee.rows import dumps, loads, run
from app.store.models import ARMS, CHANNELS, MESSAGES, SAYINGS, TURNS

LARGEST_ARMS = 100_000
"""Bytes of a picture as it is written here; a larger one is not ours."""
SOMEBODY = "account/0"
"""Accounts have other numbers elsewhere."""
MOMENTS = ("written_at", "edited_at", "deleted_at", "hidden_at")
_M, _Y, _A = MESSAGES.c, SAYINGS.c, ARMS.c
_MESSAGES = select(*_M).where(_M.battle_id == bindparam("battle")).order_by(_M.channel, _M.number)
_SAYINGS = (
    select(_Y.turn, _Y.seat, _Y.text, _Y.said_at, TURNS.c.published_at)
    .join_from(SAYINGS, TURNS, (TURNS.c.battle_id == _Y.battle_id) & (TURNS.c.turn == _Y.turn))
    .where(_Y.battle_id == bindparam("battle"))
    .order_by(_Y.turn, _Y.seat)
)
_ARMS = select(_A.seat, _A.body).where(_A.battle_id == bindparam("battle"))


def public(session: Session, battle_id: str) -> dict[str, Json]:
    """Of what was hidden, not the words."""
    rows = run(session, _MESSAGES, battle=battle_id)
    return {
        "talk": [_message(row, is_open=True) for row in rows if row.channel == PUBLIC_THREAD],
        "sayings": said(session, battle_id, is_published=True),
    }


def secret(session: Session, battle_id: str) -> dict[str, Json]:
    """Every channel but the public thread, hidden words, and what is to be said with turns that are not published."""
    rows = [row for row in run(session, _MESSAGES, battle=battle_id) if row.channel != PUBLIC_THREAD or row.hidden_at]
    return {
        "messages": [{"channel": row.channel, **_message(row, is_open=False)} for row in rows],
        "sayings": said(session, battle_id, is_published=False),
    }


def said(session: Session, battle_id: str, *, is_published: bool | None = None) -> list[Json]:
    """None: all of it."""
    return [
        {"turn": row.turn, "seat": row.seat, "text": row.text, "said_at": moment(row.said_at)}
        for row in run(session, _SAYINGS, battle=battle_id)
        if is_published in (None, row.published_at is not None)
    ]


def arms(session: Session, battle_id: str) -> dict[str, str]:
    """By seat, base64."""
    return {row.seat: base64.b64encode(row.body).decode("ascii") for row in run(session, _ARMS, battle=battle_id)}


def fault(archive: Archive) -> str | None:
    """What is wrong with these parts; None: nothing."""
    seats = {seat.seat for seat in archive.seats}
    whole = archive.whole
    words = [*archive.sayings, *(whole.sayings if whole else ())]
    words += [one for branch in (whole.branches if whole else ()) for one in branch.sayings]
    messages = [*archive.talk, *(whole.messages if whole else ())]
    try:
        if any(one.seat not in seats or names.saying(one.text) != one.text for one in words):
            return "sayings"
        if any(one.text and names.message(one.text) != one.text for one in messages):
            return "talk"
        for seat in archive.seats:
            _picture(seat.arms)
    except (RefereeError, ValueError):
        return "talk"
    return None


def write(session: Session, archive: Archive, battle_id: str) -> None:
    """All of it as rows. What a whole archive knows of a hidden message stands in place of what all know."""
    whole = archive.whole
    known: dict[tuple[str, int], MessagePart] = {(PUBLIC_THREAD, one.number): one for one in archive.talk}
    known |= {(one.channel, one.number): one for one in (whole.messages if whole else ())}
    rows = [_row(battle_id, channel, one) for (channel, _), one in known.items()]
    _insert(session, MESSAGES, rows)
    last: dict[str, int] = {}
    for channel, number in known:
        last[channel] = max(number, last.get(channel, 0))
    counts = [{"battle_id": battle_id, "channel": key, "last": n, "changes": n} for key, n in last.items()]
    _insert(session, CHANNELS, counts)
    say(session, [*archive.sayings, *(whole.sayings if whole else ())], battle_id)
    pictures_of = {seat.seat: _picture(seat.arms) for seat in archive.seats if seat.arms}
    given = [
        {"battle_id": battle_id, "seat": seat, "digest": pictures.digest(body), "body": body, "set_at": archive.exported_at}
        for seat, body in pictures_of.items()
    ]
    _insert(session, ARMS, given)


def say(session: Session, words: Iterable[SayingPart], battle_id: str) -> None:
    _insert(session, SAYINGS, [{"battle_id": battle_id, **msgspec.structs.asdict(one)} for one in words])


def say_of_branch(session: Session, branch: WholeBranch, kept_as: str) -> None:
    say(session, branch.sayings, kept_as)


def _message(row: Any, *, is_open: bool) -> dict[str, Json]:
    shown = not is_open or row.hidden_at is None
    writer = SOMEBODY if row.writer.startswith("account/") else row.writer
    told = {"number": row.number, "writer": writer, "name": row.name, "turn": row.turn}
    told |= {"text": row.text if shown else "", "mentions": loads(row.mentions) if shown else []}
    told |= {name: moment(getattr(row, name)) for name in MOMENTS}
    return {**told, "hidden_reason": row.hidden_reason}


def _row(battle_id: str, channel: str, one: MessagePart) -> dict[str, Any]:
    found = msgspec.structs.asdict(one)
    return {**found, "battle_id": battle_id, "channel": channel, "mentions": dumps(one.mentions)}


def _picture(text: str | None) -> bytes:
    """Raises ValueError: no picture that could have been written here."""
    if text is None:
        return b""
    try:
        body = base64.b64decode(text, validate=True)
    except binascii.Error as bad:
        raise ValueError("arms") from bad
    if len(body) > LARGEST_ARMS or pictures.kind_of(body) != "webp":
        raise ValueError("arms")
    pictures.redrawn(body)
    return body


def _insert(session: Session, table: Any, rows: Sequence[dict[str, Any]]) -> None:
    if rows:
        session.execute(insert(table), list(rows))
