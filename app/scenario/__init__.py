"""Scenario files: read whole, checked with every mistake told at once, written back. Pure: texts in, values out."""

from app.scenario.reading import Reading, read_scenario
from app.scenario.writing import write_scenario

__all__ = ["Reading", "read_scenario", "write_scenario"]
