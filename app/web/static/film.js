// Plays a published turn on the board of its page: moment by moment, each tied to a line of the report. Knows no game: the
// server says what changes on the board, this puts it there.
const SVG = "http://www.w3.org/2000/svg";
const CELL_MS = 260;
const player = document.getElementById("player");
const stage = document.querySelector("[data-stage] .board-paper");
const board = stage?.querySelector("svg");
const before = document.querySelector("[data-before] .board-paper svg");
const title = document.querySelector("[data-board-title]");
const part = (name) => player.querySelector(`[data-${name}]`);
const button = (name) => player.querySelector(`button[data-do="${name}"]`);
const still = matchMedia("(prefers-reduced-motion: reduce)");
const beside = matchMedia("(min-width: 62rem)");

let film;
let looks = [];
let grounds = [];
let at = 0;
let only = "";
let timer = 0;
let glide = 0;
let arrive = () => {};

function drawn(text) {
  const holder = document.createElementNS(SVG, "svg");
  holder.innerHTML = text;
  return holder.firstElementChild;
}

// How everybody looks in each moment, by unit: a piece of picture, shared by all moments in which it is the same.
function develop() {
  let look = new Map();
  for (const counter of before.querySelectorAll(".counters > [data-unit]")) {
    const piece = counter.cloneNode(true);
    piece.removeAttribute("id");
    look.set(counter.dataset.unit, piece);
  }
  for (const moment of film.moments) {
    look = new Map(look);
    for (const unit of moment.gone) look.delete(unit);
    for (const [unit, text] of Object.entries(moment.set)) look.set(unit, drawn(text));
    looks.push(look);
  }
}

// Boards without anybody on them: that of the page, and those of a turn in which the ground changed.
function prepare() {
  const layer = (svg) => {
    for (const group of svg.querySelectorAll(":scope > .counters, :scope > .routes")) group.remove();
    const counters = svg.appendChild(document.createElementNS(SVG, "g"));
    counters.setAttribute("class", "counters");
    counters.setAttribute("font-weight", "700");
    counters.setAttribute("text-anchor", "middle");
    const routes = svg.appendChild(document.createElementNS(SVG, "g"));
    routes.setAttribute("pointer-events", "none");
    return { svg, counters, routes };
  };
  grounds = film.grounds.map((text) => {
    const holder = document.createElement("div");
    holder.innerHTML = text;
    return layer(holder.firstElementChild);
  });
  grounds.push(layer(board));
}

function show(number, { glides = false, follow = true } = {}) {
  cancelAnimationFrame(glide);
  arrive();
  at = Math.max(0, Math.min(number, film.moments.length - 1));
  const moment = film.moments[at];
  const ground = grounds.at(moment.ground);
  if (stage.firstElementChild !== ground.svg) stage.replaceChildren(ground.svg);
  const pieces = [...looks[at].values()];
  for (const piece of pieces) piece.classList.toggle("picked", piece.dataset.unit === only);
  if (pieces.some((piece, i) => ground.counters.children[i] !== piece) || ground.counters.children.length !== pieces.length) {
    ground.counters.replaceChildren(...pieces);
  }
  const moving = Object.entries(moment.paths).map(([unit, points]) => [looks[at].get(unit), points]);
  ground.routes.innerHTML = moment.routes;
  if (glides && moving.length && !still.matches) travel(ground, moving);
  reach(moment);
  tell(moment, follow);
}

// On a board that scrolls: those whom the moment is about come into sight.
function reach(moment) {
  const frame = stage.parentElement;
  const view = frame.getBoundingClientRect();
  const ids = new Set([...moment.units, ...Object.keys(moment.paths)]);
  const places = [...ids].map((unit) => looks[at].get(unit)?.getBoundingClientRect()).filter(Boolean);
  if (!places.length) return;
  const middle = (low, high) => (Math.min(...places.map((one) => one[low])) + Math.max(...places.map((one) => one[high]))) / 2;
  frame.scrollTo({
    left: frame.scrollLeft + middle("left", "right") - view.left - frame.clientWidth / 2,
    top: frame.scrollTop + middle("top", "bottom") - view.top - frame.clientHeight / 2,
    behavior: still.matches ? "auto" : "smooth",
  });
}

function place(piece, [x, y]) {
  const lean = piece.getAttribute("transform").match(/rotate\([^)]*\)/)?.[0] ?? "";
  piece.setAttribute("transform", `translate(${x} ${y}) ${lean}`);
}

function travelTime(moment) {
  const steps = Math.max(0, ...Object.values(moment.paths).map((points) => points.length - 1));
  return still.matches ? 0 : (Math.min(steps, 6) * CELL_MS) / speed();
}

function travel(ground, moving) {
  const whole = travelTime(film.moments[at]);
  const begun = performance.now();
  // a piece belongs to many moments: wherever the way is broken off, it stands where it arrives
  arrive = () => {
    for (const [piece, points] of moving) place(piece, points.at(-1));
    arrive = () => {};
  };
  for (const [piece, points] of moving) {
    ground.counters.append(piece);
    place(piece, points[0]);
  }
  const frame = (now) => {
    const done = Math.max(0, Math.min(1, (now - begun) / whole));
    for (const [piece, points] of moving) {
      const way = done * (points.length - 1);
      const step = Math.min(Math.floor(way), points.length - 2);
      const [from, to] = [points[step], points[step + 1]];
      place(piece, [0, 1].map((axis) => Number((from[axis] + (to[axis] - from[axis]) * (way - step)).toFixed(1))));
    }
    if (done < 1) glide = requestAnimationFrame(frame);
  };
  glide = requestAnimationFrame(frame);
}

