// The side's plan beside the orders: warnings follow what is typed, friends' orders and drawings appear by themselves, and
// what is drawn goes to them. Without this file the page's forms do the same, by loading it again.
import { cellCursor } from "./cellcursor.js";
import { ghostLayer, made } from "./fieldmap.js";

const PAUSE_MS = 250;
const EVERY_MS = 15_000;
const SHOWN = 22; // letters of a note on the field
const root = document.getElementById("side-plan");
const svg = document.querySelector(".board-paper .board");
const orders = document.getElementById("orders");
const form = document.getElementById("side-draw");
if (root && svg && form) start();

function start() {
  const { url } = root.dataset;
  const field = ghostLayer(svg);
  const badges = svg.appendChild(made("g", { class: "badges", "pointer-events": "none", "aria-hidden": "true" }));
  const pick = root.querySelector("[data-pick]");
  const says = root.querySelector("[data-pick-says]");
  const error = root.querySelector("[data-error]");
  let plan = JSON.parse(root.dataset.plan);
  form.hidden = false;
  bare(root);
  const shown = new Map();
  let asked = 0;
  let timer;
  let pointing = false;

  // What stands there for scripts alone: without them the form of the orders goes along.
  function bare(part) {
    for (const button of part.querySelectorAll("[data-erase] [name=erase]")) button.hidden = false;
  }

  function mark(one) {
    const [x, y] = field.at(one.cells[0]);
    const shape = made("g", { class: `drawn-mark ${one.kind}`, transform: `translate(${x} ${y})` });
    if (one.kind !== "note") shape.append(made("circle", { r: 30, class: "halo" }), made("circle", { r: 30 }), made("path", { d: "M-9-9l18 18M9-9l-18 18" }));
    return shape;
  }

  function words(one) {
    const [x, y] = field.at(one.cells.at(-1));
    const text = one.text.length > SHOWN ? `${one.text.slice(0, SHOWN - 1)}…` : one.text;
    return made("text", { x, y: y + 47 }, text);
  }

  // Whom the glance warns of, and who has no order: seen at the counter, and heard there.
  function warn() {
    badges.replaceChildren();
    const told = new Map();
    for (const { unit, words: said } of plan.warned) told.set(unit, [...(told.get(unit) ?? []), said]);
    for (const counter of svg.querySelectorAll(".counters [data-unit]")) {
      const { unit, cell } = counter.dataset;
      const said = told.get(unit)?.join(" ") ?? "";
      counter.dataset.warned = said;
      if (said) counter.setAttribute("aria-description", said);
      else counter.removeAttribute("aria-description");
      const kind = said ? "warned" : plan.silent.includes(unit) ? "silent" : "";
      if (!kind || !field.at(cell)) continue;
      const [x, y] = field.at(cell);
      const badge = made("g", { class: `badge ${kind}`, "data-badge": unit, transform: `translate(${x + 30} ${y - 22})` }, made("circle", { r: 11 }));
      badge.append(made("text", { y: 6 }, said ? "!" : "?"));
      badges.append(badge);
    }
    svg.dispatchEvent(new CustomEvent("fieldpost:warned"));
  }

  function draw() {
    field.clear();
    warn();
    for (const one of plan.ghosts) field.line(one.cells, one.kind, "ghost");
    for (const one of [...plan.drawings, ...draft()]) {
      if (!one.cells.every(field.at)) continue;
      if (one.kind === "arrow") field.line(one.cells, "move", `drawn ${one.draft ?? ""}`);
      if (one.kind !== "arrow" || one.cells.length === 1) field.put(mark(one));
      if (one.text) field.put(words(one));
    }
  }

  const cells = () => form.elements.cells.value.toUpperCase().match(/[A-Z]+[0-9]+/g) ?? [];
  const draft = () => (cells().length ? [{ kind: form.elements.kind.value, cells: cells(), text: form.elements.text.value, draft: "draft" }] : []);

  // A part is put in place again where it is another: whoever reads or holds a button there stays where he is.
  function put(part, html) {
    if (shown.get(part) === html) return;
    shown.set(part, html);
    const opened = [...part.querySelectorAll("details[open]")].map((one) => one.firstElementChild.textContent);
    const place = [...part.querySelectorAll("button, summary, a")].indexOf(document.activeElement);
    part.innerHTML = html;
    bare(part);
    for (const one of part.querySelectorAll("details")) one.open = opened.includes(one.firstElementChild.textContent);
    if (place >= 0) part.querySelectorAll("button, summary, a")[place]?.focus({ preventScroll: true });
    part.dispatchEvent(new CustomEvent("fieldpost:swapped", { bubbles: true }));
  }

  function show(told) {
    // Of another turn: the page says so elsewhere, and keeps what stands on it.
    if (!told.open || told.turn !== Number(form.elements.turn.value)) return;
    plan = told;
    put(root.querySelector("[data-glance]"), told.html.glance);
    put(root.querySelector("[data-side]"), told.html.side);
    draw();
  }

  async function send(body) {
    const answer = await fetch(url, { method: "POST", body: new URLSearchParams(body), headers: { accept: "application/json" } });
    return [answer, await answer.json()];
  }

  // What the form says now, looked at by the rules. Only the newest question is answered.
  async function check() {
    if (!orders) return look(true);
    const number = ++asked;
    const body = new FormData(orders);
    body.set("action", "check");
    try {
      const [answer, told] = await send(body);
      if (number !== asked) return;
      if (answer.status === 429) later(1000 * (Number(answer.headers.get("retry-after")) || 5));
      else if (answer.ok) show(told);
    } catch {
      // no network: the next change or the next look asks again
    }
  }

  function later(pause = PAUSE_MS) {
    clearTimeout(timer);
    timer = setTimeout(check, pause);
  }

  // Whether friends have changed anything; the warnings are those of this page's form all the same.
  async function look(whole = false) {
    if (document.hidden) return;
    try {
      const answer = await fetch(url, { headers: { "if-none-match": `"${plan.mark}"` }, cache: "no-store" });
      if (answer.status !== 200) return;
      if (whole) show(await answer.json());
      else check();
    } catch {
      // no network: the next look asks again
    }
  }

  async function change(body, done) {
    try {
      const [answer, told] = await send(body);
      error.hidden = answer.ok;
      if (!answer.ok) {
        error.textContent = told.says;
        return;
      }
      done();
      show(told);
      later(0);
    } catch {
      form.submit();
    }
  }

  function point(on) {
    pointing = on;
    pick.setAttribute("aria-pressed", String(on));
    says.textContent = on ? says.dataset.words : "";
    svg.classList.toggle("pointing", on);
    if (on) svg.scrollIntoView({ block: "nearest" });
    else cursor.hide();
  }

  function take(cell) {
    const before = cells();
    const single = form.elements.kind.value !== "arrow";
    form.elements.cells.value = (single ? [cell] : before.at(-1) === cell ? before.slice(0, -1) : [...before, cell]).join(" ");
    draw();
  }

  // Whoever came by the keyboard goes over the cells by it.
  const cursor = cellCursor(svg, {
    take,
    leave() {
      point(false);
      pick.focus();
    },
  });

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const body = new FormData(form);
    body.set("action", "draw");
    change(body, () => {
      form.elements.cells.value = form.elements.text.value = "";
      point(false);
    });
  });
  form.addEventListener("input", draw);
  root.addEventListener("submit", (event) => {
    if (!event.target.matches("[data-erase]")) return;
    event.preventDefault();
    const body = new FormData(event.target);
    if (event.submitter?.name) body.set(event.submitter.name, event.submitter.value);
    change(body, () => {});
  });
  root.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="#unit-"]');
    if (link) document.getElementById(link.hash.slice(1))?.setAttribute("open", "");
  });

  pick.hidden = false;
  pick.addEventListener("click", (event) => {
    point(!pointing);
    if (pointing && !event.detail) cursor.show(cells().at(-1));
  });
  addEventListener("keydown", (event) => {
    if (pointing && event.key === "Escape") point(false);
  });
  // While cells are pointed at, a click on the board is nothing else; dragging still moves the board.
  const paper = svg.parentElement;
  paper.addEventListener(
    "click",
    (event) => {
      if (!pointing) return;
      event.stopPropagation();
      const cell = field.cellUnder(event.clientX, event.clientY);
      if (cell) take(cell);
    },
    true,
  );
  paper.addEventListener("pointerdown", (event) => {
    if (pointing && event.target.closest("[data-unit], [data-mark]")) event.stopPropagation();
  }, true);

  orders?.addEventListener("fp:changed", () => later());
  orders?.addEventListener("fp:saved", () => later());
  document.addEventListener("fieldpost:hint", () => look());
  document.addEventListener("visibilitychange", () => look());
  setInterval(look, EVERY_MS);
  draw();
}
