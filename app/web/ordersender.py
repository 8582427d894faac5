"""Whoever sends a seat's orders from a page, and what he may do with them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from starlette.responses import RedirectResponse, Response

from app.engine.ruleset import Json
from app.referee import battles, orders
from app.referee.errors import RefereeError
from app.referee.turnviews import Entered, Understood
from app.referee.views import Viewer
from app.web import orderform
from app.web.context import Frame, render
from app.web.deps import Fields, House
from app.web.orderseen import Attempt, see
from app.web.orderspage import show
from app.web.ordertext import Together, filled_units, together
from app.web.sideplan import Typed, look


@dataclass(frozen=True)
class Sender:
    """Whoever sent the form, for which seat, and what he sent."""

    here: House
    frame: Frame
    battle_id: str
    seat: str
    viewer: Viewer
    fields: Fields

    @property
    def turn(self) -> int:
        return self.fields.whole("turn") or 0

    @property
    def ready(self) -> bool:
        return self.fields["action"] in {"ready", "text-ready"}

    def enter(self, **orders_given: Any) -> Entered:
        nonce = self.fields["nonce"]
        own = nonce if re.fullmatch(orders.NONCE, nonce) else None
        db, sheet = self.here.db, self._sheet()
        try:
            return orders.enter(db, self.battle_id, self.seat, self.viewer, **sheet, **orders_given, nonce=own)
        except RefereeError as refused:
            kept = self._kept_before(sheet["revision"], orders_given) if refused.code == "stale" else None
            if kept is None:
                raise
            return kept

    def _kept_before(self, revision: int, orders_given: dict[str, Any]) -> Entered | None:
        """What a press has kept that came twice: a double click sends the form again, after the same revision."""
        if self.viewer.kind != "seat":
            return None
        sheet = orders.sheet(self.here.db, self.battle_id, self.seat, self.viewer)
        if (sheet.turn, sheet.revision, sheet.ready) != (self.turn, revision + 1, self.ready):
            return None
        if self.understand(**orders_given).orders != sheet.orders:
            return None
        return Entered(sheet.turn, sheet.revision, sheet.ready, sheet.orders, receipt=sheet.receipt)

    def set_ready(self, ready: bool) -> bool:
        """True if that resolved the turn."""
        now, db = self.here.now(), self.here.db
        return orders.set_ready(db, self.battle_id, self.seat, self.viewer, turn=self.turn, ready=ready, now=now)

    def beside_orders(self) -> Response | None:
        """What the small buttons of every orders page do: the holder's name, ready or not. None: it was another button."""
        action, here = self.fields["action"], self.here
        if action == "name":
            holder = self.fields.line("holder")
            battles.name_holder(here.db, self.battle_id, self.seat, self.viewer, holder, here.now())
            return self.back()
        if action in {"set-ready", "unset-ready"}:
            return self.resolved() if self.set_ready(action == "set-ready") else self.back()
        return None

    def together(self, *, always: bool) -> Together:
        """The form's orders, and its text's over them. Raises `RefereeError`: long-text, and whatever forbids to save."""
        return together(self.fields, self.frame.words, lambda text: self.understand(text=text), always=always)

    def form_alone(self) -> Together:
        reading = orderform.read(filled_units(self.fields), self.frame.words)
        return Together(reading.orders, reading.troubles)

    def understand(self, **orders_given: Any) -> Understood:
        now, language = self.here.now(), self.frame.language
        return orders.understand(
            self.here.db, self.battle_id, self.seat, self.viewer, turn=self.turn, language=language, now=now, **orders_given
        )

    def check(self, fields: Json) -> Entered:
        return orders.check(self.here.db, self.battle_id, self.seat, self.viewer, **self._sheet(), fields=fields)

    def _sheet(self) -> dict[str, Any]:
        revision = self.fields.whole("revision") or 0
        return {"turn": self.turn, "revision": revision, "ready": self.ready, "now": self.here.now()}

    def shown(self, attempt: Attempt, status: int) -> Response:
        seen = see(self.here, self.frame, self.battle_id, self.seat, self.viewer)
        given = attempt.taken.orders if attempt.taken is not None else None
        plan = look(self.here, self.frame.words, seen.battle, self.viewer, fields=given)
        return render(show(seen, attempt, plan), status=status)

    def undrawn(self, drawing: Typed, status: int) -> Response:
        """The page with a drawing that is refused."""
        seen = see(self.here, self.frame, self.battle_id, self.seat, self.viewer)
        plan = look(self.here, self.frame.words, seen.battle, self.viewer, typed=drawing)
        return render(
            show(seen, Attempt(drawing.error if plan is None else "", sentence=drawing.error), plan), status=status
        )

    def with_form(self, drawing: Typed | None, status: int) -> Response:
        """The page with the form as it was sent, none of it kept; and with a drawing that is refused."""
        seen = see(self.here, self.frame, self.battle_id, self.seat, self.viewer)
        plan = look(self.here, self.frame.words, seen.battle, self.viewer, fields=self.form_alone().orders, typed=drawing)
        attempt = (
            Attempt("drawn", self.fields) if drawing is None else Attempt("undrawn", self.fields, sentence=drawing.error)
        )
        return render(show(seen, attempt, plan), status=status)

    def back(self, *, saved: int = 0) -> Response:
        if self.viewer.kind == "master":
            told = f"?told=entered&seat={quote(self.seat, safe='')}" if saved else ""
            return RedirectResponse(f"/b/{self.battle_id}/desk{told}", status_code=303)
        told = f"?saved={saved}" if saved else ""
        return RedirectResponse(f"/b/{self.battle_id}/seat/{quote(self.seat, safe='')}{told}", status_code=303)

    def resolved(self) -> Response:
        return RedirectResponse(f"/b/{self.battle_id}?told=resolved", status_code=303)
