"""`fieldpost play`: battles of programs, to the end, told turn by turn."""

from __future__ import annotations

import hmac
import json
import secrets
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median
from typing import Annotated, Any, Literal

import typer
from rich.console import Console
from rich.progress import track

from app.bots.random_player import random_player
from app.cli.scenario import chosen
from app.engine.play import Played, dice_from, drive
from app.engine.ruleset import AnyRuleset, Json, Outcome
from app.language import Translator, translator
from app.language import marked as _
from app.reports import TELLERS, Turn, plain
from app.rulesets.registry import RULESETS

UNFINISHED = 1
UNUSABLE = 2
SEED_BYTES_MAX = 64


def register(line: typer.Typer) -> None:
    line.command()(play)


@dataclass(frozen=True)
class Field:
    """What all battles of a run have in common."""

    scenario: Json
    ruleset: AnyRuleset
    turns: int


@dataclass(frozen=True)
class Battle:
    """A battle that was played. `turns`: how many; the outcome has no winner if it was broken off."""

    number: int
    seed: str
    turns: int
    outcome: Outcome

    def as_json(self) -> dict[str, Any]:
        return {
            "battle": self.number,
            "seed": self.seed,
            "turns": self.turns,
            "winner": self.outcome.winner,
            "points": dict(self.outcome.points),
        }


def play(
    scenario: Annotated[str, typer.Argument(help="A scenario's key, or the path of a scenario file.")] = "visage-and-throne",
    seed: Annotated[str | None, typer.Option(help="Hexadecimal seed: the same battle each time. Else a new one.")] = None,
    battles: Annotated[int, typer.Option(help="How many battles; of several only the results are told.", min=1)] = 1,
    turns: Annotated[int, typer.Option(help="Break a battle off after so many turns.", min=1)] = 200,
    lang: Annotated[Literal["en", "ru"], typer.Option(help="Language of the reports.")] = "en",
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="One sentence a turn; of several battles the sum alone.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line: each turn, then each battle.")] = False,
) -> None:
    """Let programs play a battle that choose legal orders at random, and tell it turn by turn.

    Every battle can be had again by its seed, which is told. Exit code 0: all battles came to their end; 1: one was broken
    off; 2: the scenario or the seed cannot be used.
    """
    given = _seed(seed)
    frozen = chosen(scenario, _stop)
    field = Field(frozen, RULESETS[frozen["ruleset"]], turns)
    words = translator(lang)
    if battles == 1:
        played = [_told(field, given, words, quiet=quiet, as_json=as_json)]
    else:
        played = _many(field, given, battles, words, quiet=quiet, as_json=as_json)
    raise typer.Exit(UNFINISHED if any(not battle.outcome.is_over for battle in played) else 0)


def battle(field: Field, seed: str) -> Iterator[Played[Any, Any]]:
    """One battle, step by step: the seed gives the dice and what the programs choose."""
    chance = bytes.fromhex(seed)
    opening = field.ruleset.setup(field.scenario)
    return drive(field.ruleset, opening.state, random_player(field.ruleset, chance), dice_from(chance), field.turns)


def _told(field: Field, seed: str, words: Translator, *, quiet: bool, as_json: bool) -> Battle:
    """A single battle, each turn told as soon as it is played."""
    if not as_json:
        title = words.text(field.scenario["title"])
        typer.echo(words.gettext(_("%(title)s, played by programs, seed %(seed)s"), title=title, seed=seed) + "\n")
    count, state = 0, field.ruleset.setup(field.scenario).state
    for played in battle(field, seed):
        count, state = played.number, played.step.state
        if as_json:
            typer.echo(_line(field, played))
        else:
            typer.echo(_report(field, played, words, quiet=quiet))
    ended = Battle(1, seed, count, field.ruleset.outcome(state))
    typer.echo(_compact(ended.as_json()) if as_json else _result(field, ended, words))
    return ended


