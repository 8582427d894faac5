// What of the form the referee has, by unit, and what he does not have.
import { fieldsOf, nameOf, rawOf, saidOf } from "./orderfields.js";

export function sheetBook(cardOf, clashes) {
  const saved = new Map(); // what stood in the fields when the referee had them
  const turnedDown = new Map(); // and when he refused them
  const raw = (unit) => rawOf(cardOf.get(unit));
  const isRefused = (unit) => raw(unit) === turnedDown.get(unit);
  const changed = () => [...cardOf.keys()].filter((unit) => raw(unit) !== saved.get(unit));
  const open = () => changed().filter((unit) => !clashes.has(unit));
  return {
    saved,
    turnedDown,
    raw,
    changed,
    sendable: () => open().filter((unit) => !isRefused(unit)),
    wrong: () => open().filter(isRefused),
  };
}

// As it is kept in the browser: the fields, and a line to read.
export function unsentOf(units, cardOf, none) {
  const kept = {};
  for (const unit of units) {
    const card = cardOf.get(unit);
    const fields = fieldsOf(card);
    kept[unit] = { fields, line: `${nameOf(card)}: ${saidOf(card, fields, none)}` };
  }
  return kept;
}

export function namesOf(units, cardOf) {
  const told = units.map((unit) => nameOf(cardOf.get(unit)));
  return told.length > 4 ? `${told.slice(0, 3).join(", ")}… (${told.length})` : told.join(", ");
}
