"""What the orders page asks while somebody writes: the text as orders, the form as text. Nothing of it is kept."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from app.engine.ruleset import Json, Problem
from app.referee.errors import RefereeError
from app.reports import problems as spoken
from app.web import refusals
from app.web.context import frame_of
from app.web.deps import Body, Here, typed
from app.web.orderform import filled_by
from app.web.orderseen import Seen, see
from app.web.ordersender import Sender
from app.web.orderspage import desk_of, kept
from app.web.ordertext import Together, asides_of, fault_lines, replies, with_text
from app.web.security import master_of, seat_of
from app.web.sheetjson import contradictions, places
from app.web.sheetjson import fields as sheetfields
from app.web.unitcards import Desk, cards

router = APIRouter()
A_READING = 5000
"""Characters that count as one reading."""


@router.post("/b/{battle_id}/seat/{seat}/read", include_in_schema=False)
def read_own(request: Request, here: Here, battle_id: str, seat: str, body: Body) -> Response:
    return _answered(Sender(here, frame_of(request), battle_id, seat, seat_of(here, request, battle_id, seat), typed(body)))


@router.post("/b/{battle_id}/desk/orders/{seat}/read", include_in_schema=False)
def read_on_behalf(request: Request, here: Here, battle_id: str, seat: str, body: Body) -> Response:
    return _answered(Sender(here, frame_of(request), battle_id, seat, master_of(here, request, battle_id), typed(body)))


def _answered(sender: Sender) -> Response:
    """JSON, also where something is refused: `{says}`, with what the script needs beside it."""
    language = sender.frame.language
    headers = {"cache-control": "no-store", "content-language": language}
    try:
        _count(sender)
        return JSONResponse(_answer(sender), headers=headers)
    except RefereeError as refused:
        seconds = refused.params.get("seconds")
        if seconds is not None:
            headers["retry-after"] = str(seconds)
        told = {"says": refusals.told(refused, language), "code": refused.code}
        return JSONResponse(told, refusals.status(refused.code), headers)


def _count(sender: Sender) -> None:
    """Raises `RefereeError("too-often")`."""
    who = f"{sender.battle_id}/{sender.seat}/{sender.viewer.kind}"
    wait = sender.here.readings.spend(who, 1 + len(sender.fields["text"]) // A_READING)
    if wait:
        raise RefereeError("too-often", params={"seconds": wait})


def _answer(sender: Sender) -> dict[str, Json]:
    seen = see(sender.here, sender.frame, sender.battle_id, sender.seat, sender.viewer)
    words, text = sender.frame.words, sender.fields["text"]
    desk = desk_of(seen)
    from_text = sender.fields["from"] != "form"
    taken = sender.together(always=True) if from_text else sender.form_alone()
    if taken.faults:
        faults = _faults(taken, text, desk)
        says = words.ngettext("%(num)s place is not understood.", "%(num)s places are not understood.", len(faults))
        left = asides_of(taken, text, words)
        aside = {"lines": left.lines, "texts": left.texts, "press": left.press} if left else None
        return {"says": says, "faults": faults, "asides": aside, "replies": _replies(sender, taken, ())}
    meant = sender.understand(fields=taken.orders)
    refused = [problem for problem in meant.problems if not problem.warning]
    answer: dict[str, Json] = {
        "says": _says(seen, desk, taken, refused),
        "faults": [],
        "refused": [*contradictions(taken.troubles, desk), *places(refused, desk)],
        "warned": places((problem for problem in meant.problems if problem.warning), desk),
    }
    if from_text:
        answer |= {"units": _units(sender, seen, desk, taken), "replies": _replies(sender, taken, meant.problems)}
    if meant.orders is not None:
        answer |= {"orders": meant.orders, "text": meant.text}
    return answer


def _says(seen: Seen, desk: Desk, taken: Together, refused: list[Problem]) -> str:
    """In one line: how many units have orders, and what becomes of those that the text does not name."""
    words = desk.words
    own = [unit for unit in seen.offered if seen.battle.state.units[unit].cohesion > 0]
    ordered = sum(unit in taken.orders for unit in own)
    told = [words.gettext("Units with orders: %(ordered)s of %(all)s.", ordered=ordered, all=len(own))]
    if refused:
        told.append(words.gettext("Some of them cannot be given."))
    left = kept(desk, taken)
    if left:
        told.append(words.gettext("Not named in the text, and left as the form has them: %(units)s.", units=", ".join(left)))
    silent = [desk.unit(unit) for unit in own if unit not in taken.orders]
    if silent and taken.orders:
        told.append(words.gettext("Without an order: %(units)s.", units=", ".join(silent)))
    return " ".join(told)


def _faults(taken: Together, text: str, desk: Desk) -> list[Json]:
    told = spoken.by_line(taken.faults, taken.asides, text)
    place = desk.words.gettext("Line %(line)s, column %(column)s:")
    return [
        {
            "line": line.line,
            "column": line.column,
            "length": len(line.fragment),
            "code": fault.code,
            "place": place % {"line": line.line, "column": line.column},
            "words": line.text,
            "candidates": list(fault.candidates),
            "suggestions": [{"words": one.words, "follows": one.follows} for one in line.suggestions],
        }
        for fault, line in zip(told, fault_lines(told, text, desk), strict=True)
    ]


def _replies(sender: Sender, taken: Together, problems: tuple[Problem, ...]) -> list[Json]:
    if sender.viewer.kind != "master":
        return []
    told = replies(sender.fields["text"], taken.faults, problems, sender.turn, taken.asides)
    return [{"language": reply.language, "text": reply.text} for reply in told if reply.text]


def _units(sender: Sender, seen: Seen, desk: Desk, taken: Together) -> dict[str, Json]:
    """The fields of each unit that the text changed, with the words of what is chosen."""
    fields = with_text(sender.fields, taken, seen.offered)
    changed = cards(desk, seen.options, lambda unit, _: filled_by(fields, unit), {}, {})
    return {
        card.id: sheetfields(card)
        for card in changed
        if any(
            fields[f"{p}:{card.id}"] != sender.fields[f"{p}:{card.id}"] for p in ("shoot", "fight", "move", "path", "hold")
        )
    }
