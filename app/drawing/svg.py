"""Scene -> SVG, the only writer. Presentation attributes and classes, no style attribute, no script, no outside link.

The same scene gives the same bytes. A page's style sheet (board.css) may change colours by the classes; without it the
picture is whole: on paper, on a white page and on a black one.
"""

from __future__ import annotations

from app.drawing import border, counters, marks
from app.drawing.paths import SCALE, path, tip, trimmed
from app.drawing.pen import FONT, INK, colour, escape, fit, number, width
from app.drawing.scene import Counter, Legend, Point, Route, Scene, SideMark

MARGIN = 46

_HEADING, _ENTRY = 58, 50


def svg(
    scene: Scene, *, standalone: bool = True, id_prefix: str = "", legend: bool | None = None, interactive: bool = False
) -> str:
    """The picture of a scene.

    `standalone`: a file of its own, with its paper, heading and size; else for a page, which gives the size.
    `legend`: with signs and names below the board (None: as `standalone`). `id_prefix`: where a page holds several.
    `interactive`: counters are told one by one, as a list, to those who hear the page; a script makes them more.
    """
    page = _Page(id_prefix)
    big = _big(scene)
    board = [
        border.edges(scene),
        page.cells(scene),
        page.routes(scene.routes, over=False),
        page.counters(scene.counters, interactive),
        border.labels(scene, big),
        page.routes(scene.routes, over=True),
    ]
    left, top = -MARGIN, -MARGIN
    wide, high = scene.width * SCALE + 2 * MARGIN, scene.height * SCALE + 2 * MARGIN
    around = []
    if standalone:
        top -= round(_HEADING * big)
        high += round(_HEADING * big)
        size = fit(scene.title, 30 * big, wide - 2 * MARGIN)
        around.append(
            f'<text class="heading" x="0" y="{number(top + 44 * big)}" font-size="{number(size)}" font-weight="700"'
            f' fill="#4a3d25">{escape(scene.title)}</text>'
        )
    if standalone if legend is None else legend:
        drawn, taken = page.legend(scene, big, scene.width * SCALE, scene.height * SCALE + MARGIN)
        around.append(drawn)
        high += taken
    box = f"{number(left)} {number(top)} {number(wide)} {number(high)}"
    own = f' xmlns="http://www.w3.org/2000/svg" width="{number(wide)}" height="{number(high)}"' if standalone else ""
    described = f"{id_prefix}title" + (f" {id_prefix}desc" if scene.description else "")
    head = [
        f'<svg{own} viewBox="{box}" class="board" role="{"group" if interactive else "img"}"'
        f' aria-labelledby="{escape(described)}" font-family="{FONT}">',
        f'<title id="{escape(id_prefix)}title">{escape(scene.title)}</title>',
        f'<desc id="{escape(id_prefix)}desc">{escape(scene.description)}</desc>' if scene.description else "",
        page.definitions(),
    ]
    if standalone:
        head.append(
            f'<rect class="plate" x="{number(left)}" y="{number(top)}" width="{number(wide)}" height="{number(high)}"'
            ' fill="#fbf6e9"/>'
        )
    return "".join((*head, *around, *board, "</svg>"))


def routes(lines: tuple[Route, ...], *, id_prefix: str = "") -> str:
    """The lines alone, as they stand above the counters of a picture: for a page that draws them anew."""
    return _Page(id_prefix).routes(lines, over=True)


def extent(scene: Scene, *, legend: bool = True) -> tuple[float, float]:
    """The width and height of the whole picture as a file of its own."""
    big = _big(scene)
    taken = _Page("").legend(scene, big, scene.width * SCALE, 0)[1] if legend else 0
    return scene.width * SCALE + 2 * MARGIN, scene.height * SCALE + 2 * MARGIN + round(_HEADING * big) + taken


def emblem(counter: Counter) -> str:
    """One counter as a picture of its own, for lists and forms. Decoration: its words stand beside it."""
    paper = colour(counter.colour, "#cccccc")
    symbol = marks.SYMBOLS.get(counter.symbol, "")
    body = counters.frame(counter.side_index, paper, broken=counters.BROKEN in counter.states) + counters.face(
        counter, symbol
    )
    return (
        f'<svg viewBox="-38 -40 76 76" class="emblem" width="38" height="38" aria-hidden="true" focusable="false"'
        f' font-family="{FONT}" font-weight="700" text-anchor="middle">{body}</svg>'
    )


def swatch(entry: Legend | SideMark) -> str:
    """One sign of the legend as a picture of its own: a cell with its ground, or a side's form and colour."""
    page = _Page("")
    return (
        f'<svg viewBox="-40 -40 80 80" class="swatch" width="28" height="28" aria-hidden="true" focusable="false">'
        f"{page.sign(entry, inline=True)}</svg>"
    )


