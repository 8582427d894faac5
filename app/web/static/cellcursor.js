// A cell of the board chosen by the keyboard: the arrows lead from cell to cell, Enter takes one, Escape ends it.
import { besideOf, cellPlaces, made } from "./fieldmap.js";

export function cellCursor(svg, { take, leave }) {
  const places = cellPlaces(svg);
  const hex = svg.querySelector("use[data-cell]")?.getAttribute("href") ?? "";
  let at = "";
  let shape = null;

  const words = (cell) => svg.querySelector(`use[data-cell="${CSS.escape(cell)}"] > title`)?.textContent ?? cell;

  // The cell in the middle, where none is known.
  function middle() {
    const cells = [...places.keys()];
    return cells[Math.floor(cells.length / 2)];
  }

  // A new element for each cell: whoever hears the page is told of it as it gets the focus.
  function show(cell) {
    at = places.has(cell) ? cell : at || middle();
    const [x, y] = places.get(at);
    const old = shape;
    const standing = [...svg.querySelectorAll(".counters [data-unit]")].find((one) => one.dataset.cell === at);
    shape = made("g", { class: "cell-cursor", role: "button", tabindex: "0", "data-cursor": at, "aria-label": words(at), transform: `translate(${x} ${y})` });
    if (standing) shape.setAttribute("aria-description", standing.getAttribute("aria-label") ?? "");
    shape.append(made("use", { href: hex }));
    shape.addEventListener("keydown", press);
    svg.append(shape);
    shape.focus({ preventScroll: true });
    old?.remove();
    shape.dispatchEvent(new CustomEvent("board:reveal", { bubbles: true, detail: { element: shape, finger: false } }));
    shape.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  function hide() {
    shape?.remove();
    shape = null;
  }

  function press(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key.startsWith("Arrow")) show(besideOf(places.get(at), places.keys(), (cell) => places.get(cell), event.key));
    else if (event.key === "Enter" || event.key === " ") take(at);
    else if (event.key === "Escape") leave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return { show, hide };
}
