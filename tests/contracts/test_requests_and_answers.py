"""Who is asked, what may be answered, and that every answer is understood."""

from __future__ import annotations

import re

import msgspec
import pytest

from app.engine.glance import Glance
from app.engine.play import pick_from
from app.engine.ruleset import Problem, Refused
from app.rulesets.registry import RULESETS
from tests.contracts.samples import RULINGS, Battle, Sample, by_json, text

CODE = re.compile(r"[a-z]+(-[a-z]+)*")


def refusals(problems: tuple[Problem, ...]) -> list[Problem]:
    return [problem for problem in problems if not problem.warning]


def test_every_registered_ruleset_is_examined() -> None:
    assert set(RULINGS) == {*RULESETS, "duel"}
    assert "cohesion" in RULESETS


def test_a_ruleset_is_registered_under_its_key(sample: Sample) -> None:
    assert re.fullmatch(r"[a-z][a-z0-9-]{0,39}", sample.ruleset.key)
    assert all(scenario["ruleset"] == sample.ruleset.key for scenario in sample.scenarios)
    assert 0 < len(sample.ruleset.version) <= 20
    assert sample.scenarios


def test_setup_tells_something_and_asks_somebody(battle: Battle) -> None:
    assert battle.opening.events
    assert battle.ruleset.requests(battle.opening.state)


def test_setup_gives_the_same_and_leaves_the_scenario_as_it_is(battle: Battle) -> None:
    before = text(battle.scenario)
    again = battle.ruleset.setup(by_json(battle.scenario))
    assert again == battle.opening
    battle.ruleset.setup(battle.scenario)
    assert text(battle.scenario) == before


def test_each_seat_is_asked_once_at_most_and_is_one_of_the_scenario(battle: Battle) -> None:
    for state in battle.states:
        asked = battle.ruleset.requests(state)
        seats = [request.seat for request in asked]
        assert len(set(seats)) == len(seats)
        assert set(seats) <= set(battle.seats)
        assert len({request.id for request in asked}) == len(asked)
        assert all(0 < len(request.id) <= 80 and 0 < len(request.kind) <= 40 for request in asked)
        assert battle.ruleset.requests(state) == asked


def test_the_battle_is_over_exactly_when_nobody_is_asked(battle: Battle) -> None:
    for state in battle.states:
        assert battle.ruleset.outcome(state).is_over == (not battle.ruleset.requests(state))


def test_the_score_names_every_side(battle: Battle) -> None:
    sides = set(battle.scenario["sides"])
    for state in battle.states:
        outcome = battle.ruleset.outcome(state)
        assert set(outcome.points) == sides
        assert outcome.winner in {None, "draw", *sides}


def test_a_random_battle_comes_to_its_end(battle: Battle) -> None:
    assert battle.ruleset.outcome(battle.states[-1]).is_over


def test_what_is_chosen_by_chance_is_legal(battle: Battle) -> None:
    for state, request, order in battle.asked():
        assert refusals(battle.ruleset.check(state, request, order)) == []


def test_the_same_chance_chooses_the_same(battle: Battle) -> None:
    for state, request, _ in list(battle.asked())[:40]:
        one, other = (battle.ruleset.choose(state, request, pick_from(b"same", "x")) for _ in range(2))
        assert one == other


def test_silence_is_legal_to_say_aloud_and_means_the_same(battle: Battle) -> None:
    ruleset = battle.ruleset
    for played in battle.steps[:40]:
        said = {request.id: ruleset.default(played.before, request) for request in played.requests}
        for request in played.requests:
            assert refusals(ruleset.check(played.before, request, said[request.id])) == []
        silent = ruleset.advance(played.before, {}, _dice())
        assert ruleset.advance(played.before, said, _dice()).state == silent.state


def test_options_are_told_to_programs_and_are_the_same_each_time(battle: Battle) -> None:
    for state, request, _ in list(battle.asked())[:40]:
        told = battle.ruleset.options_json(state, request)
        assert by_json(told) == told
        assert text(battle.ruleset.options_json(state, request)) == text(told)
        assert battle.ruleset.options(state, request) == battle.ruleset.options(state, request)


def test_options_tell_no_more_than_the_seat_may_know(battle: Battle) -> None:
    ruleset = battle.ruleset
    for state, request, _ in list(battle.asked())[:40]:
        known = ruleset.view(state, request.seat)
        assert ruleset.options(known, request) == ruleset.options(state, request)
        assert ruleset.options_json(known, request) == ruleset.options_json(state, request)


