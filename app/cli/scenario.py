"""A scenario as a command names it: a known key, or a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import typer

from app.engine.ruleset import Json
from app.referee import scenarios
from app.referee.errors import RefereeError
from app.reports import problems

Stop = Callable[[str], typer.Exit]
"""A command's last words, told, and the exit to raise."""


def chosen(scenario: str, stop: Stop) -> Json:
    """A known scenario, or a file's: whatever looks like a path is one."""
    file = Path(scenario)
    try:
        if file.suffix in {".yaml", ".yml"} or is_file(file):
            return scenarios.read_file(file.read_text(encoding="utf-8"))
        return scenarios.frozen(scenario)
    except OSError as error:
        raise stop(f"{file}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise stop(f"{file}: this is not UTF-8 text") from None
    except RefereeError as refused:
        if refused.code == "no-scenario":
            known = ", ".join(line.key for line in scenarios.known())
            raise stop(f"there is no scenario {scenario!r}; known are: {known}") from None
        raise stop(with_problems(f"{scenario} has mistakes:", refused)) from None


def is_file(path: Path) -> bool:
    """Whether there is a file. Where one may not even look, as in a folder of root's, there is none."""
    try:
        return path.is_file()
    except OSError:
        return False


def with_problems(sentence: str, refused: RefereeError) -> str:
    """A sentence, and under it every problem of a refusal with its place."""
    return "\n".join([sentence, *(f"  {problems.located(problem, 'en')}" for problem in refused.problems)])
