// A unit's card over the board: shown while the pointer rests on it or it has the focus; kept open by a long tap, the right
// button or the key I. And the keyboard's way through the units of a board on which nothing else gives one.
import { besideOf } from "./fieldmap.js";

const REST = 450; // ms until a card shows itself
const HOLD = 500; // ms until a tap is a long one
const battle = location.pathname.match(/^\/b\/[^/]+/)?.[0];
const turn = location.pathname.match(/\/t\/([0-9]+)/)?.[1];
const known = new Map();

let card = null;
let of = null; // the counter whose card is shown
let pinned = false;
let byKey = false;
let due = 0;

const unitOf = (target) => target.closest?.("[data-board] .counters [data-unit]");

// What the server tells of a unit, asked once; a failure is not kept.
function ask(unit) {
  if (!known.has(unit)) {
    const asked = fetch(`${battle}/unit/${encodeURIComponent(unit)}${turn ? `?turn=${turn}` : ""}`).then(async (answer) => {
      if (answer.status === 404) return null; // a game without cards, a unit that is not known
      if (!answer.ok) throw new Error(String(answer.status));
      return new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("[data-unit-card]");
    });
    asked.catch(() => known.delete(unit));
    known.set(unit, asked);
  }
  return known.get(unit);
}

// The words of a counter on this very board. Its title would come up beside the card.
function told(counter) {
  const title = counter.querySelector(":scope > title");
  if (title) {
    if (!counter.hasAttribute("aria-label")) counter.setAttribute("aria-label", title.textContent);
    title.remove();
  }
  return counter.getAttribute("aria-label") ?? "";
}

async function show(counter, { pin = false, key = false } = {}) {
  clearTimeout(due);
  if (of === counter && card && (pinned || !pin)) return;
  hide();
  const view = counter.closest("[data-board]");
  [of, pinned, byKey] = [counter, pin, key];
  const said = told(counter);
  let content;
  let failed = "";
  try {
    content = (await ask(counter.dataset.unit))?.cloneNode(true);
  } catch {
    if (!pin) return;
    failed = ` ${view.dataset.failed}`;
  }
  if (of !== counter) return;
  card = document.createElement("div");
  card.className = `board-card${pin ? " pinned" : ""}`;
  if (content) {
    for (const heading of [...content.querySelectorAll("h1, h2")]) {
      const lower = document.createElement(heading.localName === "h1" ? "h3" : "h4");
      lower.append(...heading.childNodes);
      heading.replaceWith(lower);
    }
    const values = said.split(", ").slice(2).join(", ");
    if (values) content.querySelector("header p").textContent = values;
    card.append(content);
  } else {
    card.append(Object.assign(document.createElement("p"), { textContent: `${said}.${failed}` }));
  }
  if (pin) {
    const close = Object.assign(document.createElement("button"), { type: "button", className: "quiet", textContent: "×" });
    close.setAttribute("aria-label", view.dataset.close);
    close.addEventListener("click", () => hide(true));
    card.prepend(close);
    card.setAttribute("role", "dialog");
    card.setAttribute("aria-label", said);
    card.tabIndex = -1;
  } else {
    card.setAttribute("aria-hidden", "true");
  }
  document.body.append(card);
  put();
  if (pin) card.focus({ preventScroll: true });
}

// Beside the counter, where there is room; on a small screen along its lower edge.
function put() {
  if (matchMedia("(max-width: 40rem)").matches) return;
  const at = of.getBoundingClientRect();
  const [wide, high] = [card.offsetWidth, card.offsetHeight];
  const left = at.right + 14 + wide < innerWidth ? at.right + 14 : at.left - wide - 14;
  card.style.left = `${Math.max(6, left)}px`;
  card.style.top = `${Math.max(6, Math.min(at.top - 20, innerHeight - high - 6))}px`;
}

function hide(back = false) {
  clearTimeout(due);
  const counter = of;
  const inside = card?.contains(document.activeElement);
  card?.remove();
  [card, of, pinned] = [null, null, false];
  if (back && (inside || byKey) && counter?.isConnected) counter.focus({ preventScroll: true });
}

function later(counter) {
  clearTimeout(due);
  due = setTimeout(() => counter.matches(":hover, :focus") && show(counter), REST);
}

if (battle && document.querySelector("[data-board]")) start();

