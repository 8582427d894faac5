// Follows the battle: the server hints that it has changed, and this page asks what is told of it now. The battle's own page
// puts the changed parts in place; any other says what is new and leaves all that was typed where it is.
const RETRY_MS = 60_000;
const JITTER_MS = 800;
const MOST_LINES = 4;
const root = document.querySelector("[data-follow]");
const box = root?.querySelector(".notice");
const line = box?.querySelector("[role=status]");
const lives = () => document.querySelectorAll("[data-live]");
const shown = new Map();
const lines = [];
const WAITING = new Set(["held", "paused"]);
const FOCUSABLE = "a[href], button, summary, select, input, textarea, [tabindex]";

let stream;
let retry = 0;
let known = root && facts(root);
let asking = false;
let failed = 0;
let newest = known?.pulse;

// `pulse` is empty, and nobody's mark is known, on a page that is written once for many readers.
function facts(from) {
  const { pulse, turn, status, deadline, published, ready } = from.dataset;
  const seats = new Map([...from.querySelectorAll("[data-seat]")].map((seat) => [seat.dataset.seat, { ...seat.dataset }]));
  return { pulse, turn: Number(turn), status, deadline, published: Number(published), ready: ready !== undefined, seats };
}

function say(name, values = {}) {
  return root.dataset[name].replace(/\{(\w+)\}/g, (_, key) => values[key]);
}

function news(before, now) {
  const told = [];
  for (let turn = before.published + 1; turn <= now.published; turn += 1) told.push(say("sayPublished", { turn }));
  if (now.published < before.turn && (now.turn !== before.turn || (now.status === "review" && before.status !== "review"))) {
    told.push(say("sayResolved", { turn: before.turn }));
  }
  if (now.status !== before.status) {
    if (now.status === "over") told.push(say("sayOver"));
    else if (WAITING.has(now.status)) told.push(say(now.status === "paused" ? "sayPaused" : "sayHeld"));
    else if (WAITING.has(before.status)) told.push(say("sayResumed"));
  }
  if (now.turn === before.turn) told.push(...meanwhile(before, now));
  if (!told.length && before.pulse && now.pulse.split(".")[0] !== before.pulse.split(".")[0]) told.push(say("sayChanged"));
  return told;
}

// News within a turn: its deadline, and who has entered.
function meanwhile(before, now) {
  const told = [];
  if (now.deadline !== before.deadline && now.status === before.status) told.push(say(moved(before.deadline, now.deadline)));
  for (const [seat, { name, mark }] of now.seats) {
    const was = before.seats.get(seat)?.mark;
    if (name === root.dataset.own || mark === was || !mark || was === undefined) continue;
    if (mark === "ready") told.push(say("sayReady", { name }));
    else if (!was) told.push(say("sayEntered", { name }));
  }
  if (now.ready && !before.ready && before.seats.size) told.push(say("sayAllReady"));
  return told;
}

function moved(before, now) {
  if (!now) return "sayLifted";
  return before && new Date(now) > new Date(before) ? "sayExtended" : "sayDeadline";
}

function swap(fresh) {
  for (const part of lives()) {
    const next = fresh.querySelector(`[data-live="${CSS.escape(part.dataset.live)}"]`);
    if (!next || shown.get(part.dataset.live) === next.innerHTML) continue;
    shown.set(part.dataset.live, next.innerHTML);
    const scroller = part.querySelector(".board-scroll");
    const place = scroller && [scroller.scrollLeft, scroller.scrollTop];
    const opened = [...part.querySelectorAll("details")].map((one) => one.open);
    const back = focused(part);
    part.replaceChildren(...document.importNode(next, true).childNodes);
    if (place) part.querySelector(".board-scroll")?.scrollTo(...place);
    for (const [i, one] of [...part.querySelectorAll("details")].entries()) one.open = opened[i] ?? one.open;
    back()?.focus({ preventScroll: true });
    part.dispatchEvent(new CustomEvent("fieldpost:swapped", { bubbles: true }));
  }
}

// Where the reader was in a part, so that he is there again when it has been replaced: the link of the same address, else
// what stands in the same place.
function focused(part) {
  const here = document.activeElement;
  if (!part.contains(here)) return () => null;
  const link = here.getAttribute("href");
  const place = [...part.querySelectorAll(FOCUSABLE)].indexOf(here);
  return () => (link && part.querySelector(`a[href="${CSS.escape(link)}"]`)) || part.querySelectorAll(FOCUSABLE)[place];
}

async function ask() {
  if (asking || newest === known.pulse) return;
  asking = true;
  try {
    // not all who follow at the same instant
    await new Promise((done) => setTimeout(done, Math.random() * JITTER_MS));
    const hinted = newest;
    const address = lives().length ? location.href.split("#")[0] : `${root.dataset.page}/stand`;
    const answer = await fetch(address, { credentials: "same-origin", cache: "no-store" });
    if (!answer.ok) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    const source = fresh.querySelector("[data-follow]");
    if (!source) return;
    const now = facts(source);
    const told = news(known, now);
    if (now.published > known.published) root.querySelector("[data-latest]").hidden = false;
    if (now.turn !== known.turn) lines.length = 0;
    known = now;
    if (newest === hinted) newest = now.pulse;
    if (lives().length) swap(fresh);
    if (told.length) tell(told);
    failed = 0;
  } catch {
    // no network: the stream comes back by itself, and asks again
  } finally {
    asking = false;
  }
  if (newest !== known.pulse) setTimeout(ask, JITTER_MS * 2 ** Math.min((failed += 1), 6));
}

function tell(told) {
  lines.unshift(...told);
  lines.length = Math.min(lines.length, MOST_LINES);
  box.hidden = false;
  line.textContent = lines.join(" ");
}

function listen() {
  if (stream || document.hidden) return;
  stream = new EventSource(root.dataset.follow);
  stream.addEventListener("message", (event) => {
    newest = JSON.parse(event.data).version;
    if (newest !== known.pulse) setTimeout(() => document.dispatchEvent(new CustomEvent("fieldpost:hint")), Math.random() * JITTER_MS);
    ask();
  });
  stream.addEventListener("error", () => {
    // refused, not merely broken off: browsers do not try again by themselves
    if (stream?.readyState !== EventSource.CLOSED) return;
    stop();
    retry = setTimeout(listen, RETRY_MS * (1 + Math.random()));
  });
}

function stop() {
  clearTimeout(retry);
  stream?.close();
  stream = undefined;
}

if (root) {
  const again = root.querySelector("[data-again]");
  again.href = location.href.split("#")[0];
  again.hidden = lives().length > 0 || !known.pulse;
  root.classList.toggle("stays", !lives().length);
  root.querySelector("[data-hide]").addEventListener("click", () => {
    box.hidden = true;
    lines.length = 0;
  });
  document.addEventListener("visibilitychange", () => (document.hidden ? stop() : listen()));
  addEventListener("pagehide", stop);
  addEventListener("pageshow", listen);
  listen();
}
