"""Every kind of event, every reason, both languages; Russian agrees with the unit's gender and with numbers."""

from __future__ import annotations

import re
from typing import get_args

import msgspec
import pytest

from app.reports import TELLERS, Turn, formulas, headline, plain, report
from app.reports.cohesion import TELLER
from app.reports.cohesion.attacks import ATTACKS, DROPPED, MODES, MODIFIERS
from app.reports.cohesion.moves import NO_MOVE, NO_WITHDRAWAL, RETREAT, STOPPED
from app.reports.cohesion.turn import PHASES
from app.reports.tree import FIXED, flat
from app.rulesets.cohesion import events as told
from app.rulesets.cohesion.codec import load_state
from app.rulesets.cohesion.events import AnyEvent, CohesionEvent
from app.rulesets.cohesion.evolve import evolve
from app.rulesets.cohesion.state import State
from app.rulesets.cohesion.types import unit_types
from app.rulesets.registry import RULESETS
from tests.reports.turns import BARE

CART = {
    "name": {"en": "war cart", "ru": "боевая повозка"},
    "code": {"en": "CART", "ru": "Пвз"},
    "gender": "f",
    "strength": 4,
    "cohesion": 4,
    "toughness": {"first": 3, "second": 5},
    "speed": 2,
    "melee": {"dice": "strength"},
}
TOWER = {**CART, "name": {"en": "tower", "ru": "орудие"}, "code": {"en": "GUN", "ru": "Орд"}, "gender": "n"}


def state(**more: object) -> State:
    return load_state(
        {
            "types": {"CART": CART, "TOWER": TOWER},
            "units": {
                "N1": {"type": "LM", "side": "north", "at": "C3"},
                "N2": {"type": "CART", "side": "north", "at": "D3"},
                "N3": {"type": "TOWER", "side": "north", "at": "E3"},
                "S1": {"type": "WS", "side": "south", "at": "C4"},
                "S2": {"type": "HM", "side": "south", "at": "D4", "cohesion": 0},
            },
            **more,
        }
    )


def sentences(events: list[CohesionEvent], language: str, before: State | None = None) -> list[str]:
    start = before or state()
    written = report(Turn(start, evolve(start, events), events, BARE), language)
    return [flat(entry.sentence) for entry in written.entries]


def reasons(kind: type[CohesionEvent], field: str = "reason") -> set[str]:
    """The reasons that the contract names: the codes in the docstring after the field's name."""
    text = " ".join((kind.__doc__ or "").split())
    listed = text[text.index(f"`{field}`") + len(field) + 2 :]
    listed = listed.split("A `Lost`")[0]
    return set(re.findall(r"`([a-z-]+)`", listed)) - {"by"}


def test_every_kind_of_event_has_words() -> None:
    assert set(TELLER.words) == set(get_args(AnyEvent))


def test_every_ruleset_has_words() -> None:
    assert set(TELLERS) == set(RULESETS)


def test_every_reason_of_the_contract_has_words() -> None:
    assert reasons(told.AttackDropped) == {reason for _, reason in DROPPED}
    assert reasons(told.WithdrawalDropped) == set(NO_WITHDRAWAL)
    assert reasons(told.MoveDropped) == set(NO_MOVE)
    assert reasons(told.Retreated) == set(RETREAT)
    assert reasons(told.Moved, "stopped") == set(STOPPED)
    assert set(ATTACKS) == {"shooting", "melee"}
    modes = msgspec.structs.fields(told.Attacked)
    literal = {field.name: get_args(field.type) for field in modes}
    assert {mode for mode, _ in MODES} == set(literal["mode"])