function start() {
  let swallow = false;
  document.addEventListener("pointerover", (event) => {
    if (pinned || event.pointerType !== "mouse" || event.buttons) return;
    const counter = unitOf(event.target);
    if (counter === of && card) return;
    if (counter) {
      told(counter);
      if (card) hide();
      later(counter);
    } else if (!byKey || card === null) {
      hide();
    }
  });
  document.addEventListener("focusin", (event) => {
    if (swallow) return; // what a long tap brings in its train
    const counter = unitOf(event.target);
    if (pinned && !card?.contains(event.target)) hide();
    if (counter?.matches(":focus-visible")) {
      if (counter !== of) hide();
      byKey = true;
      later(counter);
    } else if (!pinned) {
      hide();
    }
  });

  // A long tap, which some browsers tell as the right button.
  let press = null;
  const still = () => {
    clearTimeout(press?.timer);
    press = null;
  };
  document.addEventListener("pointerdown", (event) => {
    swallow = false;
    still();
    if (pinned && !card?.contains(event.target)) hide();
    else if (!pinned) hide();
    const counter = unitOf(event.target);
    if (!counter || event.pointerType === "mouse" || !event.isPrimary) return;
    const timer = setTimeout(() => {
      swallow = true;
      show(counter, { pin: true });
    }, HOLD);
    press = { timer, x: event.clientX, y: event.clientY };
  });
  document.addEventListener("pointermove", (event) => {
    if (press && Math.hypot(event.clientX - press.x, event.clientY - press.y) > 8) still();
  });
  for (const kind of ["pointerup", "pointercancel"]) document.addEventListener(kind, still);
  document.addEventListener("contextmenu", (event) => {
    const counter = unitOf(event.target);
    if (!counter) return;
    event.preventDefault();
    still();
    show(counter, { pin: true });
  });
  document.addEventListener(
    "click",
    (event) => {
      const counter = unitOf(event.target);
      if (swallow) {
        swallow = false;
        event.preventDefault();
        event.stopPropagation();
      } else if (counter && !isBusy(counter)) {
        show(counter, { pin: true });
      }
    },
    true,
  );
  addEventListener("scroll", () => card && !pinned && !byKey && hide(), { passive: true });

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && card) {
      const ours = card.contains(document.activeElement);
      hide(true);
      if (ours) event.stopPropagation();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const counter = unitOf(event.target);
    if (counter && event.code === "KeyI") {
      event.preventDefault();
      show(counter, { pin: true, key: true });
    } else {
      wander(event, counter);
    }
  });

  [...document.querySelectorAll("[data-board]")].forEach((view, number) => {
    const hint = view.querySelector("[data-board-hint]");
    hint.id = `board-hint-${number}`;
    view.querySelector(".board-scroll").setAttribute("aria-describedby", hint.id);
  });
}

// Whether taps on the units of this board mean something else.
function isBusy(counter) {
  return counter.closest(".planning, [data-stage]");
}

const AT = (counter) => {
  const { e, f } = counter.transform.baseVal.consolidate().matrix;
  return [e, f];
};

// Enter on the board leads to its first unit, arrows from one to the next, Escape back.
function wander(event, counter) {
  const frame = event.target.closest?.("[data-board] .board-scroll");
  const svg = frame?.querySelector("svg.board");
  if (!svg || svg.classList.contains("planning")) return;
  let next;
  if (event.target === frame && event.key === "Enter") next = svg.querySelector(".counters [data-unit]");
  else if (counter && event.key === "Escape") next = frame;
  else if (counter && event.key === "Enter") return void show(counter, { pin: true, key: true });
  else if (counter && event.key.startsWith("Arrow")) next = besideOf(AT(counter), svg.querySelectorAll(".counters [data-unit]"), AT, event.key);
  if (counter && event.key.startsWith("Arrow")) event.preventDefault();
  if (!next) return;
  event.preventDefault();
  if (next !== frame) {
    // A picture has no parts that can be focused; from now on it is a group of them.
    svg.setAttribute("role", "group");
    next.setAttribute("role", "img");
    next.setAttribute("tabindex", "-1");
    told(next);
    next.dispatchEvent(new CustomEvent("board:reveal", { bubbles: true, detail: { element: next } }));
  }
  next.focus({ preventScroll: false });
}
