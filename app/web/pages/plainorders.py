"""Saving the orders of a game that has no form of its own: one text, read whole."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.referee.errors import RefereeError
from app.web import refusals
from app.web.context import frame_of, render
from app.web.deps import Body, Here, typed
from app.web.orderseen import Attempt, see
from app.web.ordersender import Sender
from app.web.plainorders import show_plain
from app.web.security import master_of, seat_of

router = APIRouter()
ACTIONS = ("save", "ready")


@router.post("/b/{battle_id}/seat/{seat}/plain", include_in_schema=False)
def save_own(request: Request, here: Here, battle_id: str, seat: str, body: Body) -> Response:
    viewer = seat_of(here, request, battle_id, seat)
    return _save(Sender(here, frame_of(request), battle_id, seat, viewer, typed(body)))


@router.post("/b/{battle_id}/desk/orders/{seat}/plain", include_in_schema=False)
def save_on_behalf(request: Request, here: Here, battle_id: str, seat: str, body: Body) -> Response:
    master = master_of(here, request, battle_id)
    return _save(Sender(here, frame_of(request), battle_id, seat, master, typed(body)))


def _save(sender: Sender) -> Response:
    """What the pressed button says. Raises `RefereeError("bad-request")` for a button that is not on the page."""
    try:
        done = sender.beside_orders()
        if done is not None:
            return done
        if sender.fields["action"] not in ACTIONS:
            raise RefereeError("bad-request")
        entered = sender.enter(text=sender.fields["text"])
    except RefereeError as refused:
        status = refusals.status(refused.code)
        if status < 409:
            raise
        return _shown(sender, refused, status)
    return sender.resolved() if entered.resolved else sender.back(saved=entered.revision)


def _shown(sender: Sender, refused: RefereeError, status: int) -> Response:
    seen = see(sender.here, sender.frame, sender.battle_id, sender.seat, sender.viewer)
    attempt = Attempt(
        told=refused.code,
        fields=sender.fields,
        faults=refused.faults,
        sentence=refusals.told(refused, sender.frame.language),
        problems=refused.problems,
    )
    return render(show_plain(seen, attempt), status=status)
