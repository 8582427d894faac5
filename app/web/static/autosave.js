// Every change of the orders is saved by itself, as a new revision of the sheet.
//
// What the form (#orders) tells to others that listen to it, whichever view the change came from:
//   fp:changed  the fields of a unit are other than before. detail: { units: [id], isOwn } (isOwn false: taken from the server)
//   fp:saved    the referee has this sheet now. detail: { turn, revision, at, ready, receipt, orders, refused, warnings };
//               orders: by unit, in the ruleset's JSON; refused and warnings: [{ unit, part, code, words }]
//   fp:refused  something is not saved and stays on the page. detail: { turn, revision, refused }
//   fp:stale    another page of the seat has saved, or the turn is over. detail: { turn, revision, isOver }
// All of them bubble. A listener never cancels them. Ask the server for what is shown only after fp:saved.
import { rawOf } from "./orderfields.js";

const form = document.getElementById("orders");

if (form) tellChanges();

function tellChanges() {
  const cards = [...form.querySelectorAll("[data-card]")];
  const known = new Map(cards.map((card) => [card, rawOf(card)]));
  let isDue = false;
  form.addEventListener("input", () => {
    if (isDue) return;
    isDue = true;
    queueMicrotask(() => {
      isDue = false;
      const changed = cards.filter((card) => rawOf(card) !== known.get(card));
      for (const card of changed) known.set(card, rawOf(card));
      const units = changed.map((card) => card.dataset.card);
      if (units.length) form.dispatchEvent(new CustomEvent("fp:changed", { bubbles: true, detail: { units, isOwn: true } }));
    });
  });
}
