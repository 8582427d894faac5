// A battle as one film: its turns one after the other, each fetched when it is wanted. A moment's address is `#t4-melee-3`.
import { player } from "./player.js";
import { developed, drawn, heard, picture } from "./stage.js";

const KEPT = 6; // turns that are held at a time
const root = document.getElementById("player");
const report = document.querySelector("[data-lines]");
const marks = [...document.querySelectorAll("[data-marks] a")];
const numbers = marks.map((mark) => Number(mark.dataset.turn));
const takes = new Map();

async function fetched(number) {
  const answer = await fetch(`${root.dataset.film}${number}/reel.json`, { credentials: "same-origin" });
  if (!answer.ok) throw new Error(`turn ${number}: ${answer.status}`);
  const reel = await answer.json();
  const lines = picture(reel.report);
  for (const self of lines.querySelectorAll("a.self")) self.hash = `t${number}-${self.hash.slice(1)}`;
  const opening = Object.entries(reel.opening).map(([unit, text]) => [unit, heard(drawn(text))]);
  return { ...developed(reel.film, opening, picture(reel.board)), lines };
}

function load(index) {
  const known = takes.get(index);
  const taken = known ?? fetched(numbers[index]);
  takes.delete(index);
  takes.set(index, taken);
  if (takes.size > KEPT) takes.delete(takes.keys().next().value);
  if (!known) taken.catch(() => takes.delete(index));
  return taken;
}

function shown(take, index) {
  report.replaceChildren(take.lines);
  for (const [place, mark] of marks.entries()) {
    if (place === index) mark.setAttribute("aria-current", "true");
    else mark.removeAttribute("aria-current");
  }
  const list = marks[index].closest("ol");
  list.scrollLeft += marks[index].getBoundingClientRect().left - list.getBoundingClientRect().left - list.clientWidth / 2;
}

function find(name) {
  const found = name.match(/^t(\d+)-(.+)$/);
  const turn = found ? numbers.indexOf(Number(found[1])) : -1;
  return turn < 0 ? null : { turn, id: found[2] };
}

// `Turn 4 · Shooting`; the first and the last chapter of a turn name it themselves.
function heading(take, { chapter }) {
  const words = take.film.chapters[chapter];
  if (chapter === 0 || chapter === take.film.chapters.length - 1) return words;
  return `${marks[numbers.indexOf(take.film.turn)].firstElementChild.textContent} · ${words}`;
}

if (root && numbers.length) {
  for (const mark of marks) mark.href = `#t${mark.dataset.turn}-film-start`;
  player({
    turns: numbers.length,
    load,
    shown,
    find,
    address: (take, id) => `t${take.film.turn}-${id}`,
    heading,
  }).begin({ turn: 0, at: 0 });
}