ONE_OF_EACH: list[CohesionEvent] = [
    told.BattleBegan(units=("N1", "S1")),
    told.TurnBegan(turn=1),
    told.OrdersFilled(unit="N1"),
    told.OrdersFilled(unit="N3"),
    told.OrdersFilled(unit="N2", melee="S1"),
    *(told.PhaseBegan(phase=phase) for phase in PHASES),  # type: ignore[arg-type]
    told.PhaseBegan(phase="withdrawal", speed=2),
    told.PhaseBegan(phase="movement", speed=2, length=1),
    told.Rolled(address="1/movement/C5/contest", purpose="contest", subject="C5", faces=(2,), sides=2),
    told.Contested(cell="C5", units=("N1", "S1"), winner="N1"),
    *(
        told.AttackDropped(phase=phase, attacker="N1", target="S1", reason=reason, rule="MELEE-2")  # type: ignore[arg-type]
        for phase, reason in DROPPED
    ),
    *(
        told.Attacked(
            phase="melee",
            attacker="N1",
            target="S1",
            power="ordinary",
            mode=mode,  # type: ignore[arg-type]
            counts=counts,  # type: ignore[arg-type]
            dice=1,
            first=3,
            second=5,
            cohesion=1,
            strength=1,
            modifiers=(*MODIFIERS, "ATTACK-5", "ATTACK-6"),
        )
        for mode, counts in MODES
        if mode != "terrifying"
    ),
    told.Lost(unit="S1", phase="melee", strength=2, cohesion=1, upper=1, lower=1, by=("N1", "N2")),
    told.Lost(unit="N1", phase="movement", strength=1, rule="ROUT-3"),
    told.Broke(unit="N1", phase="melee"),
    told.Encouraged(unit="S1", fallen="N1", gain=1, struck=True, returned=True),
    told.Encouraged(unit="N2", fallen="S1", gain=0),
    told.Withdrew(unit="N1", start="C3", path=("C2",), named="C1"),
    *(told.WithdrawalDropped(unit="N1", reason=reason, rule="WITHDRAW-4") for reason in NO_WITHDRAWAL),
    *(told.MoveDropped(unit="N2", ordered=("D2",), reason=reason) for reason in NO_MOVE),
    *(told.MoveDropped(unit="N2", ordered=("D2",), reason=reason, by="E3") for reason in ("blocked", "contest")),
    *(told.Moved(unit="N2", start="D3", path=("D3",), stopped=reason, by="S1") for reason in STOPPED),
    *(told.Moved(unit="N2", start="D3", path=("D3",), stopped=reason, ordered=("D3", "D2")) for reason in ("blocked",)),
    told.Caught(unit="N2", by="S1", ordered=("D2", "D1")),
    told.Caught(unit="S2", by="N1", retreating=True),
    *(told.Retreated(unit="S2", start="D4", path=(), speed=1, reason=reason) for reason in RETREAT),
    told.Retreated(unit="S2", start="D4", path=("D5",), speed=1),
    told.Recovered(unit="S2", gain=1, by=("S1",)),
    told.Amended(target="points", key="north", before=0, after=2, reason="a die was misread", rule="ATTACK-2"),
    told.Amended(target="winner", key="winner", before=None, after="draw"),
    told.Amended(target="winner", key="winner", before=None, after="north"),
    told.Amended(target="winner", key="winner", before="north", after=None),
    told.Amended(target="terrain", key="A1", before="open", after="rough"),
    told.Destroyed(unit="N3", cell="E3", phase="melee", scorer="south", value=2),
    told.TurnEnded(turn=1),
    told.BattleEnded(winner="draw", points={"north": 6, "south": 6}, phase="melee", rule="WIN-2"),
    told.BattleEnded(winner="north", points={"north": 6, "south": 2}, phase="movement"),
]


