// The fields of a unit's card as values: read, compared with a saved order, filled from what the server tells.
const SELECTS = ["shoot", "fight", "move"];
const field = (card, name) => card.querySelector(`[data-part="${name}"]`);
const cells = (text) => (text.toUpperCase().match(/[A-Z]+[0-9]+/g) ?? []).join("-");

export function fieldsOf(card) {
  const told = { path: field(card, "path")?.value.trim() ?? "", hold: Boolean(field(card, "hold")?.checked) };
  for (const name of SELECTS) {
    const option = field(card, name)?.selectedOptions?.[0];
    told[name] = option?.value ? { value: option.value, label: option.textContent, says: option.dataset.says } : { value: "" };
  }
  return told;
}

// What stands in the fields, to the letter: another text, another state of the form.
export function rawOf(card) {
  const told = fieldsOf(card);
  return JSON.stringify([...SELECTS.map((name) => told[name].value), told.path, told.hold]);
}

// What fields and orders mean, so that they can be compared: "" is no order.
export function meantByFields({ shoot, fight, move, path, hold }) {
  const parts = [shoot.value, fight.value, cells(path || move.value)];
  return parts.some(Boolean) ? parts.join("|") : hold ? "hold" : "";
}

export function meantByOrder(order) {
  if (!order) return "";
  const fight = order.melee ? `melee:${order.melee}` : order.withdraw ? `withdraw:${order.withdraw}` : "";
  const parts = [order.shoot ?? "", fight, (order.move ?? []).join("-")];
  return parts.some(Boolean) ? parts.join("|") : "hold";
}

// `onlyOffered`: leaves out what the form does not offer, and tells whether everything was.
export function fill(card, fields, { onlyOffered = false } = {}) {
  let isWhole = true;
  for (const name of SELECTS) isWhole = choose(card, name, fields[name], onlyOffered) && isWhole;
  field(card, "path").value = fields.path;
  field(card, "hold").checked = fields.hold;
  if (fields.path) card.querySelector(".path").open = true;
  card.dispatchEvent(new Event("input", { bubbles: true }));
  return isWhole;
}

function choose(card, name, choice, onlyOffered) {
  let select = field(card, name);
  const isOffered = !choice.value || [...(select?.options ?? [])].some((one) => one.value === choice.value);
  if (!isOffered && onlyOffered) return false;
  if (!select && choice.value) select = offer(card.querySelector(`[data-nothing="${name}"]`), name, card.dataset.card);
  if (!select) return true;
  if (!isOffered) {
    const option = new Option(choice.label, choice.value);
    option.dataset.says = choice.says;
    select.add(option);
  }
  select.value = choice.value;
  return true;
}

function offer(nothing, name, unit) {
  const select = document.createElement("select");
  Object.assign(select, { id: `f-${unit}-${name}`, name: `${name}:${unit}` });
  select.dataset.part = name;
  select.add(new Option(nothing.dataset.none, ""));
  const label = document.createElement("label");
  Object.assign(label, { htmlFor: select.id, textContent: nothing.dataset.label });
  nothing.className = "ask";
  nothing.replaceChildren(label, select);
  return select;
}

// `shoots at XS C3, moves to C4`; the words are those of the choices.
export function saidOf(card, { shoot, fight, move, path, hold }, none = "") {
  const said = [shoot.says, fight.says, path ? path.toUpperCase() : move.says].filter(Boolean);
  if (!said.length && hold) said.push(field(card, "hold").dataset.says);
  return said.join(", ") || none;
}

export const nameOf = (card) => card.querySelector(".unit-name strong").textContent.trim();