function tell(moment, follow) {
  const chapter = film.chapters[moment.chapter];
  part("scrub").value = at;
  part("scrub").setAttribute("aria-valuetext", `${at + 1} / ${film.moments.length}: ${chapter}`);
  part("chapter").value = moment.chapter;
  part("at").textContent = `${at + 1} / ${film.moments.length}`;
  part("here").href = `#${moment.id}`;
  title.textContent = moment.id === "film-end" ? title.dataset.boardTitle : chapter;
  button("back").disabled = next(-1) === at;
  button("on").disabled = next(1) === at;
  for (const line of document.querySelectorAll(".entry.showing")) line.classList.remove("showing");
  const lines = moment.lines.map((id) => document.getElementById(id)).filter(Boolean);
  const copy = document.createElement("div");
  if (lines.length) {
    copy.className = lines.at(-1).className;
    copy.append(...lines.at(-1).cloneNode(true).childNodes);
  } else {
    copy.append(moment.text);
  }
  for (const line of lines) line.classList.add("showing");
  part("moment").replaceChildren(copy);
  if (!player.hidden) part("told").textContent = moment.text || chapter;
  if (follow && beside.matches) lines.at(-1)?.scrollIntoView({ block: "center", behavior: still.matches ? "auto" : "smooth" });
}

function next(by) {
  for (let i = at + by; i >= 0 && i < film.moments.length; i += by) {
    const { id, units } = film.moments[i];
    if (!only || units.includes(only) || id === "film-start" || id === "film-end") return i;
  }
  return at;
}

function step(by) {
  pause();
  const to = next(by);
  if (to === at) return;
  show(to, { glides: by > 0 });
  keep();
}

const speed = () => Number(part("speed").value);
const keep = () => history.replaceState(history.state, "", `#${film.moments[at].id}`);

function play() {
  if (at === film.moments.length - 1) show(0);
  player.classList.add("playing");
  button("play").setAttribute("aria-label", button("play").dataset.pause);
  wait();
}

function wait() {
  const moment = film.moments[at];
  timer = setTimeout(() => {
    const to = next(1);
    if (to === at) return pause();
    show(to, { glides: true });
    keep();
    if (to === film.moments.length - 1) return pause();
    return wait();
  }, (moment.seconds * 1000) / speed() + travelTime(moment));
}

function pause() {
  clearTimeout(timer);
  player.classList.remove("playing");
  button("play").setAttribute("aria-label", button("play").dataset.play);
}

const toggle = () => (player.classList.contains("playing") ? pause() : play());

function filter(unit) {
  only = unit;
  part("only").value = unit;
  document.querySelector("article.report")?.classList.toggle("filtered", Boolean(unit));
  for (const line of document.querySelectorAll("article.report .entry")) {
    line.classList.toggle("aside", Boolean(unit) && !line.dataset.units.split(" ").includes(unit));
  }
  show(at, { follow: false });
}

// A link to a line of the report, or to a phase: the board as it was then. On a small screen the board is what is shown.
function open() {
  const name = decodeURIComponent(location.hash.slice(1));
  const place = document.getElementById(name);
  const line = place?.matches(".report section") ? place.querySelector(".entry")?.id : name;
  const number = film.moments.findIndex((moment) => moment.id === line || moment.lines.includes(line));
  if (number < 0) return;
  pause();
  show(number);
  if (!beside.matches) title.scrollIntoView({ block: "start" });
}

function keys(event) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const inside = player.contains(event.target);
  if (!inside && event.target !== document.body) return;
  if (event.target.matches("select, input, textarea, a, summary")) return;
  if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
    step(event.key === "ArrowLeft" ? -1 : 1);
  } else if (event.key === " " && !event.target.matches("button")) {
    toggle();
  } else {
    return;
  }
  event.preventDefault();
}

function listen() {
  button("back").addEventListener("click", () => step(-1));
  button("on").addEventListener("click", () => step(1));
  button("play").addEventListener("click", toggle);
  part("scrub").addEventListener("input", () => {
    pause();
    show(Number(part("scrub").value), { follow: false });
  });
  part("scrub").addEventListener("change", keep);
  part("chapter").addEventListener("change", () => {
    pause();
    show(film.moments.findIndex((moment) => moment.chapter === Number(part("chapter").value)));
    keep();
  });
  part("only").addEventListener("change", () => filter(part("only").value));
  stage.addEventListener("click", (event) => {
    const unit = event.target.closest?.(".counters [data-unit]")?.dataset.unit;
    if (unit) filter(unit === only ? "" : unit);
  });
  document.addEventListener("keydown", keys);
  addEventListener("hashchange", open);
}

async function begin() {
  const answer = await fetch(player.dataset.film, { credentials: "same-origin", headers: { accept: "application/json" } });
  if (!answer.ok) return;
  film = await answer.json();
  film.chapters.forEach((words, i) => part("chapter").add(new Option(words, i)));
  for (const [unit, words] of Object.entries(film.units)) part("only").add(new Option(words, unit));
  part("scrub").max = film.moments.length - 1;
  develop();
  prepare();
  listen();
  title.dataset.boardTitle = title.textContent;
  show(film.moments.length - 1, { follow: false });
  player.hidden = false;
  if (location.hash) open();
}

if (player && board && before) begin();