@pytest.mark.parametrize("language", ["en", "ru"])
def test_one_of_each_kind_and_reason_is_told(language: str) -> None:
    assert {type(event) for event in ONE_OF_EACH} == set(get_args(AnyEvent))
    told_all = sentences(ONE_OF_EACH, language)
    assert len(told_all) > 50
    for sentence in told_all:
        assert "%" not in sentence
        assert sentence.endswith((".", "misread")), sentence
        assert sentence[0].isupper() or sentence[0].isdigit() or not sentence[0].isalpha(), sentence


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        (
            "en",
            [
                "LM N1 (C3) was given no orders: it fights WS S1 (C4).",
                "CART N2 (D3) and GUN N3 (E3) were given no orders: they hold.",
                "WS S1 (C4) was given no orders: it holds.",
            ],
        ),
        (
            "ru",
            [
                "Л.М N1 (C3): приказа нет — бьёт БШХ S1 (C4).",
                "Приказа нет, стоят: Пвз N2 (D3) и Орд N3 (E3).",
                "БШХ S1 (C4): приказа нет — стоит.",
            ],
        ),
    ],
)
def test_the_silent_of_a_side_are_told_in_one_line(language: str, lines: list[str]) -> None:
    events: list[CohesionEvent] = [
        told.TurnBegan(turn=1),
        told.OrdersFilled(unit="N1", melee="S1"),
        told.OrdersFilled(unit="N2"),
        told.OrdersFilled(unit="S1"),
        told.OrdersFilled(unit="N3"),
    ]
    before = state()
    entries = list(report(Turn(before, evolve(before, events), events, BARE), language).entries)
    assert [flat(entry.sentence) for entry in entries] == lines
    assert [entry.told for entry in entries] == [(1,), (2, 4), (3,)]
    assert (entries[1].units, entries[1].cells) == (("N2", "N3"), ("D3", "E3"))


def test_in_russian_no_english_word_is_left() -> None:
    before = state()
    written = plain.turn_report(Turn(before, evolve(before, ONE_OF_EACH), ONE_OF_EACH, BARE), "ru")
    text = re.sub(r"\[[^\]]*\]|\d+/[a-z]+/\S+|\([A-Z0-9, -]+\)|a die was\s+misread", "", written)
    words = set(re.findall(r"[A-Za-z]{2,}", text))
    assert words == set()


@pytest.mark.parametrize(
    ("unit", "said"), [("N1", "Л.М N1 (C3) разбит."), ("N2", "Пвз N2 (D3) разбита."), ("N3", "Орд N3 (E3) разбито.")]
)
def test_a_russian_verb_agrees_with_the_units_gender(unit: str, said: str) -> None:
    cell = said[said.index("(") + 1 : said.index(")")]
    (sentence,) = sentences(
        [told.PhaseBegan(phase="melee"), told.Destroyed(unit=unit, cell=cell, phase="melee", scorer="south", value=1)], "ru"
    )
    assert sentence == f"{said} Юг: +1 очко."
    (caught,) = sentences([told.PhaseBegan(phase="movement"), told.Caught(unit=unit, by="S1")], "ru")
    assert caught.startswith(said.replace("разбит", "застигнут")[:-1] + ": рядом встал враг, БШХ S1 (C4).")


@pytest.mark.parametrize(("value", "said"), [(1, "+1 очко."), (2, "+2 очка."), (5, "+5 очков."), (21, "+21 очко.")])
def test_a_russian_number_takes_its_form(value: int, said: str) -> None:
    event = told.Destroyed(unit="N1", cell="C3", phase="melee", scorer="south", value=value)
    (sentence,) = sentences([told.PhaseBegan(phase="melee"), event], "ru")
    assert sentence.endswith(said)


def test_units_are_named_by_the_code_of_the_language() -> None:
    events = [told.PhaseBegan(phase="movement"), told.Moved(unit="N1", start="C3", path=("C2",))]
    assert sentences(events, "en") == ["LM N1 (C3) moves: C3 → C2."]
    assert sentences(events, "ru") == ["Л.М N1 (C3) движется: C3 → C2."]


def test_the_strider_tells_its_two_parts() -> None:
    events = [
        told.PhaseBegan(phase="shooting"),
        told.Rolled(address="1/shooting/S1/section", purpose="section", subject="S1", faces=(3,)),
        told.Rolled(address="1/shooting/S1/section", purpose="section", subject="S1", faces=(6,)),
        told.Lost(unit="S1", phase="shooting", strength=2, upper=1, lower=1, by=("N1",)),
    ]
    before = state()
    (entry,) = report(Turn(before, evolve(before, events), events, BARE), "en").entries
    assert (
        flat(entry.sentence).replace(FIXED, " ")
        == "WS S1 (C4): strength −2 (upper −1, lower −1), now 10/6 (upper 5, lower 5)."
    )
    assert [die.face for die in entry.rolls[0].dice] == [3, 6]
    assert entry.told == (1, 2, 3)
    assert "lower 1, upper 1" in flat(entry.why[-1].sentence)


