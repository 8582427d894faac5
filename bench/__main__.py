"""`python -m bench [PART…]`: measure, print, and keep the table in docs/benchmarks.md when all parts were measured."""

from __future__ import annotations

import argparse
import gc
import sys
from collections.abc import Callable
from importlib import import_module

from bench import table
from bench.measure import Figure

PARTS = {
    "turn": "rules",
    "growth": "rules",
    "choices": "rules",
    "page": "page",
    "storing": "storing",
    "loading": "storing",
    "picture": "picture",
    "script": "script",
}
"""Part -> the module whose function of that name measures it."""


def main() -> int:
    """Exit code 0: every bar is met; 1: one is missed."""
    line = argparse.ArgumentParser(prog="python -m bench", description="Measure the figures of docs/benchmarks.md.")
    line.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)}; none: all of them")
    line.add_argument("--keep", action="store_true", help="write the table into docs/benchmarks.md (all parts: always)")
    given = line.parse_args()
    unknown = set(given.parts) - set(PARTS)
    if unknown:
        line.error(f"no such part: {', '.join(sorted(unknown))}")
    figures: list[Figure] = []
    for part in given.parts or PARTS:
        print(f"{part} …", file=sys.stderr, flush=True)
        measured: Callable[[], list[Figure]] = getattr(import_module(f"bench.{PARTS[part]}"), part)
        gc.freeze()
        figures += measured()
    print(f"\n{table.machine()}\n")
    print("\n".join(table.lines(figures)))
    if given.keep or not given.parts:
        table.write(figures)
    return 0 if all(figure.holds for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(main())
