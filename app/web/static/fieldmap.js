// The board as something to draw on: where its cells lie, marks on them, lines over them.
const NS = "http://www.w3.org/2000/svg";

function made(name, attributes = {}, ...children) {
  const element = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

export function fieldMap(svg) {
  const places = new Map();
  let hex = "";
  for (const use of svg.querySelectorAll("use[data-cell]")) {
    places.set(use.dataset.cell, [Number(use.getAttribute("x")), Number(use.getAttribute("y"))]);
    hex = use.getAttribute("href");
  }
  const counters = new Map([...svg.querySelectorAll("[data-unit]")].map((one) => [one.dataset.unit, one]));
  const marks = made("g", { class: "plan-marks" });
  const lines = made("g", { class: "plan-lines", "pointer-events": "none", "aria-hidden": "true" });
  svg.insertBefore(marks, svg.querySelector(".counters"));
  svg.append(lines);

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

  function setMarks(wanted) {
    marks.replaceChildren(...wanted.filter((one) => at(one.cell)).map(mark));
  }

  // A line along cells, trimmed at both ends so that the counters stay readable; with a tip, or without (`sight`).
  function line(cells, kind, strong) {
    const points = cells.map(at).filter(Boolean).map((point) => [...point]);
    if (points.length < 2) return "";
    const aims = kind === "shot" || kind === "melee" || kind === "sight";
    trim(points[0], points[1], kind === "melee" ? 16 : 24);
    if (aims) trim(points.at(-1), points.at(-2), kind === "melee" ? 16 : 28);
    const d = "M" + points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L");
    const [[bx, by], [ex, ey]] = points.slice(-2);
    const long = Math.hypot(ex - bx, ey - by) || 1;
    const [ux, uy] = [((ex - bx) / long) * 14, ((ey - by) / long) * 14];
    const tip = `M${ex + ux * 0.6} ${ey + uy * 0.6}L${ex - ux - uy * 0.7} ${ey - uy + ux * 0.7}L${ex - ux + uy * 0.7} ${ey - uy - ux * 0.7}z`;
    const group = made("g", { class: `plan-line ${kind}${strong ? " strong" : ""}`, "data-line": cells.join("-") }, made("path", { d, class: "halo" }), made("path", { d, class: "ink" }));
    if (kind !== "sight") group.append(made("path", { d: tip, class: "tip" }));
    return group;
  }

  function trim(point, towards, by) {
    const [dx, dy] = [towards[0] - point[0], towards[1] - point[1]];
    const part = Math.min(0.45, by / (Math.hypot(dx, dy) || 1));
    point[0] += dx * part;
    point[1] += dy * part;
  }

  function ring(cell, kind) {
    const [x, y] = at(cell);
    const shape = kind === "obstacle" ? made("path", { d: "M-13-13l26 26M13-13l-26 26" }) : made("circle", { r: kind === "melee" ? 38 : 34 });
    return made("g", { class: `plan-ring ${kind}`, transform: `translate(${x} ${y})` }, shape);
  }

  // `routes`: {cells, kind, strong}; `rings`: {cell, kind}.
  function setLines(routes, rings) {
    lines.replaceChildren(
      ...rings.filter((one) => at(one.cell)).map((one) => ring(one.cell, one.kind)),
      ...routes.map((one) => line(one.cells, one.kind, one.strong)).filter(Boolean),
    );
  }

  const centre = (element) => at(element.dataset.mark ?? element.dataset.cell);
  const choices = () => [...counters.values(), ...marks.children];

  // The nearest thing that lies in the direction of an arrow key.
  function beside(element, key) {
    const [x, y] = centre(element);
    const [ax, ay] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
    let best = null;
    let least = Infinity;
    for (const other of choices()) {
      const [dx, dy] = [centre(other)[0] - x, centre(other)[1] - y];
      const along = dx * ax + dy * ay;
      const aside = Math.abs(dx * ay) + Math.abs(dy * ax);
      if (along < 10 || aside > along * 1.9) continue;
      if (along + aside * 1.5 < least) [best, least] = [other, along + aside * 1.5];
    }
    return best;
  }

  const markOf = (cell) => marks.querySelector(`[data-mark="${CSS.escape(cell)}"]`);
  return { counters, cellOf, at, setMarks, setLines, beside, choices, markOf };
}
