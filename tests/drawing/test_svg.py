"""The picture: well-formed, safe, the same bytes each time, and telling what it must without colour."""

import re
import xml.etree.ElementTree as ET

import msgspec
import pytest

from app.drawing import counters, marks, pen
from app.drawing.scene import Cell, Counter, Edge, Legend, Route, Scene, SideMark, mark, overlay
from app.drawing.svg import emblem, extent, svg, swatch
from app.geometry.hex import grid

NS = "{http://www.w3.org/2000/svg}"


def board(columns=5, rows=4, layout="pointy", textures=(), counters=(), **more):
    g = grid(columns, rows, layout)
    kinds = dict(textures)
    return Scene(
        title="A field",
        width=g.size[0],
        height=g.size[1],
        cells=tuple(
            Cell(label=label, centre=g.centre(c), corners=g.corners(c), texture=kinds.get(label, "open"))
            for c, label in enumerate(g.labels)
        ),
        counters=tuple(counters),
        **more,
    )


def counter(name="S1", side=0, **more):
    given = {
        "cell": "B2",
        "centre": (3.0, 2.5),
        "code": "LM",
        "values": "6/3",
        "symbol": "light-foot",
        "title": f"{name} told",
    }
    return Counter(**(given | {"id": name, "side_index": side} | more))


def parsed(text):
    return ET.fromstring(text)


def test_a_board_is_well_formed_and_names_every_cell_once():
    root = parsed(svg(board()))
    cells = [e.get("data-cell") for e in root.iter(f"{NS}use") if e.get("data-cell")]
    assert sorted(cells) == sorted(grid(5, 4).labels)
    assert root.find(f"{NS}title").text == "A field"
    assert root.get("role") == "img"


def test_the_same_scene_gives_the_same_bytes():
    drawn = board(textures={"A1": "rough", "B1": "building"}, counters=[counter()])
    assert svg(drawn) == svg(msgspec.structs.replace(drawn))


def test_no_style_attribute_no_script_no_outside_link():
    drawn = svg(
        board(
            textures={"A1": "rough", "B1": "building", "C1": "impassable", "D1": "custom"},
            counters=[counter(states=("uncontrolled", "entered", "caught", "damaged"))],
            routes=(Route(points=((0, 0), (1, 1)), classes=("move",)),),
        )
    )
    assert "style=" not in drawn
    assert "<script" not in drawn
    assert re.findall(r'(?:href="|src="|url\()(?!#)', drawn) == []


@pytest.mark.parametrize("name", ['<b>&"', "a\u202eb", "\x00\x1b", "\U0001f409 дракон", "]]>", "\ud800"])
def test_hostile_names_stay_text(name):
    drawn = svg(board(counters=[counter(name, code=name, values=name, title=name)], description=name), id_prefix="x-")
    drawn.encode("utf-8")
    root = parsed(drawn)
    assert not [e for e in root.iter() if e.tag.endswith("}b")]
    assert "\u202e" not in drawn


def test_a_colour_that_is_none_is_not_taken():
    drawn = svg(
        board(counters=[counter(colour='url("x")')], edges=(Edge(side_index=0, colour="red;x", points=((0, 0), (1, 0))),))
    )
    assert "url(" not in drawn
    assert "red;x" not in drawn


def test_sides_differ_in_form_and_not_in_colour_alone():
    grey = [svg(board(counters=[counter(side=i, colour="#cccccc")])) for i in range(4)]
    shapes = [next(s for s in marks.SHAPES if f'd="{s}"' in drawn) for drawn in grey]
    assert len(set(shapes)) == 4


def test_home_edges_differ_in_pattern_and_not_in_colour_alone():
    lines = [
        re.search(
            r"stroke-dasharray=\"[^\"]*\"", svg(board(edges=(Edge(side_index=i, colour="#ccc", points=((0, 0), (1, 0))),)))
        )[0]
        for i in range(4)
    ]
    assert len(set(lines)) == 4


