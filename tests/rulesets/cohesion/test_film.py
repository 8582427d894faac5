"""A turn as a film: what is drawn over which state, phase by phase."""

from __future__ import annotations

from app.rulesets.cohesion.events import (
    Amended,
    Attacked,
    BattleEnded,
    Caught,
    Destroyed,
    Encouraged,
    Lost,
    Moved,
    PhaseBegan,
    Recovered,
    Retreated,
    TurnBegan,
    TurnEnded,
)
from app.rulesets.cohesion.evolve import evolve
from app.rulesets.cohesion.film import beats
from app.rulesets.cohesion.state import Phase
from tests.rulesets.cohesion.boards import battle

START = battle({"N1": "LM C3", "N2": "XS E3", "S1": "LM C5", "S2": "LR E7"})


def _attack(attacker: str, target: str, phase: Phase) -> Attacked:
    return Attacked(
        phase=phase,
        attacker=attacker,
        target=target,
        power="ordinary",
        mode="equal",
        counts="both",
        dice=2,
        first=4,
        second=6,
        cohesion=1,
        strength=1,
        faces=(4, 6),
    )


def test_shots_are_lines_from_who_shoots_to_whom_and_then_the_losses_are_marked() -> None:
    events = (
        TurnBegan(turn=1),
        PhaseBegan(phase="shooting"),
        _attack("N2", "S1", "shooting"),
        Lost(unit="S1", phase="shooting", strength=1, cohesion=1),
        TurnEnded(turn=1),
    )
    begin, lines, losses, end = beats(START, events, "en")
    centre = START.board.grid.centre
    assert [route.points for route in lines.routes] == [(centre(START.units["N2"].at), centre(START.units["S1"].at))]
    assert lines.routes[0].classes == ("shot",)
    assert (lines.caption, lines.state.units["S1"].strength) == ("turn 1: shooting", 6)
    assert losses.marks == {"S1": ("struck",)}
    assert losses.state.units["S1"].strength == 5
    assert (begin.state, begin.caption) == (START, "turn 1")
    assert (end.state, end.caption) == (evolve(START, events), "after turn 1")


def test_who_falls_is_crossed_out_before_he_is_gone() -> None:
    events = (
        PhaseBegan(phase="melee"),
        _attack("N1", "S1", "melee"),
        Lost(unit="S1", phase="melee", strength=6),
        Destroyed(unit="S1", cell="C5", phase="melee", scorer="north", value=1),
        Encouraged(unit="N1", fallen="S1", gain=1),
    )
    *_, losses, end = beats(START, events, "ru")
    assert losses.marks == {"S1": ("struck", "fallen"), "N1": ("heartened",)}
    assert "S1" in losses.state.units
    assert "S1" not in end.state.units
    assert losses.caption == "ход 1: ближний бой"
    assert losses.routes[0].classes == ("melee",)


def test_each_group_of_movement_goes_together_and_the_caught_are_marked() -> None:
    events = (
        PhaseBegan(phase="movement"),
        PhaseBegan(phase="movement", speed=4, length=2),
        Moved(unit="S2", start="E7", path=("E6", "E5")),
        Caught(unit="N2", by="S2"),
        PhaseBegan(phase="movement", speed=2, length=1),
        Moved(unit="N1", start="C3", path=("C4",)),
        Retreated(unit="S1", start="C5", path=("C6",), speed=1),
    )
    _, fast, slow, _ = beats(START, events, "en")
    assert (fast.caption, slow.caption) == ("turn 1: movement, speed 4", "turn 1: movement, speed 2")
    assert fast.paths == {"S2": ("E6", "E5")}
    assert len(fast.routes[0].points) == 3
    assert fast.marks == {"N2": ("caught",)}
    assert [route.classes for route in slow.routes] == [("move",), ("retreat",)]


def test_who_gains_nothing_and_who_stands_still_is_not_shown() -> None:
    events = (
        PhaseBegan(phase="movement"),
        Retreated(unit="S1", start="C5", path=(), speed=1, reason="blocked"),
        PhaseBegan(phase="recovery"),
        Recovered(unit="S1", gain=0, by=("S2",)),
    )
    assert [beat.caption for beat in beats(START, events, "en")] == ["turn 1", "after turn 1"]


def test_a_ruling_on_the_draft_and_the_end_of_the_battle_are_told() -> None:
    ruling = Amended(target="points", key="north", before=0, after=6)
    over = BattleEnded(winner="north", points={"north": 6, "south": 0}, phase="melee")
    _, ruled, end = beats(START, (ruling, over), "en")
    assert (ruled.caption, ruled.state.points["north"]) == ("turn 1: a ruling of the game master", 6)
    assert end.caption == "the battle is over"


def test_an_unknown_language_is_told_in_english() -> None:
    assert beats(START, (), "de")[0].caption == "turn 1"
