"""A view of the battle as a picture: both layouts, both languages, with a frozen scenario and without one."""

import msgspec
import pytest

from app.drawing.svg import svg
from app.rulesets.cohesion.scene import COLOURS, border, scene
from app.rulesets.cohesion.state import Board, Rulings, State, Terrain, Toughness, Unit, UnitType

KINDS = {
    "open": Terrain(name={"en": "open ground", "ru": "открытая местность"}),
    "rough": Terrain(name={"en": "rough ground", "ru": "пересечённая местность"}),
    "building": Terrain(name={"en": "building", "ru": "здание"}),
    "impassable": Terrain(name={"en": "impassable ground", "ru": "непроходимая клетка"}),
    "marsh": Terrain(name={"en": "marsh", "ru": "болото"}, colour="#77aa88"),
    "sand": Terrain(name={"en": "sand"}, colour="#ddcc88"),
}
LIGHT = UnitType(
    name={"en": "light company", "ru": "лёгкий отряд"},
    code={"en": "LM", "ru": "Л.М"},
    strength=6,
    cohesion_max=3,
    cohesion_start=3,
    toughness=Toughness(3, 5),
    speed="2",
    symbol="light-foot",
)
STRIDER = msgspec.structs.replace(
    LIGHT,
    name={"en": "strider", "ru": "шагоход"},
    code={"en": "WS", "ru": "БШХ"},
    strength=12,
    sections={"lower": 6, "upper": 6},
)
SCENARIO = {
    "title": {"en": "The Ford", "ru": "Брод"},
    "sides": {
        "north": {"name": {"en": "the North", "ru": "Север"}, "colour": "#101010"},
        "south": {"name": {"en": "the South", "ru": "Юг"}, "colour": "#40a040"},
    },
    "contingents": {"n": {"side": "north", "name": {"en": "left wing", "ru": "левое крыло"}}},
}


def battle(layout="pointy", terrain=None, **more):
    board = Board(5, 4, layout, {"north": "top", "south": "bottom"}, terrain or {}, KINDS)
    units = {
        "N1": Unit("N1", "WS", "north", "n", 2, 11, 6, 6, 5),
        "S1": Unit("S1", "LM", "south", "s", 17, 4, 0),
        "S2": Unit("S2", "LM", "south", "s", 16, 6, 3),
    }
    given = {
        "turn": 3,
        "board": board,
        "types": {"LM": LIGHT, "WS": STRIDER},
        "units": units,
        "points": {"north": 2, "south": 1},
        "goal": 6,
        "rulings": Rulings(),
        "seats": {"n": "north", "s": "south"},
    }
    return State(**(given | more))


def test_the_scenario_gives_names_and_colours():
    drawn = scene(battle(), "ru", SCENARIO)
    assert drawn.title == "Брод · ход 3"
    assert [(e.title, e.colour) for e in drawn.edges] == [("Свой край: Север", "#101010"), ("Свой край: Юг", "#40a040")]
    assert [s.text for s in drawn.sides] == ["Север: 2 из 6", "Юг: 1 из 6"]
    assert drawn.counters[0].title == (
        "N1, шагоход, C1, Север (левое крыло); сила 11 из 12, собранность 6 из 3, верх 6, низ 5"
    )


@pytest.mark.parametrize("scenario", [None, {}, {"sides": 3}, {"sides": {"north": None}, "title": []}])
def test_without_a_scenario_the_keys_are_the_names(scenario):
    drawn = scene(battle(), "en", scenario)
    assert drawn.title == "Turn 3"
    assert [s.text for s in drawn.sides] == ["north: 2 of 6", "south: 1 of 6"]
    assert [e.colour for e in drawn.edges] == list(COLOURS[:2])
    assert drawn.counters[-1].title == "S1, light company, C4, south; strength 4 of 6, cohesion 0 of 3, uncontrolled"


def test_counters_stand_in_reading_order_with_values_and_states():
    counters = scene(battle(), "en", None).counters
    assert [c.id for c in counters] == ["N1", "S2", "S1"]
    assert [c.values for c in counters] == ["11/6", "6/3", "4/0"]
    assert [c.states for c in counters] == [("damaged",), (), ("uncontrolled", "damaged")]
    assert [c.parts for c in counters] == [("6", "5"), (), ()]
    assert [c.side_index for c in counters] == [0, 1, 1]


def test_codes_are_those_of_the_readers_language():
    assert [c.code for c in scene(battle(), "ru", None).counters] == ["БШХ", "Л.М", "Л.М"]
    assert [c.code for c in scene(battle(), "en", None).counters] == ["WS", "LM", "LM"]


def test_the_legend_names_the_ground_that_is_there_and_own_kinds_differ_in_pattern():
    drawn = scene(battle(terrain={0: "rough", 1: "marsh", 2: "sand", 3: "marsh"}), "ru", None)
    assert [(e.texture, e.text) for e in drawn.legend] == [
        ("rough", "пересечённая местность"),
        ("custom", "болото"),
        ("custom1", "sand"),
    ]
    assert [c.texture for c in drawn.cells[:5]] == ["rough", "custom", "custom1", "custom", "open"]
    assert drawn.cells[1].title == "B1: болото"


@pytest.mark.parametrize("layout", ["pointy", "flat"])
def test_the_border_is_closed_and_each_of_its_steps_is_one_side_of_a_hex(layout):
    outline = scene(battle(layout), "en", None).outline
    lengths = [
        ((x - u) ** 2 + (y - v) ** 2) ** 0.5 for (x, y), (u, v) in zip(outline, (*outline[1:], outline[0]), strict=True)
    ]
    assert all(length < 1e-9 or abs(length - 1) < 1e-9 for length in lengths)
    corners = {(round(x, 6), round(y, 6)) for x, y in outline}
    assert len(corners) == sum(length > 0.5 for length in lengths)


@pytest.mark.parametrize("layout", ["pointy", "flat"])
@pytest.mark.parametrize("edge", ["top", "bottom", "left", "right"])
def test_a_home_edge_runs_along_its_cells_alone(layout, edge):
    grid = battle(layout).board.grid
    home = [c for c, away in enumerate(grid.edge_distance(edge)) if away == 0]
    corners = {corner for cell in home for corner in grid.corners(cell)}
    assert set(border(grid, edge)) <= corners


@pytest.mark.parametrize("layout", ["pointy", "flat"])
@pytest.mark.parametrize("language", ["en", "ru", "de"])
def test_the_picture_can_be_drawn(layout, language):
    drawn = svg(scene(battle(layout, {0: "rough"}), language, SCENARIO))
    assert 'data-unit="S1"' in drawn
    assert 'id="u-N1"' in drawn


def test_a_battle_that_is_over_says_so():
    assert scene(battle(winner="north"), "en", SCENARIO).title == "The Ford · the battle is over"


@pytest.mark.parametrize(("language", "names"), [("en", ["light company", "strider"]), ("ru", ["лёгкий отряд", "шагоход"])])
def test_the_key_shows_each_type_once_and_unhurt(language, names):
    drawn = scene(battle(), language, SCENARIO)
    assert sorted(counter.title for counter in drawn.key) == names
    values = {counter.title: (counter.values, counter.parts, counter.states) for counter in drawn.key}
    assert values == {names[0]: ("6/3", (), ()), names[1]: ("12/3", ("6", "6"), ())}
    assert drawn.reading
