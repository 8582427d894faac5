// Plays turns on the board of a page: moment by moment, each tied to a line of the report. One turn, or many one after the
// other: `turns` says how many there are, `load(i)` brings one (as `developed`, with `lines`: the element that holds its
// report), `shown(take, i)` is told that it is on the board, `address(take, id)` names a moment and `find(name)` reads that.
import { putAddress } from "./address.js";
import { sight } from "./sight.js";
import { stage as boardOf, travelTime } from "./stage.js";

const MINE = "mine";
const ENDS = new Set(["film-start", "film-end"]);

// `#of-S1`: the first moment that is about a unit.
export const ofUnit = (name) => (name.startsWith("of-") ? name.slice(3) : "");

export function player(reel) {
  const root = document.getElementById("player");
  const paper = document.querySelector("[data-stage] .board-paper");
  const title = document.querySelector("[data-board-title]");
  const ended = title.textContent;
  const stage = boardOf(paper);
  const seen = sight(root.closest(".sticky"), title);
  const part = (name) => root.querySelector(`[data-${name}]`);
  const button = (name) => root.querySelector(`button[data-do="${name}"]`);
  const note = document.querySelector("[data-filter-note]");
  const many = reel.turns > 1;

  let take;
  let turn = 0;
  let at = 0;
  let telling; // the line of the report that tells of the moment
  let only = new URLSearchParams(location.search).get("unit") ?? "";
  let chosen = new Set();
  let timer = 0;
  let asked = 0;
  let opensWhy = false;

  const moments = () => take.film.moments;
  const speed = () => Number(part("speed").value);

  function show(number, { glides = false, follow = true } = {}) {
    at = Math.max(0, Math.min(number, moments().length - 1));
    const moment = moments()[at];
    stage.show(take, at, { picked: chosen, travels: glides ? travelTime(moment, speed()) : 0 });
    tell(moment, follow);
  }

  // Another turn onto the board. The one that was asked for last counts.
  async function turnTo(index, place, follow = true) {
    const mine = (asked += 1);
    let next;
    try {
      next = await reel.load(index);
    } catch {
      if (mine === asked) {
        pause();
        part("told").textContent = part("told").dataset.failed;
        part("moment").replaceChildren(part("told").dataset.failed);
      }
      return false;
    }
    if (mine !== asked) return false;
    if (next !== take) {
      take = next;
      turn = index;
      reel.shown(take, index);
      list();
    }
    show(typeof place === "function" ? place(moments()) : place, { follow });
    return true;
  }

  // What can be chosen of this turn: its phases, its units.
  function list() {
    const { film } = take;
    part("chapter").replaceChildren(...film.chapters.map((words, i) => new Option(words, i)));
    const known = new Map([...part("only").options].map((option) => [option.value, option]));
    for (const [unit, words] of Object.entries(film.units)) if (!known.has(unit)) part("only").add(new Option(words, unit));
    const own = known.get(MINE);
    own.hidden = own.disabled = !film.mine.length && only !== MINE;
    part("scrub").max = film.moments.length - 1;
    sift();
  }

  function tell(moment, follow) {
    const chapter = take.film.chapters[moment.chapter];
    const place = `${at + 1} / ${moments().length}`;
    part("scrub").value = at;
    part("scrub").setAttribute("aria-valuetext", `${place}: ${chapter}`);
    part("chapter").value = moment.chapter;
    part("at").textContent = place;
    part("here").href = here();
    title.textContent = many || moment.id !== "film-end" ? (reel.heading?.(take, moment) ?? chapter) : ended;
    button("back").disabled = !goal(-1);
    button("on").disabled = !goal(1);
    for (const line of document.querySelectorAll(".entry.showing")) line.classList.remove("showing");
    const lines = moment.lines.map((id) => take.lines.querySelector(`#${CSS.escape(id)}`)).filter(Boolean);
    const copy = document.createElement("div");
    if (lines.length) {
      copy.className = lines.at(-1).className;
      copy.append(...lines.at(-1).cloneNode(true).childNodes);
      for (const why of copy.querySelectorAll("details.why")) why.open = opensWhy;
    } else {
      copy.append(moment.text);
    }
    for (const line of lines) line.classList.add("showing");
    part("moment").replaceChildren(copy);
    if (!root.hidden) part("told").textContent = moment.text || chapter;
    telling = lines.at(-1);
    if (follow) seen.follow(telling);
  }

  // The next moment in a direction, of those that are not passed over: in this turn, or the turn beside it.
  function goal(by) {
    for (let i = at + by; i >= 0 && i < moments().length; i += by) {
      const { id, units } = moments()[i];
      if (!chosen.size || units.some((unit) => chosen.has(unit)) || ENDS.has(id)) return { at: i };
    }
    const index = turn + by;
    return index >= 0 && index < reel.turns ? { turn: index } : null;
  }

  async function go(to, by, glides) {
    if (to.turn === undefined) show(to.at, { glides });
    else if (!(await turnTo(to.turn, by > 0 ? 0 : (all) => all.length - 1))) return false;
    keep();
    return true;
  }

  function step(by) {
    pause();
    const to = goal(by);
    if (to) go(to, by, by > 0);
  }

  function chapter(by) {
    pause();
    const wanted = moments()[at].chapter + by;
    const found = moments().findIndex((moment) => moment.chapter === wanted);
    if (found >= 0) show(found);
    else if (turn + by >= 0 && turn + by < reel.turns) return turnTo(turn + by, by > 0 ? 0 : (all) => all.length - 1).then(keep);
    return keep();
  }

  const here = () => `${searched()}#${reel.address(take, moments()[at].id)}`;
  const keep = () => take && putAddress(`${location.pathname}${here()}`);

  function searched() {
    const asked = new URLSearchParams(location.search);
    if (only) asked.set("unit", only);
    else asked.delete("unit");
    return String(asked) && `?${asked}`;
  }

  async function play() {
    if (!goal(1)) {
      if (many) await turnTo(0, 0);
      else show(0);
    }
    root.classList.add("playing");
    button("play").setAttribute("aria-label", button("play").dataset.pause);
    wait();
  }

  function wait() {
    const moment = moments()[at];
    if (at * 2 > moments().length && turn + 1 < reel.turns) reel.load(turn + 1).catch(() => {});
    timer = setTimeout(async () => {
      const to = goal(1);
      if (!to || !(await go(to, 1, true)) || !goal(1)) return pause();
      return root.classList.contains("playing") ? wait() : undefined;
    }, (moment.seconds * 1000) / speed() + travelTime(moment, speed()));
  }

  function pause() {
    clearTimeout(timer);
    root.classList.remove("playing");
    button("play").setAttribute("aria-label", button("play").dataset.play);
  }

  const toggle = () => (root.classList.contains("playing") ? pause() : play());

  // One unit alone, or my own: in the film, and in the list of what happened.
  function filter(unit) {
    only = unit;
    putAddress(`${location.pathname}${searched()}${location.hash}`);
    sift();
    show(at, { follow: false });
  }

  function sift() {
    const known = only === MINE ? take.film.mine : [only];
    chosen = new Set(only ? known : []);
    if (only && ![...part("only").options].some((option) => option.value === only)) part("only").add(new Option(only, only));
    part("only").value = only;
    const lines = [...take.lines.querySelectorAll(".entry")];
    const aside = (line) => Boolean(only) && !line.dataset.units.split(" ").some((unit) => chosen.has(unit));
    for (const line of lines) line.classList.toggle("aside", aside(line));
    for (const entries of take.lines.querySelectorAll("ol.entries")) {
      const hides = Boolean(only) && ![...entries.children].some((line) => !aside(line));
      entries.classList.toggle("aside", hides);
      if (entries.previousElementSibling?.matches(".group")) entries.previousElementSibling.classList.toggle("aside", hides);
    }
    for (const phase of take.lines.querySelectorAll("section.phase")) {
      phase.classList.toggle("aside", Boolean(only) && !phase.querySelector(".entry:not(.aside)"));
    }
    take.lines.classList.toggle("filtered", Boolean(only));
    if (!note) return;
    note.hidden = !only;
    note.querySelector("[data-filter-name]").textContent = part("only").selectedOptions[0]?.textContent ?? only;
    note.querySelector("[data-filter-empty]").hidden = lines.some((line) => !aside(line));
  }

  // A link to a line of the report, or to a phase: the board as it was then. On a small screen the board is what is shown.
  async function open() {
    const wanted = reel.find(decodeURIComponent(location.hash.slice(1)));
    if (!wanted) return false;
    pause();
    const number = (all) => {
      const unit = ofUnit(wanted.id);
      if (unit) return Math.max(0, all.findIndex((moment) => moment.units.includes(unit)));
      const place = take.lines.querySelector(`#${CSS.escape(wanted.id || "-")}`);
      const line = place?.matches("section") ? place.querySelector(".entry")?.id : wanted.id;
      return all.findIndex((moment) => moment.id === line || moment.lines.includes(line));
    };
    if (wanted.turn !== turn || !take) {
      if (!(await turnTo(wanted.turn, (all) => Math.max(0, number(all))))) return false;
    } else if (number(moments()) < 0) {
      return false;
    } else {
      show(number(moments()));
    }
    seen.arrive(telling);
    return true;
  }

  function keys(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (!root.contains(event.target) && event.target !== document.body) return;
    if (event.target.matches("select, input, textarea, a, summary")) return;
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by) (event.shiftKey ? chapter : step)(by);
    else if (event.key === " " && !event.shiftKey && !event.target.matches("button")) toggle();
    else return;
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
      show(moments().findIndex((moment) => moment.chapter === Number(part("chapter").value)));
      keep();
    });
    part("only").addEventListener("change", () => filter(part("only").value));
    note?.querySelector("[data-filter-off]").addEventListener("click", () => {
      filter("");
      part("only").focus();
    });
    // whoever opens a reason reads it: the film waits, and the next reason stands open as well
    part("moment").addEventListener("click", (event) => {
      const why = event.target.closest("summary")?.parentElement;
      if (!why?.matches(".why")) return;
      pause();
      opensWhy = !why.open;
    });
    paper.addEventListener("click", (event) => {
      const unit = event.target.closest?.(".counters [data-unit]")?.dataset.unit;
      if (unit) filter(unit === only ? "" : unit);
    });
    document.addEventListener("keydown", keys);
    addEventListener("hashchange", open);
  }

  // `rest`: which turn and which moment where the address names none.
  async function begin(rest) {
    if (!(location.hash && reel.find(decodeURIComponent(location.hash.slice(1))) && (await open()))) {
      if (!take && !(await turnTo(rest.turn, rest.at, false))) return;
    }
    listen();
    root.hidden = false;
  }

  return { begin, turnTo, keep };
}
