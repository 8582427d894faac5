"""The desk of a campaign as a page: what stands in its forms, or what was typed into them, where it was refused."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from fastapi import Request

from app.language import Translator
from app.referee import campaignbattles, campaigns, campaignviews
from app.referee.campaignviews import CampaignMasterView, CampaignView, JoinedBattle
from app.referee.views import Viewer
from app.web.campaignwords import COUNTED, battle_name
from app.web.context import Frame, Page
from app.web.deps import Fields, House
from app.web.parts import capital
from app.web.security import MASTER_COOKIE, account_of

TOLD = ("described", "sides", "joined", "arranged", "removed", "ruled", "gone", "kept", "let-go")
SPARE_SIDES = 2


@dataclass(frozen=True)
class SideForm:
    number: int
    key: str
    english: str
    russian: str
    colour: str


@dataclass(frozen=True)
class Choice:
    value: str
    text: str
    is_chosen: bool


@dataclass(frozen=True)
class Mapped:
    """A side of a battle, and for which of the campaign's it counts."""

    side: str
    name: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True)
class BattleForm:
    id: str
    name: str
    label: str
    place: int
    status: str
    turn: int
    sides: tuple[Mapped, ...]
    counts: bool
    """Whether each of its sides counts for somebody."""


@dataclass(frozen=True)
class Number:
    key: str
    name: str
    value: str


@dataclass(frozen=True, kw_only=True)
class CampaignDeskPage(Page):
    template: ClassVar[str] = "campaign/desk.html"
    campaign_id: str
    title: str
    new_title: str
    english: str
    russian: str
    sides: tuple[SideForm, ...]
    battles: tuple[BattleForm, ...]
    join: str
    join_label: str
    subjects: tuple[Choice, ...]
    commander: str
    numbers: tuple[Number, ...]
    reason: str
    masters: tuple[CampaignMasterView, ...]
    me: int
    own_link: str
    """Empty: the browser holds no key of it, only an account does."""
    new_link: str
    """Just made, shown this once."""
    new_name: str
    account: str
    """The name of the account that is signed in; empty: none."""
    is_kept: bool
    open_battles: bool
    told: str
    trouble: str


@dataclass(frozen=True)
class Asked:
    here: House
    request: Request
    frame: Frame
    campaign_id: str
    viewer: Viewer
    fields: Fields

    @property
    def place(self) -> tuple[str, Viewer]:
        return self.campaign_id, self.viewer


def typed_sides(fields: Fields) -> list[SideForm]:
    numbers = [int(name[4:]) for name in fields if re.fullmatch(r"key:[0-9]{1,3}", name)]
    return [
        SideForm(
            number,
            fields.line(f"key:{number}"),
            fields.line(f"english:{number}"),
            fields.line(f"russian:{number}"),
            fields.line(f"colour:{number}"),
        )
        for number in numbers
    ]


def own_key(asked: Asked) -> str:
    return asked.request.cookies.get(MASTER_COOKIE, "")


def page(asked: Asked, *, told: str = "", trouble: str = "", new_link: str = "", is_done: bool = False) -> CampaignDeskPage:
    """With what was typed, where it was refused."""
    view, words = campaignviews.campaign(asked.here.db, asked.campaign_id), asked.frame.words
    action = "" if is_done else asked.fields["action"]
    fields = asked.fields
    describing, joining, ruling = action == "describe", action == "join", action == "rule"
    account = account_of(asked.here, asked.request)
    key = own_key(asked)
    return CampaignDeskPage(
        frame=asked.frame,
        campaign_id=view.id,
        title=view.title,
        new_title=fields["title"] if describing else view.title,
        english=fields["english"] if describing else view.description.get("en", ""),
        russian=fields["russian"] if describing else view.description.get("ru", ""),
        sides=tuple(typed_sides(fields)) if action == "sides" else _side_forms(view),
        battles=tuple(_battle_form(battle, view, words, fields, action) for battle in view.battles),
        join=fields["join"] if joining else "",
        join_label=fields["join_label"] if joining else "",
        subjects=_subjects(view, fields["subject"] if ruling else "", words),
        commander=fields["commander"] if ruling else "",
        numbers=tuple(
            Number(key, capital(words.gettext(name)), fields[f"add:{key}"] if ruling else "")
            for key, name in COUNTED.items()
        ),
        reason=fields["reason"] if ruling else "",
        masters=view.masters,
        me=asked.viewer.master or 0,
        own_link=asked.here.link(f"/k/{key}") if key else "",
        new_link=new_link,
        new_name=fields["name"] if action == "add" else "",
        account=account.name or "" if account else "",
        is_kept=account is not None and campaigns.acting(asked.here.db, account, view.id) is not None,
        open_battles=asked.here.settings.open_battles,
        told=told if told in TOLD else "",
        trouble=trouble,
    )


def _side_forms(view: CampaignView) -> tuple[SideForm, ...]:
    """Those there are, and some empty ones."""
    known = [SideForm(n, s.key, s.name["en"], s.name["ru"], s.colour) for n, s in enumerate(view.sides)]
    spare = [SideForm(n, "", "", "", "#888888") for n in range(len(known), len(known) + SPARE_SIDES)]
    return tuple([*known, *spare][: campaignbattles.MOST_SIDES])


def _battle_form(battle: JoinedBattle, view: CampaignView, words: Translator, fields: Fields, action: str) -> BattleForm:
    is_typed = action == "arrange" and fields["battle"] == battle.id
    return BattleForm(
        id=battle.id,
        name=battle_name(battle, words),
        label=fields["label"] if is_typed else battle.label,
        place=battle.place,
        status=battle.status,
        turn=battle.turn,
        sides=tuple(
            Mapped(
                side,
                capital(words.text(name)),
                tuple(
                    Choice(ours.key, capital(words.text(ours.name)), battle.counts_as.get(side) == ours.key)
                    for ours in view.sides
                ),
            )
            for side, name in battle.side_names.items()
        ),
        counts=set(battle.side_names) == set(battle.counts_as),
    )


def _subjects(view: CampaignView, chosen: str, words: Translator) -> tuple[Choice, ...]:
    sides = [(f"side:{side.key}", capital(words.text(side.name))) for side in view.sides]
    some = ("commander:", words.gettext("a commander, named below"))
    return tuple(Choice(value, text, value == chosen) for value, text in [*sides, some])