@pytest.mark.parametrize("state", sorted(marks.STATES))
def test_each_state_has_a_mark_of_its_own(state):
    plain, marked = svg(board(counters=[counter()])), svg(board(counters=[counter(states=(state,))]))
    assert marks.STATES[state] in marked
    assert marks.STATES[state] not in plain
    assert len(set(marks.STATES.values())) == len(marks.STATES)


def test_an_uncontrolled_unit_leans_in_a_broken_frame():
    drawn = svg(board(counters=[counter(states=("uncontrolled",))]))
    assert "rotate(-9)" in drawn
    assert 'stroke-dasharray="9 5"' in drawn


@pytest.mark.parametrize("is_broken", [False, True])
@pytest.mark.parametrize("side", range(4))
def test_a_page_may_ring_a_counter_by_a_line_around_its_shadow(side, is_broken):
    """The one way that all browsers know: a line that is inherited, and only by what has none of its own."""
    shadow, *body = re.findall("<path [^>]*>", counters.frame(side, "#cccccc", broken=is_broken))
    assert "stroke" not in shadow
    assert body
    assert all('stroke="' in path and 'stroke-width="' in path for path in body)


def test_each_symbol_is_drawn_once_and_used():
    drawn = svg(board(counters=[counter("A", symbol="host"), counter("B", symbol="host")]))
    assert drawn.count('id="s-host"') == 1
    assert drawn.count('href="#s-host"') == 2


def test_a_type_without_a_symbol_shows_its_letters_large():
    sizes = [
        float(re.search(r'class="code" y="[^"]*" font-size="([^"]*)"', svg(board(counters=[counter(symbol=s)])))[1])
        for s in ("", "light-foot")
    ]
    assert sizes[0] > 1.5 * sizes[1]


def test_long_codes_and_values_shrink_to_their_room():
    drawn = svg(board(counters=[counter(code="ШШШШШШШШ", values="1000/1000")]))
    for size, text in re.findall(r'font-size="([\d.]+)">([Ш\d/]+)<', drawn):
        assert pen.width(text, float(size)) <= 46.5


def test_sections_are_drawn_as_storeys():
    root = parsed(svg(board(counters=[counter(parts=("6", "5"))])))
    texts = [e for e in root.iter(f"{NS}text") if e.text in ("6", "5")]
    assert [e.text for e in texts] == ["6", "5"]
    assert float(texts[0].get("y")) < float(texts[1].get("y"))


@pytest.mark.parametrize("layout", ["pointy", "flat"])
def test_a_cell_s_label_stands_within_it_and_above_its_counter(layout):
    g = grid(5, 4, layout)
    drawn = svg(board(layout=layout))
    for c, label in enumerate(g.labels):
        written = float(re.search(rf'y="([^"]*)">{label}<', drawn)[1])
        middle, top = g.centre(c)[1] * 40, min(y for _, y in g.corners(c)) * 40
        assert top < written - 0.73 * 9.5 + 0.1, "its capitals"
        assert written <= middle - 25.9, "square counters begin at 27, with room for what a line of letters leaves below"


@pytest.mark.parametrize("layout", ["pointy", "flat"])
@pytest.mark.parametrize("texture", ["rough", "building", "custom2"])
def test_ground_is_seen_around_the_counter_that_stands_on_it(layout, texture):
    """A counter hides what is drawn in the middle of its cell, and a building gives who stands in it another toughness."""
    drawn = svg(board(layout=layout, textures={"B2": texture}, counters=[counter()]))
    rim = marks.RIMS[texture.rstrip("2")]
    assert f'<g fill="none" {rim}><use href="#i"' in drawn
    points = [float(n) for n in re.findall(r"-?[\d.]+", re.search(r'id="i" d="([^"]*)"', drawn)[1])]
    across, down = max(points[::2]), max(points[1::2])
    assert min(across, down) > 31, "the body of a disc"
    assert 'href="#i"' not in svg(board(layout=layout, textures={"B2": "impassable"})), "nobody stands there"


