"""Fixtures for all tests."""

import os
import secrets
from random import Random

import pytest
from hypothesis import HealthCheck, settings

pytest_plugins = ["tests.databases"]

# A machine that is busy with other tests is no fault of the code.
settings.register_profile("house", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")


@pytest.fixture(autouse=True)
def _chance_is_the_tests_own(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Dice, keys and marks that this process draws come from the test's name: a test says the same at every run. Another
    `CHANCE` in the environment draws others, to find a test that holds by luck."""
    chance = Random(os.environ.get("CHANCE", "") + request.node.nodeid)
    monkeypatch.setattr(secrets, "token_bytes", lambda size=None: chance.randbytes(32 if size is None else size))
    monkeypatch.setattr(secrets, "choice", chance.choice)
