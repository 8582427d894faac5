// Tells the form (fp:changed) that the fields of units are other than before, once for all that changes at one stroke.
import { rawOf } from "./orderfields.js";

// Returns what does something whose changes are told as not the person's own.
export function tellChanges(form, cards) {
  const known = new Map(cards.map((card) => [card, rawOf(card)]));
  let isOwn = true;
  let isDue = false;

  function look() {
    const changed = cards.filter((card) => rawOf(card) !== known.get(card));
    for (const card of changed) known.set(card, rawOf(card));
    const units = changed.map((card) => card.dataset.card);
    if (units.length) form.dispatchEvent(new CustomEvent("fp:changed", { bubbles: true, detail: { units, isOwn } }));
  }

  form.addEventListener("input", () => {
    if (!isOwn || isDue) return;
    isDue = true;
    queueMicrotask(() => {
      isDue = false;
      look();
    });
  });

  return (act) => {
    look();
    isOwn = false;
    act();
    look();
    isOwn = true;
  };
}