def test_dice_that_nobody_shows_are_told_all_the_same() -> None:
    events = [
        told.PhaseBegan(phase="melee"),
        told.Rolled(address="1/melee/N1/attack", purpose="attack", subject="N1", faces=(4, 2)),
    ]
    before = state()
    (entry,) = report(Turn(before, before, events, BARE), "en").entries
    assert flat(entry.sentence) == "Dice for LM N1 (C3)."
    assert [die.face for die in entry.rolls[0].dice] == [4, 2]


def test_a_unit_that_is_gone_keeps_its_name() -> None:
    events = [
        told.PhaseBegan(phase="shooting"),
        told.Destroyed(unit="N2", cell="D3", phase="shooting", scorer="south", value=1),
        told.Encouraged(unit="S1", fallen="N2", gain=0),
    ]
    assert sentences(events, "en")[1].startswith("WS S1 (C4) takes heart at the fall of CART N2 (D3)")


def test_the_headline_says_who_lost_what_and_the_score() -> None:
    before = state()
    events = [
        told.Lost(unit="S1", phase="melee", cohesion=2, by=("N1",)),
        told.Lost(unit="N2", phase="melee", strength=4, by=("S1",)),
        told.Destroyed(unit="N2", cell="D3", phase="melee", scorer="south", value=1),
    ]
    turn = Turn(before, evolve(before, events), events, BARE)
    score = "0\u00a0:\u00a01"
    assert (
        headline(turn, "en")
        == f"North loses 1 unit (CART N2); South loses no unit (cohesion{FIXED}−2); score {score}, goal 6."
    )
    assert (
        headline(turn, "ru")
        == f"Север: потерян 1 отряд (Пвз N2); Юг: все отряды уцелели (собранность{FIXED}−2); счёт {score}, игра до 6."
    )
    over = [*events, told.BattleEnded(winner="south", points={"north": 0, "south": 1}, phase="melee")]
    won = Turn(before, evolve(before, over), over, BARE)
    assert headline(won, "ru").endswith(f"победила сторона «Юг», {score}.")


def test_an_amended_unit_tells_what_changed() -> None:
    before = state()
    form = {"type": "LM", "side": "north", "seat": "north", "at": "C3", "strength": 6, "cohesion": 3}
    moved = told.Amended(target="unit", key="N1", before=form, after={**form, "at": "A1", "strength": 2}, reason="fair")
    gone = told.Amended(target="unit", key="N1", before=form, after=None)
    fresh = told.Amended(target="unit", key="N9", before=None, after={**form, "at": "B1"})
    assert sentences([moved], "en", before) == [
        "Ruling of the game master. LM N1 (C3): cell C3 → A1, strength 6 → 2. Reason: fair"
    ]
    assert sentences([gone, fresh], "ru", before) == [
        "Решение мастера. Л.М N1 (C3) уходит с поля.",
        "Решение мастера. Л.М N9 (B1) выходит на поле: 6/3.",
    ]


def test_the_lengths_of_a_plain_report() -> None:
    before = state()
    turn = Turn(before, evolve(before, ONE_OF_EACH), ONE_OF_EACH, BARE)
    short, middle, whole = (plain.turn_report(turn, "en", length=length) for length in ("headline", "phases", "dice"))
    assert short.count("\n") < 8
    assert "1/movement/C5/contest" not in middle
    assert "1/movement/C5/contest" in whole
    assert len(short) < len(middle) < len(whole)


