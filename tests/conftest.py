"""Fixtures for all tests."""

from hypothesis import HealthCheck, settings

pytest_plugins = ["tests.databases"]

# A machine that is busy with other tests is no fault of the code.
settings.register_profile("house", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")
