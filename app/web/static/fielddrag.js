// A path drawn by dragging: from a unit, or from the end of its path. Every other drag is the board's own.
import { extensions, movesFrom } from "./fieldorders.js";

const SLIP = 6; // px that a hand may tremble

// What a path becomes when the pointer has come over these cells, one after the other: back over it, on, or, where the
// pointer has jumped or the steps are used up, by a shortest way.
export function trailed(data, order, cells) {
  const start = order.withdraw || data.cell;
  let { path } = order;
  for (const cell of cells) {
    const place = path.indexOf(cell);
    if (cell === start) path = [];
    else if (place >= 0) path = path.slice(0, place + 1);
    else path = onwards(data, { ...order, path }, cell) ?? path;
  }
  return path;
}

function onwards(data, order, goal) {
  let ways = [order.path];
  while (ways.length) {
    const longer = [];
    const seen = new Set();
    for (const way of ways) {
      for (const cell of extensions(data, { ...order, path: way })) {
        if (cell === goal) return [...way, cell];
        if (cell in data.held || seen.has(cell)) continue;
        seen.add(cell);
        longer.push([...way, cell]);
      }
    }
    ways = longer;
  }
  return movesFrom(data, order).find((way) => way.at(-1) === goal);
}

// `grip(element, type)`: the cell from which a drag that begins on this element draws, or "". `draws(cells)` is told the
// cells entered so far, `done(cells)` all of them at the end; `undone()` that it was broken off.
export function pathDrag(svg, cellUnder, { grip, draws, done, undone }) {
  let drag = null;

  function end() {
    svg.classList.remove("drawing");
    const ended = drag;
    drag = null;
    return ended;
  }

  svg.addEventListener("pointerdown", (event) => {
    swallow = false;
    if (event.button !== 0 || !event.isPrimary || drag) return;
    const from = grip(event.target, event.pointerType);
    if (!from) return;
    svg.classList.add("drawing");
    drag = { id: event.pointerId, x: event.clientX, y: event.clientY, last: from, cells: [], isOn: false };
  });
  svg.addEventListener("pointermove", (event) => {
    if (drag?.id !== event.pointerId) return;
    if (!drag.isOn) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < SLIP) return;
      drag.isOn = true;
      svg.setPointerCapture(drag.id);
    }
    const cell = cellUnder(event.clientX, event.clientY);
    if (!cell || cell === drag.last) return;
    drag.last = cell;
    drag.cells.push(cell);
    draws(drag.cells);
  });
  svg.addEventListener("pointerup", (event) => {
    if (drag?.id !== event.pointerId) return;
    const { cells } = end();
    if (!cells.length) return;
    swallow = true;
    done(cells);
  });
  function cancel() {
    if (!drag) return false;
    end();
    undone();
    return true;
  }
  svg.addEventListener("pointercancel", cancel);
  // A finger that draws does not scroll. (Browsers do not heed touch-action on the parts of a picture.) Its moves are told
  // to the mark on which it began, also when that mark is drawn anew meanwhile and is no part of the page any more.
  const still = (event) => drag && event.cancelable && event.preventDefault();
  svg.addEventListener("touchmove", still, { passive: false });
  svg.addEventListener("touchstart", (event) => {
    // A second finger means the board, not the path.
    if (event.touches.length > 1) cancel();
    else if (drag) event.target.addEventListener("touchmove", still, { passive: false });
  });

  // The click that follows a drag is not meant.
  let swallow = false;
  svg.addEventListener(
    "click",
    (event) => {
      if (!swallow) return;
      swallow = false;
      event.stopImmediatePropagation();
    },
    true,
  );
  return { cancel };
}
