"""Each test of a contract runs for every ruleset, and for each of its scenarios where it asks for battles."""

from __future__ import annotations

import pytest

from tests.contracts import samples
from tests.contracts.samples import Battle, Sample


@pytest.fixture(params=samples.KEYS)
def sample(request: pytest.FixtureRequest) -> Sample:
    return samples.sample(request.param)


@pytest.fixture(
    params=[(key, place) for key in samples.KEYS for place in range(len(samples.sample(key).scenarios))], ids=str
)
def battle(request: pytest.FixtureRequest) -> Battle:
    """A battle played by chance to its end."""
    key, place = request.param
    return samples.battle(key, place)
