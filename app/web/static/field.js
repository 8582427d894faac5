// Orders given on the field: choose a unit, then whom it shoots at or fights and where it goes. Everything is written into
// the fields of the unit's card; whatever else writes into them is drawn here too.
import { unitChoices } from "./fieldchoices.js";
import { readOrder, stepped, VERBS, writeOrder } from "./fieldorders.js";
import { cardHands, fieldHands } from "./fieldhands.js";
import { fieldMap } from "./fieldmap.js";
import { linesOf, marksOf } from "./fieldmarks.js";
import { fieldPanel } from "./fieldpanel.js";
import { reveals, settled } from "./fieldplace.js";
import { pathDrawing } from "./pathdrawing.js";

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

  const panel = fieldPanel(root, words, fill, { give, revert, answer, next, leave, point, ready });
  svg.classList.add("planning");
  root.hidden = false;

  const beside = settled(root, svg);

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
      panel.say(fill(words.chosen, { unit: data.name, targets: data.targets.length, cells: data.moves.length }), false);
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
    panel.say([`${data?.name ?? ""}: ${said}.`, ...odds].join(" "), false);
  }

  function give(verb, what) {
    const changes = VERBS[verb](order(), what, data);
    if (changes) change(changes);
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
  // The press is the form's own: what it answers, and what becomes of the turn, is told there.
  function ready() {
    form.querySelector('button[value="ready"]').click();
  }
  const saving = document.getElementById("saving");
  const count = () => ({
    all: cards.length,
    number: cards.filter((card) => card.classList.contains("ordered")).length,
    isReady: saving?.hasAttribute("data-ready"),
  });
  function next(by) {
    const units = cards.map((card) => card.dataset.card);
    const place = units.indexOf(selected);
    const unit = units[(place < 0 ? (by > 0 ? 0 : units.length - 1) : place + by + units.length) % units.length];
    select(unit);
    reveal(map.counters.get(unit), coarse.matches);
  }

  function answer(verb, what) {
    const back = question?.back;
    give(verb, what);
    if (back) focus(map.counters.get(back) ?? map.markOf(back));
  }

  // Where two things are legal, the panel asks which.
  function either(title, ways, back, byKey) {
    if (ways.length === 1) return answer(...ways[0]);
    if (!ways.length) return;
    question = { title, choices: ways, back: byKey ? back : null };
    draw();
    panel.focusQuestion();
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

  // Somebody looks at a unit: its odds, or what hides it. `how`: "seen", where the words stand beside it; "heard", for whom
  // they are no news to the eye.
  function point(unit, how = "") {
    pointed = unit;
    drawLines();
    if (how === "seen") return;
    const found = target(unit);
    const hidden = data?.hidden.find((one) => one.unit === unit);
    if (found) panel.say(panel.about(found, order()), !how);
    else if (hidden) panel.say(hidden.says);
    else panel.say(map.counters.get(unit)?.getAttribute("aria-label") ?? "");
  }

  const drawLines = () => map.setLines(...linesOf({ cards, map, selected, draft, data, pointed }));
  const drawMarks = () => map.setMarks(...(data ? [marksOf({ data, order: order(), map, words, fill }), ending(order())] : [[]]));

  function draw() {
    const place = document.activeElement?.dataset?.mark;
    drawMarks();
    drawLines();
    for (const [unit, counter] of map.counters) {
      const own = cardOf.has(unit);
      counter.setAttribute("role", own || target(unit) ? "button" : "img");
      if (own) counter.setAttribute("aria-pressed", String(unit === selected));
      counter.classList.toggle("chosen", unit === selected);
      counter.classList.toggle("own", own);
      counter.setAttribute("tabindex", "-1");
    }
    panel.show({ selected, data, question, order: selected ? order() : null, card: cardOf.get(selected), canRevert: before.length > 0, count: count(), warned: map.counters.get(selected)?.dataset.warned });
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

  const reveal = (element, finger = false) => element && reveals(element, root, finger);

  // The cell at which a path ends so far, "" where it has not begun.
  const ending = ({ path, withdraw: back }) => path.at(-1) ?? back;

  const drag = pathDrawing(svg, map, {
    chosen: () => ({ unit: selected, data }),
    isOwn: (unit) => cardOf.has(unit) && !target(unit),
    order,
    ending,
    select,
    ask: choices.ask,
    drafts(next) {
      draft = next;
      drawLines();
      panel.say(draft.path.length ? `${words.path}: ${draft.path.join("-")}` : words.stay, false);
    },
    done(next) {
      draft = null;
      if (next) change(next);
      else draw();
    },
  });
  fieldHands(svg, root, map, {
    act,
    focus,
    leave: () => drag.cancel() || leave(),
    undo: () => selected && data && (give("undo"), true),
    revert: () => before.length && (revert(), true),
    // The next unit of one's own, with the focus on it.
    next(by) {
      next(by);
      focus(map.counters.get(selected));
    },
    // A tap on nothing that can be chosen.
    miss(cell) {
      if (selected && cell) data && panel.say(fill(words.far, { unit: data.name, cell }));
      else if (selected) leave();
    },
    look(unit) {
      if (data && unit !== pointed) point(unit);
    },
    come(element) {
      cursor?.setAttribute("tabindex", "-1");
      cursor = element;
      cursor.setAttribute("tabindex", "0");
      if (element.dataset.unit && element.matches(":focus-visible")) point(element.dataset.unit);
    },
  });

  svg.addEventListener("fieldpost:warned", draw);
  for (const kind of ["fp:saved", "fp:stale"]) form.addEventListener(kind, draw);

  cardHands(form, cards, draw, (unit, isOpen) => {
    if (isOpen) select(unit);
    else if (unit === selected) leave();
  });

  // The glance names units: they are on the board, their cards may be far below.
  document.getElementById("side-plan")?.addEventListener("click", (event) => {
    const unit = decodeURIComponent(event.target.closest(`a[href^="#unit-"]`)?.hash.slice("#unit-".length) ?? "");
    if (!cardOf.has(unit)) return;
    event.preventDefault();
    select(unit);
    focus(map.counters.get(unit));
    if (coarse.matches) reveal(map.counters.get(unit), true);
  });

  const first = cards.find((card) => card.open);
  if (first && !first.classList.contains("wrong")) openedHere = first.dataset.card;
  // On a small screen the panel would hide the board before anybody has asked for it.
  if (first && beside.matches) select(first.dataset.card);
  else draw();
}