def state_swatch(state: str) -> str:
    """The mark of a counter's state as a picture of its own."""
    return (
        '<svg viewBox="-36 -36 26 26" class="swatch" width="28" height="28" aria-hidden="true" focusable="false">'
        f"{marks.STATES[state]}</svg>"
    )


class _Page:
    """The picture as it grows: what it draws more than once is kept as a definition."""

    def __init__(self, id_prefix: str) -> None:
        self.prefix = escape(id_prefix)
        self.defined: dict[str, str] = {}

    def definitions(self) -> str:
        return f"<defs>{''.join(self.defined.values())}</defs>" if self.defined else ""

    def define(self, name: str, drawn: str) -> str:
        """The full id under which a drawing stands in the definitions."""
        name = self.prefix + name
        if name not in self.defined:
            self.defined[name] = f'<g id="{name}">{drawn}</g>'
        return name

    def cells(self, scene: Scene) -> str:
        if not scene.cells:
            return ""
        first = scene.cells[0]
        self._hex(first.centre, first.corners)
        groups: dict[tuple[str, str], list[str]] = {}
        textures: list[str] = []
        rims: dict[str, list[str]] = {}
        for i, cell in enumerate(scene.cells):
            x, y = number(cell.centre[0] * SCALE), number(cell.centre[1] * SCALE)
            spread = (i * 7 + i // 5) % 3
            if cell.texture == "open":
                ground = ("open", marks.PAPER[spread])
            else:
                kind = cell.texture if cell.texture in marks.TEXTURES else "custom"
                plain = marks.GROUND.get(kind, marks.GROUND["custom"])
                ground = (kind, colour(cell.colour, plain) if kind.startswith("custom") else plain)
                drawn = marks.TEXTURES[kind]
                name = self.define(f"{kind}-{spread % len(drawn)}", drawn[spread % len(drawn)])
                textures.append(f'<use href="#{name}" x="{x}" y="{y}"/>')
                rim = "custom" if kind.startswith("custom") else kind
                if rim in marks.RIMS:
                    rims.setdefault(rim, []).append(f'<use href="#{self.prefix}i" x="{x}" y="{y}"/>')
            use = f'<use href="#{self.prefix}h" x="{x}" y="{y}" data-cell="{cell.label}"'
            if cell.classes:
                use += f' class="{escape(" ".join(cell.classes))}"'
            use += f"><title>{escape(cell.title)}</title></use>" if cell.title else "/>"
            groups.setdefault(ground, []).append(use)
        grounds = "".join(
            f'<g class="ground {texture}" fill="{fill}">{"".join(uses)}</g>' for (texture, fill), uses in groups.items()
        )
        around = "".join(f'<g fill="none" {marks.RIMS[rim]}>{"".join(uses)}</g>' for rim, uses in rims.items())
        drawn_on = f'<g class="textures" pointer-events="none">{around}{"".join(textures)}</g>' if textures else ""
        return f'<g class="cells" stroke="#c6b58c" stroke-width="1.4" stroke-linejoin="round">{grounds}</g>{drawn_on}'

    def counters(self, drawn: tuple[Counter, ...], interactive: bool) -> str:
        if not drawn:
            return ""
        role = ' role="list"' if interactive else ""
        told = [self._counter(counter, interactive) for counter in drawn]
        if interactive:
            told = [f'<g role="listitem">{counter}</g>' for counter in told]
        return f'<g class="counters" font-weight="700" text-anchor="middle"{role}>{"".join(told)}</g>'

    def routes(self, routes: tuple[Route, ...], *, over: bool) -> str:
        """Lines below the counters, or (moves, shots: those with a class of their own) above them."""
        drawn = []
        for route in routes:
            kind = next((c for c in route.classes if c in marks.ROUTES), "")
            if bool(kind) != over or len(route.points) < 2:
                continue
            look = marks.ROUTES[kind] if kind else 'stroke="#3b3a36" stroke-width="3"'
            name = f' id="{self.prefix}{escape(route.id)}"' if route.id else ""
            title = f"<title>{escape(route.title)}</title>" if route.title else ""
            points = trimmed(route.points, at_end=kind in ("shot", "melee"))
            line = f'd="{path(points)}" fill="none" stroke-linecap="round" stroke-linejoin="round"'
            head = "" if kind == "sight" else tip(points[-2], points[-1], look)
            drawn.append(
                f'<g{name} class="{escape(" ".join(("route", *route.classes)))}">{title}'
                f'<path class="halo" {line} stroke="#fff" stroke-opacity=".75" stroke-width="9"/>'
                f"<path {line} {look}/>{head}</g>"
            )
        return f'<g class="routes">{"".join(drawn)}</g>' if drawn else ""

    def legend(self, scene: Scene, big: float, room: float, top: float) -> tuple[str, float]:
        """Signs and their names in lines below the board, below them what the values on the counters are; and the height
        of it all."""
        step, size = _ENTRY * big, 22 * big
        x, line, drawn = 0.0, 0, []
        entries: tuple[SideMark | Legend, ...] = scene.sides + scene.legend
        first_ground = next(iter(scene.legend), None)
        for entry in entries:
            small = number(fit(entry.text, size, room))
            wide = 46 * big + width(entry.text, size) + 18 * big
            if x and (x + wide > room or entry is first_ground):
                x, line = 0.0, line + 1
            y = top + step * (line + 0.5)
            place = f"translate({number(x + 18 * big)} {number(y)}) scale({0.52 * big:.2f})"
            drawn.append(
                f'<g transform="{place}">{self.sign(entry)}</g>'
                f'<text x="{number(x + 46 * big)}" y="{number(y + size * 0.35)}" font-size="{small}">'
                f"{escape(entry.text)}</text>"
            )
            x += wide
        if not drawn:
            return "", 0
        below = step * (line + 1)
        if scene.reading:
            y, size = top + below + 20 * big, fit(scene.reading, 19 * big, room)
            drawn.append(f'<text x="0" y="{number(y)}" font-size="{number(size)}">{escape(scene.reading)}</text>')
            below += 28 * big
        return f'<g class="legend" fill="{INK}">{"".join(drawn)}</g>', round(below + 8 * big)

    def sign(self, entry: Legend | SideMark, *, inline: bool = False) -> str:
        """A side's form, or a cell with its ground, at 0, 0."""
        if isinstance(entry, SideMark):
            return counters.frame(entry.side_index, colour(entry.colour, "#cccccc"))
        texture = entry.texture if entry.texture in marks.TEXTURES else "open"
        plain = marks.GROUND.get(texture, marks.GROUND["custom"])
        ground = marks.PAPER[0] if texture == "open" else plain
        if texture.startswith("custom"):
            ground = colour(entry.colour, plain)
        drawn = marks.TEXTURES.get(texture, ("",))[0]
        hexagon = "M0-38l33 19v38l-33 19-33-19v-38z"
        on_it = drawn if inline or not drawn else f'<use href="#{self.define(f"{texture}-0", drawn)}"/>'
        kind = "" if inline else f' class="ground {escape(texture)}"'  # as the cells of the board, by day and by night
        return f'<path d="{hexagon}" fill="{ground}"{kind} stroke="#8a7a55" stroke-width="2.5"/>{on_it}'

    def _hex(self, centre: Point, corners: tuple[Point, ...]) -> None:
        points = tuple((x - centre[0], y - centre[1]) for x, y in corners)
        for name, part in (("h", 1.0), ("i", 0.92)):
            shape = path(tuple((x * part, y * part) for x, y in points))
            self.defined[f"{self.prefix}{name}"] = f'<path id="{self.prefix}{name}" d="{shape}z"/>'

    def _counter(self, counter: Counter, interactive: bool) -> str:
        paper = colour(counter.colour, "#cccccc")
        broken = counters.BROKEN in counter.states
        body = self.define(
            f"f{counter.side_index % len(marks.SHAPES)}{paper[1:]}{'x' if broken else ''}",
            counters.frame(counter.side_index, paper, broken=broken),
        )
        symbol = ""
        if counter.symbol in marks.SYMBOLS:
            symbol = f'<use href="#{self.define(f"s-{counter.symbol}", marks.SYMBOLS[counter.symbol])}"/>'
        x, y = number(counter.centre[0] * SCALE), number(counter.centre[1] * SCALE)
        name = escape(counter.id)
        classes = escape(" ".join(("counter", f"side-{counter.side_index}", *counter.states)))
        heard = f' role="img" aria-label="{escape(counter.title)}"' if interactive else ""
        lean = " rotate(-9)" if broken else ""
        return (
            f'<g id="{self.prefix}u-{name}" class="{classes}" data-unit="{name}" data-cell="{escape(counter.cell)}"'
            f'{heard} transform="translate({x} {y}){lean}"><title>{escape(counter.title)}</title>'
            f'<use href="#{body}"/>{counters.face(counter, symbol)}</g>'
        )


def _big(scene: Scene) -> float:
    """How much larger words are on a large board, which is shown smaller."""
    return min(2.0, max(1.0, scene.width * SCALE / 1300))
