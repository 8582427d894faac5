// What a pointer and the keys do on the field; what comes of it is `doing`'s.
import { byFinger } from "./pressed.js";

export function fieldHands(svg, root, map, doing) {
  const meant = (event) => event.target.closest?.("[data-mark], [data-unit]");

  let before;
  svg.addEventListener("click", (event) => {
    const element = meant(event);
    const what = element?.dataset.mark ?? element?.dataset.unit;
    // The second half of a double click would take back what the first has ordered. Fingers are quick to tap twice on purpose.
    if (event.detail > 1 && !byFinger(event) && what === before) return;
    before = what;
    if (element) doing.act(element, false);
    else doing.miss(map.cellUnder(event.clientX, event.clientY));
  });
  svg.addEventListener("keydown", (event) => {
    const element = meant(event);
    if (!element || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key.startsWith("Arrow")) doing.focus(map.beside(element, event.key));
    else if (event.key === "Enter" || event.key === " ") doing.act(element, true);
    else if (event.code === "KeyN" || event.code === "KeyP") doing.next(event.code === "KeyN" ? 1 : -1);
    else return;
    event.preventDefault();
  });
  for (const place of [svg, root]) {
    place.addEventListener("keydown", (event) => {
      if (event.key === "Escape") doing.leave();
      else if (event.key !== "Backspace" || !doing.undo()) return;
      event.preventDefault();
    });
  }
  // Ctrl+Z in a text is the text's own.
  document.addEventListener("keydown", (event) => {
    const takesBack = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.code === "KeyZ";
    if (takesBack && !event.target.closest("input, textarea, select") && doing.revert()) event.preventDefault();
  });
  // Not on the picture itself: it would become a stop of the Tab key.
  svg.parentNode.addEventListener("focusin", (event) => {
    const element = meant(event);
    if (element) doing.come(element);
  });
  svg.addEventListener("pointerover", (event) => {
    const { unit } = meant(event)?.dataset ?? {};
    if (event.pointerType === "mouse" && unit) doing.look(unit);
  });
}

// What is written into the cards elsewhere (`changed`, once for all at one stroke), and which of them is opened or closed.
export function cardHands(form, cards, changed, toggled) {
  let isDue = false;
  const soon = () => {
    if (isDue) return;
    isDue = true;
    queueMicrotask(() => {
      isDue = false;
      changed();
    });
  };
  for (const kind of ["input", "change"]) form.addEventListener(kind, soon);
  const wasOpen = new Map(cards.map((card) => [card, card.open]));
  for (const card of cards) {
    card.addEventListener("toggle", () => {
      // The browser tells of a card that was open from the start, too.
      if (card.open === wasOpen.get(card)) return;
      wasOpen.set(card, card.open);
      toggled(card.dataset.card, card.open);
    });
  }
}
