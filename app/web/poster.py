"""What a turn's post holds: the wish of an address or a form, and the texts that answer it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from app.language import LANGUAGES, NAMES, Translator
from app.referee.errors import RefereeError
from app.referee.turnviews import TurnView
from app.reports import TELLERS, posts, report
from app.reports.forum import Around
from app.reports.orders import order_list
from app.reports.tree import LENGTHS, Length, Report

MANY_EVENTS = 1500
WHOLE, PARTS = "", "all"
"""Of a part: the post as one text; all parts."""


class Wish(NamedTuple):
    """`side`: of an order list, one side's alone (empty: all). `part`: a number, or one post for all."""

    form: str = "bbcode"
    dialect: str = "phpbb"
    length: Length = "phases"
    language: str = "en"
    is_orders: bool = False
    side: str = ""
    part: str = WHOLE

    @property
    def query(self) -> str:
        """The address of this post's file, behind `t/N`."""
        pairs = [("dialect", self.dialect), ("length", "" if self.is_orders else self.length), ("lang", self.language)]
        pairs += [("orders", self.side or "all")] if self.is_orders else []
        pairs += [("part", self.part)]
        return f".{self.form}?" + "&".join(f"{key}={value}" for key, value in pairs if value)


@dataclass(frozen=True)
class Choice:
    value: str
    title: str
    is_chosen: bool
    group: str = ""


@dataclass(frozen=True)
class Text:
    """One post to be copied: `label` says which it is and how long."""

    label: str
    text: str


@dataclass(frozen=True)
class Poster:
    """The section "Take it to the forum": what may be chosen, and what was."""

    action: str
    forums: tuple[Choice, ...]
    lengths: tuple[Choice, ...]
    languages: tuple[Choice, ...]
    contents: tuple[Choice, ...]
    texts: tuple[Text, ...]
    file: str
    picture: str


def read(query: Mapping[str, str], form: str, language: str) -> Wish:
    """The wish of a file's address. Raises `RefereeError("bad-post")` where the query asks for what there is not."""
    length, spoken, orders, part = (query.get(key, "") for key in ("length", "lang", "orders", "part"))
    try:
        dialect = posts.dialect_of(form, query.get("dialect") or None)
        chosen = LENGTHS[length or "phases"]
    except KeyError:
        raise RefereeError("bad-post") from None
    if spoken not in ("", *LANGUAGES) or not (
        part in (WHOLE, PARTS) or (part.isascii() and part.isdigit() and len(part) < 5)
    ):
        raise RefereeError("bad-post")
    return Wish(form, dialect, chosen, spoken or language, bool(orders), "" if orders == "all" else orders, part)


def read_form(query: Mapping[str, str], language: str) -> Wish:
    """The wish of the section's form: `to` is the form and its dialect, `what` is `report`, `orders` or `orders/SIDE`."""
    form, _, dialect = query.get("to", "bbcode/phpbb").partition("/")
    what, _, side = query.get("what", "report").partition("/")
    if form not in posts.FORMS or what not in ("report", "orders"):
        raise RefereeError("bad-post")
    asked = {"dialect": dialect, "length": query.get("length", ""), "lang": query.get("lang", "")}
    if what == "orders":
        asked["orders"] = side or "all"
    return read(asked, form, language)


def first(view: TurnView, language: str) -> Wish:
    """What a turn's page shows before anything is chosen; of a turn with thousands of events, which would be many posts,
    the headline."""
    return Wish(language=language, length="headline" if len(view.events) > MANY_EVENTS else "phases")


def written(view: TurnView, wish: Wish, base: str) -> tuple[str, ...]:
    """The texts of a wish: one, or all parts. `base`: the server's own address. Raises `RefereeError("bad-post")`
    for a side, a part or a ruleset's report that there is not."""
    page = f"{base}/b/{view.battle_id}/t/{view.turn}"
    around = Around(page, None if wish.is_orders else f"{page}.png?lang={wish.language}")
    told, dialect = _told(view, wish), wish.dialect or None
    length: Length = "phases" if wish.is_orders else wish.length
    if wish.part == WHOLE:
        return (posts.write(told, around, form=wish.form, dialect=dialect, length=length),)
    parts = posts.divide(told, around, form=wish.form, dialect=dialect, length=length)
    if wish.part == PARTS:
        return parts
    if not 1 <= int(wish.part) <= len(parts):
        raise RefereeError("bad-post")
    return (parts[int(wish.part) - 1],)


def poster(view: TurnView, wish: Wish, base: str, words: Translator) -> Poster:
    """The section with its texts, in as many parts as the forum asks for."""
    texts = written(view, wish._replace(part=PARTS), base)
    page = f"/b/{view.battle_id}/t/{view.turn}"
    return Poster(
        action=f"{page}/post",
        forums=tuple(_forums(wish, words)),
        lengths=(
            Choice("headline", words.gettext("The headline alone"), wish.length == "headline"),
            Choice("phases", words.gettext("What happened, phase by phase"), wish.length == "phases"),
            Choice("dice", words.gettext("Every die and every reason"), wish.length == "dice"),
        ),
        languages=tuple(Choice(key, NAMES[key], key == wish.language) for key in LANGUAGES),
        contents=tuple(_contents(view, wish, words)),
        texts=tuple(Text(_label(text, number, len(texts), words), text) for number, text in enumerate(texts, start=1)),
        file=page + wish._replace(part=PARTS if len(texts) > 1 else WHOLE).query,
        picture=f"{base}{page}.png?lang={wish.language}",
    )


def _told(view: TurnView, wish: Wish) -> Report:
    if wish.is_orders:
        if wish.side and wish.side not in view.scenario["sides"]:
            raise RefereeError("bad-post")
        return order_list(view, wish.language, side=wish.side or None)
    if view.ruleset.key not in TELLERS:
        raise RefereeError("bad-post")
    return report(view, wish.language)


def _forums(wish: Wish, words: Translator) -> list[Choice]:
    found = []
    for key, form in posts.FORMS.items():
        title = words.gettext("Plain text") if key == "txt" else form.title
        if not form.dialects:
            found.append(Choice(key, title, wish.form == key))
        for dialect, named in form.dialects.items():
            found.append(Choice(f"{key}/{dialect}", named, (wish.form, wish.dialect) == (key, dialect), title))
    return found


def _contents(view: TurnView, wish: Wish, words: Translator) -> list[Choice]:
    sides: Mapping[str, Any] = view.scenario["sides"]
    return [
        Choice("report", words.gettext("The report"), not wish.is_orders),
        Choice("orders", words.gettext("The orders of all"), wish.is_orders and not wish.side),
        *(
            Choice(
                f"orders/{side}",
                words.gettext("The orders of one side: %(side)s", side=words.text(held["name"])),
                wish.is_orders and wish.side == side,
            )
            for side, held in sides.items()
        ),
    ]


def _label(text: str, number: int, count: int, words: Translator) -> str:
    length = words.ngettext("%(num)s character", "%(num)s characters", len(text))
    if count == 1:
        return words.gettext("Your post, %(length)s", length=length)
    return words.gettext("Post %(number)s of %(count)s, %(length)s", number=number, count=count, length=length)
