// One unit's order as it stands in the fields of its card. The field writes through them, and only through them.
const part = (card, name) => card.querySelector(`[data-part="${name}"]`);

export function readOrder(card) {
  const fight = part(card, "fight")?.value ?? "";
  const typed = part(card, "path")?.value ?? "";
  const path = (typed.trim() || part(card, "move")?.value || "").toUpperCase().match(/[A-Z]+[0-9]+/g) ?? [];
  return {
    shoot: part(card, "shoot")?.value ?? "",
    melee: fight.startsWith("melee:") ? fight.slice(6) : "",
    withdraw: fight.startsWith("withdraw:") ? fight.slice(9) : "",
    // After a withdrawal a move that was chosen from the list means a way to its last cell.
    path: fight.startsWith("withdraw:") && !typed.trim() ? path.slice(-1) : path,
    hold: Boolean(part(card, "hold")?.checked),
  };
}

function put(field, value) {
  if (!field) return;
  const name = field.type === "checkbox" ? "checked" : "value";
  if (field[name] === value) return;
  field[name] = value;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.dispatchEvent(new Event("change", { bubbles: true }));
}

function putPath(card, path, withdraws) {
  const value = path.join("-");
  const move = part(card, "move");
  const offered = !withdraws && [...move.options].some((option) => option.value === value);
  put(move, offered ? value : "");
  put(part(card, "path"), offered ? "" : value);
  part(card, "path").closest("details").open = Boolean(value) && !offered;
}

// `changes`: some of shoot, melee, withdraw, path, hold.
export function writeOrder(card, changes) {
  const before = readOrder(card);
  const after = { ...before, ...changes };
  if (changes.melee) after.withdraw = "";
  if (changes.withdraw) after.melee = "";
  if (after.withdraw !== before.withdraw && !changes.path) after.path = [];
  if (changes.hold) Object.assign(after, { shoot: "", melee: "", withdraw: "", path: [] });
  put(part(card, "shoot"), after.shoot);
  put(part(card, "fight"), after.melee ? `melee:${after.melee}` : after.withdraw ? `withdraw:${after.withdraw}` : "");
  if (after.path.join() !== before.path.join() || after.withdraw !== before.withdraw) putPath(card, after.path, after.withdraw);
  const ordered = after.shoot || after.melee || after.withdraw || after.path.length;
  put(part(card, "hold"), Boolean(after.hold && !ordered));
}

// What choosing a cell makes of a path: a step more, the last one undone, a cut, or a new shortest way. null: it cannot be.
export function stepped(data, order, cell) {
  const { path } = order;
  const place = path.indexOf(cell);
  if (place >= 0) return place === path.length - 1 ? path.slice(0, -1) : path.slice(0, place + 1);
  if (path.length && extensions(data, order).includes(cell)) return [...path, cell];
  const way = movesFrom(data, order).find((one) => one.at(-1) === cell);
  return way ? [...way] : null;
}

export function movesFrom(data, order) {
  if (!order.withdraw) return data.moves;
  return data.withdraw.find((one) => one.cell === order.withdraw)?.moves ?? [];
}

// The cells that one more step may enter, whoever stands there now.
export function extensions(data, order) {
  const { path } = order;
  const start = order.withdraw || data.cell;
  const last = path.at(-1) ?? start;
  if (path.length >= data.steps || (path.length && data.stop.includes(last))) return [];
  return (data.near[last] ?? []).filter((cell) => cell !== start && !path.includes(cell));
}

// What each verb changes in an order; the same target again is no target. null: nothing.
export const VERBS = {
  shoot: (order, unit) => ({ shoot: order.shoot === unit ? "" : unit }),
  melee: (order, unit) => ({ melee: order.melee === unit ? "" : unit }),
  withdraw: (order, cell) => ({ withdraw: order.withdraw === cell ? "" : cell }),
  move(order, cell, data) {
    const path = stepped(data, order, cell);
    return path && { path };
  },
  enter: (order, cell) => ({ path: [...order.path, cell] }),
  undo: (order) => (order.path.length ? { path: order.path.slice(0, -1) } : null),
  stay: () => ({ path: [] }),
  hold: (order) => ({ hold: !order.hold }),
};
