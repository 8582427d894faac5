// The board as something to draw on: where its cells lie, marks on them, lines over them.
const NS = "http://www.w3.org/2000/svg";

export function made(name, attributes = {}, ...children) {
  const element = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

// Where the middle of each cell lies, in the units of the picture.
export function cellPlaces(svg) {
  const places = new Map();
  for (const use of svg.querySelectorAll("use[data-cell]")) places.set(use.dataset.cell, [Number(use.getAttribute("x")), Number(use.getAttribute("y"))]);
  return places;
}

// The cell under a point of the window, or "" beside the board.
export function cellUnder(svg, places, x, y) {
  const matrix = svg.getScreenCTM();
  if (!matrix) return "";
  const point = new DOMPoint(x, y).matrixTransform(matrix.inverse());
  let [best, least] = ["", 40];
  for (const [cell, [cx, cy]] of places) {
    const far = Math.hypot(cx - point.x, cy - point.y);
    if (far < least) [best, least] = [cell, far];
  }
  return best;
}

function trim(point, towards, by) {
  const [dx, dy] = [towards[0] - point[0], towards[1] - point[1]];
  const part = Math.min(0.45, by / (Math.hypot(dx, dy) || 1));
  point[0] += dx * part;
  point[1] += dy * part;
}

// A line along cells, trimmed at both ends so that the counters stay readable; with a tip, or without (`sight`). `kind`:
// move, withdraw, shot, melee, sight; `more`: further classes. null where fewer than two of its cells are on the board.
export function drawnLine(places, cells, kind, more = "") {
  const points = cells.map((cell) => places.get(cell)).filter(Boolean).map((point) => [...point]);
  if (points.length < 2) return null;
  const aims = kind === "shot" || kind === "melee" || kind === "sight";
  trim(points[0], points[1], kind === "melee" ? 16 : 30);
  if (aims) trim(points.at(-1), points.at(-2), kind === "melee" ? 16 : 30);
  const d = "M" + points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L");
  const [[bx, by], [ex, ey]] = points.slice(-2);
  const long = Math.hypot(ex - bx, ey - by) || 1;
  const [ux, uy] = [((ex - bx) / long) * 14, ((ey - by) / long) * 14];
  const tip = `M${ex + ux * 0.6} ${ey + uy * 0.6}L${ex - ux - uy * 0.7} ${ey - uy + ux * 0.7}L${ex - ux + uy * 0.7} ${ey - uy - ux * 0.7}z`;
  const group = made("g", { class: `plan-line ${kind} ${more}`.trim(), "data-line": cells.join("-") }, made("path", { d, class: "halo" }), made("path", { d, class: "ink" }));
  if (kind !== "sight") group.append(made("path", { d: tip, class: "tip" }));
  return group;
}

// The place for what others plan, `<g class="ghosts">`: above the counters, below the lines of one's own orders, and no
// obstacle to the pointer. `line(cells, kind, more)` puts a line there, `put(element)` anything else; `clear()` empties it;
// `cellUnder(x, y)` tells the cell under a point of the window.
export function ghostLayer(svg) {
  const places = cellPlaces(svg);
  let layer = svg.querySelector(":scope > .ghosts");
  if (!layer) {
    layer = made("g", { class: "ghosts", "pointer-events": "none", "aria-hidden": "true" });
    svg.insertBefore(layer, svg.querySelector(":scope > .plan-lines"));
  }
  return {
    layer,
    at: (cell) => places.get(cell),
    cellUnder: (x, y) => cellUnder(svg, places, x, y),
    line(cells, kind, more = "") {
      const drawn = drawnLine(places, cells, kind, more);
      if (drawn) layer.append(drawn);
      return drawn;
    },
    put: (element) => layer.appendChild(element),
    clear: () => layer.replaceChildren(),
  };
}

// Of things with a centre, the nearest one that lies in the direction of an arrow key. undefined: nothing does.
export function besideOf([x, y], things, centre, key) {
  const [ax, ay] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  let best;
  let least = Infinity;
  for (const other of things) {
    const [dx, dy] = [centre(other)[0] - x, centre(other)[1] - y];
    const along = dx * ax + dy * ay;
    const aside = Math.abs(dx * ay) + Math.abs(dy * ax);
    if (along < 10 || aside > along * 1.9) continue;
    if (along + aside * 1.5 < least) [best, least] = [other, along + aside * 1.5];
  }
  return best;
}

export function fieldMap(svg) {
  const places = cellPlaces(svg);
  const hex = svg.querySelector("use[data-cell]")?.getAttribute("href") ?? "";
  const counters = new Map([...svg.querySelectorAll("[data-unit]")].map((one) => [one.dataset.unit, one]));
  const marks = made("g", { class: "plan-marks" });
  const aside = { "pointer-events": "none", "aria-hidden": "true" };
  const lines = made("g", { class: "plan-lines", ...aside });
  // The path that is being drawn: the numbers of its steps stand on it.
  const under = made("g", { class: "plan-way", ...aside });
  svg.insertBefore(marks, svg.querySelector(".counters"));
  svg.insertBefore(under, marks);
  svg.append(lines);
  ghostLayer(svg);

  // The kind of ground, where it is not open.
  const ground = (cell) => svg.querySelector(`use[data-cell="${CSS.escape(cell)}"] > title`)?.textContent.replace(/^[^:]*: /, "") ?? "";
  const at = (label) => places.get(label);
  const cellOf = (unit) => counters.get(unit)?.dataset.cell;

  // A cell that can be chosen. `kinds`: reach, stop, withdraw, path; `number`: which step of the path.
  function mark({ cell, kinds, number, label }) {
    const [x, y] = at(cell);
    const sign = [];
    if (number) sign.push(made("circle", { r: 15, class: "step" }), made("text", { y: 7, class: "number" }, String(number)));
    else if (kinds.includes("reach")) sign.push(made("circle", { r: kinds.includes("stop") ? 6 : 8, class: "dot" }));
    if (kinds.includes("stop")) sign.push(made("path", { d: "M-14 17h28", class: "bar" }));
    if (kinds.includes("withdraw")) sign.push(made("path", { d: "M-14-16l14-9 14 9", class: "back" }));
    return made(
      "g",
      { class: `plan-mark ${kinds.join(" ")}`, role: "button", tabindex: "-1", "data-mark": cell, "aria-label": label, transform: `translate(${x} ${y})` },
      made("use", { href: hex, class: "ground-mark" }),
      ...sign,
    );
  }

  // A mark that stays the same stays where it is: a finger may be upon it, and its tap must not go lost. `grip`: the cell
  // from which a drag draws on.
  const drawn = new Map();
  function setMarks(wanted, grip) {
    const kept = new Map();
    for (const one of wanted) if (at(one.cell)) kept.set(JSON.stringify(one), one);
    for (const [key, element] of drawn) if (!kept.has(key) || element.parentNode !== marks) drawn.delete(key);
    const staying = new Set(drawn.values());
    for (const element of [...marks.children]) if (!staying.has(element)) element.remove();
    [...kept].forEach(([key, one], place) => {
      if (!drawn.has(key)) drawn.set(key, mark(one));
      if (marks.children[place] !== drawn.get(key)) marks.insertBefore(drawn.get(key), marks.children[place] ?? null);
      drawn.get(key).classList.toggle("grip", one.cell === grip);
    });
  }

  function ring(cell, kind) {
    const [x, y] = at(cell);
    const shape = kind === "obstacle" ? made("path", { d: "M-13-13l26 26M13-13l-26 26" }) : made("circle", { r: kind === "melee" ? 38 : 35 });
    return made("g", { class: `plan-ring ${kind}`, transform: `translate(${x} ${y})` }, shape);
  }

  // `routes`: {cells, kind, strong}; `rings`: {cell, kind}.
  function setLines(routes, rings) {
    const drawnOf = (some) => some.map((one) => drawnLine(places, one.cells, one.kind, one.strong ? "strong" : "")).filter(Boolean);
    const isPath = (one) => one.strong && one.kind === "move";
    under.replaceChildren(...drawnOf(routes.filter(isPath)));
    lines.replaceChildren(
      ...rings.filter((one) => at(one.cell)).map((one) => ring(one.cell, one.kind)),
      ...drawnOf(routes.filter((one) => !isPath(one))),
    );
  }

  const centre = (element) => at(element.dataset.mark ?? element.dataset.cell);
  const choices = () => [...counters.values(), ...marks.children];

  const beside = (element, key) => besideOf(centre(element), choices(), centre, key);

  const markOf = (cell) => (cell ? marks.querySelector(`[data-mark="${CSS.escape(cell)}"]`) : null);
  return { counters, cellOf, at, ground, cellUnder: (x, y) => cellUnder(svg, places, x, y), setMarks, setLines, beside, choices, markOf };
}
