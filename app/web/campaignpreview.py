"""A campaign as a bare link shows it in a forum."""

from __future__ import annotations

from app.referee import battles
from app.referee.campaignviews import CampaignView
from app.referee.views import PUBLIC
from app.web.house import House
from app.web.preview import Preview, campaign_preview


def previewed(here: House, view: CampaignView, language: str) -> Preview:
    """With the board of the battle that joined last, as it stands."""
    shown = next((joined for joined in reversed(view.battles) if joined.is_playable), None)
    battle = battles.battle(here.db, shown.id, PUBLIC, here.now()) if shown else None
    return campaign_preview(here.settings.url, view, battle, language)