def _many(field: Field, seed: str, count: int, words: Translator, *, quiet: bool, as_json: bool) -> list[Battle]:
    """Many battles, each with a seed of its own, and what came of them all."""
    found = []
    numbers = track(range(1, count + 1), words.gettext(_("Battles")), console=Console(stderr=True), transient=True)
    for number in numbers:
        own = seed if number == 1 else _derived(seed, number)
        steps, state = 0, field.ruleset.setup(field.scenario).state
        for played in battle(field, own):
            steps, state = played.number, played.step.state
        found.append(Battle(number, own, steps, field.ruleset.outcome(state)))
        if as_json:
            typer.echo(_compact(found[-1].as_json()))
        elif not quiet:
            typer.echo(f"{number}. {own}: {_result(field, found[-1], words)}")
    if not as_json:
        typer.echo(_sum(field, found, words))
    return found


def _report(field: Field, played: Played[Any, Any], words: Translator, *, quiet: bool) -> str:
    if field.ruleset.key not in TELLERS:
        return "\n".join([_compact(field.ruleset.dump_event(event)) for event in played.step.events])
    turn = Turn(played.before, played.step.state, played.step.events, field.scenario)
    return plain.turn_report(turn, words.language, length="headline" if quiet else "phases")


def _line(field: Field, played: Played[Any, Any]) -> str:
    """A turn as JSON: everything by which it can be played again."""
    ruleset = field.ruleset
    return _compact(
        {
            "turn": played.number,
            "before": ruleset.dump_state(played.before),
            "orders": {key: ruleset.dump_order(order) for key, order in played.orders.items()},
            "events": [ruleset.dump_event(event) for event in played.step.events],
            "dice": played.dice.rolled,
            "after": ruleset.dump_state(played.step.state),
        }
    )


def _result(field: Field, ended: Battle, words: Translator) -> str:
    score = ", ".join(f"{_side(field, side, words)} {points}" for side, points in ended.outcome.points.items())
    turns = words.ngettext("%(num)s turn", "%(num)s turns", ended.turns)
    if not ended.outcome.is_over:
        return words.gettext(_("broken off after %(turns)s; %(score)s"), turns=turns, score=score)
    if ended.outcome.winner == "draw":
        return words.gettext(_("a draw after %(turns)s; %(score)s"), turns=turns, score=score)
    winner = _side(field, str(ended.outcome.winner), words)
    return words.gettext(_("winner: %(winner)s, after %(turns)s; %(score)s"), winner=winner, turns=turns, score=score)


def _sum(field: Field, found: list[Battle], words: Translator) -> str:
    """How often each side won, and how long battles were."""
    won = Counter(battle.outcome.winner for battle in found)
    lines = ["", words.ngettext("%(num)s battle", "%(num)s battles", len(found)) + ":"]
    names = {side: _side(field, side, words) for side in field.scenario["sides"]}
    names |= {"draw": words.gettext(_("a draw"))}
    lines += [f"  {won[side]:>6}  {name}" for side, name in names.items()]
    if won[None]:
        lines.append(f"  {won[None]:>6}  {words.gettext(_('broken off'))}")
    lengths = sorted(battle.turns for battle in found)
    lines.append(
        words.gettext(
            _("Turns: from %(least)s to %(most)s, half of the battles no more than %(median)s"),
            least=lengths[0],
            most=lengths[-1],
            median=words.number(median(lengths)),
        )
    )
    return "\n".join(lines)


def _side(field: Field, side: str, words: Translator) -> str:
    return words.text(field.scenario["sides"][side]["name"])


def _derived(seed: str, number: int) -> str:
    return hmac.digest(bytes.fromhex(seed), b"battle %d" % number, "sha256")[:16].hex()


def _compact(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _seed(given: str | None) -> str:
    if given is None:
        return secrets.token_hex(8)
    try:
        read = bytes.fromhex(given)
    except ValueError:
        read = b""
    if not 1 <= len(read) <= SEED_BYTES_MAX:
        raise _stop(f"a seed is written in hexadecimal digits, two for each byte, {SEED_BYTES_MAX} bytes at most")
    return read.hex()


def _stop(sentence: str) -> typer.Exit:
    typer.echo(f"fieldpost play: {sentence}", err=True)
    return typer.Exit(UNUSABLE)
