"""A campaign in words: its battles' names, how each number of the standings came to be, what its game masters did."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.language import Translator
from app.language import marked as _
from app.referee.campaignviews import CampaignLogLine, CampaignRulingView, CampaignView, JoinedBattle
from app.referee.standings import Item
from app.web.parts import battle_title, capital

COUNTED: Mapping[str, str] = {
    "won": _("battles won"),
    "drawn": _("battles drawn"),
    "lost": _("battles lost"),
    "made": _("points made"),
    "given": _("points lost"),
    "destroyed": _("enemy units destroyed"),
    "fallen": _("own units lost"),
}
"""The numbers to which a ruling may add, in the order of their columns."""
ITEMS: Mapping[str, str] = {
    "won": _("The battle was won"),
    "drawn": _("The battle ended in a draw"),
    "lost": _("The battle was lost"),
    "under-way": _("Under way: neither won nor lost yet"),
    "points": _("Points made: %(made)s, lost: %(given)s"),
    "unit": _("Destroyed: %(unit)s"),
    "loss": _("Lost: %(unit)s"),
    "ruling": _("Added by the game master (%(changes)s): %(reason)s"),
}
LOG: Mapping[str, str] = {
    "made": _("The campaign was made."),
    "described": _("The description was changed."),
    "titled": _("The campaign is called “%(is)s” (before: “%(was)s”)."),
    "sides-set": _("The sides were changed."),
    "joined": _("A battle joined: %(title)s."),
    "removed": _("A battle was taken out: %(title)s."),
    "arranged": _("A battle's label, place or sides were changed: %(title)s."),
    "master-added": _("%(master)s is a game master of this campaign from now on."),
    "master-removed": _("%(master)s is no longer a game master of this campaign."),
    "ruled": _("Added to the standings of %(subject)s (%(changes)s): %(reason)s"),
}


def battle_name(battle: JoinedBattle, words: Translator) -> str:
    """Its label, else its title with its number."""
    if battle.label:
        return battle.label
    return f"{battle.place}. {battle_title(battle.title, battle.scenario_title, words)}"


def changes(added: Mapping[str, int], words: Translator) -> str:
    """`points made +2, battles lost −1`."""
    return ", ".join(f"{words.gettext(COUNTED[name])} {_signed(added[name])}" for name in COUNTED if added.get(name))


def item(one: Item, words: Translator) -> str:
    told = {name: getattr(one.score, name) for name in COUNTED}
    filled = {"unit": one.unit, "reason": one.reason, "changes": changes(told, words), **told}
    return words.gettext(ITEMS[one.what], **filled)


def subject(kind: str, key: str, view: CampaignView, words: Translator) -> str:
    """A side by its name; a commander by his own."""
    names = {side.key: capital(words.text(side.name)) for side in view.sides}
    return names.get(key, key) if kind == "side" else key


def ruling(one: CampaignRulingView, view: CampaignView, words: Translator) -> str:
    told = {"subject": subject(one.kind, one.subject, view, words), "reason": one.reason}
    return words.gettext(LOG["ruled"], **told, changes=changes(one.changes, words))


def log_line(line: CampaignLogLine, view: CampaignView, words: Translator) -> str:
    params: dict[str, Any] = {name: value or words.gettext("game master") for name, value in line.params.items()}
    titles = {battle.id: battle_title(battle.title, battle.scenario_title, words) for battle in view.battles}
    if params.get("battle") in titles:
        params["title"] = titles[params["battle"]]
    if line.what == "ruled":
        params["changes"] = changes(line.params["changes"], words)
        params["subject"] = subject("side", line.params["subject"], view, words)
    return words.gettext(LOG[line.what], **params)


def _signed(number: int) -> str:
    return f"+{number}" if number > 0 else f"−{-number}"
