"""The figures as a table, and as a page of the documentation."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from pathlib import Path

from bench.measure import Figure

PAGE = Path(__file__).resolve().parent.parent / "docs" / "benchmarks.md"
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"


def lines(figures: Sequence[Figure]) -> list[str]:
    """A Markdown table, which reads well in a terminal too."""
    rows = [("what", "median", "against", "median", "ratio", "bar", ""), *(_row(figure) for figure in figures)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    told = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |" for row in rows]
    return [told[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *told[1:]]


def write(figures: Sequence[Figure], page: Path = PAGE) -> None:
    """Put the table into the page, in place of the last one."""
    text = page.read_text(encoding="utf-8")
    head, _, rest = text.partition(BEGIN)
    _, _, tail = rest.partition(END)
    measured = "\n".join([f"Machine: {machine()}.", "", *lines(figures)])
    page.write_text(f"{head}{BEGIN}\n{measured}\n{END}{tail}", encoding="utf-8")


def machine() -> str:
    """Its kind; never its name."""
    system = platform.freedesktop_os_release() if Path("/etc/os-release").exists() else {}
    name = f"{system.get('NAME', platform.system())} {system.get('VERSION_ID', '')}".strip().replace("GNU/Linux ", "")
    cores = os.cpu_count() or 1
    return f"{cores} cores, {platform.machine()}, {platform.python_implementation()} {platform.python_version()}, {name}"


def _row(figure: Figure) -> tuple[str, ...]:
    if figure.bar is None:
        bar, mark = "", ""
    else:
        bar, mark = f"{'≤' if figure.at_most else '≥'} {_number(figure.bar)}", "ok" if figure.holds else "MISSED"
    return figure.name, _time(figure.ours), figure.against, _time(figure.theirs), _number(figure.ratio), bar, mark


def _time(seconds: float) -> str:
    return f"{seconds * 1000:.2f} ms" if seconds >= 0.001 else f"{seconds * 1_000_000:.0f} µs"


def _number(number: float) -> str:
    """1/60 as such; else three digits that count."""
    return f"1/{round(1 / number)}" if number in (1 / 3, 1 / 5, 1 / 60) else f"{number:.3g}"
