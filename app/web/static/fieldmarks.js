// What is drawn on the field while orders are given, made out of the orders: lines and rings, and the cells to choose from.
import { extensions, movesFrom, readOrder } from "./fieldorders.js";

// `draft`: the order of the chosen unit as a drag would make it; `pointed`: the unit that is looked at.
export function linesOf({ cards, map, selected, draft, data, pointed }) {
  const routes = [];
  for (const card of cards) {
    const unit = card.dataset.card;
    const [from, strong] = [map.cellOf(unit), unit === selected];
    const given = (strong && draft) || readOrder(card);
    if (!from) continue;
    const way = given.withdraw || from;
    if (map.cellOf(given.shoot)) routes.push({ cells: [from, map.cellOf(given.shoot)], kind: "shot", strong });
    if (map.cellOf(given.melee)) routes.push({ cells: [from, map.cellOf(given.melee)], kind: "melee", strong });
    if (given.withdraw) routes.push({ cells: [from, given.withdraw], kind: "withdraw", strong });
    if (given.path.length) routes.push({ cells: [way, ...given.path], kind: "move", strong });
  }
  const rings = [];
  if (selected && map.cellOf(selected)) rings.push({ cell: map.cellOf(selected), kind: "own" });
  for (const one of data?.targets ?? []) {
    if (one.shoot) rings.push({ cell: one.cell, kind: "shoot" });
    if (one.melee) rings.push({ cell: one.cell, kind: "melee" });
  }
  const looked = [...(data?.targets ?? []), ...(data?.hidden ?? [])].find((one) => one.unit === pointed);
  if (looked) routes.unshift({ cells: [data.cell, looked.cell], kind: "sight" });
  for (const by of looked?.by ?? []) rings.push({ cell: by.cell, kind: "obstacle" });
  return [routes, rings];
}

export function marksOf({ data, order, map, words, fill }) {
  const marks = new Map();
  const put = (cell, kind) => marks.set(cell, [...(marks.get(cell) ?? []), kind]);
  for (const way of movesFrom(data, order)) put(way.at(-1), "reach");
  for (const cell of extensions(data, order)) if (order.path.length && !marks.has(cell) && !(cell in data.held)) put(cell, "reach");
  for (const cell of order.path) put(cell, "path");
  for (const one of data.withdraw) put(one.cell, "withdraw");
  for (const cell of marks.keys()) if (data.stop.includes(cell)) put(cell, "stop");
  const far = new Map(movesFrom(data, order).map((way) => [way.at(-1), way.length]));
  return [...marks].map(([cell, kinds]) => {
    const number = order.path.indexOf(cell) + 1;
    const said = [cell];
    if (number) said.push(fill(words.step, { number }));
    else if (far.has(cell)) said.push(fill(words.steps, { steps: far.get(cell) }));
    if (map.ground(cell)) said.push(map.ground(cell));
    if (kinds.includes("stop")) said.push(words.stop);
    if (kinds.includes("withdraw")) said.push(words.back);
    return { cell, kinds, number, label: said.join(", ") };
  });
}
