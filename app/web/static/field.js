// Orders given on the field: choose a unit, then whom it shoots at or fights and where it goes. Everything is written into
// the fields of the unit's card; whatever else writes into them is drawn here too.
import { unitChoices } from "./fieldchoices.js";
import { readOrder, stepped, writeOrder } from "./fieldorders.js";
import { pathDrag, trailed } from "./fielddrag.js";
import { fieldMap } from "./fieldmap.js";
import { linesOf, marksOf } from "./fieldmarks.js";
import { fieldPanel } from "./fieldpanel.js";

const root = document.getElementById("plan");
const svg = document.querySelector(".board-paper .board");
const form = document.getElementById("orders");
if (root && svg && form) start();

function start() {
  const words = root.dataset;
  const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, key) => values[key]);
  const cards = [...form.querySelectorAll("[data-card]")];
  const cardOf = new Map(cards.map((card) => [card.dataset.card, card]));
  const map = fieldMap(svg);
  const choices = unitChoices(words.url, [...cardOf.keys()], (number) => (words.known = number));
  let selected = null;
  let data = null;
  let pointed = null; // the unit that is looked at: hovered, focused or tapped
  let question = null;
  let openedHere = null;
  let waiting = null; // the chosen unit, while what it may do is on its way
  let cursor = null;
  let draft = null; // the order of the chosen unit as a drag would make it
  const before = []; // orders as they were, the newest last
  const coarse = matchMedia("(pointer: coarse)");

  const panel = fieldPanel(root, words, fill, { shoot, melee, withdraw, undo, revert, stay, hold, answer, enter, next, leave, point });
  svg.classList.add("planning");
  root.hidden = false;

  // Where there is room, the panel stands beside the board and hides none of it.
  const beside = matchMedia("(min-width: 62rem)");
  const home = root.previousElementSibling;
  const column = svg.closest(".main-column")?.nextElementSibling;
  const settle = () => (beside.matches && column ? column.prepend(root) : home.after(root));
  settle();
  beside.addEventListener("change", settle);

  async function select(unit, { open = true } = {}) {
    if (!cardOf.has(unit) || (unit === selected && (data || waiting === unit))) return;
    close(unit);
    [selected, data, pointed, question] = [unit, null, null, null];
    const card = cardOf.get(unit);
    if (open && !card.open) {
      card.open = true;
      openedHere = unit;
    }
    draw();
    waiting = unit;
    try {
      const found = await choices.ask(unit);
      if (selected !== unit) return;
      data = found;
      draw();
      panel.say(fill(words.chosen, { unit: data.name, targets: data.targets.length, cells: data.moves.length }));
    } catch {
      if (selected === unit) panel.say(words.failed);
    } finally {
      if (waiting === unit) waiting = null;
    }
  }

  function close(but) {
    if (openedHere && openedHere !== but) cardOf.get(openedHere).open = false;
    if (openedHere !== but) openedHere = null;
  }

  function leave() {
    if (question) {
      question = null;
    } else {
      const unit = selected;
      const held = document.activeElement;
      [selected, data, pointed] = [null, null, null];
      close(null);
      panel.say("");
      // What had the focus is about to go.
      if (root.contains(held) || held?.matches(".plan-mark")) focus(map.counters.get(unit));
    }
    draw();
  }

  const order = () => readOrder(cardOf.get(selected));
  const target = (unit) => data?.targets.find((one) => one.unit === unit);

  function change(changes) {
    question = null;
    before.push({ unit: selected, order: order() });
    writeOrder(cardOf.get(selected), changes);
    tellChange();
  }

  function tellChange() {
    draw();
    const now = order();
    const said = cardOf.get(selected).querySelector("[data-says].says")?.textContent ?? "";
    const odds = [target(now.shoot), target(now.melee)].flatMap((one, place) => (one ? panel.chances(one, now, place ? "melee" : "shoot") : []));
    panel.say([`${data?.name ?? ""}: ${said}.`, ...odds].join(" "));
  }

  function shoot(unit) {
    change({ shoot: order().shoot === unit ? "" : unit });
  }
  function melee(unit) {
    change({ melee: order().melee === unit ? "" : unit });
  }
  function withdraw(cell) {
    change({ withdraw: order().withdraw === cell ? "" : cell });
  }
  function move(cell) {
    const path = stepped(data, order(), cell);
    if (path) change({ path });
  }
  function enter(cell) {
    change({ path: [...order().path, cell] });
  }
  function undo() {
    if (order().path.length) change({ path: order().path.slice(0, -1) });
  }
  // Takes back the last change made on the field, whichever unit it was of.
  async function revert() {
    const last = before.pop();
    if (!last) return;
    question = null;
    if (last.unit !== selected) await select(last.unit);
    writeOrder(cardOf.get(last.unit), last.order);
    tellChange();
  }
  function stay() {
    change({ path: [] });
  }
  function hold() {
    change({ hold: !order().hold });
  }
  function next(by) {
    const units = cards.map((card) => card.dataset.card);
    const place = units.indexOf(selected);
    const unit = units[(place < 0 ? (by > 0 ? 0 : units.length - 1) : place + by + units.length) % units.length];
    select(unit);
    reveal(map.counters.get(unit), coarse.matches);
  }

  function answer(verb, what) {
    const back = question?.back;
    ({ shoot, melee, withdraw, move })[verb](what);
    if (back) focus(map.counters.get(back) ?? map.markOf(back));
  }

  // Where two things are legal, the panel asks which.
  function either(title, ways, back, byKey) {
    if (ways.length === 1) return answer(...ways[0]);
    if (ways.length > 1) {
      question = { title, choices: ways, back: byKey ? back : null };
      draw();
      panel.focusQuestion();
    }
  }

  function act(element, byKey) {
    const { unit, mark } = element.dataset;
    if (mark) return onCell(mark, byKey);
    if (selected && !data && !cardOf.has(unit)) {
      // Somebody quick: what the unit may do is still on its way.
      choices.ask(selected).then(() => act(element, byKey), () => {});
      return;
    }
    const found = target(unit);
    if (found) {
      point(unit);
      const ways = [];
      if (found.shoot) ways.push(["shoot", unit]);
      if (found.melee) ways.push(["melee", unit]);
      return either(fill(words.which, { what: found.name }), ways, unit, byKey);
    }
    if (cardOf.has(unit) && (unit !== selected || !data)) {
      // On a small screen the panel grows with what it tells; the unit shall not lie under it.
      select(unit).then(() => coarse.matches && unit === selected && reveal(element, true));
    } else point(unit);
  }

  function onCell(cell, byKey) {
    const ways = [];
    if (stepped(data, order(), cell)) ways.push(["move", cell]);
    const back = data.withdraw.some((one) => one.cell === cell);
    // The cell of the path that is tapped again is meant as a step back, not as a question.
    if (back && !order().path.includes(cell)) ways.push(["withdraw", cell]);
    either(fill(words.which, { what: cell }), ways, cell, byKey);
  }

  // Somebody looks at a unit: its odds, or what hides it.
  function point(unit, quiet = false) {
    pointed = unit;
    drawLines();
    if (quiet) return;
    const found = target(unit);
    const hidden = data?.hidden.find((one) => one.unit === unit);
    if (found) panel.say(panel.about(found, order()));
    else if (hidden) panel.say(hidden.says);
    else panel.say(map.counters.get(unit)?.getAttribute("aria-label") ?? "");
  }

  const drawLines = () => map.setLines(...linesOf({ cards, map, selected, draft, data, pointed }));
  const drawMarks = () => map.setMarks(data ? marksOf({ data, order: order(), map, words, fill }) : []);

  function draw() {
    const place = document.activeElement?.dataset?.mark;
    drawMarks();
    drawLines();
    for (const [unit, counter] of map.counters) {
      const own = cardOf.has(unit);
      counter.setAttribute("role", own || target(unit) ? "button" : "img");
      if (own) counter.setAttribute("aria-pressed", String(unit === selected));
      counter.classList.toggle("chosen", unit === selected);
      counter.setAttribute("tabindex", "-1");
    }
    const end = selected && data && map.markOf(ending(order()));
    if (end) end.classList.add("grip");
    panel.show({ selected, data, question, order: selected ? order() : null, card: cardOf.get(selected), canRevert: before.length > 0, warned: map.counters.get(selected)?.dataset.warned });
    const again = place && map.markOf(place);
    if (again) again.focus({ preventScroll: true });
    else if (place) focus(map.counters.get(selected));
    if (!cursor?.isConnected) cursor = map.counters.get(selected) ?? map.counters.get(cards[0]?.dataset.card) ?? null;
    cursor?.setAttribute("tabindex", "0");
  }

  function focus(element) {
    if (!element) return;
    cursor?.setAttribute("tabindex", "-1");
    cursor = element;
    element.setAttribute("tabindex", "0");
    element.focus({ preventScroll: true });
    reveal(element);
  }

  // `finger`: so near that a finger hits a cell.
  function reveal(element, finger = false) {
    if (!element) return;
    element.dispatchEvent(new CustomEvent("board:reveal", { bubbles: true, detail: { element, finger } }));
    element.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  // The cell at which a path ends so far, "" where it has not begun.
  const ending = ({ path, withdraw: back }) => path.at(-1) ?? back;

  // A drag from the unit itself begins its path anew; a withdrawal stands if the path goes on from there.
  function dragged(cells) {
    const now = order();
    if (drawsFrom !== data.cell || !now.withdraw) return { ...now, path: trailed(data, drawsFrom === data.cell ? { ...now, path: [] } : now, cells) };
    if (cells[0] === now.withdraw) return { ...now, path: trailed(data, { ...now, path: [] }, cells.slice(1)) };
    const without = { ...now, withdraw: "", path: [] };
    return { ...without, path: trailed(data, without, cells) };
  }
  let drawsFrom = "";
  const drag = pathDrag(svg, map.cellUnder, {
    grip(element, type) {
      const { unit, mark } = element.closest?.("[data-mark], [data-unit]")?.dataset ?? {};
      drawsFrom = "";
      if (mark) drawsFrom = data && mark === ending(order()) ? mark : "";
      else if (unit && (unit === selected || (type !== "touch" && cardOf.has(unit) && !target(unit)))) drawsFrom = map.cellOf(unit);
      drawnUnit = unit ?? selected;
      return drawsFrom;
    },
    draws(cells) {
      if (drawnUnit !== selected) select(drawnUnit);
      if (!data) return;
      draft = dragged(cells);
      drawLines();
      panel.say(draft.path.length ? `${words.path}: ${draft.path.join("-")}` : words.stay);
    },
    async done(cells) {
      const unit = drawnUnit;
      if (unit !== selected) select(unit);
      await choices.ask(unit).catch(() => {});
      if (unit !== selected || !data) return;
      const { path, withdraw: back } = dragged(cells);
      draft = null;
      const now = order();
      if (path.join() === now.path.join() && back === now.withdraw) draw();
      else change({ withdraw: back, path });
    },
    undone() {
      draft = null;
      draw();
    },
  });
  let drawnUnit = "";

  const chosen = (event) => event.target.closest?.("[data-mark], [data-unit]");

  svg.addEventListener("click", (event) => {
    const element = chosen(event);
    const cell = map.cellUnder(event.clientX, event.clientY);
    if (element) act(element, false);
    else if (selected && cell) data && panel.say(fill(words.far, { unit: data.name, cell }));
    else if (selected) leave();
  });
  svg.addEventListener("keydown", (event) => {
    const element = chosen(event);
    if (!element || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key.startsWith("Arrow")) focus(map.beside(element, event.key));
    else if (event.key === "Enter" || event.key === " ") act(element, true);
    else if (event.code === "KeyN" || event.code === "KeyP") {
      next(event.code === "KeyN" ? 1 : -1);
      focus(map.counters.get(selected));
    } else return;
    event.preventDefault();
  });
  for (const place of [svg, root]) {
    place.addEventListener("keydown", (event) => {
      if (event.key === "Escape") drag.cancel() || leave();
      else if (event.key === "Backspace" && selected && data) undo();
      else return;
      event.preventDefault();
    });
  }
  // Ctrl+Z in a text is the text's own.
  document.addEventListener("keydown", (event) => {
    const takesBack = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.code === "KeyZ";
    if (!takesBack || !before.length || event.target.closest("input, textarea, select")) return;
    event.preventDefault();
    revert();
  });
  svg.addEventListener("focusin", (event) => {
    const element = chosen(event);
    if (!element) return;
    cursor?.setAttribute("tabindex", "-1");
    cursor = element;
    cursor.setAttribute("tabindex", "0");
    if (element.dataset.unit && element.matches(":focus-visible")) point(element.dataset.unit);
  });
  svg.addEventListener("pointerover", (event) => {
    const element = chosen(event);
    if (event.pointerType === "mouse" && data && element?.dataset.unit && element.dataset.unit !== pointed) point(element.dataset.unit);
  });

  svg.addEventListener("fieldpost:warned", draw);

  let due = false;
  for (const kind of ["input", "change"]) {
    form.addEventListener(kind, () => {
      if (due) return;
      due = true;
      queueMicrotask(() => {
        due = false;
        draw();
      });
    });
  }
  const wasOpen = new Map(cards.map((card) => [card, card.open]));
  for (const card of cards) {
    card.addEventListener("toggle", () => {
      // The browser tells of a card that was open from the start, too.
      if (card.open === wasOpen.get(card)) return;
      wasOpen.set(card, card.open);
      if (card.open) select(card.dataset.card);
      else if (card.dataset.card === selected) leave();
    });
  }

  const first = cards.find((card) => card.open);
  if (first && !first.classList.contains("wrong")) openedHere = first.dataset.card;
  // On a small screen the panel would hide the board before anybody has asked for it.
  if (first && beside.matches) select(first.dataset.card);
  else draw();
}
