// Units that were changed on two pages of one seat: both orders stand here until somebody chooses.
import { fieldsOf, fill, nameOf, saidOf } from "./orderfields.js";

// `chosen(unit, isMine)` is told once a choice is made, and the form has it.
export function clashList(section, cardOf, say, chosen) {
  const list = section.querySelector("ul");
  const theirs = new Map();

  function button(unit, isMine, fields) {
    const card = cardOf.get(unit);
    const made = document.createElement("button");
    const order = saidOf(card, fields, say("emptied"));
    Object.assign(made, { type: "button", className: "quiet", textContent: say(isMine ? "mine" : "theirs", { order }) });
    made.addEventListener("click", () => choose(unit, isMine));
    return made;
  }

  function show() {
    const isInside = list.contains(document.activeElement);
    list.replaceChildren(...[...theirs].map(([unit, fields]) => {
      const line = document.createElement("li");
      const name = document.createElement("strong");
      name.textContent = nameOf(cardOf.get(unit));
      line.setAttribute("role", "group");
      line.setAttribute("aria-label", name.textContent);
      line.append(name, " ", button(unit, true, fieldsOf(cardOf.get(unit))), " ", button(unit, false, fields));
      return line;
    }));
    section.hidden = !theirs.size;
    if (isInside && theirs.size) list.querySelector("button").focus();
  }

  function choose(unit, isMine) {
    const fields = theirs.get(unit);
    theirs.delete(unit);
    if (!isMine) fill(cardOf.get(unit), fields);
    show();
    chosen(unit, isMine);
  }

  return {
    show,
    units: () => [...theirs.keys()],
    has: (unit) => theirs.has(unit),
    set: (unit, fields) => theirs.set(unit, fields),
    delete: (unit) => theirs.delete(unit),
    focus: () => section.focus(),
  };
}
