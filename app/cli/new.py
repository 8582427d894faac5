"""`fieldpost new`: a battle made on this host, its links printed once."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from app.cli.scenario import chosen, with_problems
from app.cli.store import opened
from app.config import load_settings
from app.referee import battles
from app.referee.errors import RefereeError

REFUSED = {
    "bad-deadline": "the deadline should be a moment to come, and the zone a known one, as Europe/Moscow",
    "bad-seed": "a seed is written in hexadecimal digits, two for each byte, 64 bytes at most",
    "bad-title": "a title is one line of 1 to 200 characters",
}


def register(line: typer.Typer) -> None:
    line.command()(new)


def new(
    scenario: Annotated[str, typer.Argument(help="A scenario's key, or the path of a scenario file.")],
    title: Annotated[str | None, typer.Option(help="Title of the battle; else the scenario's.")] = None,
    deadline: Annotated[
        datetime | None, typer.Option(help="First deadline, UTC.", formats=["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"])
    ] = None,
    hours: Annotated[int | None, typer.Option(help="Hours from one deadline to the next.", min=1, max=24 * 366)] = None,
    zone: Annotated[str, typer.Option(help="Time zone in which the battle's deadlines are told.")] = "UTC",
    ruling: Annotated[list[str] | None, typer.Option(help="A ruling, KEY=VALUE; may be given several times.")] = None,
    review: Annotated[bool, typer.Option("--review", help="Show each turn to the game master before all see it.")] = False,
    early: Annotated[bool, typer.Option(help="Resolve a turn as soon as all seats are ready.")] = True,
    seed: Annotated[str | None, typer.Option(help="Hexadecimal seed of all dice; it is told to everybody.")] = None,
    database_url: Annotated[str | None, typer.Option(help="sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME.")] = None,
    data: Annotated[Path | None, typer.Option(help="Folder for the database file.")] = None,
    base_url: Annotated[str | None, typer.Option(help="The address that players see, https://… behind a proxy.")] = None,
) -> None:
    """Make a battle and print its links: the game master's desk, and one for each seat. They are shown this once."""
    settings = load_settings(database_url=database_url, data=data, base_url=base_url)
    rulings = _rulings(ruling or [])
    frozen = chosen(scenario, _stop)
    with opened(settings) as db:
        try:
            made = battles.create(
                db,
                scenario=frozen,
                now=datetime.now(UTC),
                title=title,
                rulings=rulings,
                deadline=deadline.replace(tzinfo=UTC) if deadline else None,
                turn_hours=hours,
                zone=zone,
                review=review,
                early=early,
                seed=seed,
            )
        except RefereeError as refused:
            raise _stop(with_problems(_why(refused), refused)) from None
    typer.echo(f"Battle {made.id}: {settings.url}/b/{made.id}\n")
    links = {"game master's desk": made.master_key, **made.seat_keys}
    width = max(map(len, links))
    for name, key in links.items():
        typer.echo(f"  {name:<{width}}  {settings.url}/k/{key}")
    typer.echo("\nEach link is a key: whoever has it plays that seat. They are not shown again, save on the desk.")


def _rulings(given: list[str]) -> dict[str, str]:
    rulings = {}
    for pair in given:
        key, equals, value = pair.partition("=")
        if not equals:
            raise _stop(f"--ruling {pair}: write it as KEY=VALUE")
        rulings[key.strip()] = value.strip()
    return rulings


def _why(refused: RefereeError) -> str:
    told = refused.params
    if refused.code != "bad-ruling":
        return REFUSED.get(refused.code, refused.code)
    if "value" in told:
        return f"the ruling {told['key']} cannot be {told['value']!r}; it is one of: {told['known']}"
    return f"the rules know no ruling {told['key']!r}; known are: {told['known']}"


def _stop(sentence: str) -> typer.Exit:
    typer.echo(f"fieldpost new: {sentence}", err=True)
    return typer.Exit(2)
