"""Somebody's ways as cards with their forms, and what such a form did: for a seat, a desk and an account alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from app.language import Translator
from app.posting import services
from app.posting.kinds import KINDS, BadTarget
from app.referee import subscriptions
from app.referee.errors import RefereeError
from app.referee.subscriptions import SubscriptionView
from app.referee.views import Viewer
from app.web import noticeforms, refusals, tiewords
from app.web.context import Frame
from app.web.deps import Fields, House
from app.web.noticeforms import WishForm
from app.web.tiewords import SECRETS, FormField

TOLD = ("added", "asked", "changed", "removed", "trial", "retry", "hush", "heard")


@dataclass(frozen=True)
class WayCard:
    """A way to the reader, with its form."""

    id: int
    kind: str
    place: str
    state: str
    error: str
    last: datetime | None
    waiting: int
    form: WishForm
    is_open: bool


@dataclass(frozen=True)
class WayForm:
    kind: str
    title: str
    hint: str
    fields: tuple[FormField, ...]
    form: WishForm
    is_open: bool


@dataclass(frozen=True)
class Reader:
    """Whose ways they are: of a battle's seat, of its desk, or (`battle_id` None) of an account. `zone`: in which a new form
    begins; `address`: the one that is known to be his."""

    here: House
    frame: Frame
    battle_id: str | None
    viewer: Viewer
    is_master: bool
    zone: str = "UTC"
    address: str = ""


def act(reader: Reader, fields: Fields) -> tuple[str, str, int]:
    """What was done; or the trouble in words, and its status."""
    words = reader.frame.words
    try:
        told, wrong = _do(reader, fields)
    except BadTarget as refused:
        return "", tiewords.why(refused.field, refused.why, words), 422
    except RefereeError as refused:
        return "", refusals.told(refused, reader.frame.language), refusals.status(refused.code)
    return told, words.gettext(noticeforms.TROUBLES[wrong]) if wrong else "", 422


def _do(reader: Reader, fields: Fields) -> tuple[str, str]:
    """What was done, or what is wrong with the wishes."""
    here, action = reader.here, fields["action"]
    mine = (here.db, reader.battle_id, reader.viewer)
    way = fields.whole("way") or 0
    if action == "remove":
        subscriptions.remove(*mine, way)
        return "removed", ""
    if action == "trial":
        subscriptions.try_out(*mine, way, here.now())
        return "trial", ""
    if action not in {"add", "change"}:
        raise RefereeError("bad-request")
    wishes, wrong = noticeforms.read(fields)
    if wishes is None:
        return "", wrong
    if action == "change":
        subscriptions.change(*mine, way, wishes, here.now())
        return "changed", ""
    made = subscriptions.add(
        *mine,
        kind=fields["kind"],
        given=fields,
        wishes=wishes,
        allow_private=here.settings.allow_private_targets,
        has_mail=bool(here.settings.smtp_host),
        now=here.now(),
    )
    return "asked" if any(one.id == made and one.state == "asked" for one in subscriptions.listing(*mine)) else "added", ""


def ways(reader: Reader, given: Mapping[str, str]) -> tuple[WayCard, ...]:
    return tuple(_way(reader, one, given) for one in subscriptions.listing(reader.here.db, reader.battle_id, reader.viewer))


def forms(reader: Reader, given: Mapping[str, str]) -> tuple[WayForm, ...]:
    return tuple(_form(reader, kind, given) for kind in _offered(reader.here))


def _offered(here: House) -> list[str]:
    absent = {"mail"} if not here.settings.smtp_host else set()
    if not services.is_installed():
        absent.add("apprise")
    return [kind for kind in subscriptions.KINDS if kind not in absent]


def _way(reader: Reader, one: SubscriptionView, given: Mapping[str, str]) -> WayCard:
    words, is_typed = reader.frame.words, given.get("action") == "change" and given.get("way") == str(one.id)
    form = noticeforms.form(one.wishes, words, for_master=reader.is_master)
    if is_typed:
        form = noticeforms.again(given, words, for_master=reader.is_master)
    return WayCard(
        id=one.id,
        kind=words.gettext(tiewords.WAYS[one.kind][0]),
        place=one.place,
        state=one.state,
        error=tiewords.own_error(one.error, words),
        last=one.last,
        waiting=one.waiting,
        form=form,
        is_open=is_typed,
    )


def _form(reader: Reader, kind: str, given: Mapping[str, str]) -> WayForm:
    """What was typed and refused stands in its form again, but for what opens a place."""
    words, for_master = reader.frame.words, reader.is_master
    is_open = given.get("action") == "add" and given.get("kind") == kind
    form = noticeforms.blank(reader.frame.language, reader.zone, words, for_master=for_master)
    if is_open:
        form = noticeforms.again(given, words, for_master=for_master)
    names = ("address",) if kind == "mail" else KINDS[kind].fields
    shown = {name: given.get(name, "") for name in ("address", "chat")} if is_open else {"address": reader.address}
    title, hint = tiewords.WAYS[kind]
    asked = tuple(replace(_field(name, words), value=shown.get(name, "")) for name in names)
    return WayForm(kind, words.gettext(title), words.gettext(hint), asked, form, is_open)


def _field(name: str, words: Translator) -> FormField:
    label, hint = tiewords.FIELDS[name]
    looks = "password" if name in SECRETS else "email" if name == "address" else "text"
    return FormField(name, words.gettext(label), words.gettext(hint) if hint else "", looks, "")
