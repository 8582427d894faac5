// Every change of the orders is saved by itself, as a new revision of the sheet.
//
// What the form (#orders) tells to others that listen to it, whichever view the change came from:
//   fp:changed  the fields of a unit are other than before. detail: { units: [id], isOwn } (isOwn false: taken from the server)
//   fp:saved    the referee has this sheet now. detail: { turn, revision, at, ready, receipt, orders, refused, warnings };
//               orders: by unit, in the ruleset's JSON; refused and warnings: [{ unit, part, code, words }]
//   fp:refused  something is not saved and stays on the page. detail: { turn, revision, refused }
//   fp:stale    another page of the seat has saved, or the turn is over. detail: { turn, revision, isOver }
// All of them bubble. A listener never cancels them. Ask the server for what is shown only after fp:saved.
import { tellChanges } from "./changes.js";
import { clashList } from "./clashes.js";
import { fieldsOf, fill, meantByFields, meantByOrder, nameOf, rawOf } from "./orderfields.js";
import { sheetLine } from "./savingline.js";
import { namesOf, sheetBook, unsentOf } from "./sheetbook.js";
import { retries, stateBox } from "./sheetstate.js";
import { post, sheetOf, whenever } from "./sheetwire.js";
import { unsentOrders } from "./unsent.js";

const PAUSE_MS = 700;
const MOST_TRIES = 4;
const root = document.getElementById("saving");
const form = document.getElementById("orders");
const cards = form ? [...form.querySelectorAll("[data-card]")] : [];
const cardOf = new Map(cards.map((card) => [card.dataset.card, card]));
const notAsOwn = form ? tellChanges(form, cards) : null;
const tell = (name, detail) => form.dispatchEvent(new CustomEvent(name, { bubbles: true, detail }));

if (root) start();