def test_an_answer_reads_back_from_the_fields_that_it_is_stored_in(battle: Battle) -> None:
    for state, request, order in battle.asked():
        fields = by_json(battle.ruleset.dump_order(order))
        assert battle.ruleset.read(state, request, fields) == order


@pytest.mark.parametrize("language", ["en", "ru"])
def test_an_answer_reads_back_from_its_text(battle: Battle, language: str) -> None:
    for state, request, order in list(battle.asked())[:120]:
        written = battle.ruleset.write_text(state, request, order, language)
        assert battle.ruleset.read_text(state, request, written) == order


def test_what_is_counted_lies_within_what_there_is_to_count(battle: Battle) -> None:
    tally = battle.ruleset.tally
    for state, request, order in battle.asked():
        if tally is not None:
            given, awaited = tally(state, request, order)
            assert 0 <= given <= awaited
            assert tally(state, request, battle.ruleset.default(state, request))[1] == awaited


def test_another_seats_answer_is_refused_or_read_as_what_was_asked(battle: Battle) -> None:
    """An answer that fits another request never comes through unseen."""
    ruleset = battle.ruleset
    for played in battle.steps[:20]:
        for request in played.requests:
            for other in played.requests:
                if other.seat == request.seat:
                    continue
                order = played.orders[other.id]
                if text(ruleset.dump_order(order)) != text(ruleset.dump_order(ruleset.default(played.before, request))):
                    assert _is_refused(ruleset, played.before, request, ruleset.dump_order(order))


def test_problems_are_codes_with_plain_parameters(battle: Battle) -> None:
    ruleset = battle.ruleset
    found: list[Problem] = []
    for state, request, order in list(battle.asked())[:60]:
        for other in (battle.steps[0].before, battle.steps[-1].step.state):
            found += ruleset.check(other, request, order)
        found += ruleset.check(state, request, order)
    for problem in found:
        assert CODE.fullmatch(problem.code)
        assert all(isinstance(part, str) for part in problem.field)
        assert all(isinstance(value, (str, int)) for value in problem.params.values())


def _dice():
    from app.engine.dice import SeededDice

    return SeededDice(b"fixed")


def _is_refused(ruleset, state, request, fields) -> bool:
    try:
        order = ruleset.read(state, request, by_json(fields))
    except Refused as refused:
        return bool(refused.problems)
    return bool(refusals(ruleset.check(state, request, order)))


def test_sheets_at_a_glance_name_what_is_there_and_know_no_more_than_their_side(battle: Battle) -> None:
    """Whatever some seats of one side answer, together or one of them alone; from a seat's view as from the state."""
    ruleset = battle.ruleset
    if ruleset.glance is None:
        return
    for played in battle.steps:
        asked = {request.seat: request for request in ruleset.requests(played.before)}
        for seat, request in asked.items():
            answers = {seat: ruleset.choose(played.before, request, pick_from(b"glance", seat))}
            found = ruleset.glance(played.before, answers)
            assert found == ruleset.glance(ruleset.view(played.before, seat), answers)
            assert all(CODE.fullmatch(one.code) for one in found.findings)
            told = msgspec.to_builtins(found, builtin_types=())
            assert msgspec.convert(by_json(told), Glance) == found
            assert ruleset.glance(played.before, {seat: ruleset.load_order(ruleset.dump_order(answers[seat]))}) == found
        assert ruleset.glance(played.before, {}) == Glance()


def test_a_standing_doctrine_is_legal_leaves_nothing_open_and_leaves_alone_what_was_answered(battle: Battle) -> None:
    ruleset = battle.ruleset
    assert (ruleset.doctrine is None) == (not ruleset.doctrines)
    if ruleset.doctrine is None:
        return
    for name in ruleset.doctrines:
        assert CODE.fullmatch(name)
        for state in battle.states:
            for request in ruleset.requests(state):
                view = ruleset.view(state, request.seat)
                chosen = ruleset.choose(view, request, pick_from(b"doctrine", request.seat))
                for given in (None, chosen):
                    filled = ruleset.doctrine(view, request, name, given)
                    assert refusals(ruleset.check(view, request, filled)) == []
                    assert ruleset.doctrine(view, request, name, filled) == filled
                    assert by_json(ruleset.dump_order(filled)) == ruleset.dump_order(filled)
