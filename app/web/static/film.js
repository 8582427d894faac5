// The film of a turn on its own page: the boards and the report are there already.
import { ofUnit, player } from "./player.js";
import { developed, heard } from "./stage.js";

const root = document.getElementById("player");
const board = document.querySelector("[data-stage] .board-paper > svg");
const before = document.querySelector("[data-before] .board-paper > svg");
const lines = document.querySelector("[data-report] .turn-report");

function standing(svg) {
  const found = new Map();
  for (const counter of svg.querySelectorAll(".counters [data-unit]")) {
    const piece = counter.cloneNode(true);
    piece.removeAttribute("id");
    found.set(counter.dataset.unit, heard(piece));
  }
  return found;
}

async function begin() {
  const answer = await fetch(root.dataset.film, { credentials: "same-origin", headers: { accept: "application/json" } });
  if (!answer.ok) return;
  const film = await answer.json();
  const take = { ...developed(film, standing(before), board), lines };
  const names = new Set(film.moments.flatMap((moment) => [moment.id, ...moment.lines]));
  await player({
    turns: 1,
    load: async () => take,
    shown() {},
    address: (_, id) => id,
    find: (name) => (names.has(name) || ofUnit(name) || (name && lines.querySelector(`section#${CSS.escape(name)}`)) ? { turn: 0, id: name } : null),
  }).begin({ turn: 0, at: film.moments.length - 1 });
}

if (root && board && before && lines) begin();
