"""What a bare link shows in a forum or a chat: title, score, picture (Open Graph)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import quote

from app.drawing.scene import Scene
from app.drawing.svg import extent
from app.language import capital, translator
from app.referee.campaignviews import CampaignView
from app.referee.views import BattleView
from app.reports.scores import Score
from app.web.battlecards import Stand
from app.web.exhibits import THUMB_WIDTH, when
from app.web.parts import battle_title

LOCALES = {"en": "en_GB", "ru": "ru_RU"}


@dataclass(frozen=True)
class Photo:
    url: str
    width: int
    height: int


@dataclass(frozen=True)
class Preview:
    """All addresses are absolute. `width` and `height` are those of the picture. `small`: the same in little."""

    site: str
    title: str
    description: str
    url: str
    image: str
    width: int
    height: int
    alt: str
    locale: str
    small: Photo | None = None


def preview(
    site: str,
    battle_id: str,
    *,
    title: str,
    language: str,
    turn: int,
    is_turn: bool,
    scores: Mapping[str, int],
    goal: int | None,
    winner: str,
    scene: Scene,
) -> Preview:
    """`turn`: the last one that all may see; 0: none yet. `is_turn`: of the turn's own page, not of the battle's. `winner`:
    a side's name, `draw`, or empty. The picture names its language, since readers of previews ask for none."""
    words = translator(language)
    moment = when(turn, bool(winner), words)
    score = ", ".join(f"{name} {points}" for name, points in scores.items())
    told = [capital(moment), score]
    if winner == "draw":
        told.append(words.gettext("The battle ended in a draw.").rstrip("."))
    elif winner:
        told.append(words.gettext("The battle is won by: %(winner)s", winner=winner))
    elif goal:
        told.append(words.ngettext("to %(num)s point", "to %(num)s points", goal))
    place = f"{site}/b/{quote(battle_id, safe='')}"
    wide, high = extent(scene)
    return Preview(
        site=site,
        title=f"{title} · {words.gettext('Turn %(turn)s', turn=turn)}" if is_turn else title,
        description="; ".join(told) + ".",
        url=f"{place}/t/{turn}" if is_turn else place,
        image=f"{place}/t/{turn}.png?lang={language}",
        width=round(wide),
        height=round(high),
        alt=f"{title}, {moment}",
        locale=LOCALES[language],
        small=_small(f"{place}/t/{turn}", language, scene),
    )


def battle_preview(
    site: str, view: BattleView, shown: Stand, scores: Iterable[Score], scene: Scene, language: str
) -> Preview:
    """Of a battle as its pages show it."""
    return preview(
        site,
        view.id,
        title=shown.title,
        language=language,
        turn=shown.published,
        is_turn=False,
        scores={side.name: side.points for side in scores},
        goal=view.outcome.goal,
        winner=shown.winner,
        scene=scene,
    )


def campaign_preview(site: str, campaign: CampaignView, battle: BattleView | None, language: str) -> Preview:
    """`battle`: whose board is shown; None: there is none, and no picture either."""
    words = translator(language)
    told = [words.ngettext("%(num)s battle", "%(num)s battles", len(campaign.battles))]
    told += [
        words.gettext("%(side)s: won %(won)s, points %(points)s", side=side, won=one.score.won, points=one.score.made)
        for one in campaign.by_side
        for side in [words.text(one.name)]
    ]
    wide, high, image, alt, small = 0.0, 0.0, "", "", None
    if battle is not None:
        turn = battle.last_published
        scene = battle.ruleset.scene(battle.state, language, battle.scenario)
        (wide, high), place = extent(scene), f"{site}/b/{battle.id}/t/{turn}"
        image, small = f"{place}.png?lang={language}", _small(place, language, scene)
        alt = f"{battle_title(battle.title, battle.scenario.get('title'), words)}, {when(turn, False, words)}"
    return Preview(
        site=site,
        title=campaign.title,
        description="; ".join(told) + ".",
        url=f"{site}/c/{campaign.id}",
        image=image,
        width=round(wide),
        height=round(high),
        alt=alt,
        locale=LOCALES[language],
        small=small,
    )


def _small(place: str, language: str, scene: Scene) -> Photo:
    """The little picture of a turn, as large as it will be drawn."""
    wide, high = extent(scene, legend=False)
    return Photo(f"{place}/thumb.png?lang={language}", THUMB_WIDTH, round(high * THUMB_WIDTH / wide))
