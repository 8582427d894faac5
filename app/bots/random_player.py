"""The first program to fill a seat: it takes a legal answer by chance, and the same one for the same seed."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from app.engine.play import Answer, chooser, pick_from
from app.engine.ruleset import O, Pick, Request, Ruleset, S


def random_player(ruleset: Ruleset[S, O], seed: bytes) -> Callable[[S, Request], O]:
    """Fills every seat that it is asked for. Each seat has chance of its own, so that what one seat is asked does not shift
    what another chooses."""
    picks: dict[str, Pick] = {}

    def answer(state: S, request: Request) -> O:
        if request.seat not in picks:
            picks[request.seat] = pick_from(seed, request.seat)
        return chooser(ruleset, picks[request.seat])(state, request)

    return answer


def seated(players: Mapping[str, Answer[S, O]]) -> Answer[S, O]:
    """Several players as one, each at his seat; a seat without one is silent."""

    def answer(state: S, request: Request) -> O | None:
        player = players.get(request.seat)
        return None if player is None else player(state, request)

    return answer