def test_ids_carry_the_prefix_and_every_reference_is_there():
    drawn = svg(board(textures={"A1": "rough"}, counters=[counter()]), id_prefix="turn3-")
    ids = re.findall(r' id="([^"]+)"', drawn)
    assert all(i.startswith("turn3-") for i in ids)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"', drawn)) <= set(ids)


def test_marks_and_lines_are_added_to_a_scene_that_is_there():
    drawn = board(counters=[counter("A"), counter("B")])
    assert [c.states for c in mark(drawn, {"B": ("entered",)}).counters] == [(), ("entered",)]
    lined = svg(overlay(drawn, [Route(id="r1", points=((1, 1), (2, 2)), classes=("shot", "mine"), title="a shot")]))
    assert 'id="r1" class="route shot mine"' in lined
    assert "<title>a shot</title>" in lined


def test_interactive_counters_are_a_list_and_are_named():
    drawn = svg(board(counters=[counter("A")]), interactive=True)
    assert 'role="group"' in drawn
    assert 'role="list"><g role="listitem"><g id="u-A"' in drawn
    assert 'role="img" aria-label="A told"' in drawn
    assert "listitem" not in svg(board(counters=[counter("A")]))


def test_the_legend_comes_with_a_picture_that_stands_alone():
    drawn = board(
        legend=(Legend(texture="rough", colour=None, text="rough"),),
        sides=(SideMark(side_index=1, colour="#ccc", text="South"),),
    )
    assert ">rough<" in svg(drawn)
    assert ">South<" in svg(drawn)
    assert ">rough<" not in svg(drawn, standalone=False)
    assert ">rough<" in svg(drawn, standalone=False, legend=True)


def test_a_picture_that_stands_alone_says_what_the_values_on_a_counter_are():
    side = SideMark(side_index=0, colour="#dddddd", text="North: 0 of 6")
    told, silent = board(sides=(side,), reading="Strength & cohesion."), board(sides=(side,))
    assert ">Strength &amp; cohesion.</text>" in svg(told)
    assert "Strength" not in svg(told, standalone=False)
    assert "Strength" not in svg(told, legend=False)
    height = extent(told)[1]
    assert height > extent(silent)[1]
    assert f'height="{height:g}"' in svg(told)
    last = max(float(y) for y in re.findall(r'<text x="0" y="([\d.]+)" font-size', svg(told).split('class="legend"')[1]))
    assert last < height - 20


def test_ground_in_the_legend_is_of_the_class_of_the_cells_so_that_the_night_darkens_both():
    drawn = svg(board(legend=(Legend(texture="rough", colour=None, text="rough"),)))
    assert re.search(r'<path d="M0-38[^>]* class="ground rough"', drawn)


def test_small_signs_for_lists_are_pictures_of_their_own():
    for small in (
        emblem(counter(parts=("1", "2"))),
        swatch(Legend(texture="custom2", colour="#7a8", text="x")),
        swatch(SideMark(side_index=0, colour="#ccc", text="x")),
    ):
        assert parsed(small).get("aria-hidden") == "true"
        assert "href" not in small


@pytest.mark.parametrize(
    ("paper", "ink"), [("#ffffff", pen.BLACK), ("#000", pen.WHITE), ("#5d9e5a", pen.BLACK), ("#7a1020", pen.WHITE)]
)
def test_the_letters_read_well_on_any_colour(paper, ink):
    assert pen.ink_on(paper) == ink


def test_every_letter_reaches_the_contrast_that_small_text_needs():
    steps = range(0, 256, 15)
    for red in steps:
        for green in steps:
            for blue in steps:
                paper = f"#{red:02x}{green:02x}{blue:02x}"
                one, other = sorted((pen._luminance(paper), pen._luminance(pen.ink_on(paper))))
                assert (other + 0.05) / (one + 0.05) >= 4.5


def test_a_board_of_forty_by_forty_stays_small():
    drawn = svg(board(40, 40, counters=[counter(f"U{i}") for i in range(400)]))
    assert len(drawn) < 450_000
    assert len(svg(board(15, 13, counters=[counter(f"U{i}") for i in range(28)]))) < 60_000
