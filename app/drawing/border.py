"""What tells where on a board one is, as SVG: its border, on it the home edges of the sides, and the coordinates."""

from __future__ import annotations

from app.drawing import marks
from app.drawing.paths import SCALE, path
from app.drawing.pen import colour, escape, number, shade
from app.drawing.scene import Cell, Scene


def edges(scene: Scene) -> str:
    """The board's border, and on it the home edges in colour and pattern of their sides; cells cover the inner half."""
    parts = []
    if scene.outline:
        parts.append(f'<path d="{path(scene.outline)}z" fill="none" stroke="#6d5c3a" stroke-width="7"/>')
    for edge in scene.edges:
        paper = colour(edge.colour, "#cccccc")
        dark, line = shade(paper, 0.7), path(edge.points)
        dashes = marks.EDGE_DASHES[edge.side_index % len(marks.EDGE_DASHES)]
        parts.append(
            f'<g class="home side-{edge.side_index}"><title>{escape(edge.title)}</title>'
            f'<path d="{line}" stroke="{dark}" stroke-width="27"/><path d="{line}" stroke="{paper}" stroke-width="22"/>'
            f'<path d="{line}" stroke="{dark}" stroke-width="{22 if "round" not in dashes else 10}" {dashes}'
            f' stroke-opacity=".6"/></g>'
        )
    return f'<g class="border" fill="none" stroke-linejoin="round">{"".join(parts)}</g>' if parts else ""


def labels(scene: Scene, big: float) -> str:
    """Coordinates: small at the top of each cell, larger along the edges."""
    small = "".join(
        f'<text x="{number(c.centre[0] * SCALE)}" y="{number(_brow(c) * SCALE)}">{c.label}</text>' for c in scene.cells
    )
    large = "".join(
        f'<text x="{number(x * SCALE)}" y="{number(y * SCALE + 7)}">{escape(text)}</text>'
        for (x, y), text in (*scene.column_labels, *scene.row_labels)
    )
    return (
        '<g class="labels" text-anchor="middle" pointer-events="none" aria-hidden="true">'
        f'<g class="cell-labels" font-size="9.5" fill="#6b5b38"'
        f' stroke="#f4ebd5" stroke-opacity=".8" stroke-width="2" paint-order="stroke">{small}</g>'
        f'<g class="edge-labels" font-size="{number(min(26.0, 20 * big))}" font-weight="700" fill="#5a4a2c">{large}</g></g>'
    )


def _brow(cell: Cell) -> float:
    """Where a cell's label stands: under its uppermost corner, above the counter that may stand there."""
    top = min((y for _, y in cell.corners), default=cell.centre[1] - 1)
    return cell.centre[1] + 0.75 * (top - cell.centre[1])