function start() {
  const words = root.dataset;
  const say = (name, values = {}) => words[`say${name[0].toUpperCase()}${name.slice(1)}`].replace(/\{(\w+)\}/g, (_, key) => values[key]);
  const turn = Number(words.turn);
  const unsent = unsentOrders(root, turn, cardOf, say, putBack);
  const meant = new Map();
  if (!form) return unsent.review(meant);

  const names = (units) => namesOf(units, cardOf);
  const line = sheetLine(form, say, names);
  const clashes = clashList(root.querySelector("[data-clashes]"), cardOf, say, chosen);
  const stateRoot = document.querySelector("[data-state]");
  const box = document.getElementById("orders-text");
  const channel = "BroadcastChannel" in window ? new BroadcastChannel(`fieldpost:${words.battle}:${words.seat}`) : null;
  const { raw, changed, sendable, wrong, saved, turnedDown } = sheetBook(cardOf, clashes);
  const now = { turn, revision: Number(words.revision), ready: "ready" in words, at: words.at, wasReady: false };
  let mood = "calm"; // or away, closed, over, denied
  let denial = "";
  let queue = Promise.resolve();
  let timer;
  let isNative = false;
  const showState = stateBox(stateRoot);
  const retry = retries(() => again());

  const isTextNew = () => Boolean(box) && box.value.trim() !== form.elements["text-taken"].value.trim();

  // One request at a time; what was changed meanwhile goes with the next one.
  function inTurn(act) {
    queue = queue.then(act);
    return queue;
  }

  function later(pause = PAUSE_MS) {
    clearTimeout(timer);
    timer = setTimeout(() => inTurn(() => (sendable().length && mood !== "over" ? send() : null)), pause);
  }

  async function send(action = "save") {
    clearTimeout(timer);
    for (let round = 0; round < MOST_TRIES; round += 1) {
      const sent = new Map([...cardOf.keys()].map((unit) => [unit, raw(unit)]));
      line.busy(true);
      const got = await post(`${words.url}/keep`, form, { turn, revision: now.revision, action }, clashes.units());
      line.busy(false);
      if (!got) return away();
      back();
      if (got.ok) return kept(got.told, sent);
      if (got.told.code === "bad-orders") return refused(got.told, sent);
      if (!got.told.sheet) return denied(got.told.says);
      newer(got.told.sheet);
      if (mood !== "calm" || action === "ready" || !sendable().length) return null;
    }
    return null;
  }

  function away() {
    if (mood !== "over") mood = "away";
    retry.wait();
    return show();
  }

  function back() {
    retry.stop();
    if (mood === "away" || mood === "denied") mood = "calm";
  }

  const again = () => inTurn(() => (mood === "over" ? null : sendable().length && mood !== "closed" ? send() : refresh()));

  async function refresh() {
    if (mood === "over") return null;
    const got = await sheetOf(words.url);
    if (!got) return away();
    back();
    if (!got.ok) return denied(got.told.says);
    newer(got.told.sheet);
    if (mood === "calm" && sendable().length) later();
    return got.told.sheet;
  }

  function denied(says) {
    mood = "denied";
    denial = says;
    return show();
  }

  function kept(told, sent) {
    const left = new Set(told.left);
    now.wasReady = told.new && now.ready && !told.sheet.ready;
    adopt(told.sheet);
    for (const unit of cardOf.keys()) {
      meant.set(unit, meantByOrder(told.sheet.orders[unit]));
      if (!left.has(unit)) saved.set(unit, sent.get(unit));
    }
    turnDown(told, sent);
    channel?.postMessage({ turn, revision: now.revision, ready: now.ready });
    const { revision, at, ready, receipt, orders, warnings } = told.sheet;
    tell("fp:saved", { turn, revision, at, ready, receipt, orders, warnings, refused: told.refused });
    if (told.refused.length) tell("fp:refused", { turn, revision, refused: told.refused });
    show();
    if (sendable().length) later();
    return told;
  }

  // Nothing of it is kept.
  function refused(told, sent) {
    adopt(told.sheet);
    turnDown(told, sent);
    if (!told.left.length) for (const unit of changed()) turnedDown.set(unit, sent.get(unit));
    tell("fp:refused", { turn, revision: now.revision, refused: told.refused });
    show();
    return told;
  }

  function turnDown(told, sent) {
    turnedDown.clear();
    for (const unit of told.left) if (!clashes.has(unit)) turnedDown.set(unit, sent.get(unit));
    line.problems(told.refused.filter((one) => raw(one.unit) === sent.get(one.unit) || !cardOf.has(one.unit)), cardOf);
  }

  function adopt(sheet) {
    Object.assign(now, { revision: sheet.revision, ready: sheet.ready, at: sheet.at });
    if (sheet.ready) now.wasReady = false;
    form.elements.revision.value = sheet.revision;
    words.published = sheet.published;
    root.toggleAttribute("data-ready", sheet.ready);
    showState(sheet.state);
  }

  // What another page has saved, or what has become of the turn.
  function newer(sheet) {
    if (sheet.turn !== turn || !sheet.awaited) return over(sheet);
    if (!sheet.open) mood = "closed";
    else if (mood === "closed") mood = "calm";
    const isNew = sheet.revision !== now.revision;
    adopt(sheet);
    if (isNew) merge(sheet);
    if (isNew) tell("fp:stale", { turn, revision: sheet.revision, isOver: false });
    show();
  }

  function merge(sheet) {
    const taken = [];
    for (const [unit, card] of cardOf) {
      const theirs = meantByOrder(sheet.orders[unit]);
      if (theirs === meant.get(unit)) continue;
      const isMine = raw(unit) !== saved.get(unit);
      meant.set(unit, theirs);
      if (meantByFields(fieldsOf(card)) === theirs) clashes.delete(unit);
      else if (isMine) clashes.set(unit, sheet.units[unit]);
      else {
        notAsOwn(() => fill(card, sheet.units[unit]));
        taken.push(nameOf(card));
      }
      if (!clashes.has(unit)) saved.set(unit, raw(unit));
    }
    clashes.show();
    if (taken.length) line.merged(root, say("merged", { revision: sheet.revision, units: taken.join(", ") }));
  }

  function chosen(unit, isMine) {
    if (!isMine) saved.set(unit, raw(unit));
    turnedDown.delete(unit);
    show();
    later(0);
  }

  function over(sheet) {
    mood = "over";
    clearTimeout(timer);
    const left = keep();
    if (left.text || Object.keys(left.units).length) unsent.over(left, sheet.published, sheet.awaited);
    tell("fp:stale", { turn: sheet.turn, revision: sheet.revision, isOver: true });
    show();
  }

  function putBack(units, out) {
    const told = [["putBack", units], ["leftOut", out]].filter(([, one]) => one.length).map(([name, one]) => say(name, { units: one.join(", ") }));
    if (told.length) line.merged(root, told.join(" "));
    unsent.review(meant);
    form?.querySelector("[data-card] > summary")?.focus({ preventScroll: true });
  }

  // Whatever the referee does not have stays in this browser.
  function keep() {
    const left = { units: unsentOf(changed(), cardOf, say("emptied")), text: isTextNew() ? box.value : "" };
    unsent.keep(left);
    return left;
  }

  function show() {
    keep();
    unsent.review(meant);
    line.show({ mood, denial, now, changed: changed(), wrong: wrong(), clashing: clashes.units(), isTextNew: isTextNew() });
    return null;
  }

  async function press(button) {
    const action = button?.value || "save";
    clearTimeout(timer);
    line.pressed();
    const isNew = isTextNew() && action !== "unready";
    const done = await inTurn(() => (action.startsWith("text") || isNew ? refresh() : mood === "over" ? null : send(action)));
    if (clashes.units().length && action !== "unready") return clashes.focus();
    if (!done) return unheard(action);
    if (done.resolved) location.assign(done.resolved);
    else if (action.startsWith("text") || isNew) {
      isNative = true;
      form.requestSubmit(button);
    } else if (done.refused?.length) {
      line.pressed(say(action === "ready" ? "notReady" : now.revision && done.left.length ? "last" : "unfit", now), done.refused);
    } else if (action !== "unready" && now.revision) {
      line.pressed(`${say("counts", now)}${now.ready ? ` ${say("ready")}` : ""}`);
    }
  }

  function unheard(action) {
    if (mood === "over" && changed().length) return document.getElementById("unsent").focus();
    const told = line.unheard({ mood, denial, now, changed: changed() }, action);
    return told ? line.pressed(told, []) : line.pressed();
  }

  const orders = JSON.parse(words.saved);
  for (const [unit, card] of cardOf) {
    meant.set(unit, meantByOrder(orders[unit]));
    if (meantByFields(fieldsOf(card)) === meant.get(unit)) saved.set(unit, rawOf(card));
  }
  form.addEventListener("fp:changed", ({ detail }) => {
    if (!detail.isOwn) return;
    line.pressed();
    clashes.show();
    show();
    if (mood === "calm") later();
  });
  form.addEventListener("fp:text", show);
  box?.addEventListener("input", keep);
  form.addEventListener("submit", (event) => {
    if (isNative) return;
    event.preventDefault();
    press(event.submitter);
  });
  stateRoot.addEventListener("submit", (event) => {
    event.preventDefault();
    press({ value: event.submitter?.value === "unset-ready" ? "unready" : "ready" });
  });
  whenever(again, () => mood === "calm" && sendable().length && inTurn(() => send()));
  addEventListener("offline", () => mood === "calm" && away());
  addEventListener("storage", (event) => unsent.owns(event.key) && unsent.review(meant));
  channel?.addEventListener("message", ({ data }) => {
    if (data.turn !== turn || data.revision !== now.revision || data.ready !== now.ready) inTurn(refresh);
  });
  addEventListener("beforeunload", (event) => {
    if (isNative || mood === "over") return;
    const isOnTheWay = mood === "calm" && sendable().length === changed().length;
    if (isOnTheWay && sendable().length) inTurn(() => send());
    if (isTextNew() || (changed().length && !isOnTheWay)) event.preventDefault();
  });
  if (words.told === "stale" && changed().length) settle();
  else if (sendable().length) later();
  show();

  // The form was sent as a whole and came back beside what another page has saved: nobody has chosen yet.
  async function settle() {
    const got = await inTurn(() => sheetOf(words.url));
    if (!got?.ok) return away();
    for (const unit of changed()) if (meant.get(unit)) clashes.set(unit, got.told.sheet.units[unit]);
    clashes.show();
    newer(got.told.sheet);
    later();
  }
}
