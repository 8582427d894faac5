"""A seat's orders: the form, what is saved of it, and what is wrong with it. The game master has the same form for a seat
that cannot come, and sees nothing that the seat itself has sealed."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import quote

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from app.engine.ruleset import Json, Problem
from app.referee.errors import RefereeError
from app.reports import problems as spoken
from app.web import refusals
from app.web.context import frame_of, render
from app.web.deps import Body, Fields, Here, page_route, typed
from app.web.orderseen import Attempt, see
from app.web.ordersender import Sender
from app.web.orderspage import show
from app.web.ordertext import Together, left_out
from app.web.plainorders import show_plain
from app.web.seatpage import SeatPage
from app.web.security import master_of, seat_of
from app.web.sideplan import look
from app.web.talking import links
from app.web.unitcards import by_place, has_form

router = APIRouter()
ACTIONS = ("save", "ready", "text", "text-ready", "text-read", "text-leave", "set-ready", "unset-ready", "name")


@page_route(router, "/b/{battle_id}/seat/{seat}")
def own(request: Request, here: Here, battle_id: str, seat: str, saved: int = 0) -> Response:
    try:
        viewer = seat_of(here, request, battle_id, seat)
    except RefereeError as refused:
        if refused.code != "leads-here":
            raise
        return RedirectResponse(f"/b/{battle_id}/seat/{quote(seat, safe='')}/taking", status_code=303)
    seen = see(here, frame_of(request), battle_id, seat, viewer)
    opened = Attempt(told="saved" if saved and saved == seen.revision else "")
    page: SeatPage
    if has_form(seen.battle):
        page = show(seen, opened, look(here, seen.frame.words, seen.battle, viewer))
    else:
        page = show_plain(seen, opened)
    return render(replace(page, talk=links(here, seen.battle, (viewer,), seen.frame.words)))


@router.post("/b/{battle_id}/seat/{seat}", include_in_schema=False)
def save_own(request: Request, here: Here, battle_id: str, seat: str, body: Body) -> Response:
    viewer = seat_of(here, request, battle_id, seat)
    return _save(Sender(here, frame_of(request), battle_id, seat, viewer, typed(body)))


@page_route(router, "/b/{battle_id}/desk/orders/{seat}")
def on_behalf(request: Request, here: Here, battle_id: str, seat: str) -> Response:
    seen = see(here, frame_of(request), battle_id, seat, master_of(here, request, battle_id))
    return render(show(seen, Attempt()) if has_form(seen.battle) else show_plain(seen, Attempt()))


@router.post("/b/{battle_id}/desk/orders/{seat}", include_in_schema=False)
def save_on_behalf(request: Request, here: Here, battle_id: str, seat: str, body: Body) -> Response:
    master = master_of(here, request, battle_id)
    return _save(Sender(here, frame_of(request), battle_id, seat, master, typed(body)))


def _save(sender: Sender) -> Response:
    """What the pressed button says. Raises `RefereeError("bad-request")` for a button that is not on the page."""
    action = sender.fields["action"]
    if action not in ACTIONS:
        raise RefereeError("bad-request")
    try:
        done = sender.beside_orders()
        if done is not None:
            return done
        taken = sender.together(always=action.startswith("text"))
        if action == "text-leave":
            text = left_out(sender.fields["text"], taken.asides)
            sender = replace(sender, fields=Fields({**sender.fields, "text": text}))
            taken = sender.together(always=True)
        if taken.faults:
            return sender.shown(Attempt("bad-orders", sender.fields, faults=taken.faults, taken=taken), 422)
        if taken.troubles:
            return sender.shown(_all_problems(sender, taken), 422)
        if action in {"text-read", "text-leave"}:
            return _read(sender, taken)
        try:
            entered = sender.enter(fields=taken.orders)
        except RefereeError as refused:
            if refused.code != "bad-orders":
                raise
            return sender.shown(_all_problems(sender, taken), 422)
    except RefereeError as refused:
        if refusals.status(refused.code) < 409:
            raise
        return sender.shown(_refused(refused, sender), refusals.status(refused.code))
    return sender.resolved() if entered.resolved else sender.back(saved=entered.revision)


def _read(sender: Sender, taken: Together) -> Response:
    """What the text means, shown before anything is kept."""
    meant = sender.understand(fields=taken.orders)
    if meant.orders is None or any(not problem.warning for problem in meant.problems):
        return sender.shown(_all_problems(sender, taken), 422)
    return sender.shown(Attempt("read", sender.fields, taken=taken, understood=meant), 200)


def _all_problems(sender: Sender, taken: Together) -> Attempt:
    """Everything that is wrong with a form: contradictions, then what cannot be read, then what the rules refuse of
    the parts that can be read."""
    places = {place: [text] for place, text in taken.troubles.items()}
    left: dict[str, dict[str, Json]] = {unit: dict(order) for unit, order in taken.orders.items()}
    problems: tuple[Problem, ...] = ()
    for _ in range(2):
        try:
            sender.check(left)
            break
        except RefereeError as refused:
            if refused.code != "bad-orders":
                raise
            for place, texts in _refused(refused, sender).places.items():
                known = places.setdefault(place, [])
                known += [text for text in texts if text not in known]
            problems += tuple(problem for problem in refused.problems if problem not in problems)
            _leave_out(left, refused.problems)
    return Attempt("bad-orders", sender.fields, places, taken=taken, problems=problems)


def _leave_out(left: dict[str, dict[str, Json]], problems: tuple[Problem, ...]) -> None:
    """Takes refused parts out; without its withdrawal a unit's move would start from another cell, so it goes as well."""
    for problem in problems:
        if problem.warning or not problem.field:
            continue
        unit, part = problem.field[0], problem.field[1] if len(problem.field) > 1 else "unit"
        if part in left.get(unit, {}):
            del left[unit][part]
            if part == "withdraw":
                left[unit].pop("move", None)
        else:
            left.pop(unit, None)


def _refused(refused: RefereeError, sender: Sender) -> Attempt:
    language = sender.frame.language
    problems = tuple(p for p in refused.problems if not p.warning)
    return Attempt(
        told=refused.code,
        fields=sender.fields,
        places=by_place(problems, lambda problem: spoken.words(problem, language)),
        faults=refused.faults,
        sentence=refusals.told(refused, language),
    )
