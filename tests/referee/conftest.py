"""The referee's tests play `guessing`, which no server knows."""

from __future__ import annotations

import pytest

from app.rulesets.registry import RULESETS
from tests.referee import guessing


@pytest.fixture(autouse=True)
def _guessing_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RULESETS, "guessing", guessing.RULESET)
