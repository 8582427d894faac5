"""The scenarios that this server knows."""

from __future__ import annotations

from fastapi import APIRouter

from app.engine.ruleset import Json
from app.language import pick
from app.referee import scenarios
from app.referee.scenarios import ScenarioLine
from app.rulesets.registry import RULESETS
from app.web.api import battlemodels
from app.web.api.document import OPEN, refusals
from app.web.house import Language
from app.web.reply import Reply

router = APIRouter(tags=["battles"])


@router.get(
    "/api/v1/scenarios",
    summary="The scenarios that this server knows",
    operation_id="scenarios",
    openapi_extra=OPEN,
    response_model=battlemodels.Scenarios,
    responses=refusals(),
)
async def all_scenarios(language: Language) -> Reply:
    """Each key may be given to `POST /api/v1/battles`."""
    known = [
        {
            "key": line.key,
            "ruleset": line.ruleset,
            "title": pick(line.title, language),
            "titles": dict(line.title),
            "notes": pick(line.notes, language),
            "rulings": _rulings(line),
        }
        for line in scenarios.known()
    ]
    return Reply({"scenarios": known}, headers={"Content-Language": language, "Vary": "Accept-Language"})


def _rulings(line: ScenarioLine) -> list[Json]:
    own = line.frozen.get("rulings", {})
    return [
        {"key": switch.key, "rule": switch.rule, "values": list(switch.values), "holds": own.get(switch.key, switch.default)}
        for switch in RULESETS[line.ruleset].switches
    ]