def test_every_formula_of_the_types_is_read_aloud() -> None:
    for kind in unit_types().values():
        shooting = kind.shooting
        dice = [kind.speed, *([shooting.dice, shooting.moving] if shooting else []), kind.melee.dice if kind.melee else None]
        for formula in dice:
            if formula is not None:
                assert "(" not in formulas.words(formula, "ru")
                assert not re.search("[a-z]", formulas.words(formula, "ru"))
    assert formulas.words("half(strength) - 1", "ru") == "половина силы − 1"
    assert formulas.words("min(half(strength), cohesion)", "ru") == "меньшее из половины силы и собранности"
    assert formulas.words("2 * (upper + lower)", "en") == "2 × (upper + lower)"
    assert formulas.words("max(1, half(strength + 1))", "en") == "the higher of 1 and half of (strength + 1)"


def attack(**more: object) -> told.Attacked:
    values = {
        "phase": "melee", "attacker": "N1", "target": "S1", "power": "ordinary", "mode": "equal", "counts": "both",
        "dice": 3, "first": 3, "second": 5, "cohesion": 0, "strength": 0,
    }  # fmt: skip
    return told.Attacked(**{**values, **more})  # type: ignore[arg-type]


def marks(event: told.Attacked, *rolls: tuple[str, tuple[int, ...]]) -> list[list[str]]:
    events: list[CohesionEvent] = [
        told.Rolled(address=f"1/melee/N1/{purpose}", purpose=purpose, subject="N1", faces=faces)  # type: ignore[arg-type]
        for purpose, faces in rolls
    ]
    events = [told.PhaseBegan(phase="melee"), *events, event]
    before = state()
    (entry,) = report(Turn(before, before, events, BARE), "en").entries
    return [[die.mark for die in roll.dice] for roll in entry.rolls]


def test_ATTACK_2_dice_are_marked_by_the_threshold_that_they_reached() -> None:
    assert marks(attack(faces=(2, 4, 6)), ("attack", (2, 4, 6))) == [["miss", "first", "second"]]


def test_ATTACK_5_a_die_below_the_only_threshold_that_counts_takes_nothing() -> None:
    assert marks(attack(counts="second", faces=(2, 4, 6)), ("attack", (2, 4, 6))) == [["miss", "miss", "second"]]


def test_ATTACK_4_the_first_dice_only_say_which_are_rolled_again() -> None:
    event = attack(mode="reroll", rule="ATTACK-4", faces=(0, 1, 5))
    assert marks(event, ("attack", (2, 3, 6)), ("reroll", (1, 5))) == [["miss", "again", "again"], ["miss", "second"]]


def test_ATTACK_3_the_highest_die_is_cohesion_the_next_strength() -> None:
    event = attack(mode="terrifying", rule="ATTACK-3", faces=(6, 2))
    assert marks(event, ("attack", (1, 2, 6))) == [["miss", "strength", "cohesion"]]


def test_ATTACK_3_of_three_dice_for_one_the_highest_is_put_aside() -> None:
    event = attack(mode="terrifying", rule="ATTACK-3", faces=(4, 2), modifiers=("ATTACK-3",))
    assert marks(event, ("attack", (4, 6, 2))) == [["cohesion", "aside", "strength"]]


@pytest.mark.parametrize(
    ("modifiers", "said"),
    [((), "3 dice: half of strength, at 6/3"), (("TERRAIN-2",), "3 dice: half of strength, at 6/3, and half of that")],
)
def test_the_number_of_dice_is_explained(modifiers: tuple[str, ...], said: str) -> None:
    before = state()
    events = [told.PhaseBegan(phase="melee"), attack(modifiers=modifiers)]
    (entry,) = report(Turn(before, before, events, BARE), "en").entries
    assert flat(entry.why[0].sentence) == said


def test_ORDER_5_no_dice_on_the_move_names_the_formula_of_the_move() -> None:
    before = state(units={"N1": {"type": "LM", "side": "north", "at": "C3", "strength": 2}})
    dropped = told.AttackDropped(phase="shooting", attacker="N1", target="S9", reason="no-dice", rule="ATTACK-1")
    (entry,) = report(Turn(before, before, [told.PhaseBegan(phase="shooting"), dropped], BARE), "en").entries
    assert flat(entry.why[0].sentence) == "0 dice: half of strength − 1, at 2/3"
